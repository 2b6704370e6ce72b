//! Signed state that a client stores and returns, so that we recognise it as ours and unchanged.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::Mac as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::mac::{load_or_make, mac};
use crate::error::Result;
use crate::home::Home;

/// The length of the longest text that can be our state.
const MAX_TEXT: usize = 4096;
const PURPOSE: &str = "holdpoint state v1\n";

/// The key that signs such state, from `HOLD_HOME/keys/state.key`.
#[derive(Clone)]
pub struct Seal {
    key: [u8; 32],
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal(…)")
    }
}

impl Seal {
    /// Reads the key of a data folder, or makes one; if several processes make one, one wins.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        Ok(Self { key: load_or_make(home, "state.key", "and held calls start over")? })
    }

    /// Signs a value and returns it as text.
    pub fn seal<T: Serialize>(&self, value: &T) -> String {
        let body = serde_json::to_vec(value).unwrap_or_default();
        let mac = mac(&self.key, PURPOSE, &body).finalize().into_bytes();
        format!("{}.{}", URL_SAFE_NO_PAD.encode(&body), URL_SAFE_NO_PAD.encode(mac))
    }

    /// Returns the value of a text, if we signed it.
    pub fn open<T: DeserializeOwned>(&self, text: &str) -> Option<T> {
        if text.len() > MAX_TEXT {
            return None;
        }
        let (body, signature) = text.split_once('.')?;
        let (body, signature) = (URL_SAFE_NO_PAD.decode(body).ok()?, URL_SAFE_NO_PAD.decode(signature).ok()?);
        mac(&self.key, PURPOSE, &body).verify_slice(&signature).ok()?;
        serde_json::from_slice(&body).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_sealed_here_opens() {
        let home = tempfile::tempdir().unwrap();
        let seal = Seal::load_or_make(&Home::at(home.path())).unwrap();
        let text = seal.seal(&("dcn", 7));
        assert_eq!(seal.open::<(String, u32)>(&text), Some(("dcn".into(), 7)));
        let again = Seal::load_or_make(&Home::at(home.path())).unwrap();
        assert_eq!(again.open::<(String, u32)>(&text), Some(("dcn".into(), 7)));
        let other = tempfile::tempdir().unwrap();
        let other = Seal::load_or_make(&Home::at(other.path())).unwrap();
        let (body, mac) = text.split_once('.').unwrap();
        let forged = URL_SAFE_NO_PAD.encode(r#"["dcn",8]"#);
        assert_eq!(other.open::<(String, u32)>(&text), None);
        for bad in [format!("{forged}.{mac}"), body.to_owned(), format!("{body}."), "x".repeat(5000)] {
            assert_eq!(seal.open::<(String, u32)>(&bad), None, "{bad}");
        }
    }
}
