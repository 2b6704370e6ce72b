//! The client: its revision, and its capabilities.

use holdpoint_core::json::sha256_hex;
use holdpoint_core::text::{check_name, inert_line};
use serde_json::{Map, Value, json};

use super::rpc::{self, Request, RpcError};

/// The revision in which every request is self-contained.
pub const MODERN: &str = "2026-07-28";
/// The revisions with a handshake, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The extension for long-running work.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const INFO: &str = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Which set of rules a request follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProtocolEra {
    /// Revision 2026-07-28.
    Modern,
    /// The earlier revisions.
    #[default]
    Legacy,
}

/// What a client accepts in place of a result that takes long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tasks {
    /// Nothing; the call is held.
    #[default]
    None,
    /// A task of the extension, whenever the server chooses to make one.
    Extension,
    /// A task of revision 2025-11-25, if a request asks for one.
    Core,
}

/// The client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Peer {
    /// The rules that it follows.
    pub era: ProtocolEra,
    /// Its program.
    pub name: Option<String>,
    /// What it accepts in place of a result.
    pub tasks: Tasks,
    /// Whether it can show a form.
    pub form: bool,
    /// Whether it can open an address.
    pub url: bool,
}

/// The metadata of a request about a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meta {
    /// The token for progress notifications.
    pub progress: Option<Value>,
    /// Claude Code's id of the call.
    pub tool_use_id: Option<String>,
}

impl Peer {
    /// Reads the sender of a modern request; none if the request is not modern.
    pub fn of_request(request: &Request) -> Result<Option<Self>, RpcError> {
        let Some(Value::Object(meta)) = request.params.get("_meta") else { return Ok(None) };
        let Some(version) = meta.get(VERSION) else { return Ok(None) };
        if version.as_str() != Some(MODERN) {
            return Err(unsupported(version, &[MODERN]));
        }
        let Some(Value::Object(capabilities)) = meta.get(CAPABILITIES) else {
            return Err(RpcError::params(format!("_meta must have {CAPABILITIES:?}, an object")));
        };
        let name = meta.get(INFO).and_then(|info| info.get("name")).and_then(Value::as_str);
        let tasks = capabilities.get("extensions").is_some_and(|known| known.get(TASKS).is_some());
        let tasks = if tasks { Tasks::Extension } else { Tasks::None };
        Ok(Some(Self { tasks, ..Self::new(ProtocolEra::Modern, name, capabilities) }))
    }

    /// Reads the sender of a handshake, and returns the revision to use: the sender's if it is supported, otherwise our
    /// newest.
    pub fn of_initialize(request: &Request) -> Result<(Self, &'static str), RpcError> {
        let asked = request.params.get("protocolVersion").and_then(Value::as_str);
        let asked = asked.ok_or_else(|| RpcError::params("\"protocolVersion\" is missing"))?;
        let version = LEGACY.into_iter().find(|known| *known == asked).unwrap_or(LEGACY[0]);
        let empty = Map::new();
        let capabilities = request.params.get("capabilities").and_then(Value::as_object).unwrap_or(&empty);
        let name = request.params.get("clientInfo").and_then(|info| info.get("name")).and_then(Value::as_str);
        let tasks = core_tasks(version);
        Ok((Self { tasks, ..Self::new(ProtocolEra::Legacy, name, capabilities) }, version))
    }

    /// Returns the sender of a request after a handshake that was not stored: only the revision is known.
    pub fn after_handshake(version: &str, name: Option<String>) -> Self {
        Self { tasks: core_tasks(version), name, ..Self::default() }
    }

    fn new(era: ProtocolEra, name: Option<&str>, capabilities: &Map<String, Value>) -> Self {
        let elicitation = capabilities.get("elicitation");
        let mode = |mode: &str| elicitation.is_some_and(|modes| modes.get(mode).is_some());
        // Without modes, only forms are supported.
        let bare = elicitation.and_then(Value::as_object).is_some_and(Map::is_empty);
        Self {
            era,
            name: name.map(inert_line).filter(|name| check_name(name).is_ok()),
            tasks: Tasks::None,
            form: bare || mode("form"),
            url: mode("url"),
        }
    }

    /// Returns whether the program waits as long as it gets progress notifications.
    pub fn is_patient(&self) -> bool {
        self.name.as_deref().is_some_and(|name| name.starts_with("claude-code"))
    }
}

impl Meta {
    /// Reads it from a request.
    pub fn of(request: &Request) -> Self {
        let meta = request.params.get("_meta");
        let token = meta.and_then(|meta| meta.get("progressToken"));
        let use_id = meta.and_then(|meta| meta.get("claudecode/toolUseId")).and_then(Value::as_str);
        Self {
            progress: token.filter(|token| token.is_string() || token.is_number()).cloned(),
            tool_use_id: use_id.map(str::to_owned),
        }
    }

    /// Returns the key with which a repeated call asks only once; none if it has no id.
    pub fn key(&self) -> Option<String> {
        let id = self.tool_use_id.as_deref().filter(|id| !id.is_empty())?;
        Some(format!("claude:call:{}", sha256_hex(id.as_bytes())))
    }
}

/// Returns the revision that a request names, whether or not it is supported here.
pub fn version_of(request: &Request) -> Option<&str> {
    request.params.get("_meta")?.get(VERSION)?.as_str()
}

/// Returns the tasks of an older revision, of which only one has any.
fn core_tasks(version: &str) -> Tasks {
    if version == LEGACY[0] { Tasks::Core } else { Tasks::None }
}

/// Returns the error that this needs a capability which the client has not declared.
pub fn lacks(capabilities: &Value) -> RpcError {
    RpcError::new(rpc::NO_CAPABILITY, "the client does not declare what this needs")
        .data(json!({ "requiredCapabilities": capabilities }))
}

/// Returns the error that a revision is not supported, with those that are.
pub fn unsupported(asked: &Value, supported: &[&str]) -> RpcError {
    RpcError::new(rpc::NO_VERSION, "this revision of the protocol is not supported")
        .data(json!({ "supported": supported, "requested": asked }))
}

/// Adds the members that every modern result has; legacy results are unchanged.
pub fn complete(era: ProtocolEra, server: &Value, mut result: Map<String, Value>) -> Value {
    if era == ProtocolEra::Modern {
        result.entry("resultType").or_insert_with(|| "complete".into());
        let meta = result.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(meta) = meta {
            meta.insert("io.modelcontextprotocol/serverInfo".to_owned(), server.clone());
        }
    }
    Value::Object(result)
}

/// Marks a modern result as cacheable for a while.
pub fn cacheable(era: ProtocolEra, millis: u64, result: &mut Map<String, Value>) {
    if era == ProtocolEra::Modern {
        result.insert("ttlMs".to_owned(), millis.into());
        result.insert("cacheScope".to_owned(), "private".into());
    }
}
