//! JSON-RPC on lines, looked at in passing: whatever cannot be read is somebody else's.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What a line is.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Something is asked.
    Request {
        /// Names it.
        id: Value,
        /// What is asked.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// Something is told.
    Notification {
        /// What.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// Something that was asked is answered.
    Response {
        /// The request's id.
        id: Value,
    },
    /// Anything else, also what is no JSON.
    Other,
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Option<Value>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
}

impl Message {
    /// Looks at a line.
    pub fn read(line: &[u8]) -> Self {
        // An array would be read as the members in their order.
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Self::Other;
        }
        let Ok(Line { id, method, params }) = serde_json::from_slice(line) else { return Self::Other };
        let params = match params {
            Value::Object(params) => params,
            _ => Map::new(),
        };
        match (id.filter(|id| id.is_string() || id.is_number()), method) {
            (Some(id), Some(method)) => Self::Request { id, method, params },
            (None, Some(method)) => Self::Notification { method, params },
            (Some(id), None) => Self::Response { id },
            (None, None) => Self::Other,
        }
    }
}

/// Returns a reply as a line.
pub fn response(id: &Value, result: &Value) -> String {
    line(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

/// Returns what tells an editor that a request was answered elsewhere; one that does not know it leaves it aside.
pub fn cancel_request(id: &Value) -> String {
    line(&json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": id } }))
}

/// Returns a prompt of a person's words as a line.
pub fn prompt(id: &Value, session: &str, words: &str) -> String {
    let params = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": words }] });
    line(&json!({ "jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": params }))
}

fn line(message: &Value) -> String {
    format!("{message}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_cannot_be_read_is_somebody_elses() {
        for (line, what) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"b":1}}"#, "request"),
            (r#"{"id":"x","method":"a"}"#, "request"),
            (r#"{"method":"a","params":[1]}"#, "notification"),
            (r#"{"id":1,"result":null}"#, "response"),
            (r#"{"id":1,"error":{"code":1}}"#, "response"),
            (r#"{"id":null,"result":1}"#, "other"),
            (r#"{"id":{},"method":1}"#, "other"),
            ("{}", "other"),
            (r#"[1,"a",{}]"#, "other"),
            ("{\"id\":1", "other"),
            ("Loading model…", "other"),
            ("", "other"),
        ] {
            let is = match Message::read(line.as_bytes()) {
                Message::Request { .. } => "request",
                Message::Notification { .. } => "notification",
                Message::Response { .. } => "response",
                Message::Other => "other",
            };
            assert_eq!(is, what, "{line}");
        }
    }
}
