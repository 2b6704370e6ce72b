//! What can be asked of a job.

use std::collections::BTreeMap;

use super::interpolate;
use super::runbook::{Runbook, Trigger};
use super::state::JobKind;
use crate::decision::New;

/// What can be asked of a job, by people and by the node that supervises it.
#[derive(Clone, Debug, PartialEq)]
pub enum JobCommand {
    /// Start it.
    Start(Box<NewJob>),
    /// Go on, told so or from the step's beginning.
    Resume {
        /// Message to the agent.
        message: Option<String>,
        /// Whether what runs is ended first.
        restart: bool,
    },
    /// End it.
    Cancel {
        /// Why.
        message: Option<String>,
    },
    /// Suspend it.
    Suspend,
    /// Forget it, and all its decisions.
    Delete,
    /// A node takes over supervising it.
    Claim {
        /// Who does.
        node: String,
        /// Who did before, as far as the caller knows.
        from: Option<String>,
    },
    /// What the node that supervises it has seen or done.
    Report {
        /// Who says so.
        node: String,
        /// In which visit; of another visit nothing counts any more.
        visit: u32,
        /// What.
        report: Report,
    },
}

/// What the node that supervises a job has seen or done.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// The step is begun, in a session that has yet to be opened.
    Began {
        /// The session.
        agent_id: String,
        /// Whether it runs under an account that is not the server's.
        own_account: bool,
    },
    /// The step came to an end by itself: a command, or another job.
    Ended {
        /// Whether it did what it should.
        ok: bool,
        /// What there is to say about it.
        detail: String,
    },
    /// Something happened to the agent.
    Happened {
        /// What.
        trigger: Trigger,
        /// Of which kind: `rate_limited`, an exit code, `permission`, …
        detail: String,
        /// What a person is asked if one must be.
        escalation: Box<New>,
    },
    /// The time until the next try is over.
    Due {
        /// What a person is asked if one must be.
        escalation: Box<New>,
    },
    /// The gate's command ended.
    Gated {
        /// Whether it passed.
        passed: bool,
        /// What a person is asked if not.
        escalation: Box<New>,
    },
    /// The agent works, though a person was asked.
    Active,
    /// Nobody knows whether something was done: a person must look.
    Unsure {
        /// What they are asked.
        escalation: Box<New>,
    },
    /// What a person decided was not typed, for the agent showed something else by then.
    Missed {
        /// What they are asked, unless they are asked something else already.
        escalation: Box<New>,
    },
    /// What was ordered is done.
    Carried,
    /// It cannot be begun.
    Broken {
        /// Why.
        why: String,
    },
}

/// What is to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJob {
    /// A job of the runbook, or an agent without one.
    pub kind: JobKind,
    /// Which.
    pub definition: String,
    /// What people call it; the definition's name if none.
    pub name: Option<String>,
    /// The runbook.
    pub runbook: Runbook,
    /// Values for its variables.
    pub vars: BTreeMap<String, String>,
    /// Where it runs.
    pub cwd: String,
    /// The work item it is about.
    pub item: Option<String>,
    /// The job that waits for its end.
    pub parent: Option<(String, u32)>,
}

impl NewJob {
    /// Returns the work item it is about: the one that was given, else the runbook's.
    pub fn item(&self) -> Option<String> {
        let definition = self.runbook.jobs.get(&self.definition).filter(|_| self.kind == JobKind::Job);
        let of_runbook = || {
            let definition = definition?;
            let given = |name: &str| self.vars.get(name).cloned();
            let value = |(name, default): (&String, &Option<String>)| {
                Some((format!("var.{name}"), given(name).or_else(|| default.clone())?))
            };
            let known = definition.vars.iter().filter_map(value).collect();
            interpolate::plain(definition.item.as_ref()?, &known).ok()
        };
        self.item.clone().or_else(of_runbook).filter(|item| !item.is_empty())
    }
}
