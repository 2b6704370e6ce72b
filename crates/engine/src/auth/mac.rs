//! Keyed hashes, each for one use.

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

/// Returns HMAC-SHA-256 over a body, for a use that is named so that no other can take it for its own.
pub(super) fn mac(key: &[u8; 32], purpose: &str, body: &[u8]) -> Hmac<Sha256> {
    // HMAC fills a short key up with zeroes to a whole block; done here, no length can be wrong.
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    block[..key.len()].copy_from_slice(key);
    let mut mac = <Hmac<Sha256> as hmac::Mac>::new(&block);
    mac.update(purpose.as_bytes());
    mac.update(body);
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_hmac_sha_256() {
        let usual = <Hmac<Sha256> as hmac::Mac>::new_from_slice(&[7; 32]).unwrap().chain_update(b"ab");
        assert_eq!(mac(&[7; 32], "a", b"b").finalize().into_bytes(), usual.finalize().into_bytes());
    }
}
