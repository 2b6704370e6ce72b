//! The endpoints for agents' own protocols, and for the state of the server.

use holdpoint_core::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{NoParams, endpoints};

endpoints! {
    "agents" {
        /// Takes a message of the Model Context Protocol, of any revision.
        MCP = mcp Known Post "/mcp"
            (NoParams, Value) => 200 Value, "The response; if it takes long, a stream of notices that ends with it";
        /// Answers a hook of Claude Code; holds while somebody has to decide.
        CLAUDE_HOOK = claudeHook Known Post "/hooks/claude"
            (HookParams, Value) => 200 Value, "The reply to Claude Code; empty if there is none";
    }
    "health" {
        /// Says that the server is there.
        GET_HEALTH = getHealth Anyone Get "/healthz"
            (NoParams, ()) => 200 String, "The server is running";
        /// Ready while the store can be read and written and nobody has told the server to stop.
        GET_READINESS = getReadiness Anyone Get "/readyz"
            (NoParams, ()) => 200 String, "The server can work";
        /// Returns figures for Prometheus.
        GET_METRICS = getMetrics Anyone Get "/metrics"
            (NoParams, ()) => 200 String, "Metrics for Prometheus";
        /// Returns this description.
        GET_OPENAPI = getOpenApi Anyone Get "/openapi.json"
            (NoParams, ()) => 200 Value, "The description of every endpoint";
    }
}

/// How a hook is answered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct HookParams {
    /// Where decisions belong.
    pub project: Option<String>,
    /// How long until silence settles them; 59m if not given.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub timeout: Option<Span>,
    /// Whether the session ends and comes back instead of being held.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(required = false))]
    pub defer: bool,
    /// Whether a session that stops becomes a decision.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", param(required = false))]
    pub idle: bool,
}
