//! RFC 8785 text in one pass over one buffer: members are written where they come and sorted when their object
//! ends. Every event is hashed over this text, so it is on the way of every write.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// Whole numbers up to here are doubles too, and are written as they are.
const EXACT: u64 = 1 << 53;

/// Returns the canonical text of a value, leaving out one member if it is an object.
pub(super) fn write<T: Serialize>(value: &T, without: Option<&str>) -> Result<String, serde_json::Error> {
    let text = RefCell::new(Vec::with_capacity(1024));
    let sorter =
        Sorter { text: &text, without, objects: Vec::new(), members: Vec::new(), sorted: Vec::new() };
    value.serialize(&mut Serializer::with_formatter(Text(&text), sorter))?;
    String::from_utf8(text.into_inner()).map_err(serde::ser::Error::custom)
}

/// The text so far. The formatter has it too: it must see where things stand in it.
struct Text<'a>(&'a RefCell<Vec<u8>>);

impl io::Write for Text<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes numbers as doubles are written, and sorts members by their names.
struct Sorter<'a> {
    text: &'a RefCell<Vec<u8>>,
    without: Option<&'a str>,
    objects: Vec<Object>,
    members: Vec<Member>,
    sorted: Vec<u8>,
}

/// An object that is not at its end: where its members start, in the text and in the list.
struct Object {
    start: usize,
    first: usize,
}

/// Where a member stands in the text, from the quote before its name to the end of its value.
#[derive(Clone, Copy)]
struct Member {
    start: usize,
    colon: usize,
    end: usize,
}

impl Sorter<'_> {
    fn place(&self) -> usize {
        self.text.borrow().len()
    }

    fn end_member(&mut self, object: usize) {
        let end = self.place();
        if let Some(last) = self.members.get_mut(object..).and_then(<[Member]>::last_mut) {
            last.end = end;
        }
    }

    fn sort(&mut self, object: &Object) {
        let mut text = self.text.borrow_mut();
        let without = self.without.filter(|_| object.start == 1);
        let name = |member: &Member| &text[member.start + 1..member.colon - 1];
        if let Some(without) = without {
            let mut at = 0;
            self.members.retain(|member| {
                at += 1;
                at <= object.first || name(member) != without.as_bytes()
            });
        }
        let members = &mut self.members[object.first..];
        let in_order = members.is_sorted_by(|a, b| by_name(name(a), name(b)) != Ordering::Greater);
        if in_order && without.is_none() {
            return;
        }
        members.sort_by(|a, b| by_name(name(a), name(b)));
        self.sorted.clear();
        for (at, member) in members.iter().enumerate() {
            if at > 0 {
                self.sorted.push(b',');
            }
            self.sorted.extend_from_slice(&text[member.start..member.end]);
        }
        text.truncate(object.start);
        text.extend_from_slice(&self.sorted);
    }
}

/// Names are compared by their UTF-16 code units, as they are meant and not as they are written.
fn by_name(a: &[u8], b: &[u8]) -> Ordering {
    let plain = |name: &[u8]| name.is_ascii() && !name.contains(&b'\\');
    if plain(a) && plain(b) {
        return a.cmp(b);
    }
    let meant = |name: &[u8]| -> String {
        serde_json::from_slice(&[b"\"", name, b"\""].concat()).unwrap_or_default()
    };
    meant(a).encode_utf16().cmp(meant(b).encode_utf16())
}

impl Formatter for Sorter<'_> {
    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"{")?;
        self.objects.push(Object { start: self.place(), first: self.members.len() });
        Ok(())
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            self.end_member(self.objects.last().map_or(0, |object| object.first));
            writer.write_all(b",")?;
        }
        let start = self.place();
        self.members.push(Member { start, colon: start, end: start });
        Ok(())
    }

    fn end_object_key<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let colon = self.place();
        if let Some(member) = self.members.last_mut() {
            member.colon = colon;
        }
        Ok(())
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if let Some(object) = self.objects.pop() {
            self.end_member(object.first);
            self.sort(&object);
            self.members.truncate(object.first);
        }
        writer.write_all(b"}")
    }

    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        if value.unsigned_abs() <= EXACT {
            CompactFormatter.write_i64(writer, value)
        } else {
            #[expect(clippy::cast_precision_loss, reason = "RFC 8785 has doubles only")]
            self.write_f64(writer, value as f64)
        }
    }

    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        if value <= EXACT {
            CompactFormatter.write_u64(writer, value)
        } else {
            #[expect(clippy::cast_precision_loss, reason = "RFC 8785 has doubles only")]
            self.write_f64(writer, value as f64)
        }
    }

    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        self.write_f64(writer, value.into())
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(ryu_js::Buffer::new().format(value).as_bytes())
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
}
