//! Reading a known shape from JSON: what has names is an object, and nothing else will do.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Value};

/// A value on its way into a known shape. Left to itself serde also takes a list of what the names stand for, in
/// whatever order they happen to be declared: nobody means that.
#[derive(Clone, Debug)]
pub struct Shaped(pub Value);

impl<'de> Deserializer<'de> for Shaped {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter().map(Self));
                let read = visitor.visit_seq(&mut items)?;
                items.end().map(|()| read)
            }
            Value::Object(map) => {
                let mut entries =
                    MapDeserializer::new(map.into_iter().map(|(key, value)| (key, Self(value))));
                let read = visitor.visit_map(&mut entries)?;
                entries.end().map(|()| read)
            }
            plain => plain.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &"an object")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
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
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Shaped {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::New;
    use serde::Deserialize as _;
    use serde_json::json;

    #[test]
    fn what_has_names_is_an_object() {
        let read = |value: Value| New::deserialize(Shaped(value)).map_err(|why| why.to_string());
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
}
