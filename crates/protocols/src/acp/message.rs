//! JSON-RPC on lines, read in passing: a line that cannot be read is for others.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The kind of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A request.
    Request {
        /// The id of the request.
        id: Value,
        /// The method.
        method: String,
        /// The parameters.
        params: Map<String, Value>,
    },
    /// A notification.
    Notification {
        /// The method.
        method: String,
        /// The parameters.
        params: Map<String, Value>,
    },
    /// The response to a request.
    Response {
        /// The request's id.
        id: Value,
    },
    /// Anything else, including text that is not JSON.
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
    /// Reads a line.
    pub fn read(line: &[u8]) -> Self {
        // Serde would read an array as the members in their order.
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

/// Returns the notification that a request was answered elsewhere; an editor that does not know it ignores it.
pub fn cancel_request(id: &Value) -> String {
    line(&json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": id } }))
}

/// Returns a prompt with a person's text as a line.
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
