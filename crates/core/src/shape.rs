//! Reads JSON into a known type: a struct must be an object, and an error comes with its place.

use std::cell::RefCell;
use std::fmt::Write as _;

use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

/// The error if a value does not have the right shape.
#[derive(Debug)]
pub struct ShapeError {
    /// The place of the error, such as `fields[0].kind`; empty for the whole value.
    pub place: String,
    /// The error.
    pub why: Error,
}

/// Reads a value into a type. By itself, serde would also accept a struct as a list of its members in the order of
/// their declaration, which no caller intends.
///
/// # Errors
/// Fails if the value does not fit.
pub fn read<T: DeserializeOwned>(value: Value) -> Result<T, ShapeError> {
    let mistake = RefCell::new(None);
    let whole = ValuePath { step: Step::Whole, parent: None, mistake: &mistake };
    T::deserialize(Shaped { value, place: &whole })
        .map_err(|why| ShapeError { place: mistake.take().unwrap_or_default(), why })
}

/// The place of a value within the whole.
#[derive(Clone, Copy, Debug)]
struct ValuePath<'p> {
    step: Step<'p>,
    parent: Option<&'p Self>,
    mistake: &'p RefCell<Option<String>>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Whole,
    Key(&'p str),
    Item(usize),
}

impl ValuePath<'_> {
    fn within<'p>(&'p self, step: Step<'p>) -> ValuePath<'p> {
        ValuePath { step, parent: Some(self), mistake: self.mistake }
    }

    /// Records that the error is here. The innermost place is the right one, and records it first.
    fn note(&self) {
        let mut mistake = self.mistake.borrow_mut();
        if mistake.is_none() {
            let mut path = String::new();
            self.write(&mut path);
            *mistake = Some(path);
        }
    }

    fn write(&self, path: &mut String) {
        if let Some(parent) = self.parent {
            parent.write(path);
        }
        match self.step {
            Step::Whole => {}
            Step::Key(key) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            // Writing to a string cannot fail.
            Step::Item(at) => drop(write!(path, "[{at}]")),
        }
    }
}

/// A value that is being read into a type.
#[derive(Debug)]
struct Shaped<'p> {
    value: Value,
    place: &'p ValuePath<'p>,
}

impl<'de> Deserializer<'de> for Shaped<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(value) => value.deserialize_any(visitor),
            Value::String(value) => visitor.visit_string(value),
            Value::Array(items) => {
                let length = items.len();
                let mut items = Items { left: items.into_iter(), at: 0, place: self.place };
                let read = visitor.visit_seq(&mut items)?;
                match items.left.next() {
                    None => Ok(read),
                    Some(_) => Err(Error::invalid_length(length, &"fewer elements in the list")),
                }
            }
            Value::Object(map) => {
                visitor.visit_map(Entries { left: map.into_iter(), entry: None, place: self.place })
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.value {
            Value::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &"an object")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'p> {
    left: std::vec::IntoIter<Value>,
    at: usize,
    place: &'p ValuePath<'p>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(value) = self.left.next() else { return Ok(None) };
        let place = self.place.within(Step::Item(self.at));
        self.at += 1;
        let read = seed.deserialize(Shaped { value, place: &place });
        read.map(Some).inspect_err(|_| place.note())
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

struct Entries<'p> {
    left: serde_json::map::IntoIter,
    /// The entry whose name was read last.
    entry: Option<(String, Value)>,
    place: &'p ValuePath<'p>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        self.entry = self.left.next();
        let Some((key, _)) = &self.entry else { return Ok(None) };
        let read = seed.deserialize(StringDeserializer::new(key.clone()));
        read.map(Some).inspect_err(|_| self.place.within(Step::Key(key)).note())
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        let (key, value) = self.entry.take().ok_or_else(|| Error::custom("a value without a name"))?;
        let place = self.place.within(Step::Key(&key));
        seed.deserialize(Shaped { value, place: &place }).inspect_err(|_| place.note())
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::decision::New;
    use serde_json::Value;
    use serde_json::json;

    #[test]
    fn what_has_names_is_an_object() {
        let read = |value: Value| super::read::<New>(value).map_err(|error| error.why.to_string());
        let field = json!({"id": "a", "kind": "choice", "options": [{"id": "x", "rating": 4.5, "extra": {"k": [1, null]}}]});
        let whole = json!({
            "prompt": "?", "fields": [field], "timeout": "1h", "default": {"a": "x"}, "subject": [1, {"b": null}],
            "assignees": ["ana"], "max_iterations": 3, "exclusive": true, "title": null, "source": "question",
        });
        assert_eq!(read(whole.clone()), serde_json::from_value::<New>(whole).map_err(|why| why.to_string()));
        for wrong in
            [json!([]), json!(["default"]), json!({"fields": [["a", "text"]]}), json!({"origin": ["aitp"]})]
        {
            let why = read(wrong.clone()).unwrap_err();
            assert!(why.contains("expected an object"), "{wrong}: {why}");
        }
        let condition = json!({"fields": [{"id": "a", "kind": "text", "visible_if": [[]]}]});
        assert!(read(condition).is_err());
    }

    #[test]
    fn a_mistake_is_found_by_its_place() {
        let place = |value: Value| super::read::<New>(value).map_err(|error| error.place).unwrap_err();
        let option = |option: Value| json!({"fields": [{"id": "a", "kind": "choice", "options": [{"id": "x"}, option]}]});
        for (value, expected) in [
            (json!([]), ""),
            (json!({"timeout": {}}), "timeout"),
            (json!({"surprise": 1}), "surprise"),
            (json!({"fields": [{"id": "a", "kind": "telepathy"}]}), "fields[0].kind"),
            (option(json!({"label": "no id"})), "fields[0].options[1]"),
            (option(json!({"id": 5})), "fields[0].options[1].id"),
            (option(json!({"id": "y", "what": true})), "fields[0].options[1].what"),
            (option(json!([])), "fields[0].options[1]"),
        ] {
            assert_eq!(place(value.clone()), expected, "{value}");
        }
    }
}
