//! The key that signs checkpoints and receipts. Its secret half never leaves `HOLD_HOME/keys`.

use std::fmt;
use std::path::Path;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use holdpoint_core::json::sha256_hex;
use holdpoint_store::Signer;

use crate::error::{Error, Result};
use crate::home::Home;

/// A signing key.
pub struct Key {
    secret: SigningKey,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.key())
    }
}

impl Key {
    /// Reads the key of a data folder, or makes one; of several processes that make one, one wins.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        let path = home.keys().join("signing.key");
        if !path.exists() {
            let mut seed = [0; 32];
            getrandom::fill(&mut seed)
                .map_err(|why| Error::Settings(format!("no randomness for a key: {why}")))?;
            let made = Self { secret: SigningKey::from_bytes(&seed) };
            if Home::write_private_once(&path, hex(&seed).as_bytes())? {
                made.publish(home)?;
                return Ok(made);
            }
        }
        let text =
            std::fs::read_to_string(&path).map_err(Error::io(format!("cannot read {}", path.display())))?;
        let seed = unhex::<32>(text.trim())
            .ok_or_else(|| Error::Settings(format!("{} is not a signing key", path.display())))?;
        Ok(Self { secret: SigningKey::from_bytes(&seed) })
    }

    /// Lists the public keys that a data folder trusts: its own, and those laid beside it as `NAME.pub`.
    pub fn trusted(home: &Home) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(home.keys()) else { return Vec::new() };
        let read = |path: &Path| std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let public = entries.flatten().map(|entry| entry.path());
        let public = public.filter(|path| path.extension().is_some_and(|extension| extension == "pub"));
        public.filter_map(|path| read(&path)).filter(|text| unhex::<32>(text).is_some()).collect()
    }

    fn publish(&self, home: &Home) -> Result<()> {
        Home::write_private(&home.keys().join(format!("{}.pub", self.key())), self.public_key().as_bytes())
    }
}

impl Signer for Key {
    fn key(&self) -> String {
        key_id(&self.public_key())
    }

    fn public_key(&self) -> String {
        hex(self.secret.verifying_key().as_bytes())
    }

    fn sign(&self, message: &[u8]) -> String {
        hex(&self.secret.sign(message).to_bytes())
    }
}

/// Returns the id of a public key.
pub fn key_id(public_key: &str) -> String {
    format!("key-{}", &sha256_hex(public_key.as_bytes())[..16])
}

/// Reads a public key that someone gave, so that a slip of the finger is not taken for a key that signed nothing.
pub fn parse_public(text: &str) -> std::result::Result<String, String> {
    let key = unhex::<32>(text).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    key.map(|_| text.to_owned()).ok_or_else(|| "is not a public key: 64 hex digits are".to_owned())
}

/// Returns whether a signature, in hex, is that of a key over a message.
pub fn verify(public_key: &str, message: &[u8], signature: &str) -> bool {
    let key = unhex::<32>(public_key).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let signature = unhex::<64>(signature).map(|bytes| Signature::from_bytes(&bytes));
    match (key, signature) {
        (Some(key), Some(signature)) => key.verify_strict(message, &signature).is_ok(),
        _ => false,
    }
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let made = Key::load_or_make(&home).unwrap();
        let read = Key::load_or_make(&home).unwrap();
        assert_eq!(made.public_key(), read.public_key());
        assert_eq!(Key::trusted(&home), [made.public_key()]);
        let signature = made.sign(b"word");
        assert!(verify(&made.public_key(), b"word", &signature));
        assert!(!verify(&made.public_key(), b"other", &signature));
        assert!(!verify("zz", b"word", &signature));
        assert!(!format!("{made:?}").contains(&hex(&made.secret.to_bytes())));
    }
}
