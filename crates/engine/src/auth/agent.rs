//! Credentials of agents that a server starts: made without a person, for one project, and ended together with what
//! they were made for.

use holdpoint_core::{Actor, Command, Role, Span, Status};
use holdpoint_store::{Detail, Query, SeenBy};

use super::{Caller, CreatedToken, NewToken};
use crate::engine::Engine;
use crate::error::{Error, Result};

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

    /// Cancels the pending questions of a credential: its holder, who would have read the answers, is gone.
    pub async fn withdraw_asked_with(&self, credential: &str, reason: &str) -> Result<()> {
        let agent = SeenBy { credential: credential.to_owned(), assignee: String::new() };
        let mut query = Query {
            statuses: vec![Status::Pending],
            seen_by: Some(agent),
            detail: Detail::Brief,
            limit: 100,
            ..Query::default()
        };
        loop {
            let page = self.store().list(&query).await?;
            for decision in page.items {
                let command = Command::Cancel { id: decision.id, reason: Some(reason.to_owned()) };
                match self.submit_for(&server(), command, None).await {
                    // Another command settled it first.
                    Ok(_) | Err(Error::Refused(_)) => {}
                    Err(error) => return Err(error),
                }
            }
            query.cursor = page.next;
            if query.cursor.is_none() {
                return Ok(());
            }
        }
    }

    /// Ends a token made by [`Self::mint_agent_token`]; ending it twice changes nothing.
    pub async fn end_agent_token(&self, id: &str) -> Result<()> {
        let command = Command::RevokeToken { id: id.to_owned() };
        self.submit_for(&server(), command, None).await.map(drop)
    }
}

/// The server itself, acting on its own store.
fn server() -> Caller {
    Caller::local(Actor::supervisor().by, "jobs")
}
