//! Ids of runs and their parts: UUIDs, so that other systems can store them beside their own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Timestamp;
use crate::text::quote;

/// The id of a run, a task, a patch set or another thing of that family: a UUID, written in lower case with hyphens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId([u8; 16]);

/// The positions of the hyphens among the bytes.
const HYPHENS: [usize; 4] = [4, 6, 8, 10];

impl ObjectId {
    /// Makes an id of version 7: it sorts by time, and the rest is random.
    pub fn at(now: Timestamp, chance: [u8; 10]) -> Self {
        let mut bytes = [0; 16];
        bytes[..6].copy_from_slice(&now.as_millis().to_be_bytes()[2..]);
        bytes[6..].copy_from_slice(&chance);
        bytes[6] = 0x70 | (bytes[6] & 0x0f);
        bytes[8] = 0x80 | (bytes[8] & 0x3f);
        Self(bytes)
    }

    /// The length of the short form.
    pub const SHORT: usize = 8;

    /// Returns the end of the id, which is as good as the whole while no other id ends the same.
    pub fn short(self) -> String {
        let whole = self.to_string();
        whole.get(whole.len() - Self::SHORT..).unwrap_or(&whole).to_owned()
    }

    /// Returns the UUID version of the id.
    pub fn version(self) -> u8 {
        self.0[6] >> 4
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            if HYPHENS.contains(&at) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ObjectId {
    type Err = String;

    /// Reads the usual forms of UUIDs: with hyphens, without, in braces, and as a URN.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{} is not a UUID; expected 8-4-4-4-12 hex digits", quote(text));
        let bare = text.strip_prefix("urn:uuid:").unwrap_or(text);
        let bare = bare.strip_prefix('{').and_then(|bare| bare.strip_suffix('}')).unwrap_or(bare);
        let digits: Vec<u8> = match bare.len() {
            32 => bare.bytes().collect(),
            36 if [8, 13, 18, 23].iter().all(|at| bare.as_bytes()[*at] == b'-') => {
                bare.bytes().filter(|byte| *byte != b'-').collect()
            }
            _ => return Err(wrong()),
        };
        if digits.len() != 32 {
            return Err(wrong());
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16).ok_or_else(wrong);
            *byte = u8::try_from(digit(0)? * 16 + digit(1)?).unwrap_or_default();
        }
        Ok(Self(bytes))
    }
}

impl Serialize for ObjectId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ObjectId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_say_their_version() {
        let early = ObjectId::at(Timestamp::from_millis(1_763_164_800_000), [0xff; 10]);
        let late = ObjectId::at(Timestamp::from_millis(1_763_164_800_001), [0; 10]);
        assert!(early < late);
        assert_eq!((early.version(), late.version()), (7, 7));
        assert_eq!(early.to_string(), "019a84cf-c400-7fff-bfff-ffffffffffff");
    }

    #[test]
    fn every_way_of_writing_reads_as_one() {
        let plain = "01a1dca4-d331-73e3-8cfb-758e798222e6";
        for text in [
            plain,
            "01A1DCA4-D331-73E3-8CFB-758E798222E6",
            "01a1dca4d33173e38cfb758e798222e6",
            "{01a1dca4-d331-73e3-8cfb-758e798222e6}",
            "urn:uuid:01a1dca4-d331-73e3-8cfb-758e798222e6",
        ] {
            assert_eq!(text.parse::<ObjectId>().unwrap().to_string(), plain);
        }
        for wrong in [
            "",
            "x",
            "01a1dca4-d331-73e3-8cfb-758e798222e",
            "01a1dca4-d331-73e3-8cfb-758e798222eg",
            "01a1dca4d331-73e3-8cfb-758e798222e6-",
            "-----------------------------------é",
            "01a1dca4--331-73e3-8cfb-758e798222e6",
        ] {
            assert!(wrong.parse::<ObjectId>().is_err(), "{wrong}");
        }
    }
}
