//! What people call the owners of decisions: a job has a name besides its id.

use std::collections::{HashMap, HashSet};

use holdpoint_core::{Decision, Owner};
use holdpoint_engine::Client;

/// The names of jobs and crews, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<String, String>);

impl Names {
    /// Looks up the owners of some decisions. An owner that is not a job here has no name.
    pub(crate) async fn of(client: &dyn Client, decisions: &[Decision]) -> Self {
        let owners = decisions.iter().filter_map(|decision| decision.owner.as_ref());
        let ids: HashSet<&str> =
            owners.filter(|owner| owner.supersedes()).map(|owner| owner.id.as_str()).collect();
        let mut names = HashMap::new();
        for id in ids {
            // A part of an id names a job, too, but not this one.
            if let Some(job) = client.job(id).await.ok().filter(|job| job.id == id) {
                names.insert(job.id, job.name);
            }
        }
        Self(names)
    }

    /// Returns what people call an owner.
    pub(crate) fn name(&self, owner: Option<&Owner>) -> Option<&str> {
        self.0.get(&owner?.id).map(String::as_str)
    }
}
