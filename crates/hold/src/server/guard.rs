//! Checks on every request: its target, its origin, and the number of requests.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::{Body, HttpBody as _};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http_body_util::BodyExt as _;
use tokio::sync::OwnedSemaphorePermit;

use crate::http::app::App;
use crate::http::in_flight;
use crate::http::in_flight::{CountedBody, Identified};
use crate::http::problem::HandlerError;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Lets a request through, or refuses it. Runs on every route.
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
        // The route's pattern, because an address may hold a secret.
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

/// Checks a request; the health check is answered however busy the server is.
fn admit(app: &App, from: IpAddr, request: &Request) -> Result<Option<OwnedSemaphorePermit>, HandlerError> {
    app.hosts.check(request.method(), request.uri(), request.headers())?;
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return Ok(None);
    }
    if !app.limits.admits(from) {
        return Err(HandlerError::new(429, "too_fast", "too many requests from this address; slow down"));
    }
    let permit = Arc::clone(&app.limits.at_once).try_acquire_owned();
    permit
        .map(Some)
        .map_err(|_| HandlerError::new(503, "too_many", "too many requests are held at once; try again"))
}

/// Keeps the permit until a stream's last byte is sent, or until any other response is ready.
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

/// Counts a large response until it is read; refuses it if the caller leaves too much unread.
async fn count(app: &App, response: Response, identified: &Identified, from: IpAddr) -> Response {
    let (head, body) = response.into_parts();
    let size = body.size_hint().exact().and_then(|size| usize::try_from(size).ok());
    let Some(size) = size.filter(|size| *size > in_flight::SMALL) else {
        return Response::from_parts(head, body);
    };
    let Some(share) = app.limits.in_flight.take(identified.payer(from), size) else {
        return HandlerError::new(429, "too_much", "too much of earlier responses is not read yet")
            .hint("read the responses in progress first")
            .into_response();
    };
    match body.collect().await {
        Ok(read) => Response::from_parts(head, CountedBody::body(read.to_bytes(), share)),
        Err(why) => HandlerError::new(500, "internal", why.to_string()).into_response(),
    }
}

/// The headers of a response that a page of an allowed origin may read.
const EXPOSED: &str = "x-request-id, idempotent-replayed, location, retry-after, hold-last-seq";

fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Tells the browser what a page of an allowed origin may send. Cookies are not included.
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

/// Returns the caller's request id if it is plain, or a new one.
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
