//! Hashes of secrets, which are never shown.

use std::fmt;

use sha2::{Digest as _, Sha256};

use crate::json::hex;

/// The SHA-256 of a secret. It is never shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

impl SecretHash {
    /// Returns its first 16 bytes in hex, as recorded in the log.
    pub fn fingerprint(&self) -> String {
        hex(&self.0[..16])
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

/// The slow hash of a password, with its parameters. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps the output of a password hasher.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the fingerprint recorded in the log.
    pub fn fingerprint(&self) -> String {
        SecretHash(Sha256::digest(self.0.as_bytes()).into()).fingerprint()
    }

    /// Returns the hash text, to store it or to check a password.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}
