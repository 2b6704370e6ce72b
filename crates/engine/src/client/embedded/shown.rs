//! Asking, answering and listing for callers who pass decisions on as JSON: what was recorded is not copied for each of
//! them.

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::{Command, Decision, DecisionId, OwnerKind, Refusal};
use holdpoint_store::{Cursor, Order, Outcome, Query, SharedDecision};

use super::{Embedded, leave_out_subject, no_decision};
use crate::auth::Caller;
use crate::client::{AnsweredSame, ListQuery};
use crate::error::Result;
use crate::notify::callback;
use crate::visible::VisibleDecision;

/// What a command came to, as the caller may see it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The decision that was asked or answered.
    pub decision: VisibleDecision,
    /// The next round, if guidance opened one.
    pub next: Option<VisibleDecision>,
    /// Whether the command had been carried out before.
    pub replayed: bool,
}

impl Shown {
    fn of(outcome: Outcome, caller: &Caller) -> Result<Self> {
        let Outcome { decision, next, replayed, .. } = outcome;
        let decision = caller.shown(decision.ok_or_else(no_decision)?);
        Ok(Self { decision, next: next.map(|next| caller.shown(next)), replayed })
    }
}

impl Embedded {
    /// Asks, as [`crate::Client::create`] does.
    pub async fn create_shown(&self, mut new: New, key: Option<String>) -> Result<Shown> {
        if let Some(job) = Box::pin(self.own_job()).await? {
            new.same_account = job.shares_account();
            // Other questions of a job's agent block the job's item too, and are found with the job.
            if new.owner.is_none() && new.project() == job.project {
                let item = job.item.filter(|item| !new.blocks.contains(item));
                new.blocks.extend(item);
                new.requested_by.get_or_insert(job.id);
            }
        }
        let project = new.project().to_owned();
        if let Some(callback) = &mut new.callback {
            callback::admit(&self.engine.settings().callback, callback, &project)?;
        }
        self.engine.check_steps(&new.escalation).await?;
        // If approvals cannot be relied on, the request that would use one is refused, with the reason.
        new.consume = new.consume && self.engine.is_remembered().await;
        let command = Command::Create(Box::new(self.engine.prepare(new).await));
        Shown::of(self.engine.submit_whole(&self.caller, command, key, None).await?, &self.caller)
    }

    /// Answers, as [`crate::Client::answer`] does; returns also what became of the others that were named as the same ask.
    pub async fn answer_shown(
        &self,
        id: DecisionId,
        mut input: AnswerInput,
    ) -> Result<(Shown, Vec<AnsweredSame>)> {
        let caller = self.called(input.by.take())?;
        let (outcome, same) = if input.same.is_empty() {
            let command = Command::Answer { id, input: Box::new(input) };
            (self.engine.submit_whole(&caller, command, None, None).await?, Vec::new())
        } else {
            Box::pin(self.engine.answer_same(&caller, id, input)).await?
        };
        Ok((Shown::of(outcome, &caller)?, same))
    }

    /// Lists decisions, as [`crate::Client::list`] does; returns also the cursor of the next page, if there is one.
    pub async fn list_shown(&self, query: &ListQuery) -> Result<(Vec<VisibleDecision>, Option<String>)> {
        let cursor = query.cursor.as_deref().map(read_cursor).transpose()?;
        let (on_items, unchecked) = (query.on_items, query.unchecked);
        let query = Query {
            project: query.project.clone(),
            projects: self.caller.projects.clone(),
            seen_by: self.caller.seen_by().filter(|_| !on_items),
            statuses: query.statuses.clone(),
            source: query.source,
            owner: query.owner.clone(),
            requested_by: query.requested_by.clone(),
            digest: query.digest.clone(),
            settled_since: query.settled_since,
            search: query.search.clone(),
            order: if query.newest_first { Order::NewestFirst } else { Order::OldestFirst },
            cursor,
            limit: query.limit,
            now: Some(self.engine.now().await?),
            detail: query.detail,
        };
        let page = self.engine.store().list(&query).await?;
        let on_item = |one: &Decision| one.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Item);
        let mut items = Vec::with_capacity(page.items.len());
        for mut listed in page.items.into_iter().filter(|decision| !on_items || on_item(decision)) {
            if !unchecked && !self.is_as_recorded(&listed).await? {
                let mut decision = listed.into_decision();
                leave_out_subject(&mut decision);
                listed = SharedDecision::new(decision);
            }
            items.push(self.caller.shown(listed));
        }
        Ok((items, page.next.map(|Cursor(place)| place.to_string())))
    }
}

fn read_cursor(text: &str) -> Result<Cursor> {
    let wrong = || Refusal::invalid("cursor", "is not one that a list gave out");
    Ok(Cursor(text.parse().map_err(|_| wrong())?))
}
