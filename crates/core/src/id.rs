//! Decision ids: short, random-looking, and a keyed permutation of the row number.
//!
//! Random ids as keys would dirty a random page of every index on every write. An id that encodes the row
//! number needs no index at all: an exact look-up inverts the permutation, and a prefix is found by running it
//! forwards over the numbers in use, which takes milliseconds for a million.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::text::quote;

/// Lower-case base 32 without the look-alikes i, l, o and u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 12;
const PREFIX: &str = "dcn-";
const HALF: u32 = 30;
const MASK: u64 = (1 << HALF) - 1;

/// The id of a decision: `dcn-` and twelve base-32 characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionId([u8; LENGTH]);

impl DecisionId {
    /// The prefix of every id.
    pub const PREFIX: &str = PREFIX;

    /// Returns the twelve characters after `dcn-`.
    pub fn suffix(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Brings what a person typed to the form in which ids are compared: without `dcn-`, in lower case, look-alikes
    /// replaced. Returns none if no id can start with it.
    pub fn normalise_prefix(typed: &str) -> Option<String> {
        let typed = typed.trim().to_ascii_lowercase();
        let bare = typed.strip_prefix(PREFIX).unwrap_or(&typed);
        let bare: String = bare
            .chars()
            .map(|c| match c {
                'i' | 'l' => '1',
                'o' => '0',
                other => other,
            })
            .collect();
        let fits = bare.len() <= LENGTH && bare.bytes().all(|b| ALPHABET.contains(&b));
        fits.then_some(bare)
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        let mut text = [0; LENGTH];
        for (place, slot) in text.iter_mut().enumerate() {
            let shift = 5 * (LENGTH - 1 - place);
            *slot = ALPHABET[usize::try_from((bits >> shift) & 31).unwrap_or_default()];
        }
        Self(text)
    }

    /// Returns the id as a number of 60 bits, five per character. Ids sort in the order of these numbers.
    pub fn bits(self) -> u64 {
        self.0.iter().fold(0, |bits, byte| {
            let digit = ALPHABET.iter().position(|b| b == byte).unwrap_or_default();
            (bits << 5) | digit as u64
        })
    }
}

impl fmt::Display for DecisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.suffix())
    }
}

impl fmt::Debug for DecisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for DecisionId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // An id written by a program is already in normal form.
        let exact = text.strip_prefix(PREFIX).and_then(|bare| <[u8; LENGTH]>::try_from(bare.as_bytes()).ok());
        if let Some(exact) = exact.filter(|exact| exact.iter().all(|byte| ALPHABET.contains(byte))) {
            return Ok(Self(exact));
        }
        let bare = Self::normalise_prefix(text).filter(|bare| bare.len() == LENGTH);
        let bytes = bare.and_then(|bare| <[u8; LENGTH]>::try_from(bare.as_bytes()).ok());
        bytes.map(Self).ok_or_else(|| format!("{} is not a decision id", quote(text)))
    }
}

impl Serialize for DecisionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DecisionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A store's permutation between row numbers and decision ids.
///
/// It hides the count and the order of decisions from a casual look; it is not a secret and protects nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    round_keys: [u64; 6],
}

impl Numbering {
    /// Makes the permutation that belongs to a store's key.
    pub fn new(key: u64) -> Self {
        let mut state = key;
        Self {
            round_keys: std::array::from_fn(|_| {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                mix(state)
            }),
        }
    }

    /// Returns the id of row `number`; only the lower 60 bits count.
    pub fn id(&self, number: i64) -> DecisionId {
        DecisionId::from_bits(self.bits(number))
    }

    /// Returns only the bits of the id of row `number`, for a search over many rows.
    pub fn bits(&self, number: i64) -> u64 {
        let number = number.cast_unsigned();
        let (mut left, mut right) = ((number >> HALF) & MASK, number & MASK);
        for key in self.round_keys {
            (left, right) = (right, left ^ (mix(right ^ key) & MASK));
        }
        (left << HALF) | right
    }

    /// Returns the row number that an id stands for; any well-formed id has one, in use or not.
    pub fn number(&self, id: DecisionId) -> i64 {
        let bits = id.bits();
        let (mut left, mut right) = (bits >> HALF, bits & MASK);
        for key in self.round_keys.iter().rev() {
            (left, right) = (right ^ (mix(left ^ key) & MASK), left);
        }
        ((left << HALF) | right).cast_signed()
    }
}

/// The finaliser of splitmix64: every input bit affects every output bit.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbering_is_a_permutation(key: u64, number in 0i64..(1 << 60)) {
            let numbering = Numbering::new(key);
            let id = numbering.id(number);
            prop_assert_eq!(numbering.number(id), number);
            prop_assert_eq!(id.to_string().parse::<DecisionId>(), Ok(id));
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = text.parse::<DecisionId>();
            let _ = DecisionId::normalise_prefix(&text);
        }
    }

    #[test]
    fn neighbours_share_no_visible_order() {
        let numbering = Numbering::new(7);
        let ids: Vec<_> = (1..=1000).map(|n| numbering.id(n)).collect();
        let rising = ids.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert!((400..600).contains(&rising), "{rising} of 999 rise");
    }

    #[test]
    fn look_alikes_are_read_as_meant() {
        assert_eq!(DecisionId::normalise_prefix("DCN-IlO0"), Some("1100".into()));
        assert_eq!(DecisionId::normalise_prefix("u"), None);
        assert_eq!(DecisionId::normalise_prefix("0123456789abc"), None);
    }
}
