//! Inputs of the inbox, and the effects it asks for.

use crossterm::event::KeyEvent;
use holdpoint_core::decision::{AnswerInput, Attention};
use holdpoint_core::{Decision, DecisionId, FieldError, NewRule, Timestamp, Values};
use holdpoint_engine::AnsweredSame;
use holdpoint_engine::rules::{CreatedRule, TriedProposal};
use holdpoint_store::View;

use super::row::Row;
use crate::view_model::bulk_answer::MarkedDecision;
use crate::view_model::recent_answer::Again;
use crate::view_model::rounds::Round;

/// Everything that can wake the inbox.
#[derive(Debug)]
pub(crate) enum InboxEvent {
    /// A key was pressed, at this time.
    Key(KeyEvent, Timestamp),
    /// A text was pasted.
    Pasted(String),
    /// The terminal was resized.
    Resized(u16, u16),
    /// The terminal is gone.
    Gone,
    /// Time went by.
    Time(Timestamp),
    /// The quiet time after new content has passed.
    Quiet(Timestamp),
    /// Something happened to a decision.
    Happened(Vec<DecisionEvent>),
    /// The pending decisions were read.
    Listed(PendingList),
    /// Further pending decisions that match the search were found.
    Found(Vec<Row>),
    /// A saved view was read.
    Viewed(NextView),
    /// The list or the log could not be read; it is retried.
    Lost(String),
    /// The decision to open was read.
    Opened(Box<OpenedDecision>),
    /// The selected decision was read, to be shown beside the list.
    Glanced(Box<OpenedDecision>),
    /// The open decision was read again; none if it is gone.
    Current(DecisionId, Option<Box<Decision>>),
    /// A decision was taken or snoozed.
    Attended(Box<Decision>, Attention),
    /// The rules that a decision proposes were read.
    Proposed(DecisionId, Vec<TriedProposal>),
    /// A rule was made.
    RuleMade(Box<CreatedRule>),
    /// The marked decisions were read.
    Gathered(Vec<MarkedDecision>),
    /// The outcome of several answers, identified by the first: for each decision an error if it was refused, or one
    /// error if none could be sent.
    SentMany(DecisionId, Result<Vec<(DecisionId, Option<String>)>, String>),
    /// A decision could not be read.
    NotOpened(String),
    /// An answer was taken.
    Taken(Box<AnswerOutcome>),
    /// A verdict was carried out, with a description of its commit.
    Landed(String),
    /// The diff of a decision's patch set, by its number; none if it cannot be read.
    Patchset(DecisionId, String, Option<String>),
    /// An answer was refused.
    Refused(DecisionId, AnswerRefusal),
    /// Background work of an answer failed.
    Warned(String),
}

/// What happened to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DecisionEvent {
    /// The event's type, without `decision:`.
    pub(crate) what: String,
    pub(crate) id: DecisionId,
}

/// The pending decisions, ranked.
#[derive(Debug, Default)]
pub(crate) struct PendingList {
    pub(crate) rows: Vec<Row>,
    /// Whether there are more than were read.
    pub(crate) more: bool,
    pub(crate) now: Option<Timestamp>,
}

/// The next saved view.
#[derive(Debug)]
pub(crate) enum NextView {
    /// There are no saved views.
    None,
    /// Everything: the previous view was the last.
    All,
    /// The next view.
    One {
        view: View,
        /// Its number, from 1.
        number: usize,
        count: usize,
    },
}

/// A decision that was read for its card.
#[derive(Debug)]
pub(crate) struct OpenedDecision {
    pub(crate) decision: Decision,
    /// The name of its owner.
    pub(crate) owner_name: Option<String>,
    pub(crate) rounds: Vec<Round>,
    /// The diff that it decides on.
    pub(crate) diff: Option<String>,
    /// The number of the option to pick.
    pub(crate) pick: Option<usize>,
    /// Others that ask the same.
    pub(crate) same: Vec<Decision>,
    /// The person's recent answer to the same question.
    pub(crate) again: Option<Again>,
}

/// The outcome of an answer.
#[derive(Debug)]
pub(crate) struct AnswerOutcome {
    pub(crate) decision: Decision,
    pub(crate) next: Option<Decision>,
    pub(crate) replayed: bool,
    /// The outcomes for those that asked the same.
    pub(crate) same: Vec<AnsweredSame>,
}

/// Why an answer was refused.
#[derive(Debug)]
pub(crate) enum AnswerRefusal {
    /// The decision was already settled.
    Settled(Box<Decision>),
    /// The question has changed.
    Stale,
    /// The answer is invalid.
    Invalid(Vec<FieldError>),
    /// The server could not be reached: the answer may have arrived.
    Lost(String),
    /// Anything else.
    Other(String),
}

/// An effect that the inbox asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum InboxEffect {
    /// Read the pending decisions.
    List,
    /// Search for more pending decisions than were read.
    Find(String),
    /// Read the saved view after the named one, or the first.
    View(Option<String>),
    /// Read a decision to open it, with the number of the option to pick.
    Open(DecisionId, Option<usize>),
    /// Read the selected decision, to show it beside the list.
    Glance(DecisionId),
    /// Read the open decision again.
    Look(DecisionId),
    /// Send an answer.
    Send(DecisionId, Box<AnswerInput>),
    /// Read the marked decisions.
    Gather(Vec<DecisionId>),
    /// Take a decision, or snooze it.
    Attend(DecisionId, Attention),
    /// Read the rules that a decision proposes.
    Propose(DecisionId),
    /// Make a rule.
    MakeRule(Box<NewRule>),
    /// Send several answers, each on its own.
    SendMany(Vec<(DecisionId, AnswerInput)>),
    /// Show another patch set, by its number.
    ShowPatchset(DecisionId, String),
    /// Store the values so far.
    Draft(DecisionId, Values),
    /// Redraw everything: something else may have written on the screen.
    Redraw,
    /// Give the terminal back for a while.
    Suspend,
    /// Quit.
    Quit,
}
