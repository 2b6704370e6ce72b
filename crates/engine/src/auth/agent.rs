//! Credentials of agents that a server starts: made without a person, for one project, and ended with what they were
//! made for.

use holdpoint_core::{Actor, Command, Role, Span};

use super::{Caller, CreatedToken, NewToken};
use crate::engine::Engine;
use crate::error::Result;

impl Engine {
    /// Makes an agent's token for one project, as the server itself does for the agents it starts.
    ///
    /// The name is what cards show; a job's agent must have its job's id to ask for it.
    pub async fn mint_agent_token(
        &self,
        name: impl Into<String>,
        project: impl Into<String>,
        lasts: Option<Span>,
    ) -> Result<CreatedToken> {
        let new = NewToken {
            name: name.into(),
            role: Role::Agent,
            projects: vec![project.into()],
            permissions: Vec::new(),
            lasts,
            owner: None,
        };
        self.create_token(&server(), new).await
    }

    /// Ends an agent's token that was made so; ending it twice changes nothing.
    pub async fn end_agent_token(&self, id: &str) -> Result<()> {
        let command = Command::RevokeToken { id: id.to_owned() };
        self.submit_for(&server(), command, None).await.map(drop)
    }
}

/// The server itself, acting on its own store.
fn server() -> Caller {
    Caller::local(Actor::supervisor().by, "jobs")
}
