//! The credential by which `hold` acts inside a job's session: an agent's, of the job's project, in the job's name. It is
//! made when a session is opened and ends with the job. Its secret is in the session's environment and nowhere else.

use std::path::PathBuf;

use holdpoint_core::{DecisionId, Job, Status};
use holdpoint_store::{Detail, Query, SeenBy};

use super::drive::Driver;
use super::session_dir;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::home::Home;
use crate::sessions::Session;

/// The file in a session's folder that names its credential.
const TOKEN: &str = "token";

impl Driver {
    /// Makes the token of a session that is about to be opened; ends those of the job's sessions before it.
    pub(super) async fn session_token(&self, job: &Job, agent_id: &str) -> Result<String> {
        self.end_tokens(job).await;
        let made = self.engine.mint_agent_token(&job.id, &job.project, None).await?;
        let path = self.token_file(agent_id);
        if let Some(folder) = path.parent() {
            Home::make_private(folder)?;
        }
        Home::write_private(&path, made.token.id.as_bytes())?;
        Ok(made.secret.reveal())
    }

    /// Ends the tokens of a job's sessions on this node.
    pub(super) async fn end_tokens(&self, job: &Job) {
        for visit in job.history.iter().filter(|visit| visit.node == self.node) {
            let path = self.token_file(&visit.agent_id);
            let Ok(id) = std::fs::read_to_string(&path) else { continue };
            let id = id.trim();
            let ended = async {
                self.engine.end_agent_token(id).await?;
                self.engine.withdraw_asked_with(id, "the session that asked has ended").await
            };
            match ended.await {
                Ok(()) | Err(Error::Refused(_)) => {
                    let _ = std::fs::remove_file(&path);
                }
                Err(why) => {
                    tracing::warn!(job.id = %job.id, "The token of job {} has not ended: {why}", job.id);
                }
            }
        }
    }

    fn token_file(&self, agent_id: &str) -> PathBuf {
        session_dir(&self.home, agent_id).join(TOKEN)
    }
}

impl Engine {
    /// Returns the latest pending question of a session.
    pub(super) async fn asked_by_session(&self, session: &Session) -> Result<Option<DecisionId>> {
        let Ok(id) = std::fs::read_to_string(session.dir().join(TOKEN)) else { return Ok(None) };
        let agent = SeenBy { credential: id.trim().to_owned(), assignee: String::new() };
        let query = Query {
            statuses: vec![Status::Pending],
            seen_by: Some(agent),
            detail: Detail::Brief,
            limit: 1,
            ..Query::default()
        };
        Ok(self.store().list(&query).await?.items.first().map(|decision| decision.id))
    }
}
