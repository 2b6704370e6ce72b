//! The identity of the sender: a key pair of the store, by which push services recognise it (RFC 8292).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use holdpoint_core::Timestamp;
use holdpoint_store::Store;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::json;
use url::Url;

use crate::error::{Error, Result};

/// How long a proof is valid, in seconds; push services accept at most a day.
const LASTS: i64 = 12 * 60 * 60;

/// The key pair.
pub(super) struct VapidKey {
    pair: EcdsaKeyPair,
    /// The public half, in the form for browsers and push services.
    pub(super) public: String,
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VapidKey({})", self.public)
    }
}

impl VapidKey {
    /// Returns the key pair of a store. It is made when first needed; if several nodes make one, one wins.
    pub(super) async fn of(store: &dyn Store) -> Result<Self> {
        if let Some(kept) = store.push_key().await? {
            return Self::read(&kept);
        }
        store.keep_push_key(&make()?).await?;
        let kept = store.push_key().await?;
        Self::read(&kept.ok_or_else(|| broken("is not kept"))?)
    }

    fn read(pkcs8: &[u8]) -> Result<Self> {
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &SystemRandom::new());
        let pair = pair.map_err(|_| broken("cannot be read"))?;
        let public = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        Ok(Self { pair, public })
    }

    /// Returns the header that identifies and authorises the sender to a push service.
    pub(super) fn authorization(&self, endpoint: &Url, contact: &str, now: Timestamp) -> Result<String> {
        let header = json!({ "typ": "JWT", "alg": "ES256" });
        let claims = json!({
            "aud": endpoint.origin().ascii_serialization(),
            "exp": now.as_millis() / 1_000 + LASTS,
            "sub": contact,
        });
        let encode = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encode(header), encode(claims));
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.map_err(|_| broken("cannot sign"))?;
        Ok(format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature.as_ref()), self.public))
    }
}

fn make() -> Result<Vec<u8>> {
    let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
    Ok(made.map_err(|_| broken("cannot be made"))?.as_ref().to_vec())
}

fn broken(what: &str) -> Error {
    Error::Settings(format!("the key pair for Web Push {what}"))
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    #[test]
    fn a_proof_is_signed_for_one_service_and_not_for_long() {
        let key = VapidKey::read(&make().unwrap()).unwrap();
        let endpoint = Url::parse("https://push.example:8443/secret/path?x").unwrap();
        let now = Timestamp::from_millis(1_000_000);
        let header = key.authorization(&endpoint, "mailto:ops@example.org", now).unwrap();
        let (token, public) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!(public, key.public);
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, decode(public));
        public.verify(signed.as_bytes(), &decode(signature)).unwrap();
        let claims: serde_json::Value =
            serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
        let expected = json!({
            "aud": "https://push.example:8443", "exp": 1_000 + LASTS, "sub": "mailto:ops@example.org",
        });
        assert_eq!(claims, expected);
        assert!(!format!("{key:?}").contains("pair"));
    }

    #[test]
    fn what_is_no_key_pair_is_said_without_it() {
        for bytes in [&b""[..], b"secret", &[0x30; 138]] {
            let error = VapidKey::read(bytes).unwrap_err().to_string();
            assert!(error.contains("cannot be read") && !error.contains("secret"), "{error}");
        }
    }
}
