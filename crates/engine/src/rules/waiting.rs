//! Pending asks that a rule would answer. A rule has no effect on earlier asks: a person answers these, each
//! separately.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::rule::{RuleEffect, Then};
use holdpoint_core::{DecisionId, Rule, Status, Values, text};
use holdpoint_store::{Detail, Query};
use serde::{Deserialize, Serialize};

use super::PAGE;
use crate::auth::Caller;
use crate::client::{AnswerItem, AnswerItems};
use crate::engine::Engine;
use crate::error::Result;

/// How many pending asks are tried: the author of the rule waits for this.
const MOST_WAITING: usize = 2_000;

/// An ask that waits, and what a rule would answer it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WaitingAsk {
    /// Names it.
    pub id: DecisionId,
    /// What it was about, in a line.
    pub summary: String,
    /// What the rule would answer.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: Values,
    /// The digest of what was matched: an answer that gives it is to this question and no other.
    pub digest: String,
}

impl WaitingAsk {
    /// Returns the answer of a person who answers as the rule would.
    pub fn answer(&self) -> AnswerItem {
        let (values, digest) = (self.values.clone(), Some(self.digest.clone()));
        AnswerItem { id: self.id, answer: AnswerInput { values, digest, ..AnswerInput::default() } }
    }
}

impl Engine {
    /// Lists the pending asks that a rule would answer if they were asked now, oldest first: at most as many as can be
    /// answered at once.
    pub async fn waiting_for_rule(&self, caller: &Caller, id: &str) -> Result<Vec<WaitingAsk>> {
        let found = self.find_rule(caller, id).await?;
        self.waiting_for(&found.rule).await
    }

    pub(super) async fn waiting_for(&self, rule: &Rule) -> Result<Vec<WaitingAsk>> {
        let mut waiting = Vec::new();
        if rule.then == Then::Ask {
            return Ok(waiting);
        }
        let in_force = self.rules_in_force(&rule.project).await?;
        let now = self.now().await?;
        let mut query = Query {
            project: Some(rule.project.clone()),
            statuses: vec![Status::Pending],
            limit: PAGE,
            now: Some(now),
            detail: Detail::Whole,
            ..Query::default()
        };
        let mut tried = 0;
        loop {
            let page = self.store.list(&query).await?;
            tried += page.items.len();
            for ask in &page.items {
                // Another rule may refuse it, or send it to a person.
                if let Some(RuleEffect::Answered { rule: by, values }) = in_force.rule_on(ask, now)
                    && by.id == rule.id
                {
                    let summary = text::inert_line(text::start(ask.summary(), 200));
                    waiting.push(WaitingAsk { id: ask.id, summary, values, digest: ask.digest.clone() });
                }
            }
            let is_full = waiting.len() >= AnswerItems::MOST;
            if is_full || page.next.is_none() || page.items.is_empty() || tried >= MOST_WAITING {
                break;
            }
            query.cursor = page.next;
        }
        waiting.truncate(AnswerItems::MOST);
        Ok(waiting)
    }
}
