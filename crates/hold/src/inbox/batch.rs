//! Several marked decisions: each in full, one below the other, and the answers they can get.

use std::cell::Cell;

use holdpoint_core::text::inert_line;
use holdpoint_core::{DecisionId, Timestamp};
use holdpoint_protocols::present;

use super::pager::Pager;
use crate::view_model::bulk_answer::{self, AnswerChoice, MarkedDecision, SubjectSeen};
use crate::view_model::{identical, wording};

/// Decisions that get one answer.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) marked: Vec<MarkedDecision>,
    /// The possible answers, and how many decisions have each.
    pub(crate) offers: Vec<(AnswerChoice, usize)>,
    /// The decisions in full; afterwards, the outcome of each.
    pub(crate) pager: Pager,
    /// The last line that was on the screen, counted from the first without a gap.
    read: Cell<usize>,
    /// The number of lines, and how many fit on the screen, when last drawn.
    count: Cell<usize>,
    height: Cell<usize>,
    pub(crate) picked: Option<usize>,
    pub(crate) stage: Stage,
    /// The decisions that get no answer, and why.
    pub(crate) left: Vec<(DecisionId, String)>,
}

/// The stage of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Looking,
    Done,
}

impl Batch {
    pub(crate) fn new(marked: Vec<MarkedDecision>, now: Timestamp) -> Self {
        let offers = bulk_answer::counted(&marked);
        let text: Vec<String> = marked.iter().map(|one| whole(one, now)).collect();
        let many =
            if marked.len() == 1 { "1 decision".into() } else { format!("{} decisions", marked.len()) };
        Self {
            offers,
            pager: Pager::new(format!("Answer {many}"), text.join("\n\n")),
            marked,
            read: Cell::new(0),
            count: Cell::new(usize::MAX),
            height: Cell::new(1),
            picked: None,
            stage: Stage::Looking,
            left: Vec::new(),
        }
    }

    /// Notes the lines on the screen. Lines that were jumped over do not count as read.
    pub(crate) fn drawn(&self, top: usize, height: usize, count: usize) {
        self.count.set(count);
        self.height.set(height);
        if top <= self.read.get() {
            self.read.set(self.read.get().max(top + height));
        }
    }

    /// Returns the number of lines per page; consecutive pages leave none out.
    pub(crate) fn page(&self) -> isize {
        self.height.get().saturating_sub(1).max(1).cast_signed()
    }

    pub(crate) fn reading(&self) -> SubjectSeen {
        if self.read.get() >= self.count.get() { SubjectSeen::Read } else { SubjectSeen::Unread }
    }

    /// Returns whether an answer would consent to something that was not read.
    pub(crate) fn is_unread(&self, offer: &AnswerChoice) -> bool {
        self.reading() == SubjectSeen::Unread
            && !offer.refuses
            && self.marked.iter().any(|one| one.decision.subject.is_some())
    }

    /// Shows the outcome of each decision; returns how many were answered.
    pub(crate) fn tell(&mut self, told: &[(DecisionId, Option<String>)]) -> usize {
        let mut lines = Vec::new();
        let mut answered = 0;
        for MarkedDecision { decision, .. } in &self.marked {
            let why = self.left.iter().find(|(id, _)| *id == decision.id).map(|(_, why)| why.clone());
            let why = why
                .or_else(|| told.iter().find(|(id, _)| *id == decision.id).and_then(|(_, why)| why.clone()));
            let title = wording::title(decision, 100);
            match why {
                None => {
                    answered += 1;
                    lines.push(format!("Answered      {title}"));
                }
                Some(why) => lines.push(format!("Not answered  {title}: {}", inert_line(&why))),
            }
        }
        self.pager = Pager::new(format!("{answered} of {} answered", self.marked.len()), lines.join("\n"));
        self.stage = Stage::Done;
        answered
    }

    /// Returns the keys that are useful here.
    pub(crate) fn keys(&self) -> String {
        match self.stage {
            Stage::Done => "Enter u back".into(),
            Stage::Looking if self.picked.is_some() => {
                "Enter sends to each that has it  PgDn reads on  u back".into()
            }
            Stage::Looking => "1-9 pick one answer for all  PgDn reads on  u back".into(),
        }
    }
}

/// Formats one of the decisions in full.
fn whole(MarkedDecision { decision, same: others }: &MarkedDecision, now: Timestamp) -> String {
    let mut lines = vec![format!("── {}", wording::title(decision, 300)), wording::about(decision, None)];
    lines.extend(
        identical::same_question_note(decision, others, now)
            .map(|times| format!("{}.", wording::capital(&times))),
    );
    if let Some(subject) = present::subject(decision) {
        lines.push(format!("\n{}\n{}", subject.title, subject.text()));
    }
    if let Some(prompt) = wording::prompt(decision) {
        lines.push(format!("\n{}", holdpoint_core::text::inert(prompt)));
    }
    lines.join("\n")
}
