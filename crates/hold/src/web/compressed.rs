//! Compressed responses: styles and scripts once, pages as they are sent.
//!
//! If a secret is compressed together with text that somebody else controls, its length gives it away. Therefore the
//! token in a page's forms is encoded differently each time, pages requested by another site are not compressed, and
//! each response gets a random length.

use std::io::Write as _;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::{Compression, GzBuilder};
use http_body_util::BodyExt as _;

/// Smaller responses gain nothing.
const SMALL: u64 = 512;
/// Larger responses are compressed on another thread, so that they do not delay other requests.
const LARGE: usize = 128 * 1024;
/// The maximum number of bytes by which equal pages differ.
const NOISE: usize = 64;

/// Compresses a page for a browser that accepts that.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let wanted = is_wanted(request.headers());
    let response = next.run(request).await;
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let is_worth_it = response.body().size_hint().exact().is_some_and(|size| size >= SMALL);
    if !wanted || !is_page || !is_worth_it || response.headers().contains_key(header::CONTENT_ENCODING) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(read) = body.collect().await else {
        return Response::from_parts(head, Body::empty());
    };
    let plain = read.to_bytes();
    let Some(packed) = page(plain.clone()).await else {
        return Response::from_parts(head, Body::from(plain));
    };
    head.headers.remove(header::CONTENT_LENGTH);
    mark(&mut head.headers);
    Response::from_parts(head, Body::from(packed))
}

/// Returns whether the response to a request may be compressed.
pub(super) fn is_wanted(headers: &HeaderMap) -> bool {
    is_read_by(headers) && !is_asked_from_elsewhere(headers)
}

/// Compresses an asset with the best compression: it is the same for all visitors, and browsers cache it.
pub(super) fn asset(plain: &[u8]) -> Option<Bytes> {
    pack(plain, Compression::best(), Vec::new())
}

/// Compresses a page, quickly.
async fn page(plain: Bytes) -> Option<Bytes> {
    let mut random = [0; NOISE];
    getrandom::fill(&mut random).ok()?;
    let length = usize::from(random[0]) % NOISE;
    let noise: Vec<u8> = random[..length].iter().map(|byte| b'a' + byte % 26).collect();
    let is_large = plain.len() > LARGE;
    let pack = move || pack(&plain, Compression::new(4), noise);
    if is_large { tokio::task::spawn_blocking(pack).await.ok()? } else { pack() }
}

/// Compresses bytes; the noise goes into the header, where readers skip it.
fn pack(plain: &[u8], level: Compression, noise: Vec<u8>) -> Option<Bytes> {
    let out = Vec::with_capacity(plain.len() / 4);
    let mut encoder = GzBuilder::new().comment(noise).write(out, level);
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

/// Marks a response as compressed.
pub(super) fn mark(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
}

/// Returns whether a browser accepts compressed responses.
pub(super) fn is_read_by(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
        let is_refused = |weight: &str| weight.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0f32));
        is_gzip && !parts.any(is_refused)
    })
}

/// Returns whether another site caused the request. If the browser does not say, that is assumed.
fn is_asked_from_elsewhere(headers: &HeaderMap) -> bool {
    !headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin" || site == "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn a_browser_says_what_it_reads() {
        for yes in ["gzip", "br, gzip", "gzip, deflate, br, zstd", "GZIP;q=0.5", "*"] {
            assert!(is_read_by(&headers("accept-encoding", yes)), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "br, gzip; q=0.0", "gzipped"] {
            assert!(!is_read_by(&headers("accept-encoding", no)), "{no}");
        }
        assert!(!is_read_by(&HeaderMap::new()));
    }

    #[test]
    fn only_pages_that_nobody_else_asked_for_are_compressed() {
        for ours in ["same-origin", "none"] {
            assert!(!is_asked_from_elsewhere(&headers("sec-fetch-site", ours)));
        }
        for theirs in ["cross-site", "same-site", ""] {
            assert!(is_asked_from_elsewhere(&headers("sec-fetch-site", theirs)));
        }
        assert!(is_asked_from_elsewhere(&HeaderMap::new()));
    }
}
