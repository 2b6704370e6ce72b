//! Taking connections. A caller that does not finish what it began to say, or does not read its answer, is cut off.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

use super::write_timeout::WriteTimeout;

/// How long to wait when no connection can be taken, as when all descriptors are in use.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves connections until told to end, then waits for what is under way.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    timeout: Duration,
    end: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(timeout);
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
            router.oneshot(request.map(Body::new))
        };
        let connection =
            http.serve_connection(TokioIo::new(WriteTimeout::new(stream, timeout)), service_fn(answer));
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            // A client that is cut off or goes away has been told, or is not there to be.
            let _ = connection.await;
        });
    }
    drop(listener);
    connections.shutdown().await;
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
