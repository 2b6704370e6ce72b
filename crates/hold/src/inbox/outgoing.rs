//! Answers under way: given here, and not acknowledged yet. Each is held back for a few seconds, during which it can
//! be undone. A refused answer stays until its card is on the screen again.

use std::collections::BTreeSet;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{DecisionId, Span, Timestamp};

use super::batch::Batch;
use super::card::Card;
use super::events::{AnswerRefusal, InboxEffect};
use crate::view_model::wording;

/// An answer to a decision with a deadline this near is sent at once.
const SOON: Span = Span::from_secs(30);

/// The answers under way, oldest first.
#[derive(Debug)]
pub(crate) struct Outgoing {
    pub(crate) entries: Vec<OutgoingAnswer>,
    /// How long each is held back.
    undo: Span,
}

/// An answer under way.
#[derive(Debug)]
pub(crate) struct OutgoingAnswer {
    pub(crate) given: AnswerOrigin,
    /// The answer in words, and the decision's title.
    pub(crate) words: String,
    pub(crate) title: String,
    pub(crate) stage: SendStage,
    /// Whether it could be undone for a while; an answer sent at once is gone before anyone could read that.
    pub(crate) was_held: bool,
}

/// The screen as it was left, and the answer that is sent.
#[derive(Debug)]
pub(crate) enum AnswerOrigin {
    Card(Box<Card>, Box<AnswerInput>),
    Batch(Box<Batch>, Vec<(DecisionId, AnswerInput)>),
}

/// The stage of an answer.
#[derive(Debug)]
pub(crate) enum SendStage {
    /// Held back until this time.
    Held(Timestamp),
    /// Being sent.
    Sent,
    /// Refused, and waiting to be shown.
    Back(SendFailure),
}

/// Why an answer was refused.
#[derive(Debug)]
pub(crate) enum SendFailure {
    One(AnswerRefusal),
    /// The outcome of each of several.
    Some(Vec<(DecisionId, Option<String>)>),
    /// None of several could be sent.
    None(String),
}

impl Outgoing {
    pub(crate) fn new(undo: Span) -> Self {
        Self { entries: Vec::new(), undo }
    }

    /// Accepts an answer; returns the effects that send it, if it is not held back.
    pub(crate) fn take(
        &mut self,
        given: AnswerOrigin,
        words: String,
        title: String,
        now: Timestamp,
    ) -> Vec<InboxEffect> {
        let is_soon = given.deadline().is_some_and(|at| at.since(now) < SOON);
        let until = now.checked_add(self.undo).filter(|until| *until > now && !is_soon);
        let stage = until.map_or(SendStage::Sent, SendStage::Held);
        let effect = until.is_none().then(|| given.effect());
        self.entries.push(OutgoingAnswer { given, words, title, stage, was_held: until.is_some() });
        effect.into_iter().collect()
    }

    /// Sends the answers that were held back long enough.
    pub(crate) fn send_due(&mut self, now: Timestamp) -> Vec<InboxEffect> {
        self.send(|until| until <= now)
    }

    /// Sends all answers that are held back.
    pub(crate) fn flush(&mut self) -> Vec<InboxEffect> {
        self.send(|_| true)
    }

    fn send(&mut self, is_due: impl Fn(Timestamp) -> bool) -> Vec<InboxEffect> {
        let due =
            self.entries.iter_mut().filter(|one| matches!(one.stage, SendStage::Held(at) if is_due(at)));
        due.map(|entry| {
            entry.stage = SendStage::Sent;
            entry.given.effect()
        })
        .collect()
    }

    /// Returns when the next answer is due to be sent.
    pub(crate) fn due_at(&self) -> Option<Timestamp> {
        let held = |entry: &OutgoingAnswer| {
            if let SendStage::Held(until) = entry.stage { Some(until) } else { None }
        };
        self.entries.iter().filter_map(held).min()
    }

    /// Returns whether an answer is held back or being sent.
    pub(crate) fn is_busy(&self) -> bool {
        self.entries.iter().any(|entry| !matches!(entry.stage, SendStage::Back(_)))
    }

    /// Returns whether an answer is being sent.
    pub(crate) fn is_sending(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.stage, SendStage::Sent))
    }

    /// Returns the answer to show: the last that can be undone or needs attention, or else the last one.
    pub(crate) fn latest(&self) -> Option<&OutgoingAnswer> {
        self.entries.iter().rfind(|entry| !matches!(entry.stage, SendStage::Sent)).or(self.entries.last())
    }

    /// Removes the answer to a decision.
    pub(crate) fn remove(&mut self, key: DecisionId) -> Option<OutgoingAnswer> {
        let at = self.entries.iter().position(|entry| entry.given.key() == Some(key))?;
        Some(self.entries.remove(at))
    }

    /// Finds the answer to a decision.
    pub(crate) fn find(&mut self, key: DecisionId) -> Option<&mut OutgoingAnswer> {
        self.entries.iter_mut().find(|entry| entry.given.key() == Some(key))
    }

    /// Removes the last answer that is held back or was refused.
    pub(crate) fn take_back(&mut self) -> Option<OutgoingAnswer> {
        let at = self.entries.iter().rposition(|entry| !matches!(entry.stage, SendStage::Sent))?;
        Some(self.entries.remove(at))
    }

    /// Removes the first answer that was refused.
    pub(crate) fn not_taken(&mut self) -> Option<OutgoingAnswer> {
        let at = self.entries.iter().position(|entry| matches!(entry.stage, SendStage::Back(_)))?;
        Some(self.entries.remove(at))
    }

    /// Returns the decisions that these answers are for.
    pub(crate) fn answered(&self) -> BTreeSet<DecisionId> {
        self.entries.iter().flat_map(|entry| entry.given.answered()).collect()
    }

    /// Describes the answers that were not acknowledged, with the reason if known.
    pub(crate) fn unsent(&self) -> Vec<String> {
        let said = |entry: &OutgoingAnswer| {
            let why = match &entry.stage {
                SendStage::Back(why) => why.describe(),
                SendStage::Held(_) | SendStage::Sent => "No reply; it may have been saved.".into(),
            };
            let typed =
                entry.given.typed().map(|typed| format!("; you had typed: {}", wording::short(typed, 500)));
            format!("{} ({}): {why}{}", entry.title, entry.words, typed.unwrap_or_default())
        };
        self.entries.iter().map(said).collect()
    }
}

impl OutgoingAnswer {
    /// Returns whether the answer was refused.
    pub(crate) fn is_back(&self) -> bool {
        matches!(self.stage, SendStage::Back(_))
    }
}

impl AnswerOrigin {
    /// Returns the decision that identifies the answer: a decision is in one answer only.
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

    fn effect(&self) -> InboxEffect {
        match self {
            Self::Card(card, input) => InboxEffect::Send(card.decision.id, input.clone()),
            Self::Batch(_, items) => InboxEffect::SendMany(items.clone()),
        }
    }

    /// Returns the earliest deadline of its decisions.
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

impl SendFailure {
    /// Describes the reason on one line.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::One(AnswerRefusal::Settled(settled)) => wording::raced(settled),
            Self::One(AnswerRefusal::Stale) => "The agent changed this.".into(),
            Self::One(AnswerRefusal::Invalid(faults)) => {
                faults.first().map(|fault| wording::sentence(&fault.message)).unwrap_or_default()
            }
            Self::One(AnswerRefusal::Lost(why)) => wording::lost(why),
            Self::One(AnswerRefusal::Other(why)) | Self::None(why) => wording::sentence(why),
            Self::Some(told) => {
                let answered = told.iter().filter(|(_, why)| why.is_none()).count();
                format!("{answered} of {} answered.", told.len())
            }
        }
    }
}
