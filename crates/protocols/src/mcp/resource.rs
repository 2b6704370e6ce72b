//! Decisions as resources.

use holdpoint_core::text::{inert_line, start};
use holdpoint_core::{Decision, DecisionId};
use serde_json::{Value, json};

const SCHEME: &str = "hold://decisions/";

/// Returns the address of a decision.
pub fn uri(id: DecisionId) -> String {
    format!("{SCHEME}{id}")
}

/// Returns the part of an address that names the decision.
pub fn id_in(uri: &str) -> Option<&str> {
    uri.strip_prefix(SCHEME).filter(|id| DecisionId::normalise_prefix(id).is_some_and(|id| !id.is_empty()))
}

/// Returns a decision as an entry of a list.
pub fn entry(decision: &Decision) -> Value {
    const LONGEST: usize = 120;
    let title = inert_line(decision.summary());
    json!({
        "uri": uri(decision.id),
        "name": decision.id,
        "title": start(&title, LONGEST),
        "description": format!("{} ({})", decision.source.name(), decision.status),
        "mimeType": "application/json",
    })
}

/// Returns the pattern of all addresses.
pub fn template() -> Value {
    json!({
        "uriTemplate": format!("{SCHEME}{{id}}"),
        "name": "decision",
        "title": "A decision",
        "description": "A decision as it is now: what is asked, and the outcome.",
        "mimeType": "application/json",
    })
}

/// Returns a decision in full.
pub fn contents(decision: &Decision) -> Value {
    let text = serde_json::to_string(decision).unwrap_or_default();
    json!([{ "uri": uri(decision.id), "mimeType": "application/json", "text": text }])
}
