//! A decision as a batch has it, and what it counts for.

use std::sync::Arc;

use holdpoint_core::{Decision, Status};

use crate::shared_decision::{CommonJson, SharedDecision, common_json_of};

/// A decision and the number of its events.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) decision: Arc<Decision>,
    pub(crate) version: i64,
    /// The size of its document, while it is pending.
    pub(crate) bytes: i64,
    /// Its JSON for those who are shown it.
    common: CommonJson,
}

/// What a credential has pending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) decisions: i64,
    pub(crate) bytes: i64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.decisions += other.decisions;
        self.bytes += other.bytes;
    }
}

impl Stored {
    /// Reads a decision from its row.
    pub(crate) fn read(doc: &str, version: i64) -> Result<Self, serde_json::Error> {
        let bytes = i64::try_from(doc.len()).unwrap_or(i64::MAX);
        Ok(Self::new(serde_json::from_str(doc)?, version, bytes))
    }

    pub(crate) fn new(decision: Decision, version: i64, bytes: i64) -> Self {
        Self { decision: Arc::new(decision), version, bytes, common: CommonJson::default() }
    }

    /// Keeps what of a document that was just written is shown to everyone, so that it is not written again.
    pub(crate) fn keep_json(&self, document: &str) {
        if let Some(json) = common_json_of(&self.decision, document) {
            // If others were faster, they wrote the same.
            let _ = self.common.set(json);
        }
    }

    /// Returns the decision for those who are shown it.
    pub(crate) fn shared(&self) -> SharedDecision {
        SharedDecision::with(Arc::clone(&self.decision), Arc::clone(&self.common))
    }

    /// Returns its contribution to the usage of the credential that asked it.
    pub(super) fn usage(&self) -> Option<(&str, Usage)> {
        let credential = self.decision.asked_with.as_deref()?;
        let usage = Usage { decisions: 1, bytes: self.bytes };
        (self.decision.status == Status::Pending).then_some((credential, usage))
    }
}
