//! The Model Context Protocol, whatever the transport: a request in, a response out. Standard input is read in
//! `cli/mcp.rs`, HTTP in `api/mcp/`; the wording is in `protocols/src/mcp/`.

mod ask_in_client;
mod call;
mod failed;
#[cfg(debug_assertions)]
mod fixture;
mod holding;
mod listen;
pub(crate) mod replies;
mod resources;
mod tasks;

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::Span;
use holdpoint_engine::Client;
use holdpoint_engine::auth::Seal;
use holdpoint_protocols::mcp::peer::{self, Meta, Peer};
use holdpoint_protocols::mcp::rpc::{self, Request, RpcError};
use holdpoint_protocols::mcp::{greeting, tools};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::Sender;

use crate::hooks::HeldQuestions;
pub(crate) use holding::HoldingCount;
use replies::Replies;

/// Where notifications go while a request is under way.
pub(crate) type NotificationSender = Sender<Value>;

/// Serves requests.
#[derive(Clone)]
pub(crate) struct McpServer {
    /// The caller, with their permissions.
    pub(crate) client: Arc<dyn Client>,
    /// The project of questions that do not name one.
    pub(crate) project: Option<String>,
    /// The caller's name, to which the state that clients send back is bound.
    pub(crate) caller: String,
    /// Signs the state that clients send back.
    pub(crate) seal: Seal,
    /// How long a call is held, if set.
    pub(crate) hold: Option<Duration>,
    /// The deadline of decision points that do not set one, after which the default is taken; from `[bd] timeout`.
    pub(crate) point_timeout: Option<Span>,
    /// Whether questions are also shown to the person at the client, in a dialog of that client.
    pub(crate) in_client: bool,
    /// Whether a person let this connection answer; the credential's permission is checked as well.
    pub(crate) may_answer: bool,
    /// Which tools are listed; all of them can be called in any case.
    pub(crate) listing: tools::Listing,
    /// Questions that are withdrawn when no caller waits for them any more.
    pub(crate) parked: HeldQuestions,
    /// Counts the calls that hold.
    pub(crate) holding: HoldingCount,
    /// Requests sent to clients that reply in a separate message.
    pub(crate) replies: Replies,
}

/// The outcome of a call: a result, or a protocol error.
type CallResult = Result<Map<String, Value>, RpcError>;

impl McpServer {
    /// Answers one request.
    pub(crate) async fn answer(&self, request: &Request, peer: &Peer, out: &NotificationSender) -> Value {
        complete(request, peer, self.outcome(request, peer, out).await)
    }

    async fn outcome(&self, request: &Request, peer: &Peer, out: &NotificationSender) -> CallResult {
        #[cfg(debug_assertions)]
        if serves_suite()
            && let Some(outcome) = self.fixture(request, peer, out).await
        {
            return outcome;
        }
        if let Some(outcome) = greeted(request, peer, self.listing) {
            return outcome;
        }
        let modern = peer.era == peer::ProtocolEra::Modern;
        match request.method.as_str() {
            "tools/call" => self.call(request, &Meta::of(request), peer, out).await,
            "resources/list" => self.list_resources(request, peer).await,
            "resources/read" => self.read_resource(request, peer).await,
            "subscriptions/listen" if modern => self.listen(request, out).await,
            method => self.on_task(request, peer, out).await.unwrap_or_else(|| {
                let method = holdpoint_core::text::inert_line(method);
                Err(RpcError::new(rpc::NO_METHOD, format!("there is no method {method:?}")))
            }),
        }
    }
}

/// Answers the requests that open a connection: who we are and what there is.
pub(crate) fn greet(request: &Request, peer: &Peer, listing: tools::Listing) -> Option<Value> {
    greeted(request, peer, listing).map(|outcome| complete(request, peer, outcome))
}

/// Answers a client that cannot be served because its decisions cannot be reached.
pub(crate) fn unserved(request: &Request, peer: &Peer, error: &holdpoint_engine::Error) -> Value {
    let outcome = match request.method.as_str() {
        "tools/call" => Ok(failed::failed(error)),
        _ => Err(RpcError::new(rpc::INTERNAL, error.to_string())),
    };
    complete(request, peer, outcome)
}

fn complete(request: &Request, peer: &Peer, outcome: CallResult) -> Value {
    let server = greeting::server_info(env!("CARGO_PKG_VERSION"));
    rpc::response(&request.id, outcome.map(|result| peer::complete(peer.era, &server, result)))
}

fn greeted(request: &Request, peer: &Peer, listing: tools::Listing) -> Option<CallResult> {
    let modern = peer.era == peer::ProtocolEra::Modern;
    let greeting = match request.method.as_str() {
        "initialize" if !modern => {
            let server = greeting::server_info(env!("CARGO_PKG_VERSION"));
            return Some(
                Peer::of_initialize(request).map(|(_, version)| greeting::initialize(version, &server)),
            );
        }
        "server/discover" => greeting::discover(),
        "ping" if !modern => Map::new(),
        "tools/list" => listed(peer, "tools", tools::list(peer.tasks, listing)),
        "resources/templates/list" => {
            listed(peer, "resourceTemplates", json!([holdpoint_protocols::mcp::resource::template()]))
        }
        // There are none, and we declare none; but older clients ask anyway.
        "prompts/list" if !modern => listed(peer, "prompts", json!([])),
        _ => return None,
    };
    Some(Ok(greeting))
}

/// Returns whether to serve the conformance suite's fixtures; never in a release.
pub(crate) fn serves_suite() -> bool {
    cfg!(debug_assertions) && std::env::var_os("HOLD_MCP_FIXTURE").is_some()
}

/// Returns whether a request may hold, so that the transport should expect to wait.
pub(crate) fn may_hold(request: &Request) -> bool {
    matches!(request.method.as_str(), "tools/call" | "tasks/result" | "subscriptions/listen")
}

/// Returns a list that rarely changes.
fn listed(peer: &Peer, key: &str, items: Value) -> Map<String, Value> {
    let mut result = Map::from_iter([(key.to_owned(), items)]);
    peer::cacheable(peer.era, 60_000, &mut result);
    result
}
