//! Accepts connections. A caller that does not finish its request, or does not read its answer, is cut off.

use std::cell::RefCell;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request, header};
use holdpoint_core::Timestamp;
use holdpoint_engine::Clock;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

use super::write_timeout::WriteTimeout;

/// How long to wait when no connection can be accepted, for example because all descriptors are in use.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves connections until told to end, then waits for those in progress.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    timeout: Duration,
    end: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    // The header that hyper would write panics on a clock beyond the year 9999; ours uses our clock.
    http.timer(TokioTimer::new()).header_read_timeout(timeout).auto_date_header(false);
    let connections = GracefulShutdown::new();
    let mut end = std::pin::pin!(end);
    loop {
        let (stream, from) = tokio::select! {
            taken = take(&listener) => taken,
            () = &mut end => break,
        };
        let router = router.clone();
        let answer = move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(from));
            let router = router.clone();
            async move {
                let mut response = router.oneshot(request.map(Body::new)).await?;
                response.headers_mut().insert(header::DATE, date(Clock::System.now()));
                Ok::<_, Infallible>(response)
            }
        };
        let connection =
            http.serve_connection(TokioIo::new(WriteTimeout::new(stream, timeout)), service_fn(answer));
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // Nothing to do on error: the client was told, or is gone.
            let _ = connection.await;
        });
    }
    drop(listener);
    connections.shutdown().await;
}

/// Formats a time for HTTP; at most once a second on each thread.
fn date(now: Timestamp) -> HeaderValue {
    thread_local! {
        static LATEST: RefCell<(i64, HeaderValue)> = const { RefCell::new((i64::MIN, HeaderValue::from_static(""))) };
    }
    let second = now.as_millis().div_euclid(1000);
    LATEST.with_borrow_mut(|(of, value)| {
        if *of != second {
            let time = jiff::Timestamp::from_second(second).unwrap_or_default();
            let text = time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
            (*of, *value) = (second, HeaderValue::from_str(&text).unwrap_or_else(|_| value.clone()));
        }
        value.clone()
    })
}

async fn take(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(taken) => return taken,
            Err(why) => {
                tracing::warn!("Cannot take a connection: {why}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_as_http_has_it() {
        for (millis, text) in [
            (784_111_777_999, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (784_111_777_000, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (221_845_391_999_999, "Tue, 31 Dec 8999 23:59:59 GMT"),
        ] {
            assert_eq!(date(Timestamp::from_millis(millis)), text);
        }
    }
}
