//! The client on a store in this process. Names are claims: they are not checked.

mod events;
mod shown;

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{AnswerInput, Attention, DraftInput, New, Requirements, Revision};
use holdpoint_core::{
    Actor, Auth, Command, Decision, DecisionId, Job, JobKind, Refusal, Role, Span, Timestamp, Values,
};
use holdpoint_store::{Outcome, SharedDecision};
use serde_json::Value;

pub use self::shown::Shown;
use super::{Answered, Client, Consumed, Created, EventPage, ListQuery, Listed};
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::receipt::Receipt;
use crate::visible::VisibleDecision;

/// A client on an engine in this process.
#[derive(Clone, Debug)]
pub struct Embedded {
    engine: Engine,
    caller: Caller,
}

impl Embedded {
    /// Makes a client that acts under a name, through a door.
    pub fn new(engine: Engine, by: impl Into<String>, via: impl Into<String>) -> Self {
        Self::acting(engine, Actor::claimed(by, via))
    }

    /// Makes a client that acts as a known actor.
    pub fn acting(engine: Engine, actor: Actor) -> Self {
        Self::of(engine, Caller { actor, projects: Vec::new() })
    }

    /// Removes subjects that do not match the log, so that no person consents to something that a list leaves out. A
    /// person who opens such a decision is told what is wrong.
    ///
    /// # Errors
    /// If the store is out of reach.
    pub async fn check_listed(&self, decisions: &mut [Decision]) -> Result<()> {
        for decision in decisions {
            if !self.is_as_recorded(decision).await? {
                leave_out_subject(decision);
            }
        }
        Ok(())
    }

    /// Returns whether what a pending decision asks matches the log.
    async fn is_as_recorded(&self, decision: &Decision) -> Result<bool> {
        match self.engine.check_question(decision).await {
            Err(Error::Refused(Refusal::Unproven { .. })) => Ok(false),
            checked => checked.map(|()| true),
        }
    }

    /// Makes a client that acts, and sees, as a caller may.
    pub fn of(engine: Engine, caller: Caller) -> Self {
        Self { engine, caller }
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the caller that it acts for.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Keeps values, with what goes with them, for the person who finishes the answer.
    ///
    /// # Errors
    /// Refused as stale if the draft has changed since the values were made from it.
    pub async fn draft_with(&self, id: DecisionId, input: DraftInput) -> Result<Decision> {
        self.act_on(Command::Draft { id, input: Box::new(input) }).await
    }

    /// Cancels a question, under a name that counts only if no credential says who the caller is.
    pub async fn cancel_as(
        &self,
        id: DecisionId,
        reason: Option<String>,
        by: Option<String>,
    ) -> Result<Decision> {
        let command = Command::Cancel { id, reason };
        decision_of(self.engine.submit_for(&self.called(by)?, command, None).await?)
    }

    /// Returns the caller under a name. A caller with a credential needs no name.
    pub(super) fn called(&self, name: Option<String>) -> Result<Caller> {
        let mut caller = self.caller.clone();
        if let Some(name) = name.filter(|_| caller.actor.auth == Auth::Claimed) {
            holdpoint_core::text::check_name(&name).map_err(|why| Refusal::invalid("by", why))?;
            caller.actor.by = name;
        }
        Ok(caller)
    }

    pub(super) async fn act(&self, command: Command) -> Result<Outcome> {
        self.engine.submit_for(&self.caller, command, None).await
    }

    async fn act_on(&self, command: Command) -> Result<Decision> {
        decision_of(self.act(command).await?)
    }

    /// Returns the job whose agent asks, if it is one: its token has the id of the job.
    async fn own_job(&self) -> Result<Option<Job>> {
        let actor = &self.caller.actor;
        let is_agent = actor.role == Some(Role::Agent) && actor.credential.is_some();
        let is_agent = is_agent && JobKind::acting_as(&actor.by).is_some();
        if is_agent { Ok(self.engine.store().job(&actor.by).await?) } else { Ok(None) }
    }
}

#[async_trait]
impl Client for Embedded {
    async fn create(&self, new: New, key: Option<String>) -> Result<Created> {
        let Shown { decision, replayed, .. } = self.create_shown(new, key).await?;
        Ok(Created { replayed, decision: decision.into_decision() })
    }

    async fn get(&self, id: &str) -> Result<Decision> {
        self.engine.find_for(&self.caller, id).await
    }

    async fn list(&self, query: &ListQuery) -> Result<Listed> {
        let (items, next) = self.list_shown(query).await?;
        Ok(Listed { items: items.into_iter().map(VisibleDecision::into_decision).collect(), next })
    }

    async fn answer(&self, id: DecisionId, input: AnswerInput) -> Result<Answered> {
        let (Shown { decision, next, replayed }, same) = self.answer_shown(id, input).await?;
        let next = next.map(VisibleDecision::into_decision);
        Ok(Answered { decision: decision.into_decision(), next, replayed, same })
    }

    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision> {
        self.act_on(Command::Revise { id, revision: Box::new(revision) }).await
    }

    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision> {
        self.draft_with(id, values.into()).await
    }

    async fn attend(&self, id: DecisionId, attention: Attention) -> Result<Decision> {
        self.attend_as(id, attention, None).await
    }

    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision> {
        self.cancel_as(id, reason, None).await
    }

    async fn consume(
        &self,
        id: DecisionId,
        subject: Value,
        required: Requirements,
        key: Option<String>,
    ) -> Result<Consumed> {
        let outcome = self.engine.consume_for(&self.caller, id, subject, required, key).await?;
        Ok(Consumed { replayed: outcome.replayed, decision: decision_of(outcome)? })
    }

    async fn receipt(&self, id: DecisionId) -> Result<Receipt> {
        self.engine.receipt(&self.get(&id.to_string()).await?).await
    }

    async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision> {
        self.engine.wait_for(&self.caller, id, timeout).await
    }

    async fn head(&self) -> Result<i64> {
        Ok(self.engine.store().head().await?.seq)
    }

    async fn events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage> {
        self.follow_events(after, decision, project, wait).await
    }

    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>> {
        if !self.caller.sees_all() {
            // Shorter prefixes would reveal ids that the caller may not see; the whole id is always unique.
            return Ok(ids.iter().map(|id| id.suffix().len()).collect());
        }
        Ok(self.engine.store().prefix_lengths(ids).await?)
    }

    async fn finish(&self) -> Vec<String> {
        // If a server is in charge, it sends whatever waits.
        match self.engine.auth_required().await {
            Ok(true) => return Vec::new(),
            Ok(false) => {}
            Err(error) => return vec![error.to_string()],
        }
        let mut words = Vec::new();
        if let Some(fault) = self.engine.unvouched() {
            words.push(format!(
                "signing the log has stopped, so this is not proven: {fault} (hold audit verify)"
            ));
        }
        match self.engine.finish_begun_rotation().await {
            Ok(Some(done)) => words.push(format!("a rotation that was cut off is finished: {done}")),
            Ok(None) => {}
            Err(error) => words.push(format!("a rotation that was cut off is not finished: {error}")),
        }
        let done = [
            #[cfg(feature = "runs")]
            self.engine.carry_out_verdicts().await,
            self.engine.run_hooks().await,
        ];
        for done in done {
            words.extend(done.unwrap_or_else(|error| vec![error.to_string()]));
        }
        // Without a server no other process does this; what is left is done by the next command.
        if let Err(error) = self.engine.forget_old_keys().await {
            words.push(error.to_string());
        }
        if let Err(error) = self.engine.index_some().await {
            words.push(error.to_string());
        }
        words
    }

    async fn undo(&self) -> Result<Span> {
        Ok(self.engine.settings().server.undo)
    }

    async fn now(&self) -> Result<Timestamp> {
        self.engine.now().await
    }
}

pub(super) fn decision_of(outcome: Outcome) -> Result<Decision> {
    outcome.decision.map(SharedDecision::into_decision).ok_or_else(no_decision)
}

fn no_decision() -> Error {
    Error::Store(holdpoint_store::Error::Corrupt("the command had no result".into()))
}

fn leave_out_subject(decision: &mut Decision) {
    decision.subject = None;
    decision.truncated.push("subject".into());
}
