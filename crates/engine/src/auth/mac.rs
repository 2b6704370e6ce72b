//! Keyed hashes (MACs), each for one use, and their keys.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use super::secret::random;
use crate::error::{Error, Result};
use crate::home::Home;

/// Reads a key of a data folder, or makes one; if several processes make one, one wins. `cost` says what removing an
/// unreadable key would mean.
pub(super) fn load_or_make(home: &Home, name: &str, cost: &str) -> Result<[u8; 32]> {
    let path = home.keys().join(name);
    if !path.exists() {
        let text = URL_SAFE_NO_PAD.encode(random::<32>()?);
        Home::write_private_once(&path, text.as_bytes())?;
    }
    let text =
        std::fs::read_to_string(&path).map_err(Error::io(format!("cannot read {}", path.display())))?;
    let key = URL_SAFE_NO_PAD.decode(text.trim()).ok().and_then(|bytes| bytes.try_into().ok());
    key.ok_or_else(|| Error::Settings(format!("{} is not a key; remove it, {cost}", path.display())))
}

/// Returns HMAC-SHA-256 over a body, for a named use, so that it is valid for no other use.
pub(super) fn mac(key: &[u8; 32], purpose: &str, body: &[u8]) -> Hmac<Sha256> {
    // HMAC pads a short key with zeroes to a whole block; padding it here means that no length can be wrong.
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    block[..key.len()].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new(&block);
    mac.update(purpose.as_bytes());
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_hmac_sha_256() {
        let usual = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(&[7; 32]).unwrap().chain_update(b"ab");
        assert_eq!(mac(&[7; 32], "a", b"b").finalize().into_bytes(), usual.finalize().into_bytes());
    }
}
