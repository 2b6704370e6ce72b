//! The names of decision owners: a job has a name besides its id, and so has the run that it works on.

use std::borrow::Cow;
use std::collections::HashMap;

use holdpoint_core::{Decision, JobKind, Owner, OwnerKind};
use holdpoint_engine::Client;
use serde::Serialize;

use super::wording;

/// The names of owners that were looked up; none for an owner without a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnerNames(HashMap<Owner, Option<OwnerJob>>);

/// The job that an owner is or works on.
#[derive(Clone, Debug)]
struct OwnerJob {
    id: String,
    name: String,
}

/// How much of a job's id is shown beside its name: enough to identify it.
const SHORT: usize = 12;

impl OwnerNames {
    /// Looks up the owners of some decisions.
    pub(crate) async fn of(client: &dyn Client, decisions: &[Decision]) -> Self {
        let mut names = Self::default();
        names.learn(client, decisions).await;
        names
    }

    /// Looks up the owners that are not known yet. Names do not change.
    pub(crate) async fn learn(&mut self, client: &dyn Client, decisions: &[Decision]) {
        for owner in decisions.iter().filter_map(owner) {
            if !self.0.contains_key(&*owner) {
                let known = look_up(client, &owner).await;
                self.0.insert(owner.into_owned(), known);
            }
        }
    }

    /// Returns the name of a decision's owner.
    pub(crate) fn name(&self, decision: &Decision) -> Option<&str> {
        self.known(decision).map(|job| job.name.as_str())
    }

    /// Returns the owner of a decision for a line of text: a job's name with as much of its id as commands need, or a
    /// run's short name. None for others.
    pub(crate) fn owner_of(&self, decision: &Decision) -> Option<String> {
        let run = || decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run).map(wording::owner);
        let job = self.known(decision).map(|job| {
            let id: String = job.id.chars().take(SHORT).collect();
            format!("{} ({id})", job.name)
        });
        job.or_else(run)
    }

    fn known(&self, decision: &Decision) -> Option<&OwnerJob> {
        self.0.get(&*owner(decision)?)?.as_ref()
    }

    /// Wraps a decision for JSON output, with the name of its owner and the context of a question.
    pub(crate) fn named<'a>(&'a self, decision: &'a Decision) -> DecisionWithOwner<'a> {
        let session = decision.origin.as_ref().filter(|origin| origin.protocol == "session");
        let context = session.and_then(|origin| origin.extra.get("context")?.as_str());
        DecisionWithOwner { decision, owner_name: self.name(decision), context }
    }
}

/// A decision with the name of its owner.
#[derive(Debug, Serialize)]
pub(crate) struct DecisionWithOwner<'a> {
    #[serde(flatten)]
    decision: &'a Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner_name: Option<&'a str>,
    /// What was on an agent's screen before its question.
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
}

/// Returns the owner of a decision; what a job's agent asks on its own belongs to the job.
fn owner(decision: &Decision) -> Option<Cow<'_, Owner>> {
    let by_agent = || decision.asked_by.as_deref().and_then(JobKind::acting_as).map(Cow::Owned);
    decision.owner.as_ref().map(Cow::Borrowed).or_else(by_agent)
}

async fn look_up(client: &dyn Client, owner: &Owner) -> Option<OwnerJob> {
    let id = match owner.kind {
        OwnerKind::Job | OwnerKind::Crew => owner.id.clone(),
        OwnerKind::Run => client.run(&owner.id).await.ok()?.run.job?,
        OwnerKind::Item | OwnerKind::Thread | OwnerKind::Chat => return None,
    };
    let name = job_name(client, &id).await?;
    Some(OwnerJob { id, name })
}

/// Returns the name of a job.
pub(crate) async fn job_name(client: &dyn Client, id: &str) -> Option<String> {
    // A prefix of an id also finds a job, but then it is not this owner.
    client.job(id).await.ok().filter(|found| found.id == id).map(|found| found.name)
}
