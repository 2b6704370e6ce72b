//! Hashes: 64 hex digits wherever a commit is meant, and tagged bytes for the blobs of a context.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How many hex digits the name of a SHA-1 object has.
const SHORT: usize = 40;
/// How many every hash here has.
const FULL: usize = 64;

/// A hash of 64 hex digits, read in any case and written in lower case. The shorter name of a SHA-1 commit is padded
/// with zeros on the right.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntegrityHash(String);

impl IntegrityHash {
    /// Converts the name of a commit, of 40 or of 64 hex digits.
    pub fn of_commit(name: &str) -> Result<Self, String> {
        match name.len() {
            SHORT => format!("{name}{}", "0".repeat(FULL - SHORT)).parse(),
            FULL => name.parse(),
            other => Err(format!("a commit has 40 or 64 hex digits, not {other}")),
        }
    }

    /// Returns the commit's name, without padding.
    pub fn commit(&self) -> &str {
        let (name, rest) = self.0.split_at(SHORT);
        if rest.bytes().all(|byte| byte == b'0') { name } else { &self.0 }
    }
}

impl fmt::Display for IntegrityHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for IntegrityHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for IntegrityHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() != FULL {
            return Err(format!("Invalid hash length: expected 64, got {}", text.len()));
        }
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err("a hash has hex digits only".into());
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

impl Serialize for IntegrityHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for IntegrityHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The name of a git object by its bytes: an array of numbers under the name of the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "variants are named as on the wire")]
pub enum ObjectHash {
    Sha1([u8; 20]),
    Sha256([u8; 32]),
    Blake3([u8; 32]),
}
