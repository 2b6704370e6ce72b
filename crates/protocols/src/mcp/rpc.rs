//! JSON-RPC 2.0: messages, and the errors of the protocol.

use holdpoint_core::json::parse_strict;
use holdpoint_core::text::inert_line;
use serde_json::{Map, Value, json};

/// Not JSON.
pub const PARSE: i64 = -32700;
/// JSON, but not a message.
pub const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub const NO_METHOD: i64 = -32601;
/// The parameters are wrong.
pub const INVALID_PARAMS: i64 = -32602;
/// An internal error.
pub const INTERNAL: i64 = -32603;
/// There is no such resource (legacy).
pub const NO_RESOURCE: i64 = -32002;
/// Headers and body differ.
pub const HEADER_MISMATCH: i64 = -32020;
/// The client lacks a required capability.
pub const NO_CAPABILITY: i64 = -32021;
/// The revision is not supported.
pub const NO_VERSION: i64 = -32022;

/// A message that came in.
#[derive(Clone, Debug, PartialEq)]
pub enum Incoming {
    /// A request.
    Request(Request),
    /// A notification.
    Notification(Notification),
    /// A response to a request of ours.
    Response(Response),
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its id; text or a number.
    pub id: Value,
    /// The method.
    pub method: String,
    /// The parameters.
    pub params: Map<String, Value>,
}

/// A notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// The method.
    pub method: String,
    /// The parameters.
    pub params: Map<String, Value>,
}

/// A response to a request that we made.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The id of the request; null if the other side could not read it.
    pub id: Value,
    /// The result; none if it was refused.
    pub result: Option<Value>,
}

/// A protocol error.
#[derive(Clone, Debug, PartialEq)]
pub struct RpcError {
    /// The code.
    pub code: i64,
    /// A description of the error.
    pub message: String,
    /// Details for programs.
    pub data: Option<Value>,
}

impl RpcError {
    /// Makes an error.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Makes an error about wrong parameters.
    pub fn params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    /// Adds details for programs.
    #[must_use]
    pub fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

/// Parses one message. An error comes with the id of the request, if that could be read.
pub fn read(text: &str) -> Result<Incoming, (Value, RpcError)> {
    let wrong = |why: &str| (Value::Null, RpcError::new(INVALID_REQUEST, why));
    let value = parse_strict(text).map_err(|why| unread(text, &why.to_string()))?;
    let Value::Object(mut message) = value else {
        return Err(wrong("send one object per message: batches are not supported"));
    };
    let id = match message.remove("id") {
        None => None,
        Some(id @ (Value::String(_) | Value::Number(_))) => Some(id),
        Some(id @ Value::Null) if message.contains_key("error") => {
            return Ok(Incoming::Response(Response { id, result: None }));
        }
        Some(_) => return Err(wrong("an id is text or a number")),
    };
    let named = id.clone().unwrap_or_default();
    if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err((named, RpcError::new(INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\"")));
    }
    let method = match message.remove("method") {
        Some(Value::String(method)) => method,
        None if message.contains_key("result") || message.contains_key("error") => {
            return Ok(Incoming::Response(Response { id: named, result: message.remove("result") }));
        }
        _ => return Err((named, RpcError::new(INVALID_REQUEST, "\"method\" must be text"))),
    };
    let params = match message.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err((named, RpcError::params("\"params\" must be an object"))),
    };
    Ok(match id {
        Some(id) => Incoming::Request(Request { id, method, params }),
        None => Incoming::Notification(Notification { method, params }),
    })
}

/// Returns why a message cannot be accepted. JSON that programs read differently (a duplicate name, a number beyond
/// 2^53) still has the id of the request, whose sender waits for an answer.
fn unread(text: &str, why: &str) -> (Value, RpcError) {
    #[derive(serde::Deserialize)]
    struct Named {
        id: Value,
    }
    let why = inert_line(why);
    match serde_json::from_str(text) {
        Ok(Named { id: id @ (Value::String(_) | Value::Number(_)) }) => (id, RpcError::params(why)),
        _ => (Value::Null, RpcError::new(PARSE, format!("this is not JSON: {why}"))),
    }
}

/// Returns the response to a request.
pub fn response(id: &Value, outcome: Result<Value, RpcError>) -> Value {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(fault) => {
            let mut error = json!({ "code": fault.code, "message": fault.message });
            if let Some(data) = fault.data {
                error["data"] = data;
            }
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

/// Returns a request.
pub fn request(id: &Value, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// Returns a notification.
pub fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// Returns the notification that something is still in progress.
pub fn progress(token: &Value, step: u64, message: &str) -> Value {
    notification(
        "notifications/progress",
        &json!({ "progressToken": token, "progress": step, "message": message }),
    )
}
