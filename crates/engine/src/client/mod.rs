//! The client interface: the requests of every front end, to an embedded engine or to a server.

#[cfg(not(all(feature = "agents", feature = "notify", feature = "runs", feature = "threads")))]
mod absent;
mod admin;
mod attention;
mod bodies;
#[cfg(feature = "notify")]
mod channels;
mod embedded;
#[cfg(feature = "http-client")]
mod http;
#[cfg(feature = "agents")]
mod jobs;
mod log;
mod people;
mod projects;
mod rules;
#[cfg(feature = "runs")]
mod runs;
#[cfg(feature = "threads")]
mod threads;
mod views;

use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::decision::{AnswerInput, Attention, New, Requirements, Revision};
use holdpoint_core::{Decision, DecisionId, Search, Source, Span, Status, Timestamp, Values};
pub use holdpoint_store::Detail;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[cfg(not(feature = "notify"))]
pub use absent::Channels;
#[cfg(not(feature = "agents"))]
pub use absent::Jobs;
#[cfg(not(feature = "runs"))]
pub use absent::Runs;
#[cfg(not(feature = "threads"))]
pub use absent::Threads;
pub use admin::Admin;
pub use attention::{SnoozeBody, TakeBody};
pub use bodies::{AnswerBody, AnswerItem, AnswerItems, AnsweredItem, AnsweredItems, RefusedItem};
#[cfg(feature = "notify")]
pub use channels::Channels;
pub use embedded::{Embedded, Shown};
#[cfg(feature = "http-client")]
pub use http::{Http, OpeningClient, ServerLocator};
#[cfg(feature = "agents")]
pub use jobs::Jobs;
pub use log::Logs;
pub use people::People;
pub use projects::Projects;
pub use rules::Rules;
#[cfg(feature = "runs")]
pub use runs::Runs;
#[cfg(feature = "threads")]
pub use threads::Threads;
pub use views::Views;

use crate::error::Result;
use crate::receipt::Receipt;

/// The operations on decisions, in this process or over HTTP; the other traits have the operations on everything else.
#[async_trait]
pub trait Client:
    Admin + Channels + Jobs + Logs + People + Projects + Rules + Runs + Threads + Views + Send + Sync
{
    /// Asks. Under a known key, returns what was created the first time.
    async fn create(&self, new: New, key: Option<String>) -> Result<Created>;

    /// Returns the decision that an id or a unique prefix names.
    async fn get(&self, id: &str) -> Result<Decision>;

    /// Lists decisions.
    async fn list(&self, query: &ListQuery) -> Result<Listed>;

    /// Answers, or gives guidance. Decisions that are named as the same ask get the same answer, in the same
    /// transaction.
    async fn answer(&self, id: DecisionId, input: AnswerInput) -> Result<Answered>;

    /// Answers several decisions independently: some may be answered and others refused.
    async fn answer_many(&self, answers: AnswerItems) -> Result<Vec<AnsweredItem>> {
        answers.check()?;
        let mut answered = Vec::with_capacity(answers.items.len());
        for AnswerItem { id, answer } in answers.items {
            answered.push(AnsweredItem::of(id, self.answer(id, answer).await));
        }
        Ok(answered)
    }

    /// Changes a question.
    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision>;

    /// Keeps values for the person who finishes the answer.
    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision>;

    /// Takes a decision, or snoozes it.
    async fn attend(&self, id: DecisionId, attention: Attention) -> Result<Decision>;

    /// Cancels a question.
    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision>;

    /// Uses an approval. Repeating the request under the same key returns the same use.
    async fn consume(
        &self,
        id: DecisionId,
        subject: Value,
        required: Requirements,
        key: Option<String>,
    ) -> Result<Consumed>;

    /// Returns a signed statement of what was decided.
    async fn receipt(&self, id: DecisionId) -> Result<Receipt>;

    /// Holds until a decision is settled or the time is up.
    async fn wait(&self, id: DecisionId, timeout: Option<Duration>) -> Result<Decision>;

    /// Returns the current end of the log, from which to follow it.
    async fn head(&self) -> Result<i64>;

    /// Reads events after a sequence number; if there are none, holds up to `wait` for the first.
    async fn events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage>;

    /// Returns, for each id, how many characters after `dcn-` make it unique.
    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>>;

    /// Waits for what this client started, above all hooks; returns messages about what went wrong.
    async fn finish(&self) -> Vec<String>;

    /// Returns how long the inboxes of people hold an answer back so that it can be undone.
    async fn undo(&self) -> Result<Span>;

    /// Returns the time of the store.
    async fn now(&self) -> Result<Timestamp>;

    /// Returns the address of the page of a decision, if there is a server that shows it.
    fn page(&self, _: DecisionId) -> Option<String> {
        None
    }

    /// Returns the address of the inbox, if there is a server that shows it.
    fn inbox(&self) -> Option<String> {
        None
    }
}

/// The result of asking.
#[derive(Clone, Debug)]
pub struct Created {
    /// The decision.
    pub decision: Decision,
    /// Whether it had been created before under the same key.
    pub replayed: bool,
}

/// The result of consuming.
#[derive(Clone, Debug)]
pub struct Consumed {
    /// The decision.
    pub decision: Decision,
    /// Whether it had been consumed before under the same key.
    pub replayed: bool,
}

/// The result of answering.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The decision.
    pub decision: Decision,
    /// The next round, if guidance opened one.
    pub next: Option<Decision>,
    /// Whether the same answer had been given before.
    pub replayed: bool,
    /// The outcomes for the others that were shown as the same question.
    pub same: Vec<AnsweredSame>,
}

/// The result of an answer for another decision that was shown as the same ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnsweredSame {
    /// The id of the decision.
    pub id: DecisionId,
    /// Why it was not answered; absent if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Which decisions to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// The project; all if none.
    pub project: Option<String>,
    /// The statuses; all if empty.
    pub statuses: Vec<Status>,
    /// The source.
    pub source: Option<Source>,
    /// The owner.
    pub owner: Option<holdpoint_core::Owner>,
    /// Only those on work items: these a caller reads in all of its projects, without drafts.
    pub on_items: bool,
    /// Who asked.
    pub requested_by: Option<String>,
    /// The digest of the question.
    pub digest: Option<String>,
    /// Settled at or after a time.
    pub settled_since: Option<Timestamp>,
    /// The search that they must match.
    pub search: Option<Search>,
    /// The newest first instead of the oldest.
    pub newest_first: bool,
    /// The most decisions to return.
    pub limit: usize,
    /// The cursor to continue after.
    pub cursor: Option<String>,
    /// How much of long decisions is returned. Either way, a page of long decisions may end before the limit.
    pub detail: Detail,
    /// Skips comparing subjects with the log: callers that show only some of them use [`Embedded::check_listed`] for
    /// those.
    pub unchecked: bool,
}

/// A page of decisions.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// The decisions.
    pub items: Vec<Decision>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// A page of events, in the form in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct EventPage {
    /// The events.
    pub events: Vec<Map<String, Value>>,
    /// The sequence number to continue after.
    pub last: i64,
}
