//! Relying on a decision only as it is recorded in the log, and only if someone vouches for the log. An attacker who
//! can write the store's tables can change a row; they must not get a yes used that way, nor have a person say yes to
//! something else.

use std::sync::Arc;

use holdpoint_core::decision::Requirements;
use holdpoint_core::{Actor, Command, Decision, DecisionId, Refusal, Status};
use holdpoint_store::chain::LogFault;
use holdpoint_store::{Basis, LogRow, Outcome, Signer as _, Submission, history, vouch};
use serde_json::Value;

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// How often to read something again while others are changing it.
const TRIES: usize = 3;

impl Engine {
    /// Uses an approval, as it is recorded in the log.
    pub(crate) async fn consume_for(
        &self,
        caller: &Caller,
        id: DecisionId,
        subject: Value,
        required: Requirements,
        key: Option<String>,
    ) -> Result<Outcome> {
        self.check_remembered(id).await?;
        let mut tries = 0;
        loop {
            let answered = self.decision_for(caller, id).await?;
            let answered = answered.filter(|decision| decision.status == Status::Answered);
            let recorded = match answered {
                Some(_) => self.recorded(id).await?.map(Arc::new),
                None => None,
            };
            let command = Command::Consume { id, subject: subject.clone(), required };
            let submission = Submission {
                key: key.clone(),
                routes: self.routes(),
                projects: caller.projects.clone(),
                quota: Some(self.quota()),
                basis: Basis::Log(recorded),
                ..Submission::new(command, caller.actor.clone(), self.clock.now())
            };
            tries += 1;
            match self.commit(submission).await.map_err(Error::from) {
                // It may have been answered or used since it was read.
                Err(Error::Refused(Refusal::Unproven { .. })) if tries < TRIES => {}
                done => {
                    let outcome = done?;
                    let decision = outcome.decision.map(|decision| caller.visible_part(decision));
                    return Ok(Outcome { decision, ..outcome });
                }
            }
        }
    }

    /// Has the store decide a command. Its subject may count only if each event of it is proven, and that takes more
    /// than the store can do while it decides.
    pub(crate) async fn commit(&self, submission: Submission) -> holdpoint_store::Result<Outcome> {
        let _turn = self.turn_of(&submission.command).await;
        let kept = self.relies_on_proofs().then(|| submission.clone());
        match (self.store.submit(submission).await, kept) {
            // This is rare, so other commands need not reserve space for it.
            (Err(holdpoint_store::Error::Refused(Refusal::Unproven { .. })), Some(kept)) => {
                Box::pin(self.commit_proven(kept)).await
            }
            (done, _) => done,
        }
    }

    async fn commit_proven(&self, submission: Submission) -> holdpoint_store::Result<Outcome> {
        for _ in 1..TRIES {
            self.prove_unknown().await?;
            match self.store.submit(submission.clone()).await {
                Err(holdpoint_store::Error::Refused(Refusal::Unproven { .. })) => {}
                done => return done,
            }
        }
        let done = self.store.submit(submission).await;
        if let Err(holdpoint_store::Error::Refused(refusal @ Refusal::Unproven { .. })) = &done {
            tracing::error!("A command was refused: {refusal}");
        }
        done
    }

    /// Has the store decide several commands in one transaction; each separately if signing the log has stopped.
    pub(crate) async fn commit_all(
        &self,
        submissions: Vec<Submission>,
    ) -> holdpoint_store::Result<Vec<holdpoint_store::Result<Outcome>>> {
        let mut outcomes = Vec::with_capacity(submissions.len());
        if self.unvouched().is_none() {
            let kept = if self.relies_on_proofs() { submissions.clone() } else { Vec::new() };
            let mut kept = kept.into_iter();
            for outcome in self.store.submit_all(submissions).await? {
                outcomes.push(match (outcome, kept.next()) {
                    (Err(holdpoint_store::Error::Refused(Refusal::Unproven { .. })), Some(kept)) => {
                        self.commit_proven(kept).await
                    }
                    (outcome, _) => outcome,
                });
            }
            return Ok(outcomes);
        }
        for submission in submissions {
            outcomes.push(self.commit(submission).await);
        }
        Ok(outcomes)
    }

    fn relies_on_proofs(&self) -> bool {
        self.store.vouching().is_strict() || self.unvouched().is_some()
    }

    /// Proves what has not been proven yet, one caller at a time: another may already be proving what this one waits
    /// for.
    async fn prove_unknown(&self) -> holdpoint_store::Result<()> {
        let Some(signer) = self.signer.as_deref() else { return Ok(()) };
        let _alone = self.proving.lock().await;
        for link in self.store.vouching().take_unknown() {
            history::doubt(self.store.as_ref(), signer, &link).await?;
        }
        Ok(())
    }

    /// Refuses to rely on a log that was cut before its signed end: an approval may have been used since.
    pub(crate) async fn check_remembered(&self, id: DecisionId) -> Result<()> {
        let Some(signer) = self.signer.as_deref() else { return Ok(()) };
        if let Some(fault) = self.store.vouching().tampered() {
            let why = format!("the log is not what was recorded: {fault}; hold audit verify says more");
            return Err(Refusal::unproven(id, why).into());
        }
        if vouch::runs_through_remembered(self.store.as_ref(), signer).await? {
            return Ok(());
        }
        let why = "the log does not run through what was signed; hold audit verify says more";
        Err(Refusal::unproven(id, why).into())
    }

    /// Returns whether the log reaches as far as what is known to be recorded.
    pub(crate) async fn is_remembered(&self) -> bool {
        let Some(signer) = self.signer.as_deref() else { return true };
        self.store.vouching().tampered().is_none()
            && matches!(vouch::runs_through_remembered(self.store.as_ref(), signer).await, Ok(true))
    }

    /// Returns a settled decision as it is in the log.
    ///
    /// # Errors
    /// Refused if its row differs, or no trusted key vouches for the log.
    pub(crate) async fn settled_in_log(&self, shown: &Decision) -> Result<Decision> {
        let id = shown.id;
        if self.store.decision(id).await?.is_some_and(|row| row.status == Status::Pending) {
            // Its deadline has passed without a record of that.
            self.submit(Actor::system(), Command::Expire { id }).await?;
        }
        let same = |recorded: &Decision| {
            recorded.status == shown.status
                && recorded.answer == shown.answer
                && recorded.digest == shown.digest
        };
        self.recorded(id).await?.filter(same).ok_or_else(|| differs(id))
    }

    /// Refuses to show a decision whose row does not match the log: with an outcome that is not vouched for, or with a
    /// question that a person may say yes to.
    pub(crate) async fn check_shown(&self, row: &Decision) -> Result<()> {
        if row.status != Status::Pending {
            return Box::pin(self.as_in_log(row.clone())).await.map(drop);
        }
        self.check_question(row).await
    }

    /// Returns a decision in its current state, if its row matches the log; none if it is gone.
    pub(crate) async fn as_in_log(&self, mut row: Decision) -> Result<Option<Decision>> {
        for _ in 0..TRIES {
            if self.told_by_log(row.id).await?.as_ref() == Some(&row) {
                return Ok(Some(row));
            }
            // It may have been settled or used between the two reads.
            match self.store.decision(row.id).await? {
                Some(now) => row = now,
                None => return Ok(None),
            }
        }
        Err(differs(row.id))
    }

    /// Refuses to show a question with a subject whose row does not match the log: a person may say yes to it.
    pub(crate) async fn check_question(&self, row: &Decision) -> Result<()> {
        let is_broken = self.hub.is_some() && self.unvouched().is_some();
        if row.status != Status::Pending || row.subject.is_none() && !is_broken {
            return Ok(());
        }
        Box::pin(self.compare_question(row.clone(), is_broken)).await
    }

    async fn compare_question(&self, mut row: Decision, is_broken: bool) -> Result<()> {
        for _ in 0..TRIES {
            let recorded =
                if is_broken { self.recorded(row.id).await? } else { self.history(row.id).await?.1 };
            if recorded.is_some_and(|recorded| asks_the_same(&recorded, &row)) {
                return Ok(());
            }
            // It may have been revised between the two reads.
            match self.store.decision(row.id).await? {
                Some(now) if now.status == Status::Pending => row = now,
                _ => return Ok(()),
            }
        }
        Err(differs(row.id))
    }

    /// Returns a decision as recorded in the log, if it is vouched for. A process without keys, or that sees the store
    /// for the first time, cannot know whether it is.
    async fn told_by_log(&self, id: DecisionId) -> Result<Option<Decision>> {
        let knows_store = match self.signer.as_deref() {
            Some(_) if self.hub.is_some() => true,
            Some(signer) => signer.remembered(&self.store.identity().await?)?.is_some(),
            None => false,
        };
        if knows_store { self.recorded(id).await } else { Ok(self.history(id).await?.1) }
    }

    /// Returns a decision as recorded in the log, if every event about it is vouched for.
    async fn recorded(&self, id: DecisionId) -> Result<Option<Decision>> {
        let (links, decision) = self.history(id).await?;
        if let Some(link) = links.iter().find(|link| link.body.is_none()) {
            // The erased event may have used the approval.
            let why = format!("event {} was erased", link.seq);
            return Err(Refusal::unproven(id, why).into());
        }
        for link in &links {
            if let Some(why) = self.doubt(link).await? {
                return Err(Refusal::unproven(id, why).into());
            }
        }
        Ok(decision)
    }

    /// Reads the events about a decision, and computes the decision from them.
    ///
    /// # Errors
    /// Refused if this process has seen more events, or others.
    async fn history(&self, id: DecisionId) -> Result<(Vec<LogRow>, Option<Decision>)> {
        let mut tries = 0;
        loop {
            let links = self.store.history(id).await?;
            let stream = links.first().map_or("", |link| &link.stream);
            tries += 1;
            match self.store.vouching().compare_with_seen(stream, 0, &links) {
                // An event may have been committed since they were read.
                Some(_) if tries < TRIES => {}
                Some(why) => {
                    self.store.vouching().note_missed();
                    return Err(Refusal::unproven(id, why).into());
                }
                None => {
                    let decision = history::fold(&links).map_err(|why| Refusal::unproven(id, why))?;
                    return Ok((links, decision));
                }
            }
        }
    }

    /// Returns why an event is not vouched for, if it is not.
    async fn doubt(&self, link: &LogRow) -> Result<Option<String>> {
        let Some(signer) = self.signer.as_deref() else { return Ok(None) };
        if history::doubt(self.store.as_ref(), signer, link).await?.is_none() {
            return Ok(None);
        }
        // Perhaps nothing has been signed since.
        self.sign_if_sound().await;
        let doubt = history::doubt(self.store.as_ref(), signer, link).await?;
        Ok(doubt.map(|what| {
            let seq = link.seq;
            match self.unvouched() {
                Some(fault) => {
                    format!("event {seq} is not proven, because signing the log has stopped: {fault}")
                }
                None => LogFault { seq, what }.to_string(),
            }
        }))
    }
}

fn differs(id: DecisionId) -> Error {
    Refusal::unproven(id, "its row does not match the log").into()
}

/// Returns whether two forms of a decision ask the same.
fn asks_the_same(one: &Decision, other: &Decision) -> bool {
    let words = |of: &Decision| (of.title.clone(), of.prompt.clone(), of.guidance.clone(), of.digest.clone());
    one.subject == other.subject
        && one.subject_digest == other.subject_digest
        && one.fields == other.fields
        && one.outs == other.outs
        && words(one) == words(other)
}
