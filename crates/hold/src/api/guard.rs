//! What every request passes first: where it says it goes, where it comes from, and how many there are.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use tokio::sync::OwnedSemaphorePermit;

use super::App;
use super::in_flight::{self, Counted, Identified};
use super::problem::Failed;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Under which names the server answers, and which other pages may talk to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hosts {
    /// Names besides those of loopback.
    pub(crate) names: Vec<String>,
    /// Origins of other pages.
    pub(crate) origins: Vec<String>,
}

/// Lets a request through, or says why not. On every route, always.
pub(super) async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let from = app.trusted_proxies.client(from.ip(), request.headers());
    let identified = Identified::default();
    request.extensions_mut().insert(from);
    request.extensions_mut().insert(identified.clone());
    let id = request_id(request.headers());
    let origin =
        request.headers().get(header::ORIGIN).filter(|origin| app.hosts.names_origin(origin)).cloned();
    let (start, method) = (std::time::Instant::now(), request.method().clone());
    let path = request.extensions().get::<MatchedPath>().cloned();
    let mut response = match admit(&app, from.0, &request) {
        Ok(_) if origin.is_some() && is_preflight(&request) => preflight(),
        Ok(permit) => {
            let response = keep(permit, next.run(request).await);
            count(&app, response, &identified, from.0).await
        }
        Err(failed) => failed.into_response(),
    };
    tracing::info!(
        id,
        %method,
        // As the route is written: an address may hold a secret.
        path = path.as_ref().map_or("-", MatchedPath::as_str),
        status = response.status().as_u16(),
        ms = start.elapsed().as_millis(),
        "answered"
    );
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

/// Checks a request; whether the server is there can be asked however busy it is.
fn admit(app: &App, from: IpAddr, request: &Request) -> Result<Option<OwnedSemaphorePermit>, Failed> {
    app.hosts.check(request.method(), request.uri(), request.headers())?;
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return Ok(None);
    }
    if !app.limits.admits(from) {
        return Err(Failed::new(429, "too_fast", "too many requests from this address; slow down"));
    }
    let permit = Arc::clone(&app.limits.at_once).try_acquire_owned();
    permit
        .map(Some)
        .map_err(|_| Failed::new(503, "too_many", "too many requests are held at once; try again"))
}

/// A stream is under way until its last byte is sent; all else once it is answered.
fn keep(permit: Option<OwnedSemaphorePermit>, response: Response) -> Response {
    let streams = |kind: &HeaderValue| kind.as_bytes().starts_with(b"text/event-stream");
    if !response.headers().get(header::CONTENT_TYPE).is_some_and(streams) {
        return response;
    }
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let _ = &permit;
            frame
        }))
    })
}

/// Counts a large answer until it is read; refuses it to a caller that leaves too much unread.
async fn count(app: &App, response: Response, identified: &Identified, from: IpAddr) -> Response {
    let (head, body) = response.into_parts();
    let size = body.size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let Some(size) = size.filter(|size| *size > in_flight::SMALL) else {
        return Response::from_parts(head, body);
    };
    let Some(share) = app.limits.in_flight.take(identified.payer(from), size) else {
        return Failed::new(429, "too_much", "too much of what was asked for is not read yet")
            .hint("read the answers that are under way first")
            .into_response();
    };
    match body.collect().await {
        Ok(read) => Response::from_parts(head, Counted::body(read.to_bytes(), share)),
        Err(why) => Failed::new(500, "internal", why.to_string()).into_response(),
    }
}

/// What a page of a named origin may read of an answer, besides its body.
const EXPOSED: &str = "x-request-id, idempotent-replayed, location, retry-after, hold-last-seq";

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Tells the browser what a page of a named origin may send. Cookies are not among it.
fn preflight() -> Response {
    let allowed = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, PUT, PATCH, DELETE"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, idempotency-key, last-event-id, x-request-id",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, "600"),
    ];
    (StatusCode::NO_CONTENT, allowed).into_response()
}

/// Returns the caller's request id if it is plain, else a new one.
fn request_id(headers: &HeaderMap) -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let plain = |id: &&str| {
        (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
    };
    given
        .filter(plain)
        .map_or_else(|| format!("req-{:x}", NEXT.fetch_add(1, Ordering::Relaxed)), str::to_owned)
}

impl Hosts {
    /// A page elsewhere must not reach us through the person's browser: not by a name that it made lead here,
    /// and not from its own origin.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Failed> {
        if headers.get_all(header::HOST).iter().count() > 1 {
            return Err(Failed::new(400, "many_hosts", "the request names more than one host"));
        }
        // What is in the first line counts more than the header.
        let host = uri
            .authority()
            .map(Authority::as_str)
            .or_else(|| headers.get(header::HOST).and_then(|host| host.to_str().ok()));
        let host = host.ok_or_else(|| Failed::new(400, "no_host", "the request names no host"))?;
        if !self.names_host(host) {
            return Err(Failed::new(421, "foreign_host", format!("this server does not answer as {host:?}"))
                .hint("name the host in config.toml: [server] hosts = [\"…\"]"));
        }
        let elsewhere = |site: &HeaderValue| site == "cross-site" || site == "same-site";
        let is_cross_site =
            headers.get("sec-fetch-site").is_some_and(elsewhere) && !is_navigation(method, headers);
        if self.admits_origin(host, headers, is_cross_site) {
            return Ok(());
        }
        Err(if is_cross_site {
            Failed::new(403, "cross_site", "requests from other sites are refused")
        } else {
            Failed::new(403, "foreign_origin", "requests from this origin are refused")
        })
    }

    /// Returns whether a request may come from where it says. One that names no origin may, unless it comes from another site.
    fn admits_origin(&self, host: &str, headers: &HeaderMap, is_cross_site: bool) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return !is_cross_site };
        let same = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_some_and(|(_, of)| of.eq_ignore_ascii_case(host));
        same || self.names_origin(origin)
    }

    fn names_origin(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|known| origin.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
    }

    fn names_host(&self, host: &str) -> bool {
        let name = without_port(host);
        let loopback = name.eq_ignore_ascii_case("localhost")
            || name
                .trim_matches(['[', ']'])
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.to_canonical().is_loopback());
        loopback
            || self
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host))
    }
}

/// A person who follows a link from elsewhere only looks.
fn is_navigation(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::GET && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_answered() {
        let hosts = Hosts { names: vec!["hold.example".into()], origins: vec![] };
        for host in
            ["127.0.0.1:4653", "localhost", "LOCALHOST:1", "[::1]:80", "127.9.9.9", "hold.example:443"]
        {
            assert!(hosts.names_host(host), "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil",
            "",
            "10.0.0.1",
            "[::2]:1",
            "hold.example.evil",
        ] {
            assert!(!hosts.names_host(host), "{host}");
        }
    }
}
