//! The client interface: what every front end asks, be it of an embedded engine or of a server.

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
pub use embedded::Embedded;
#[cfg(feature = "http-client")]
pub use http::{Http, Opening, Whereabouts};
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

/// All that can be done with decisions, from this process or over a wire; what is about something else is in the other
/// traits.
#[async_trait]
pub trait Client:
    Admin + Channels + Jobs + Logs + People + Projects + Rules + Runs + Threads + Views + Send + Sync
{
    /// Asks. Under a known key, returns what was asked the first time.
    async fn create(&self, new: New, key: Option<String>) -> Result<Created>;

    /// Returns the decision that an id or a unique prefix names.
    async fn get(&self, id: &str) -> Result<Decision>;

    /// Lists decisions.
    async fn list(&self, query: &ListQuery) -> Result<Listed>;

    /// Answers, or gives guidance. Those that are named as the same ask get the same answer, in the same transaction.
    async fn answer(&self, id: DecisionId, input: AnswerInput) -> Result<Answered>;

    /// Answers several decisions, each by itself: some may be answered and others refused.
    async fn answer_many(&self, answers: AnswerItems) -> Result<Vec<AnsweredItem>> {
        answers.check()?;
        let mut answered = Vec::with_capacity(answers.items.len());
        for AnswerItem { id, answer } in answers.items {
            answered.push(AnsweredItem::of(id, self.answer(id, answer).await));
        }
        Ok(answered)
    }

    /// Changes what is asked.
    async fn revise(&self, id: DecisionId, revision: Revision) -> Result<Decision>;

    /// Keeps values for the person who finishes the answer.
    async fn draft(&self, id: DecisionId, values: Values) -> Result<Decision>;

    /// Takes a decision, or snoozes it.
    async fn attend(&self, id: DecisionId, attention: Attention) -> Result<Decision>;

    /// Takes a question back.
    async fn cancel(&self, id: DecisionId, reason: Option<String>) -> Result<Decision>;

    /// Uses an approval. Under the key it was used with, the same request is told so again.
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

    /// Returns the place in the log up to which everything has happened by now: where to begin following it.
    async fn head(&self) -> Result<i64>;

    /// Reads events after a sequence number; if there are none, holds up to `wait` for the first.
    async fn events(
        &self,
        after: i64,
        decision: Option<DecisionId>,
        project: Option<&str>,
        wait: Duration,
    ) -> Result<EventPage>;

    /// Returns, for each id, how many characters after `dcn-` it takes to name it alone.
    async fn prefix_lengths(&self, ids: &[DecisionId]) -> Result<Vec<usize>>;

    /// Waits for what this client set in motion, hooks above all; returns what went wrong there, in words.
    async fn finish(&self) -> Vec<String>;

    /// Returns how long the inboxes of people hold an answer back so that it can be undone.
    async fn undo(&self) -> Result<Span>;

    /// Returns the time that counts.
    async fn now(&self) -> Result<Timestamp>;

    /// Returns the address where people see a decision, if there is a server that shows it.
    fn page(&self, _: DecisionId) -> Option<String> {
        None
    }

    /// Returns the address where people see all that waits, if there is a server that shows it.
    fn inbox(&self) -> Option<String> {
        None
    }
}

/// What asking came to.
#[derive(Clone, Debug)]
pub struct Created {
    /// The decision.
    pub decision: Decision,
    /// Whether it had been asked before under the same key.
    pub replayed: bool,
}

/// What consuming came to.
#[derive(Clone, Debug)]
pub struct Consumed {
    /// The decision.
    pub decision: Decision,
    /// Whether it had been consumed before under the same key.
    pub replayed: bool,
}

/// What answering came to.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The decision.
    pub decision: Decision,
    /// The next round, if guidance opened one.
    pub next: Option<Decision>,
    /// Whether the same answer had been given before.
    pub replayed: bool,
    /// What became of the others that were shown as the same ask.
    pub same: Vec<AnsweredSame>,
}

/// What an answer came to for another decision that was shown as the same ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnsweredSame {
    /// Names it.
    pub id: DecisionId,
    /// Why it was not answered; absent if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Which decisions to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// In which project; all if none.
    pub project: Option<String>,
    /// In which statuses; all if empty.
    pub statuses: Vec<Status>,
    /// From which source.
    pub source: Option<Source>,
    /// Of which owner.
    pub owner: Option<holdpoint_core::Owner>,
    /// Only those on work items: these a caller reads in all of its projects, without drafts.
    pub on_items: bool,
    /// Asked by whom.
    pub requested_by: Option<String>,
    /// Which ask this, by the digest of the question.
    pub digest: Option<String>,
    /// Settled at or after a time.
    pub settled_since: Option<Timestamp>,
    /// What is looked for in them.
    pub search: Option<Search>,
    /// The newest first instead of the oldest.
    pub newest_first: bool,
    /// At most how many.
    pub limit: usize,
    /// After which cursor.
    pub cursor: Option<String>,
    /// How much of long decisions is returned. Either way a page may end before the limit where they are long.
    pub detail: Detail,
    /// Subjects are not held against the log: whoever shows some of them has [`Embedded::check_listed`] do so for these.
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

/// Some events, as they are shown.
#[derive(Clone, Debug, Default)]
pub struct EventPage {
    /// The events.
    pub events: Vec<Map<String, Value>>,
    /// The sequence number to go on after.
    pub last: i64,
}
