//! A request to a remote program: numbered, dated, and proven to be ours by a Standard Webhooks signature or a token.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use holdpoint_core::Timestamp;
use reqwest::Client;
use reqwest::header::{self, HeaderValue};
use sha2::Sha256;
use url::Url;

use super::address::literal;
use super::channel::DeliveryError;
use super::http::{refused, unreached};
use super::private;

/// The proof for a receiver that a request is ours.
#[derive(Clone)]
pub(super) enum RequestProof {
    /// HMAC-SHA-256 over id, time and body, with this key.
    Signature(Vec<u8>),
    /// This value of `Authorization`.
    Bearer(HeaderValue),
}

impl fmt::Debug for RequestProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestProof(…)")
    }
}

impl RequestProof {
    /// Signs with the key of a secret: the decoded base64 of a `whsec_` one, or else its own bytes.
    pub(super) fn signature(secret: &str) -> Result<Self, String> {
        const SHORTEST: usize = 24;
        let key = match secret.strip_prefix("whsec_") {
            Some(coded) => STANDARD.decode(coded).map_err(|_| "the secret after whsec_ is not base64")?,
            None => secret.as_bytes().to_vec(),
        };
        if key.len() < SHORTEST {
            return Err(format!("the secret has {} bytes; at least {SHORTEST} are needed", key.len()));
        }
        Ok(Self::Signature(key))
    }

    /// Sends the secret itself.
    pub(super) fn bearer(secret: &str) -> Result<Self, String> {
        let value = HeaderValue::from_str(&format!("Bearer {secret}"));
        let mut value = value.map_err(|_| "the secret has characters that no header may have")?;
        value.set_sensitive(true);
        Ok(Self::Bearer(value))
    }
}

/// The address of a request.
#[derive(Debug)]
pub(super) struct RequestTarget<'a> {
    pub(super) http: &'a Client,
    pub(super) url: &'a Url,
    pub(super) allow_private: bool,
}

/// Sends JSON; a status from 200 to 299 means that it was received.
pub(super) async fn post(
    to: RequestTarget<'_>,
    proof: Option<&RequestProof>,
    id: i64,
    at: Timestamp,
    body: String,
) -> Result<(), DeliveryError> {
    // A name is checked when it is looked up; an address is not looked up.
    if !to.allow_private {
        private::check_all(literal(to.url).into_iter())
            .map_err(|why| DeliveryError::never(why.to_string()))?;
    }
    let (id, seconds) = (id.to_string(), (at.as_millis() / 1000).to_string());
    let request = to.http.post(to.url.clone()).header(header::CONTENT_TYPE, "application/json");
    let request = match proof {
        Some(RequestProof::Signature(key)) => {
            let signature = sign(key, &id, &seconds, &body).map_err(DeliveryError::never)?;
            request.header("webhook-signature", signature)
        }
        Some(RequestProof::Bearer(value)) => request.header(header::AUTHORIZATION, value.clone()),
        None => request,
    };
    let request = request.header("webhook-id", id).header("webhook-timestamp", seconds);
    match request.body(body).send().await {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => {
            let bearer = match proof {
                Some(RequestProof::Bearer(value)) => {
                    value.to_str().ok().and_then(|value| value.split(' ').nth(1))
                }
                _ => None,
            };
            Err(refused(response, at, &[to.url.as_str(), bearer.unwrap_or_default()]).await)
        }
        Err(error) => Err(unreached(&error)),
    }
}

/// Returns `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`.
fn sign(key: &[u8], id: &str, seconds: &str, body: &str) -> Result<String, String> {
    let mac =
        <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).map_err(|why| format!("cannot sign: {why}"))?;
    let mac = mac.chain_update(format!("{id}.{seconds}.")).chain_update(body);
    Ok(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_standard_webhooks() {
        let Ok(RequestProof::Signature(key)) =
            RequestProof::signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        else {
            panic!("not a key");
        };
        let signature = sign(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signature.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(RequestProof::signature("whsec_!!").unwrap_err().contains("base64"));
        assert!(!RequestProof::signature("short-secret").unwrap_err().contains("short-secret"));
        assert!(!RequestProof::bearer("two\nlines").unwrap_err().contains("two"));
    }
}
