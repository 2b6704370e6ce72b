//! Encrypts a message for one browser (RFC 8291), so that the push service cannot read it.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::agreement::{self, ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey};
use ring::error::Unspecified;
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::{aead, hkdf};

/// The size of a record; a message is one of them, and shorter.
const RECORD: u32 = 4_096;
/// The length of a public key: a point on the curve, not compressed.
const POINT: usize = 65;
const SECRET: usize = 16;

/// The keys that a browser gave for encryption.
pub(super) struct BrowserKeys {
    public: [u8; POINT],
    auth: [u8; SECRET],
}

impl BrowserKeys {
    /// Parses them; an unusable key is an error.
    pub(super) fn read(p256dh: &str, auth: &str) -> Result<Self, &'static str> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public = decode(p256dh).and_then(|bytes| <[u8; POINT]>::try_from(bytes).ok());
        let public = public.filter(|point| point[0] == 4 && is_on_curve(point));
        let auth = decode(auth).and_then(|bytes| bytes.try_into().ok());
        match (public, auth) {
            (None, _) => Err("p256dh must be a public key on P-256, 65 bytes in base64url"),
            (_, None) => Err("auth must be 16 bytes in base64url"),
            (Some(public), Some(auth)) => Ok(Self { public, auth }),
        }
    }

    /// Encrypts a message; returns the body of the request that carries it.
    pub(super) fn encrypt(&self, message: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let random = SystemRandom::new();
        let ours = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
        let our_public: [u8; POINT] =
            ours.compute_public_key()?.as_ref().try_into().map_err(|_| Unspecified)?;
        let mut salt = [0; SECRET];
        random.fill(&mut salt)?;
        let theirs = UnparsedPublicKey::new(&ECDH_P256, &self.public);
        agreement::agree_ephemeral(ours, &theirs, |shared| self.seal(shared, &our_public, salt, message))?
    }

    /// Does everything except agreeing on a secret.
    fn seal(
        &self,
        shared: &[u8],
        our_public: &[u8; POINT],
        salt: [u8; SECRET],
        message: &[u8],
    ) -> Result<Vec<u8>, Unspecified> {
        let info: [&[u8]; 3] = [b"WebPush: info\0", &self.public, our_public];
        let input: [u8; 32] = derive(&self.auth, shared, &info)?;
        let key: [u8; 16] = derive(&salt, &input, &[b"Content-Encoding: aes128gcm\0"])?;
        let nonce: [u8; 12] = derive(&salt, &input, &[b"Content-Encoding: nonce\0"])?;
        // This byte after the message marks the last record.
        let mut sealed = [message, &[2]].concat();
        let key = aead::LessSafeKey::new(aead::UnboundKey::new(&aead::AES_128_GCM, &key)?);
        let nonce = aead::Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, aead::Aad::empty(), &mut sealed)?;
        let length = u8::try_from(POINT).map_err(|_| Unspecified)?;
        Ok([&salt[..], &RECORD.to_be_bytes(), &[length], our_public, &sealed].concat())
    }
}

fn is_on_curve(point: &[u8; POINT]) -> bool {
    let Ok(ours) = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()) else { return false };
    agreement::agree_ephemeral(ours, &UnparsedPublicKey::new(&ECDH_P256, point), |_| ()).is_ok()
}

struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive<const N: usize>(salt: &[u8], input: &[u8], info: &[&[u8]]) -> Result<[u8; N], Unspecified> {
    let mut out = [0; N];
    let extracted = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(input);
    extracted.expand(info, Length(N))?.fill(&mut out)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes<const N: usize>(text: &str) -> [u8; N] {
        URL_SAFE_NO_PAD.decode(text).unwrap().try_into().unwrap()
    }

    /// The example in section 5 and appendix A of RFC 8291.
    #[test]
    fn it_is_what_the_rfc_shows() {
        let keys = BrowserKeys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg",
        )
        .unwrap();
        let shared: [u8; 32] = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let our_public =
            bytes("BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8");
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw");
        let message = b"When I grow up, I want to be a watermelon";
        let body = keys.seal(&shared, &our_public, salt, message).unwrap();
        assert_eq!(
            URL_SAFE_NO_PAD.encode(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
             mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
             pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn no_two_messages_are_alike_and_the_longest_fits() {
        let keys = BrowserKeys::read(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "BTBZMqHH6r4Tts7J_aSIgg==",
        )
        .unwrap();
        let longest = [7; holdpoint_protocols::webpush::MOST_BYTES];
        let (one, other) = (keys.encrypt(&longest).unwrap(), keys.encrypt(&longest).unwrap());
        assert_eq!((one.len(), other.len()), (4_096, 4_096));
        assert_ne!(one, other);
    }

    #[test]
    fn keys_that_cannot_be_used_are_refused() {
        let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let secret = "BTBZMqHH6r4Tts7J_aSIgg";
        let off_curve = URL_SAFE_NO_PAD.encode([[4].as_slice(), &[1; 64]].concat());
        let at_infinity = URL_SAFE_NO_PAD.encode([0; 65]);
        for (p256dh, auth) in [
            ("", secret),
            ("!", secret),
            (&point[..80], secret),
            (off_curve.as_str(), secret),
            (at_infinity.as_str(), secret),
            (point, ""),
            (point, "BTBZMqHH6r4Tts7J_aSI"),
            (point, "ü"),
        ] {
            assert!(BrowserKeys::read(p256dh, auth).is_err(), "{p256dh} {auth}");
        }
    }
}
