//! Secrets: random, shown once, kept only as a hash.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use holdpoint_core::SecretHash;
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

const PREFIX: &str = "hold_";
const BYTES: usize = 32;
/// The length of a secret of ours.
const LENGTH: usize = PREFIX.len() + 43;

/// A secret of 256 random bits. [`Secret::reveal`] is the only way to its text.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; BYTES]);

impl Secret {
    /// Makes a new secret.
    pub fn random() -> Result<Self> {
        random().map(Self)
    }

    /// Reads a presented secret; none if it cannot be one.
    pub fn read(text: &str) -> Option<Self> {
        let coded = text.strip_prefix(PREFIX).filter(|_| text.len() == LENGTH)?;
        URL_SAFE_NO_PAD.decode(coded).ok()?.try_into().ok().map(Self)
    }

    /// Returns the text: to show it once, or to send it.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(self.0))
    }

    /// Returns the stored hash. Secrets are looked up by it, so that no comparison can be timed.
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.0).into())
    }

    /// Returns the bytes from which other keys are derived.
    pub(super) fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Returns random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| Error::Settings(format!("no randomness available: {why}")))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_show_themselves_only_when_asked() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_ne!(one.reveal(), other.reveal());
        assert_ne!(one.hash(), other.hash());
        assert_eq!(Secret::read(&one.reveal()).map(|secret| secret.hash()), Some(one.hash()));
        let shown = format!("{one:?} {:?} {:?}", one.hash(), Some(&one));
        assert!(!shown.contains(&one.reveal()[PREFIX.len()..]) && !shown.contains('['), "{shown}");
    }

    #[test]
    fn what_cannot_be_a_secret_is_not_even_looked_up() {
        let secret = Secret::random().unwrap();
        let text = secret.reveal();
        let huge = format!("{text}{}", "A".repeat(1 << 20));
        for bad in [
            "",
            "hold_",
            &text[1..],
            &text[..text.len() - 1],
            &format!("{text} "),
            &text.to_uppercase(),
            &huge,
        ] {
            assert_eq!(Secret::read(bad), None, "{} bytes", bad.len());
        }
        assert_eq!(Secret::read(&format!("hold_{}", "ü".repeat(43))), None);
    }
}
