//! What is on the desktop and what should be, computed purely from what waits now.

use std::collections::HashMap;

use holdpoint_core::{Decision, DecisionId};

/// More new decisions than this at once are shown as one notice.
const MOST_AT_ONCE: usize = 3;

/// The decisions that the person was told of.
#[derive(Debug, Default)]
pub(crate) struct Model {
    told: HashMap<DecisionId, ShownNotice>,
    /// The notice that summarises several decisions.
    several: Option<u32>,
}

#[derive(Debug)]
struct ShownNotice {
    /// As it was shown.
    decision: Decision,
    /// The desktop's id of the notice; none if it is not on the screen.
    notice: Option<u32>,
}

/// A change to the desktop.
#[derive(Debug, PartialEq)]
pub(crate) enum DesktopChange {
    /// Show a decision, replacing an older notice about it.
    Show(Box<Decision>, Option<u32>),
    /// Show the number of decisions in one notice, replacing the last such notice.
    ShowSeveral(usize, Option<u32>),
    /// Show that a decision no longer waits.
    Settle(DecisionId, u32),
}

impl Model {
    /// Returns the changes, given everything that waits and is due now.
    pub(crate) fn update(&mut self, waiting: Vec<Decision>) -> Vec<DesktopChange> {
        let mut changes = Vec::new();
        self.told.retain(|id, told| {
            let waits = waiting.iter().any(|decision| decision.id == *id);
            if !waits && let Some(notice) = told.notice {
                changes.push(DesktopChange::Settle(*id, notice));
            }
            waits
        });
        let (mut revised, mut fresh) = (Vec::new(), Vec::new());
        for decision in waiting {
            match self.told.get(&decision.id) {
                Some(told) if told.decision.digest == decision.digest => {}
                Some(told) => revised.push((told.notice, decision)),
                None => fresh.push(decision),
            }
        }
        for (notice, decision) in revised {
            self.note(decision.clone(), notice);
            changes.push(DesktopChange::Show(Box::new(decision), notice));
        }
        let many = fresh.len() > MOST_AT_ONCE;
        if many {
            changes.push(DesktopChange::ShowSeveral(fresh.len(), self.several));
        }
        for decision in fresh {
            self.note(decision.clone(), None);
            if !many {
                changes.push(DesktopChange::Show(Box::new(decision), None));
            }
        }
        changes
    }

    fn note(&mut self, decision: Decision, notice: Option<u32>) {
        self.told.insert(decision.id, ShownNotice { decision, notice });
    }

    /// Notes that a decision is on the screen.
    pub(crate) fn shown(&mut self, id: DecisionId, notice: u32) {
        if let Some(told) = self.told.get_mut(&id) {
            told.notice = Some(notice);
        }
    }

    /// Notes the summary notice.
    pub(crate) fn shown_several(&mut self, notice: u32) {
        self.several = Some(notice);
    }

    /// Notes that a notice was closed; it is not shown again unless its decision changes.
    pub(crate) fn closed(&mut self, notice: u32) {
        if self.several == Some(notice) {
            self.several = None;
        }
        for told in self.told.values_mut().filter(|told| told.notice == Some(notice)) {
            told.notice = None;
        }
    }

    /// Returns whether the person was told of a decision.
    pub(crate) fn knows(&self, id: DecisionId) -> bool {
        self.told.contains_key(&id)
    }

    /// Returns the decision that a notice shows, as it was shown.
    pub(crate) fn decision(&self, notice: u32) -> Option<&Decision> {
        self.told.values().find(|told| told.notice == Some(notice)).map(|told| &told.decision)
    }

    /// Returns whether a notice is the summary of several decisions.
    pub(crate) fn is_several(&self, notice: u32) -> bool {
        self.several == Some(notice)
    }
}
