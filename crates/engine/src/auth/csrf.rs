//! The token in every form of a session, so that pages elsewhere cannot submit one.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use subtle::ConstantTimeEq as _;

use super::secret::random;
use crate::error::Result;

const BYTES: usize = 32;

/// The token of a session, encoded anew for every page. Pages are compressed, so how well a fixed secret compresses
/// beside text of an attacker would reveal it letter by letter.
#[derive(Clone)]
pub struct CsrfToken {
    secret: [u8; BYTES],
    shown: String,
}

impl CsrfToken {
    /// Encodes a token for one page.
    pub fn new(secret: [u8; BYTES]) -> Result<Self> {
        let pad = random::<BYTES>()?;
        let shown = URL_SAFE_NO_PAD.encode([pad, xor(&pad, &secret)].concat());
        Ok(Self { secret, shown })
    }

    /// Makes a random token.
    pub fn random() -> Result<Self> {
        Self::new(random()?)
    }

    /// Encodes the same token for another page.
    pub fn again(&self) -> Result<Self> {
        Self::new(self.secret)
    }

    /// Returns the text for the page.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns whether the sent text is this token, in any encoding; timing reveals nothing.
    pub fn is(&self, sent: &str) -> bool {
        let Ok(bytes) = URL_SAFE_NO_PAD.decode(sent) else { return false };
        let Ok([pad, masked]) = <[[u8; BYTES]; 2]>::try_from(bytes.as_chunks::<BYTES>().0) else {
            return false;
        };
        bytes.len() == 2 * BYTES && xor(&pad, &masked).ct_eq(&self.secret).into()
    }
}

impl fmt::Debug for CsrfToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CsrfToken(…)")
    }
}

fn xor(left: &[u8; BYTES], right: &[u8; BYTES]) -> [u8; BYTES] {
    std::array::from_fn(|at| left[at] ^ right[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_another_wording_of_the_same_token() {
        let token = CsrfToken::random().unwrap();
        let again = token.again().unwrap();
        assert_ne!(token.shown(), again.shown());
        assert!(token.is(again.shown()) && again.is(token.shown()));
        let other = CsrfToken::random().unwrap();
        assert!(!token.is(other.shown()));
    }

    #[test]
    fn nothing_else_is_taken() {
        let token = CsrfToken::random().unwrap();
        let (shown, zeros) = (token.shown(), "A".repeat(86));
        let longer = format!("{shown}AAAA");
        for wrong in ["", "x", &shown[1..], &shown[..shown.len() - 1], &longer, &shown.to_uppercase(), &zeros]
        {
            assert!(!token.is(wrong), "{wrong}");
        }
        assert!(!format!("{token:?}").contains(shown));
    }
}
