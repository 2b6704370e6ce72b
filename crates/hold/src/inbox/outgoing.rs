//! Answers that are under way: given here, and not acknowledged yet. Each is held back for a few seconds in which it can be
//! undone. One that is refused stays until its card is on the screen again.

use std::collections::BTreeSet;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{DecisionId, Span, Timestamp};

use super::batch::Batch;
use super::card::Card;
use super::news::{Effect, Refused};
use crate::shown::words;

/// An answer to what falls due so soon is sent at once.
const SOON: Span = Span::from_secs(30);

/// The answers that are under way, the oldest first.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) entries: Vec<Entry>,
    /// For how long each is held back.
    undo: Span,
}

/// An answer that is under way.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) given: Given,
    /// What was answered, and to what.
    pub(crate) words: String,
    pub(crate) title: String,
    pub(crate) stage: Stage,
    /// Whether it could be undone for a while; what is sent at once is gone before one could read so.
    pub(crate) was_held: bool,
}

/// What was on the screen, as it was left, and what is sent for it.
#[derive(Debug)]
pub(crate) enum Given {
    Card(Box<Card>, Box<AnswerInput>),
    Batch(Box<Batch>, Vec<(DecisionId, AnswerInput)>),
}

/// How far an answer has come.
#[derive(Debug)]
pub(crate) enum Stage {
    /// It is held back until then.
    Held(Timestamp),
    /// It is on its way.
    Sent,
    /// It was not taken, and waits until it can be shown.
    Back(NotTaken),
}

/// Why an answer was not taken.
#[derive(Debug)]
pub(crate) enum NotTaken {
    One(Refused),
    /// What became of each of several.
    Some(Vec<(DecisionId, Option<String>)>),
    /// None of several could be sent.
    None(String),
}

impl Outgoing {
    pub(crate) fn new(undo: Span) -> Self {
        Self { entries: Vec::new(), undo }
    }

    /// Takes an answer; returns what is to be sent, if it is not held back.
    pub(crate) fn take(&mut self, given: Given, words: String, title: String, now: Timestamp) -> Vec<Effect> {
        let is_soon = given.deadline().is_some_and(|at| at.since(now) < SOON);
        let until = now.checked_add(self.undo).filter(|until| *until > now && !is_soon);
        let stage = until.map_or(Stage::Sent, Stage::Held);
        let effect = until.is_none().then(|| given.effect());
        self.entries.push(Entry { given, words, title, stage, was_held: until.is_some() });
        effect.into_iter().collect()
    }

    /// Sends what was held back for long enough.
    pub(crate) fn send_due(&mut self, now: Timestamp) -> Vec<Effect> {
        self.send(|until| until <= now)
    }

    /// Sends all that is held back.
    pub(crate) fn flush(&mut self) -> Vec<Effect> {
        self.send(|_| true)
    }

    fn send(&mut self, is_due: impl Fn(Timestamp) -> bool) -> Vec<Effect> {
        let due = self.entries.iter_mut().filter(|one| matches!(one.stage, Stage::Held(at) if is_due(at)));
        due.map(|entry| {
            entry.stage = Stage::Sent;
            entry.given.effect()
        })
        .collect()
    }

    /// Returns when the next one is sent.
    pub(crate) fn due_at(&self) -> Option<Timestamp> {
        let held = |entry: &Entry| if let Stage::Held(until) = entry.stage { Some(until) } else { None };
        self.entries.iter().filter_map(held).min()
    }

    /// Returns whether something is held back or on its way.
    pub(crate) fn is_busy(&self) -> bool {
        self.entries.iter().any(|entry| !matches!(entry.stage, Stage::Back(_)))
    }

    /// Returns whether something is on its way.
    pub(crate) fn is_sending(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.stage, Stage::Sent))
    }

    /// Returns what is said of these: what one can undo or look at, else what is on its way.
    pub(crate) fn told(&self) -> Option<&Entry> {
        self.entries.iter().rfind(|entry| !matches!(entry.stage, Stage::Sent)).or(self.entries.last())
    }

    /// Takes out the one that a decision was answered with.
    pub(crate) fn remove(&mut self, key: DecisionId) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| entry.given.key() == Some(key))?;
        Some(self.entries.remove(at))
    }

    /// Returns the one that a decision was answered with.
    pub(crate) fn find(&mut self, key: DecisionId) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.given.key() == Some(key))
    }

    /// Takes out the last one that is held back or was not taken.
    pub(crate) fn take_back(&mut self) -> Option<Entry> {
        let at = self.entries.iter().rposition(|entry| !matches!(entry.stage, Stage::Sent))?;
        Some(self.entries.remove(at))
    }

    /// Takes out the first one that was not taken.
    pub(crate) fn not_taken(&mut self) -> Option<Entry> {
        let at = self.entries.iter().position(|entry| matches!(entry.stage, Stage::Back(_)))?;
        Some(self.entries.remove(at))
    }

    /// Returns the decisions that get one of these answers.
    pub(crate) fn answered(&self) -> BTreeSet<DecisionId> {
        self.entries.iter().flat_map(|entry| entry.given.answered()).collect()
    }

    /// Says which answers nobody has acknowledged, and why as far as that is known.
    pub(crate) fn unsent(&self) -> Vec<String> {
        let said = |entry: &Entry| {
            let why = match &entry.stage {
                Stage::Back(why) => why.words(),
                Stage::Held(_) | Stage::Sent => "nothing came back in time; it may have arrived".into(),
            };
            let typed =
                entry.given.typed().map(|typed| format!("; you had typed: {}", words::short(typed, 500)));
            format!("{} ({}): {why}{}", entry.title, entry.words, typed.unwrap_or_default())
        };
        self.entries.iter().map(said).collect()
    }
}

impl Entry {
    /// Returns whether it was not taken.
    pub(crate) fn is_back(&self) -> bool {
        matches!(self.stage, Stage::Back(_))
    }
}

impl Given {
    /// The decision that names it among others: a decision is in one answer only.
    fn key(&self) -> Option<DecisionId> {
        match self {
            Self::Card(card, _) => Some(card.decision.id),
            Self::Batch(_, items) => items.first().map(|(id, _)| *id),
        }
    }

    fn answered(&self) -> Vec<DecisionId> {
        let with_same = |id: DecisionId, input: &AnswerInput| [&[id], input.same.as_slice()].concat();
        match self {
            Self::Card(card, input) => with_same(card.decision.id, input),
            Self::Batch(_, items) => items.iter().flat_map(|(id, input)| with_same(*id, input)).collect(),
        }
    }

    fn effect(&self) -> Effect {
        match self {
            Self::Card(card, input) => Effect::Send(card.decision.id, input.clone()),
            Self::Batch(_, items) => Effect::SendMany(items.clone()),
        }
    }

    /// When the first of them falls due.
    fn deadline(&self) -> Option<Timestamp> {
        match self {
            Self::Card(card, _) => {
                std::iter::once(&card.decision).chain(&card.same).filter_map(|one| one.deadline).min()
            }
            Self::Batch(batch, _) => {
                let all = batch.marked.iter().flat_map(|one| std::iter::once(&one.decision).chain(&one.same));
                all.filter_map(|one| one.deadline).min()
            }
        }
    }

    fn typed(&self) -> Option<&str> {
        let Self::Card(_, input) = self else { return None };
        input.guidance.as_deref().or(input.message.as_deref())
    }
}

impl NotTaken {
    /// Says why, on one line.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::One(Refused::Settled(settled)) => words::raced(settled),
            Self::One(Refused::Stale) => "The asker changed the question.".into(),
            Self::One(Refused::Invalid(faults)) => {
                faults.first().map(|fault| words::sentence(&fault.message)).unwrap_or_default()
            }
            Self::One(Refused::Lost(why)) => words::lost(why),
            Self::One(Refused::Other(why)) | Self::None(why) => words::sentence(why),
            Self::Some(told) => {
                let answered = told.iter().filter(|(_, why)| why.is_none()).count();
                format!("{answered} of {} answered.", told.len())
            }
        }
    }
}
