//! The state that the handlers of one server share.

use holdpoint_engine::Engine;
use holdpoint_engine::auth::Seal;

use super::attempts::Attempts;
use super::client_address::TrustedProxies;
use super::held_requests::HeldRequests;
use super::hosts::Hosts;
use super::limits::Limits;
use super::live::LivePages;
use super::metrics::Metrics;
use super::mode::Mode;
use super::tail::LogTail;
use crate::api::chat::chats::Conversations;
use crate::mcp::replies::Replies;

/// The state that all handlers share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) mode: Mode,
    /// The server's address as people reach it, without a trailing slash.
    pub(crate) address: String,
    pub(crate) hosts: Hosts,
    pub(crate) limits: Limits,
    pub(crate) trusted_proxies: TrustedProxies,
    pub(crate) metrics: Metrics,
    /// The requests that hold, by the credential they came with.
    pub(crate) held: HeldRequests,
    /// The end of the log, for readers that follow it.
    pub(crate) tail: LogTail,
    /// What open pages share.
    pub(crate) live: LivePages,
    /// Failed attempts to sign in.
    pub(crate) attempts: Attempts,
    /// Signs the state that clients send back.
    pub(crate) seal: Seal,
    /// Requests sent to clients of older revisions of the Model Context Protocol.
    pub(crate) replies: Replies,
    /// Forms that are being filled in by conversation.
    pub(crate) chats: Conversations,
    /// Turns true when the server is told to stop: held requests end.
    pub(crate) stopping: tokio::sync::watch::Receiver<bool>,
}

impl App {
    /// Holds until the server is told to stop.
    pub(crate) async fn stops(&self) {
        let mut stopping = self.stopping.clone();
        while !*stopping.borrow_and_update() {
            if stopping.changed().await.is_err() {
                return;
            }
        }
    }
}
