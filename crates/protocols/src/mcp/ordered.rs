//! Messages as text. Clients show the fields of a form in the order in which they are written, and objects here have no
//! order of their own; so a schema also lists its properties, and is written in that order.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Map, Value};

/// The member of a form's schema that lists its properties in their order; it is not written.
pub(super) const ORDER: &str = "holdpoint/order";
const SCHEMA: &str = "requestedSchema";
const PROPERTIES: &str = "properties";

/// Returns a message as text.
pub fn text(message: &Value) -> String {
    serde_json::to_string(&Ordered(message)).unwrap_or_else(|_| message.to_string())
}

struct Ordered<'a>(&'a Value);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(items) => to.collect_seq(items.iter().map(Ordered)),
            Value::Object(members) => {
                let mut written = to.serialize_map(None)?;
                for (name, value) in members {
                    match schema(name, value) {
                        Some(schema) => written.serialize_entry(name, &schema)?,
                        None => written.serialize_entry(name, &Ordered(value))?,
                    }
                }
                written.end()
            }
            other => other.serialize(to),
        }
    }
}

/// Returns the schema of a form of ours.
fn schema<'a>(name: &str, value: &'a Value) -> Option<Schema<'a>> {
    let members = value.as_object().filter(|_| name == SCHEMA)?;
    let order = members.get(ORDER)?.as_array()?;
    let properties = members.get(PROPERTIES)?.as_object()?;
    Some(Schema { members, properties: Properties { order, properties } })
}

struct Schema<'a> {
    members: &'a Map<String, Value>,
    properties: Properties<'a>,
}

impl Serialize for Schema<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut written = to.serialize_map(None)?;
        for (name, value) in self.members.iter().filter(|(name, _)| *name != ORDER) {
            match name.as_str() {
                PROPERTIES => written.serialize_entry(name, &self.properties)?,
                _ => written.serialize_entry(name, value)?,
            }
        }
        written.end()
    }
}

struct Properties<'a> {
    order: &'a [Value],
    properties: &'a Map<String, Value>,
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let names = self.order.iter().filter_map(Value::as_str);
        to.collect_map(names.filter_map(|name| self.properties.get_key_value(name)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_is_written_in_its_order_and_everything_else_as_it_is() {
        let schema = json!({
            "type": "object", "properties": {"b": {"type": "string"}, "_c": {}, "a": {}}, "required": ["b"],
            ORDER: ["b", "a", "_c"],
        });
        let message =
            json!({ "result": { "inputRequests": { "k": { "params": { "requestedSchema": schema } } } } });
        let written = text(&message);
        assert!(written.contains(r#""properties":{"b":{"type":"string"},"a":{},"_c":{}}"#), "{written}");
        assert!(!written.contains(ORDER), "{written}");
        let other =
            json!({ "properties": {"b": 1, "a": [null, 1.5, "x"]}, "requestedSchema": {"properties": {}} });
        assert_eq!(text(&other), other.to_string());
    }
}
