//! Commands to a job.

use std::collections::BTreeMap;

use super::interpolate;
use super::runbook::{Runbook, Trigger};
use super::state::JobKind;
use crate::decision::New;

/// A command to a job, by people or by the node that supervises it.
#[derive(Clone, Debug, PartialEq)]
pub enum JobCommand {
    /// Start it.
    Start(Box<NewJob>),
    /// Continue, after a message or from the beginning of the step.
    Resume {
        /// The message to the agent.
        message: Option<String>,
        /// Whether to end what runs first.
        restart: bool,
    },
    /// End it.
    Cancel {
        /// The reason.
        message: Option<String>,
    },
    /// Suspend it.
    Suspend,
    /// Delete it, and all its decisions.
    Delete,
    /// Take over supervising it, as a node.
    Claim {
        /// The node that takes over.
        node: String,
        /// The previous node, as far as the caller knows.
        from: Option<String>,
    },
    /// Report what the supervising node has seen or done.
    Report {
        /// The node that reports.
        node: String,
        /// The visit that the report is about; reports about earlier visits are ignored.
        visit: u32,
        /// The report.
        report: Report,
    },
}

/// A report by the node that supervises a job.
#[derive(Clone, Debug, PartialEq)]
pub enum Report {
    /// The step has begun, in a session that is yet to be opened.
    Began {
        /// The session.
        agent_id: String,
        /// Whether it runs under an account that is not the server's.
        own_account: bool,
    },
    /// The step ended by itself: a command, or another job.
    Ended {
        /// Whether it succeeded.
        ok: bool,
        /// A description of how it ended.
        detail: String,
    },
    /// The agent triggered something.
    Happened {
        /// The trigger.
        trigger: Trigger,
        /// Its details: `rate_limited`, an exit code, `permission`, …
        detail: String,
        /// The decision to ask if a person is needed.
        escalation: Box<New>,
    },
    /// It is time for the next try.
    Due {
        /// The decision to ask if a person is needed.
        escalation: Box<New>,
    },
    /// The gate's command ended.
    Gated {
        /// Whether it passed.
        passed: bool,
        /// The decision to ask if it failed.
        escalation: Box<New>,
    },
    /// The agent is working, although a person was asked.
    Active,
    /// It is unknown how a step ended, so a person must check.
    Unsure {
        /// The decision to ask.
        escalation: Box<New>,
    },
    /// Something was not typed to the agent, or may not have been. The decisions that a person is asked from then on say
    /// so, until they have dealt with one.
    Missed {
        /// What, and why.
        what: String,
        /// The decision to ask, unless another one is pending already; none if the agent's end will ask one.
        escalation: Option<Box<New>>,
    },
    /// The order was carried out.
    Carried,
    /// The step cannot be started.
    Broken {
        /// The reason.
        why: String,
    },
}

/// A request to start a job.
#[derive(Clone, Debug, PartialEq)]
pub struct NewJob {
    /// Whether it is a job of the runbook, or an agent without one.
    pub kind: JobKind,
    /// The name of the definition.
    pub definition: String,
    /// The name shown to people; the definition's name if none.
    pub name: Option<String>,
    /// The runbook.
    pub runbook: Runbook,
    /// Values for its variables.
    pub vars: BTreeMap<String, String>,
    /// The directory it runs in.
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
