//! What people call the owners of decisions: a job has a name besides its id, and so has the run that it works on.

use std::collections::HashMap;

use holdpoint_core::{Decision, Owner, OwnerKind};
use holdpoint_engine::Client;
use serde::Serialize;

/// The names of owners, as far as they were looked up; none for one that has no name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(HashMap<Owner, Option<String>>);

impl Names {
    /// Looks up the owners of some decisions.
    pub(crate) async fn of(client: &dyn Client, decisions: &[Decision]) -> Self {
        let mut names = Self::default();
        names.learn(client, decisions).await;
        names
    }

    /// Looks up the owners of some decisions that are not known yet. Names do not change.
    pub(crate) async fn learn(&mut self, client: &dyn Client, decisions: &[Decision]) {
        for owner in decisions.iter().filter_map(|decision| decision.owner.as_ref()) {
            if !self.0.contains_key(owner) {
                self.0.insert(owner.clone(), look_up(client, owner).await);
            }
        }
    }

    /// Returns what people call the owner of a decision.
    pub(crate) fn name(&self, decision: &Decision) -> Option<&str> {
        self.0.get(decision.owner.as_ref()?)?.as_deref()
    }

    /// Returns a decision as JSON shows it to people: with the name of its owner, and the context of a question.
    pub(crate) fn named<'a>(&'a self, decision: &'a Decision) -> Named<'a> {
        let session = decision.origin.as_ref().filter(|origin| origin.protocol == "session");
        let context = session.and_then(|origin| origin.extra.get("context")?.as_str());
        Named { decision, owner_name: self.name(decision), context }
    }
}

/// A decision with the name of its owner.
#[derive(Debug, Serialize)]
pub(crate) struct Named<'a> {
    #[serde(flatten)]
    decision: &'a Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_name: Option<&'a str>,
    /// What stood on an agent's screen before its question.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
}

async fn look_up(client: &dyn Client, owner: &Owner) -> Option<String> {
    let job = match owner.kind {
        OwnerKind::Job | OwnerKind::Crew => owner.id.clone(),
        OwnerKind::Run => client.run(&owner.id).await.ok()?.run.job?,
        OwnerKind::Item | OwnerKind::Thread | OwnerKind::Chat => return None,
    };
    job_name(client, &job).await
}

/// Returns what people call a job.
pub(crate) async fn job_name(client: &dyn Client, id: &str) -> Option<String> {
    // A part of an id names a job, too, but not this one.
    client.job(id).await.ok().filter(|found| found.id == id).map(|found| found.name)
}
