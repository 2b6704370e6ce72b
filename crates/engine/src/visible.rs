//! A decision as a caller may see it. Callers who see the same are sent the same JSON, which is written once.

use std::sync::Arc;

use bytes::Bytes;
use holdpoint_core::{Decision, DecisionId, Source, Status, access};
use holdpoint_store::SharedDecision;

use crate::auth::Caller;

/// A decision as a caller may see it.
#[derive(Clone, Debug)]
pub struct VisibleDecision(Part);

#[derive(Clone, Debug)]
enum Part {
    /// What all see who may read it; the rest of the shared decision is kept from this caller.
    Common(SharedDecision),
    /// What this caller sees, which is more.
    Own(Arc<Decision>),
}

impl Caller {
    /// Returns a recorded decision as the caller may see it.
    pub fn shown(&self, recorded: SharedDecision) -> VisibleDecision {
        if access::sees_common_part(&recorded, &self.actor) {
            return VisibleDecision(Part::Common(recorded));
        }
        VisibleDecision(Part::Own(Arc::new(self.visible(recorded.into_decision()))))
    }
}

impl VisibleDecision {
    /// Returns its id.
    pub fn id(&self) -> DecisionId {
        self.any_part().id
    }

    /// Returns its status.
    pub fn status(&self) -> Status {
        self.any_part().status
    }

    /// Returns why it is asked.
    pub fn source(&self) -> Source {
        self.any_part().source
    }

    /// Returns its JSON.
    ///
    /// # Errors
    /// Fails if JSON cannot express the decision, which none that was recorded does.
    pub fn json(&self) -> Result<Bytes, serde_json::Error> {
        match &self.0 {
            Part::Common(shared) => shared.common_json(),
            Part::Own(decision) => serde_json::to_vec(decision).map(Bytes::from),
        }
    }

    /// Returns the decision.
    pub fn into_decision(self) -> Decision {
        match self.0 {
            Part::Common(shared) => access::common_part(shared.into_decision()),
            Part::Own(decision) => Arc::unwrap_or_clone(decision),
        }
    }

    /// Returns the decision where it does not matter which part of it is seen.
    fn any_part(&self) -> &Decision {
        match &self.0 {
            Part::Common(shared) => shared,
            Part::Own(decision) => decision,
        }
    }
}
