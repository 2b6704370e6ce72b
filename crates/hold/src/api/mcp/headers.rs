//! Reads the headers of a request and checks that the body agrees: a proxy in front of us may have read only the
//! headers.

use axum::http::{HeaderMap, header};
use holdpoint_protocols::mcp::peer::{LEGACY, MODERN, unsupported};
use holdpoint_protocols::mcp::rpc::{HEADER_MISMATCH, Request, RpcError};
use serde_json::Value;

const VERSION: &str = "mcp-protocol-version";
/// The revision assumed for clients that send none.
const SILENT: &str = "2025-03-26";

/// Returns whether a client accepts JSON; one without an `Accept` header accepts anything.
pub(super) fn takes_json(headers: &HeaderMap) -> bool {
    takes(headers, "application/json").unwrap_or(true)
}

/// Returns whether a client explicitly accepts a stream.
pub(super) fn takes_stream(headers: &HeaderMap) -> bool {
    takes(headers, "text/event-stream").unwrap_or(false)
}

fn takes(headers: &HeaderMap, kind: &str) -> Option<bool> {
    let accept = headers.get(header::ACCEPT)?.to_str().ok()?;
    Some(accept.contains(kind) || accept.contains("*/*"))
}

/// Checks that the headers name the same revision as the request, whether or not we support it.
pub(super) fn check_version(version: &str, headers: &HeaderMap) -> Result<(), RpcError> {
    same(headers, VERSION, Some(version))
}

/// Checks the other headers of a self-contained request.
pub(super) fn check_modern(request: &Request, headers: &HeaderMap) -> Result<(), RpcError> {
    same(headers, "mcp-method", Some(&request.method))?;
    let key = match request.method.as_str() {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return Ok(()),
    };
    same(headers, "mcp-name", request.params.get(key).and_then(Value::as_str))
}

/// Checks the headers of a request after a handshake, and returns the revision; older clients send none.
pub(super) fn check_legacy(headers: &HeaderMap) -> Result<&'static str, RpcError> {
    let Some(version) = headers.get(VERSION) else { return Ok(SILENT) };
    let version = version.to_str().unwrap_or_default();
    if version == MODERN {
        return Err(RpcError::params(format!("a request of {MODERN} must say so in its \"_meta\"")));
    }
    let known = LEGACY.into_iter().find(|known| *known == version);
    let all: Vec<&str> = std::iter::once(MODERN).chain(LEGACY).collect();
    known.ok_or_else(|| unsupported(&Value::from(version), &all))
}

fn same(headers: &HeaderMap, name: &str, body: Option<&str>) -> Result<(), RpcError> {
    let Some(sent) = headers.get(name) else { return Err(mismatch(name, "is missing")) };
    let sent = sent.to_str().ok().map(str::trim);
    if sent.is_some() && sent == body { Ok(()) } else { Err(mismatch(name, "differs from the body")) }
}

fn mismatch(name: &str, why: &str) -> RpcError {
    RpcError::new(HEADER_MISMATCH, format!("the header {name} {why}"))
}
