//! HTTP to other servers: never to a private address unless allowed, and errors without the address, which may contain
//! a secret.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Span, Timestamp};
use reqwest::{Response, StatusCode, header};

use super::channel::DeliveryError;
use super::excerpt::excerpt;
use super::private::Private;
use super::public::PublicOnly;
use super::reply;

/// Makes a client with a timeout per request.
pub(super) fn client(timeout: Duration, allow_private: bool) -> Result<reqwest::Client, String> {
    // The first caller chooses; there is only one choice.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder()
        .user_agent(concat!("holdpoint/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        // A proxy would resolve names itself, and connect to addresses that are not allowed here.
        .no_proxy()
        .pool_idle_timeout(Duration::from_secs(30))
        .timeout(timeout);
    let http = if allow_private { http } else { http.dns_resolver(Arc::new(PublicOnly)) };
    http.build().map_err(|why| format!("cannot be set up: {why}"))
}

/// Says why a request was not taken, without the secrets that it carried.
pub(super) async fn refused(mut response: Response, now: Timestamp, secrets: &[&str]) -> DeliveryError {
    const READ: usize = 1024;
    let status = response.status();
    let after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let after = after.and_then(|value| retry_after(value, now));
    let mut said = Vec::new();
    while said.len() < READ
        && let Ok(Some(chunk)) = response.chunk().await
    {
        said.extend_from_slice(&chunk);
    }
    said.truncate(READ);
    let said = reply::loggable(&String::from_utf8_lossy(&said), secrets);
    let why =
        if said.is_empty() { format!("answered {status}") } else { format!("answered {status}: {said}") };
    if status == StatusCode::GONE { DeliveryError::never(why) } else { DeliveryError::Later { why, after } }
}

/// Says why nothing came back; the address stays out of it.
pub(super) fn unreached(error: &reqwest::Error) -> DeliveryError {
    let mut why: &dyn std::error::Error = error;
    loop {
        if let Some(private) = why.downcast_ref::<Private>() {
            return DeliveryError::never(private.to_string());
        }
        match why.source() {
            Some(source) => why = source,
            None => break,
        }
    }
    if error.is_timeout() {
        return DeliveryError::later("did not answer in time");
    }
    // Of reqwest's own errors only the innermost reason is free of the address.
    let why =
        if error.source().is_some() { excerpt(&why.to_string(), 200) } else { "the request failed".into() };
    DeliveryError::later(format!("could not be reached: {why}"))
}

/// Parses how long a receiver asks to wait: seconds, or a date.
fn retry_after(value: &str, now: Timestamp) -> Option<Span> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Span::from_secs(seconds.into()));
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp().as_millisecond();
    Some(Timestamp::from_millis(at).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_say_how_long_to_wait() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        assert_eq!(retry_after("120", now), Some(Span::from_secs(120)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now), Some(Span::from_secs(37)));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:48:00 GMT", now), Some(Span::from_secs(0)));
        assert_eq!(retry_after("soon", now), None);
        assert_eq!(retry_after("-5", now), None);
    }
}
