//! Event bodies as text: exactly what the log stores and hashes.

use holdpoint_core::{Event, json};
use serde_json::Value;

/// Returns the canonical text of an event, without its type tag.
pub(crate) fn encode(event: &Event) -> Result<String, serde_json::Error> {
    json::canonical_without(event, "type")
}

/// Reads an event back from its type tag and its body.
pub(crate) fn decode(tag: &str, body: &str) -> Result<Event, serde_json::Error> {
    let mut value: Value = serde_json::from_str(body)?;
    if let Value::Object(map) = &mut value {
        map.insert("type".to_owned(), Value::String(tag.to_owned()));
    }
    serde_json::from_value(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::Span;

    #[test]
    fn a_body_reads_back_as_the_same_event() {
        let event = Event::ProjectUpdated {
            id: "web".into(),
            project: "web".into(),
            min_timeout: Span::from_secs(90),
            verdicts: Vec::new(),
            by: "ana".into(),
        };
        let body = encode(&event).unwrap();
        assert_eq!(body, r#"{"by":"ana","id":"web","min_timeout":"1m30s","project":"web"}"#);
        assert_eq!(decode(event.tag(), &body).unwrap(), event);
    }
}
