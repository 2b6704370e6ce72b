//! The first information for a client: the server and its capabilities.

use serde_json::{Map, Value, json};

use super::peer::{self, LEGACY, MODERN, ProtocolEra, TASKS};

/// The instructions for an agent about the tools as a whole.
pub const INSTRUCTIONS: &str = "Holdpoint puts decisions to a person. Use `ask` before anything that is not yours to \
decide or cannot be undone; go on only if `accepted` is true. If the state is `pending`, call `wait` with the \
decision_id until it is settled. If it is `refined`, the person gave guidance: change the question of the next round \
with `revise`, then `wait` for it. Never answer for the person.";

/// Returns the description of the server.
pub fn server_info(version: &str) -> Value {
    json!({ "name": "holdpoint", "title": "Holdpoint", "version": version })
}

/// Answers `initialize`.
pub fn initialize(version: &str, server: &Value) -> Map<String, Value> {
    let mut capabilities = json!({ "tools": { "listChanged": false }, "resources": { "listChanged": false, "subscribe": false } });
    if version == LEGACY[0] {
        capabilities["tasks"] = json!({ "cancel": {}, "requests": { "tools": { "call": {} } } });
    }
    object(json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": server,
        "instructions": INSTRUCTIONS,
    }))
}

/// Answers `server/discover`.
pub fn discover() -> Map<String, Value> {
    // The older revisions are negotiated in the handshake, not named in a request.
    let mut result = object(json!({
        "supportedVersions": [MODERN],
        "capabilities": { "tools": {}, "resources": {}, "extensions": { TASKS: {} } },
        "instructions": INSTRUCTIONS,
    }));
    peer::cacheable(ProtocolEra::Modern, 3_600_000, &mut result);
    result.insert("cacheScope".to_owned(), "public".into());
    result
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
