//! JSON with one meaning only: canonical text, digests, and reading that refuses what is ambiguous.

mod canonical;

use std::cell::Cell;
use std::fmt;
use std::io;

use serde::Serialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use sha2::{Digest, Sha256};

/// Values by field id.
pub type Values = Map<String, Value>;

/// The deepest nesting that is read.
const DEPTH: usize = 64;
/// How many values one text may have, because each costs far more time and memory than its bytes.
pub const MAX_VALUES: usize = 100_000;

/// Returns the RFC 8785 text of a value.
///
/// # Errors
/// Fails only if JSON cannot express the value, such as a map whose keys are not strings.
pub fn canonical<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    canonical::write(value, None)
}

/// Returns the RFC 8785 text of a value without one of its members.
pub fn canonical_without<T: Serialize>(value: &T, member: &str) -> Result<String, serde_json::Error> {
    canonical::write(value, Some(member))
}

/// Returns the length of the JSON of a value, without storing it.
///
/// # Errors
/// As [`canonical`].
pub fn size<T: Serialize>(value: &T) -> Result<usize, serde_json::Error> {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    serde_json::to_writer(&mut count, value)?;
    Ok(count.0)
}

/// Returns `sha256:` and the hash of the value's canonical text.
pub fn digest<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    Ok(digest_of(&canonical(value)?))
}

/// Returns `sha256:` and the hash of a text.
pub fn digest_of(canonical: &str) -> String {
    format!("sha256:{}", sha256_hex(canonical.as_bytes()))
}

/// Returns a code that identifies exactly this value, for a person to enter. It is long because an agent that can
/// revise its question might search for two values with the same short code.
pub fn code<T: Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let digest = digest(value)?;
    Ok(digest.trim_start_matches("sha256:").chars().take(32).collect())
}

/// Returns the SHA-256 of some bytes as lower-case hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| DIGITS[usize::from(half)];
    let text = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    // Digits are ASCII.
    String::from_utf8(text).unwrap_or_default()
}

/// Reads JSON that every reader reads the same: no duplicate keys, no number that a double cannot hold, no nesting
/// beyond 64 levels; and at most 100,000 values. What is approved must not read differently where it is carried out.
pub fn parse_strict(text: &str) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict { depth: DEPTH, left: &Cell::new(MAX_VALUES) }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Normalizes a value, so that the log returns it unchanged: whole numbers lose their fraction.
///
/// # Errors
/// Fails if the value would read back differently: a number that a double cannot hold, or nesting beyond 64 levels. The
/// message names the place.
pub fn settle(value: &mut Value) -> Result<(), String> {
    if let Some(pointer) = inexact_number(value) {
        let place =
            if pointer.is_empty() { String::new() } else { format!(" at {}", crate::text::quote(&pointer)) };
        return Err(format!(
            "the number{place} is beyond 2^53, where numbers lose digits; send it as a string"
        ));
    }
    shorten(value, DEPTH)
}

/// Like [`settle`], for the values of an object.
///
/// # Errors
/// As [`settle`].
pub fn settle_map(map: &mut Map<String, Value>) -> Result<(), String> {
    let mut value = Value::Object(std::mem::take(map));
    let settled = settle(&mut value);
    if let Value::Object(kept) = value {
        *map = kept;
    }
    settled
}

fn shorten(value: &mut Value, depth: usize) -> Result<(), String> {
    let deeper = || depth.checked_sub(1).ok_or_else(|| format!("is nested deeper than {DEPTH} levels"));
    match value {
        Value::Number(number) => {
            if let Some(whole) = whole_number(number) {
                *value = whole.into();
            }
            Ok(())
        }
        Value::Array(items) => {
            let depth = deeper()?;
            items.iter_mut().try_for_each(|item| shorten(item, depth))
        }
        Value::Object(map) => {
            let depth = deeper()?;
            map.values_mut().try_for_each(|item| shorten(item, depth))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

/// Returns a number as an integer if it is whole and a double can hold it exactly: 2 and 2.0 are the same.
pub fn whole_number(number: &Number) -> Option<i64> {
    if !is_exact(number) {
        return None;
    }
    let whole = |float: &f64| float.fract() == 0.0 && float.abs() <= SAFE_FLOAT;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    number.as_i64().or_else(|| number.as_f64().filter(whole).map(|float| float as i64))
}

/// Finds the first number in a value that a double cannot hold exactly, and returns its place.
///
/// RFC 8785 writes numbers as doubles: two such numbers would have the same digest.
pub fn inexact_number(value: &Value) -> Option<String> {
    fn find(value: &Value, pointer: &mut String) -> bool {
        match value {
            Value::Number(number) => !is_exact(number),
            Value::Array(items) => {
                items.iter().enumerate().any(|(at, item)| step(item, &at.to_string(), pointer))
            }
            Value::Object(map) => map.iter().any(|(key, item)| step(item, key, pointer)),
            Value::Null | Value::Bool(_) | Value::String(_) => false,
        }
    }
    fn step(value: &Value, key: &str, pointer: &mut String) -> bool {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
        let found = find(value, pointer);
        if !found {
            pointer.truncate(length);
        }
        found
    }
    let mut pointer = String::new();
    find(value, &mut pointer).then_some(pointer)
}

/// The greatest whole number whose neighbours are doubles too.
const SAFE: u64 = (1 << 53) - 1;
const SAFE_FLOAT: f64 = 9_007_199_254_740_991.0;

fn is_exact(number: &Number) -> bool {
    if let Some(positive) = number.as_u64() {
        positive <= SAFE
    } else if let Some(negative) = number.as_i64() {
        negative.unsigned_abs() <= SAFE
    } else {
        // Numbers beyond this are refused even if a double holds them: 1e21 and 1000000000000000000001 are one double,
        // and a program with exact integers would do something other than what was approved.
        number.as_f64().is_some_and(|float| float.abs() <= SAFE_FLOAT)
    }
}

/// Returns whether a number, as written, is one that a double can hold exactly.
pub fn is_exact_text(number: &str) -> bool {
    serde_json::from_str::<Number>(number).is_ok_and(|number| is_exact(&number))
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    depth: usize,
    /// How many more values may be read.
    left: &'a Cell<usize>,
}

impl Strict<'_> {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        let depth = self
            .depth
            .checked_sub(1)
            .ok_or_else(|| E::custom(format!("nested deeper than {DEPTH} levels")))?;
        Ok(Self { depth, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.left.get().checked_sub(1);
        self.left.set(left.ok_or_else(|| de::Error::custom(format!("has more than {MAX_VALUES} values")))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Value, E> {
        exact(value.into())
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        exact(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map_or_else(|| Err(E::custom("a number beyond what a double can hold")), exact)
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.deeper()?)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(self.deeper()?)?;
            if object.contains_key(&key) {
                return Err(de::Error::custom(format!("key {key:?} occurs twice in one object")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

fn exact<E: de::Error>(number: Number) -> Result<Value, E> {
    if is_exact(&number) {
        Ok(Value::Number(number))
    } else {
        Err(E::custom(format!("{number} is beyond 2^53, where numbers lose digits; send it as a string")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn canonical_text_sorts_keys_and_shortens_numbers() {
        let text = canonical(&json!({"b": 1.0, "a": [1e3, "\u{e9}"], "\u{20ac}": null})).unwrap();
        assert_eq!(text, "{\"a\":[1000,\"\u{e9}\"],\"b\":1,\"\u{20ac}\":null}");
    }

    #[test]
    fn ambiguous_json_is_refused() {
        for text in [r#"{"a":1,"a":2}"#, "9007199254740993", "1e999", "[1,]", "1 2", &"[".repeat(200)] {
            assert!(parse_strict(text).is_err(), "{text}");
        }
        assert_eq!(
            parse_strict(r#"{"a":[1,2.5,-3,null,true,"x"]}"#).unwrap(),
            json!({"a":[1,2.5,-3,null,true,"x"]})
        );
        assert_eq!(inexact_number(&json!({"a/b": [0, 9_007_199_254_740_993_u64]})), Some("/a~1b/1".into()));
        assert_eq!(inexact_number(&json!([1, 2.5])), None);
        for (number, exact) in [
            ("9007199254740991", true),
            ("9007199254740993", false),
            ("1e400", false),
            ("0.1", true),
            ("1e21", false),
            ("-1e21", false),
            ("1000000000000000000001", false),
            ("-9007199254740992", false),
            ("1e20", false),
            ("6.02e23", false),
            ("1.7976931348623157e308", false),
            ("9.007199254740991e15", true),
            ("1e-7", true),
            ("5e-324", true),
            ("-0", true),
            ("-0.0", true),
        ] {
            assert_eq!((is_exact_text(number), parse_strict(number).is_ok()), (exact, exact), "{number}");
        }
    }

    #[test]
    fn a_text_has_only_so_many_values() {
        let nested = |count: usize| format!("[{}]", vec!["[]"; count].join(","));
        assert!(parse_strict(&nested(MAX_VALUES - 1)).is_ok());
        let why = parse_strict(&nested(MAX_VALUES)).unwrap_err().to_string();
        assert!(why.contains("more than 100000 values"), "{why}");
    }

    proptest! {
        #[test]
        fn no_text_panics(text: String) {
            let _ = parse_strict(&text);
        }
    }
}
