//! Decisions, and the log of what happened to them.

use holdpoint_core::decision::{AnswerInput, New, Revision};
use holdpoint_core::{Auth, Decision, Span, Timestamp, Values};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{HoldParams, NoParams, Page, endpoints};
use crate::client::{AnswerBody, AnswerItems, AnsweredItems, SnoozeBody, TakeBody};
use crate::receipt::Receipt;

endpoints! {
    "decisions" {
        /// Asks; with `wait`, also holds, in one request.
        CREATE_DECISION = createDecision Known Post "/v1/decisions"
            (CreateParams, New) => 201 Decision, "The new decision; with `wait`, its state after holding";
        /// Lists decisions, oldest first. Of one that is longer than 64 KiB, long members are cut short or left out, and
        /// `truncated` names them.
        LIST_DECISIONS = listDecisions Known Get "/v1/decisions"
            (ListParams, ()) => 200 Page<Decision>, "A page of decisions";
        /// Returns a decision.
        GET_DECISION = getDecision Known Get "/v1/decisions/{id}"
            (NoParams, ()) => 200 Decision, "The current decision";
        /// Changes the question; only the asker may.
        REVISE_DECISION = reviseDecision Known Patch "/v1/decisions/{id}"
            (NoParams, Revision) => 200 Decision, "The current decision";
        /// Answers, or gives guidance.
        ANSWER_DECISION = answerDecision Known Post "/v1/decisions/{id}/answer"
            (NoParams, AnswerInput) => 200 AnswerBody, "The current decision; after guidance, `next` is the next round";
        /// Keeps values for the person who finishes the answer.
        DRAFT_DECISION = draftDecision Known Put "/v1/decisions/{id}/draft"
            (NoParams, Draft) => 200 Decision, "The current decision";
        /// Holds until the decision is settled or the time is up; returns its state then.
        WAIT_FOR_DECISION = waitForDecision Known Get "/v1/decisions/{id}/wait"
            (HoldParams, ()) => 200 Decision, "The decision: settled, or still pending when the time is up or the server stops";
        /// Takes a question back.
        CANCEL_DECISION = cancelDecision Known Post "/v1/decisions/{id}/cancel"
            (NoParams, Cancel) => 200 Decision, "The current decision";
        /// Shows others for 30 minutes that the caller is on it. Others can still answer.
        TAKE_DECISION = takeDecision Known Put "/v1/decisions/{id}/take"
            (NoParams, TakeBody) => 200 Decision, "The current decision";
        /// Says that one is not on it any more.
        RELEASE_DECISION = releaseDecision Known Delete "/v1/decisions/{id}/take"
            (NoParams, ()) => 200 Decision, "The current decision";
        /// Snoozes a decision: hides it from the caller's list until then, until it is revised, or until ten minutes before its deadline.
        SNOOZE_DECISION = snoozeDecision Known Put "/v1/decisions/{id}/snooze"
            (NoParams, SnoozeBody) => 200 Decision, "The current decision";
        /// Has a decision in one's list again.
        WAKE_DECISION = wakeDecision Known Delete "/v1/decisions/{id}/snooze"
            (NoParams, ()) => 200 Decision, "The current decision";
        /// Uses an approval: once, and only for exactly what was approved.
        CONSUME_DECISION = consumeDecision Known Post "/v1/decisions/{id}/consume"
            (NoParams, Consume) => 200 Decision, "The current decision";
        /// Returns a signed statement of what was decided.
        GET_RECEIPT = getReceipt Known Get "/v1/decisions/{id}/receipt"
            (NoParams, ()) => 200 Receipt, "A signed statement of what was decided";
        /// Answers several decisions separately: those that were settled or changed meanwhile are refused, the rest are answered.
        ANSWER_DECISIONS = answerDecisions Known Post "/v1/answers"
            (NoParams, AnswerItems) => 200 AnsweredItems, "The outcome of each, in the order they were sent";
        /// Says how much of each id suffices to name it.
        GET_PREFIX_LENGTHS = getPrefixLengths Known Get "/v1/prefixes"
            (PrefixParams, ()) => 200 Vec<usize>, "For each id, how many characters after `dcn-` name it alone";
    }
    "events" {
        /// Returns events, as lines or as a stream.
        LIST_EVENTS = listEvents Known Get "/v1/events"
            (EventParams, ()) => 200 String, "Events after a place in the log, one JSON object a line; with `Accept: text/event-stream`, as they are recorded";
    }
}

/// Whether asking also holds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// Holds up to this long, at most 5m, before it answers.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub wait: Option<Span>,
}

/// Which decisions are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ListParams {
    /// One status or several with commas between, or `all`; `pending` if not given.
    #[cfg_attr(
        feature = "openapi",
        param(
            pattern = "^(all|(pending|answered|refined|timed_out|cancelled|superseded)(,(pending|answered|refined|timed_out|cancelled|superseded))*)$"
        )
    )]
    pub status: Option<String>,
    /// Only those of this project; otherwise of all that the caller may see.
    pub project: Option<String>,
    /// Only those of this owner, e.g. `item:bd-abc123`.
    #[cfg_attr(feature = "openapi", param(pattern = "^(item|job|crew|run|thread|chat):.+$"))]
    pub owner: Option<String>,
    /// Only those from this source.
    #[cfg_attr(feature = "openapi", param(value_type = Option<holdpoint_core::Source>, inline))]
    pub source: Option<String>,
    /// Only those on work items; these an agent reads in all of its projects, no matter who asked.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub on: Option<On>,
    /// Only those that this agent or session asked.
    pub requested_by: Option<String>,
    /// Only those that ask this: the `digest` of a decision.
    pub digest: Option<String>,
    /// Only those settled at or after a time.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub settled_since: Option<Timestamp>,
    /// Only those that have all these words, each as the start of a word, in any order: in title, question, subject, options,
    /// names, ids and answer, their first 16 KiB. `KEY=VALUE` names one of project, source, owner, `asked_by`, assignee,
    /// priority, tool, text and older (e.g. `older=10m`). A page may then have fewer than there are, or none, and a `next`.
    #[cfg_attr(feature = "openapi", param(max_length = 1000))]
    pub q: Option<String>,
    /// Which come first; the oldest if not given.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub order: Option<Order>,
    /// At most this many, 50 if not given; fewer where they are long.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 1000))]
    pub limit: Option<usize>,
    /// Continues after a page: its `next`.
    pub cursor: Option<String>,
}

/// What listed decisions are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum On {
    /// Work items.
    Items,
}

/// Which come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The oldest.
    OldestFirst,
    /// The newest.
    NewestFirst,
}

/// Which ids are to be named.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct PrefixParams {
    /// Ids with commas between, at most 1000.
    pub ids: String,
}

/// Which events are read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct EventParams {
    /// Only what came after this sequence number; a stream goes on from now if it is not given.
    #[cfg_attr(feature = "openapi", param(minimum = 0))]
    pub after: Option<i64>,
    /// Only what happened in this project.
    pub project: Option<String>,
    /// Only what happened to this decision.
    pub decision: Option<String>,
    /// Looks at no more than this many events, 500 if not given; a stream has no end.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 10000))]
    pub limit: Option<usize>,
}

/// What is sent to take a question back.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// Who cancels it; used only if no credential identifies the caller.
    #[serde(default)]
    pub by: Option<String>,
}

/// What is sent to use an approval.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Consume {
    /// What the caller is about to do.
    pub subject: Value,
    /// The least assurance that will do.
    #[serde(default)]
    pub min: Option<Auth>,
    /// Whether the answer must say that the whole subject was seen.
    // A server that does not know this member refuses it, which is right only if it is required, so it is sent only
    // when set.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seen: bool,
}

/// What is sent to keep values for the person who finishes the answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The values, by field id.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub values: Values,
}
