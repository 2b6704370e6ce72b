//! The state that one process of `hold mcp` keeps for its client, under its own credential.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::text::check_name;
use holdpoint_core::{Permission, Span};
use holdpoint_engine::auth::{AgentProfile, Seal, door};
use holdpoint_engine::{Client, Engine, Role, Settings};
use holdpoint_protocols::mcp::peer::Peer;
use holdpoint_protocols::mcp::rpc::Request;
use holdpoint_protocols::mcp::tools::Listing;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::Arguments;
use crate::cli::context::Context;
use crate::cli::failure::Failure;
use crate::hooks::HeldQuestions;
use crate::mcp::replies::Replies;
use crate::mcp::{HoldingCount, McpServer, NotificationSender, greet, unserved};

/// The name under which replies from this peer are kept.
pub(super) const CONNECTION: &str = "stdio";
/// The name of the credential, unless a person gave it one.
const DOOR: &str = "mcp";

/// Where the decisions are.
enum Backend {
    Store(Engine),
    Server(String),
}

pub(super) struct Connection {
    context: Context,
    backend: Backend,
    name: String,
    folder: PathBuf,
    project: String,
    seal: Seal,
    hold: Option<Duration>,
    point_timeout: Option<Span>,
    in_client: bool,
    may_answer: bool,
    listing: Listing,
    pub(super) parked: HeldQuestions,
    pub(super) holding: HoldingCount,
    pub(super) replies: Replies,
    /// Opened by the first request that needs it. A connection has one credential, whatever names its requests give:
    /// a client's own name is a claim, and with another credential it could answer its own questions.
    client: OnceCell<Arc<dyn Client>>,
}

impl Connection {
    pub(super) async fn open(arguments: &Arguments, context: &Context) -> Result<Self, Failure> {
        let backend = match context.address() {
            Some(url) => Backend::Server(url),
            None => Backend::Store(context.engine(Role::Writer).await?),
        };
        let name = match &arguments.name {
            Some(name) => {
                check_name(name).map_err(|why| Failure::usage(format!("--as {why}")))?;
                format!("{DOOR}:{name}")
            }
            None => DOOR.to_owned(),
        };
        Ok(Self {
            context: context.clone(),
            backend,
            name,
            folder: std::env::current_dir()?,
            project: context.project(None),
            seal: Seal::load_or_make(&context.home)?,
            hold: arguments.hold.map(|span| Duration::from_millis(span.as_millis().unsigned_abs())),
            point_timeout: Settings::load(&context.home.config())?.bd.timeout,
            in_client: arguments.in_client,
            may_answer: arguments.may_answer,
            listing: Listing { answering: arguments.may_answer, points: arguments.bd },
            parked: HeldQuestions::default(),
            holding: HoldingCount::default(),
            replies: Replies::default(),
            client: OnceCell::new(),
        })
    }

    /// Answers a request. Greeting a client takes no credential; everything else does.
    pub(super) async fn answer(&self, request: &Request, peer: &Peer, out: &NotificationSender) -> Value {
        if let Some(response) = greet(request, peer, self.listing) {
            return response;
        }
        match self.server().await {
            Ok(server) => server.answer(request, peer, out).await,
            Err(error) => unserved(request, peer, &error),
        }
    }

    /// Returns the server for a client, under this interface's credential in this folder.
    async fn server(&self) -> holdpoint_engine::Result<McpServer> {
        Ok(McpServer {
            client: self.client.get_or_try_init(|| self.open_client()).await?.clone(),
            in_client: self.in_client,
            project: Some(self.project.clone()),
            caller: CONNECTION.to_owned(),
            seal: self.seal.clone(),
            hold: self.hold,
            point_timeout: self.point_timeout,
            may_answer: self.may_answer,
            listing: self.listing,
            parked: self.parked.clone(),
            holding: self.holding.clone(),
            replies: self.replies.clone(),
        })
    }

    async fn open_client(&self) -> holdpoint_engine::Result<Arc<dyn Client>> {
        let agent = AgentProfile {
            client: self.name.clone(),
            folder: Some(self.folder.clone()),
            project: self.project.clone(),
            permissions: self.may_answer.then_some(Permission::Answer).into_iter().collect(),
            place: self.context.credential_place(),
        };
        match &self.backend {
            Backend::Store(engine) => self.context.agent_here(engine.clone(), &agent, door::MCP).await,
            Backend::Server(url) => self.context.agent_at(url, &agent, door::MCP).await,
        }
    }

    /// Waits for background work that the client caused.
    pub(super) async fn finish(&self) {
        if let Some(client) = self.client.get() {
            client.finish().await;
        }
    }
}
