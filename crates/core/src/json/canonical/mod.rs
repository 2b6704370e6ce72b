//! RFC 8785 text in one pass over one buffer: members are written in the order given and sorted when their object ends.
//! Every write hashes events over this text, so it has to be fast.

mod serialize;

use std::cell::Cell;
use std::cmp::Ordering;
use std::io::Write as _;

use serde::Serialize;
use serde::ser::Error as _;

type Error = serde_json::Error;
type Result<T> = std::result::Result<T, Error>;

/// Whole numbers up to this one are exact as doubles, and are written as they are.
const EXACT: u128 = 1 << 53;

/// Returns the canonical text of a value, leaving out one member if it is an object.
pub(super) fn write<T: Serialize>(value: &T, without: Option<&str>) -> Result<String> {
    let Scratch { text, members, sorted } = SCRATCH.take();
    let mut writer = Writer { text, without, members, sorted };
    let written = value.serialize(&mut writer);
    let text =
        written.and_then(|()| std::str::from_utf8(&writer.text).map(str::to_owned).map_err(Error::custom));
    let Writer { text: mut used, mut members, sorted, .. } = writer;
    if used.capacity() <= KEPT {
        used.clear();
        members.clear();
        SCRATCH.set(Scratch { text: used, members, sorted });
    }
    text
}

/// The largest buffer that is kept for the next text.
const KEPT: usize = 64 * 1024;

/// Buffers that are reused, because growing them would take most of the time.
#[derive(Default)]
struct Scratch {
    text: Vec<u8>,
    members: Vec<Member>,
    sorted: Vec<u8>,
}

thread_local! {
    static SCRATCH: Cell<Scratch> = Cell::default();
}

struct Writer<'a> {
    text: Vec<u8>,
    without: Option<&'a str>,
    /// The members so far of all unfinished objects.
    members: Vec<Member>,
    sorted: Vec<u8>,
}

/// The position of a member in the text, from the quote before its name to the end of its value.
#[derive(Clone, Copy)]
struct Member {
    /// The first eight bytes of the name, which distinguish most names.
    head: u64,
    start: usize,
    colon: usize,
    end: usize,
    /// Whether the name is ASCII without escapes, so that its bytes sort like its characters.
    plain: bool,
}

impl Member {
    fn name<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start + 1..self.colon - 1]
    }

    #[inline]
    fn by_name(&self, other: &Self, text: &[u8]) -> Ordering {
        if !(self.plain && other.plain) {
            return self.by_meaning(other, text);
        }
        match self.head.cmp(&other.head) {
            Ordering::Equal => self.name(text).cmp(other.name(text)),
            different => different,
        }
    }

    /// Compares names by the UTF-16 code units of their unescaped text.
    #[cold]
    fn by_meaning(&self, other: &Self, text: &[u8]) -> Ordering {
        let meant = |member: &Self| -> String {
            serde_json::from_slice(&text[member.start..member.colon]).unwrap_or_default()
        };
        meant(self).encode_utf16().cmp(meant(other).encode_utf16())
    }
}

/// Returns whether text needs no escapes between quotes. It checks eight bytes at a time, because most text needs none.
fn is_plain(text: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = u64::from_ne_bytes([0x80; 8]);
    let all = |byte: u8| ONES * u64::from(byte);
    let has_below = |word: u64, byte: u8| word.wrapping_sub(all(byte)) & !word & HIGHEST != 0;
    let has = |word: u64, byte: u8| has_below(word ^ all(byte), 1);
    let (words, rest) = text.as_chunks();
    let words = words.iter().map(|word| u64::from_ne_bytes(*word));
    !words.into_iter().any(|word| has_below(word, 0x20) || has(word, b'"') || has(word, b'\\'))
        && !rest.iter().any(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\')
}

impl Writer<'_> {
    fn string(&mut self, text: &str) {
        let escaped = |byte: &u8| !is_plain(&[*byte]);
        self.text.push(b'"');
        let bytes = text.as_bytes();
        if is_plain(bytes) {
            self.text.extend_from_slice(bytes);
        } else {
            for part in bytes.split_inclusive(escaped) {
                match part.split_last() {
                    Some((last, plain)) if escaped(last) => {
                        self.text.extend_from_slice(plain);
                        self.escape(*last);
                    }
                    _ => self.text.extend_from_slice(part),
                }
            }
        }
        self.text.push(b'"');
    }

    fn escape(&mut self, byte: u8) {
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x09 => b't',
            0x0A => b'n',
            0x0C => b'f',
            0x0D => b'r',
            _ => {
                let _ = write!(self.text, "\\u{byte:04x}");
                return;
            }
        };
        self.text.extend_from_slice(&[b'\\', short]);
    }

    /// Writes a whole number; beyond the exact range of doubles, as the nearest double.
    fn whole(&mut self, value: i128) -> Result<()> {
        if value.unsigned_abs() <= EXACT {
            let _ = write!(self.text, "{value}");
            return Ok(());
        }
        #[expect(clippy::cast_precision_loss, reason = "RFC 8785 has doubles only")]
        self.double(value as f64)
    }

    fn double(&mut self, value: f64) -> Result<()> {
        if !value.is_finite() {
            return Err(Error::custom("JSON cannot represent a number that is not finite"));
        }
        self.text.extend_from_slice(ryu_js::Buffer::new().format_finite(value).as_bytes());
        Ok(())
    }

    fn begin_member(&mut self, first: bool) {
        if !first {
            self.end_member();
            self.text.push(b',');
        }
        let start = self.text.len();
        self.members.push(Member { start, colon: start, end: start, head: 0, plain: true });
    }

    /// Records the end of the name that was just written, and whether it is plain.
    fn end_name(&mut self) {
        if let Some(member) = self.members.last_mut() {
            member.colon = self.text.len();
            let name = member.name(&self.text);
            member.plain = name.is_ascii() && !name.contains(&b'\\');
            member.head = match name.first_chunk() {
                Some(head) => u64::from_be_bytes(*head),
                None => {
                    name.iter().fold(0, |head, byte| head << 8 | u64::from(*byte))
                        << (64 - 8 * name.len()).min(63)
                }
            };
        }
        self.text.push(b':');
    }

    fn end_member(&mut self) {
        let end = self.text.len();
        if let Some(last) = self.members.last_mut() {
            last.end = end;
        }
    }

    /// Sorts the members of an object that ends.
    fn sort(&mut self, start: usize, first: usize) {
        let text = &self.text;
        let without = self.without.filter(|_| start == 1);
        if let Some(without) = without {
            // Only the outermost object is unfinished, so these are all its members.
            self.members.retain(|member| member.name(text) != without.as_bytes());
        }
        let members = &mut self.members[first..];
        let in_order = members.is_sorted_by(|a, b| a.by_name(b, text) != Ordering::Greater);
        if in_order && without.is_none() {
            return;
        }
        members.sort_unstable_by(|a, b| a.by_name(b, text));
        self.sorted.clear();
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.sorted.push(b',');
            }
            self.sorted.extend_from_slice(&text[member.start..member.end]);
        }
        self.text.truncate(start);
        self.text.extend_from_slice(&self.sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_filter("a number", |number| number.is_finite()).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            let name = prop_oneof!["[a-c\"\\\\]{0,3}", any::<String>()];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::vec((name, inner), 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_text_is_that_of_another_implementation(value in any_value()) {
            prop_assert_eq!(write(&value, None).unwrap(), serde_json_canonicalizer::to_string(&value).unwrap());
        }

        #[test]
        fn a_member_is_left_out_as_if_it_were_not_there(value in any_value(), name in "[a-c]{0,2}") {
            let mut without = value.clone();
            if let Value::Object(members) = &mut without {
                members.remove(&name);
            }
            prop_assert_eq!(write(&value, Some(&name)).unwrap(), write(&without, None).unwrap());
        }
    }

    #[test]
    fn names_are_sorted_as_they_are_meant() {
        #[derive(Serialize)]
        struct Unsorted {
            z: u8,
            #[serde(rename = "\u{fb01}")]
            ligature: u8,
            #[serde(rename = "\u{1f600}")]
            face: u8,
            #[serde(rename = "a\"")]
            quoted: u8,
            a: Value,
        }
        let value = Unsorted {
            z: 1,
            ligature: 2,
            face: 3,
            quoted: 4,
            a: json!({ "b": {}, "a": [{ "d": 0, "c": -0.0 }] }),
        };
        let text =
            "{\"a\":{\"a\":[{\"c\":0,\"d\":0}],\"b\":{}},\"a\\\"\":4,\"z\":1,\"\u{1f600}\":3,\"\u{fb01}\":2}";
        assert_eq!(write(&value, None).unwrap(), text);
    }

    #[test]
    fn every_shape_is_written_as_by_another_implementation() {
        #[derive(Serialize)]
        enum Shape {
            Unit,
            Newtype(Option<f32>),
            Tuple(u8, char),
            Struct { b: (), a: [i8; 2] },
        }
        #[derive(Serialize)]
        struct Pair(i64, u64);
        let shapes = (
            [Shape::Unit, Shape::Newtype(Some(0.5)), Shape::Newtype(None), Shape::Tuple(1, '\u{8}')],
            Shape::Struct { b: (), a: [-1, 1] },
            Pair(i64::MIN, u64::MAX),
        );
        assert_eq!(write(&shapes, None).unwrap(), serde_json_canonicalizer::to_string(&shapes).unwrap());
        assert!(write(&[f64::NAN], None).is_err());
        assert!(write(&std::collections::BTreeMap::from([(None::<u8>, 1)]), None).is_err());
    }
}
