//! What can come in, and what can be asked for in return.

use crossterm::event::KeyEvent;
use holdpoint_core::decision::{AnswerInput, Attention};
use holdpoint_core::{Decision, DecisionId, FieldError, NewRule, Timestamp, Values};
use holdpoint_engine::AnsweredSame;
use holdpoint_engine::rules::{CreatedRule, TriedProposal};
use holdpoint_store::View;

use super::row::Row;
use crate::shown::again::Again;
use crate::shown::many::Marked;
use crate::shown::rounds::Round;

/// Everything that can wake the inbox.
#[derive(Debug)]
pub(crate) enum News {
    /// A key was pressed, at this time.
    Key(KeyEvent, Timestamp),
    /// A text was pasted.
    Pasted(String),
    /// The terminal has another size.
    Resized(u16, u16),
    /// The terminal is gone.
    Gone,
    /// Time went by.
    Time(Timestamp),
    /// What appeared has been there for a while.
    Quiet(Timestamp),
    /// Something happened to a decision.
    Happened(Vec<Happening>),
    /// What waits was read.
    Listed(Listing),
    /// More of what waits was found by what is sought.
    Found(Vec<Row>),
    /// A saved view was read.
    Viewed(Viewed),
    /// What waits, or the log, could not be read; it is tried again.
    Lost(String),
    /// A decision was read that is to be opened.
    Opened(Box<Opened>),
    /// The selected decision was read, to be shown beside the list.
    Glanced(Box<Opened>),
    /// The open decision was read again; nothing if it is gone.
    Current(DecisionId, Option<Box<Decision>>),
    /// A decision was taken or snoozed.
    Attended(Box<Decision>, Attention),
    /// The rules that a decision proposes were read.
    Proposed(DecisionId, Vec<TriedProposal>),
    /// A rule was made.
    RuleMade(Box<CreatedRule>),
    /// What was marked was read.
    Gathered(Vec<Marked>),
    /// What became of several answers, of which this was the first: of which decision, and why not if it was not taken; or
    /// why none could be sent.
    SentMany(DecisionId, Result<Vec<(DecisionId, Option<String>)>, String>),
    /// A decision could not be read.
    NotOpened(String),
    /// An answer was taken.
    Taken(Box<Taken>),
    /// A verdict was carried out; says where its commit is.
    Landed(String),
    /// The diff of a patch set of a decision, by its number; nothing if it cannot be read.
    Patchset(DecisionId, String, Option<String>),
    /// An answer was not taken.
    Refused(DecisionId, Refused),
    /// Something that the answer set in motion went wrong.
    Warned(String),
}

/// What happened to a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Happening {
    /// The event's type, `decision:` left out.
    pub(crate) what: String,
    pub(crate) id: DecisionId,
}

/// What waits, ranked.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) rows: Vec<Row>,
    /// Whether more wait than were read.
    pub(crate) more: bool,
    pub(crate) now: Option<Timestamp>,
}

/// What comes after a saved view, or after everything.
#[derive(Debug)]
pub(crate) enum Viewed {
    /// Nobody saved one.
    None,
    /// Everything again: it was the last.
    All,
    /// Another.
    One {
        view: View,
        /// Which it is, from 1.
        number: usize,
        count: usize,
    },
}

/// A decision that is to be opened.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) decision: Decision,
    /// What people call its owner.
    pub(crate) owner_name: Option<String>,
    pub(crate) rounds: Vec<Round>,
    /// The diff that it decides on.
    pub(crate) diff: Option<String>,
    /// The number of the option that is to be picked.
    pub(crate) pick: Option<usize>,
    /// Others that ask the same.
    pub(crate) same: Vec<Decision>,
    /// What the person answered to the same a while ago.
    pub(crate) again: Option<Again>,
}

/// What answering came to.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) decision: Decision,
    pub(crate) next: Option<Decision>,
    pub(crate) replayed: bool,
    /// What became of those that asked the same.
    pub(crate) same: Vec<AnsweredSame>,
}

/// Why an answer was not taken.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Someone was faster.
    Settled(Box<Decision>),
    /// The question is another one now.
    Stale,
    /// Something is wrong with it.
    Invalid(Vec<FieldError>),
    /// The server could not be reached: it may have arrived.
    Lost(String),
    /// Anything else.
    Other(String),
}

/// What the inbox asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Read what waits.
    List,
    /// Look for more of what waits than was read.
    Find(String),
    /// Read the saved view after the one of a name, or the first.
    View(Option<String>),
    /// Read a decision to open it, with the number of the option to pick.
    Open(DecisionId, Option<usize>),
    /// Read the selected decision, to show it beside the list.
    Glance(DecisionId),
    /// Read the open decision again.
    Look(DecisionId),
    /// Send an answer.
    Send(DecisionId, Box<AnswerInput>),
    /// Read what was marked.
    Gather(Vec<DecisionId>),
    /// Take a decision, or snooze it.
    Attend(DecisionId, Attention),
    /// Read the rules that a decision proposes.
    Propose(DecisionId),
    /// Make a rule.
    MakeRule(Box<NewRule>),
    /// Send several answers, each by itself.
    SendMany(Vec<(DecisionId, AnswerInput)>),
    /// Show another patch set, by its number.
    ShowPatchset(DecisionId, String),
    /// Keep what was typed so far.
    Draft(DecisionId, Values),
    /// Redraw everything: something else may have written on the screen.
    Redraw,
    /// Give the terminal back for a while.
    Suspend,
    /// End.
    Quit,
}
