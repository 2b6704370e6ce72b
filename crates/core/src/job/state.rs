//! The state of a job.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::runbook::{Agent, Definition, Run, Runbook, Step, Trigger};
use crate::run::ObjectId;
use crate::{DecisionId, Owner, OwnerKind, Timestamp};

/// A job, or a crew: an agent that is supervised without a job. Its JSON, without the runbook, is what every interface
/// shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The id.
    pub id: String,
    /// Whether it is a job or a crew.
    pub kind: JobKind,
    /// The project it belongs to.
    pub project: String,
    /// The name shown to people.
    pub name: String,
    /// The name of the job in the runbook; for a crew, of the agent.
    pub definition: String,
    /// The parts of its runbook that it may need.
    #[serde(default)]
    pub runbook: Runbook,
    /// The values of its variables.
    pub vars: BTreeMap<String, String>,
    /// The directory it runs in.
    pub cwd: String,
    /// The work item it is about.
    pub item: Option<String>,
    /// The job that waits for its end, and the visit of that job.
    pub parent: Option<(String, u32)>,
    /// Its status.
    pub status: JobStatus,
    /// The current step, or the last one.
    pub step: String,
    /// How many steps were started; identifies the running one.
    pub visit: u32,
    /// The session of the running step.
    pub agent_id: Option<String>,
    /// The decision it waits for.
    pub waiting_for: Option<DecisionId>,
    /// The other decisions that it waits for, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_waiting_for: Vec<DecisionId>,
    /// The message for the agent of the step that starts next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Whether it was cancelled and now runs only the clean-up steps of its runbook; after them it ends as cancelled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelling: bool,
    /// The job that it retries, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Box<RetryOf>>,
    /// The job that retries this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// What to do to the running step, as soon as the supervising node can.
    pub order: Option<Order>,
    /// How often each reaction was tried in this step, by trigger.
    pub attempts: BTreeMap<String, u32>,
    /// What will be tried again later.
    pub retry: Option<Retry>,
    /// What was not typed to its agent, or may not have been, and no person has dealt with yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<UndeliveredInput>,
    /// What was typed to its agent in the running step, the last ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub typed: Vec<String>,
    /// The last error.
    pub error: Option<String>,
    /// The node that supervises it.
    pub node: Option<String>,
    /// The last hundred steps that were started, oldest first.
    pub history: Vec<Visit>,
    /// When it was started.
    pub created_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Who started it.
    pub by: String,
}

/// Why a job retries another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryOf {
    /// The previous job.
    pub job: String,
    /// The run that it works on.
    pub run: ObjectId,
    /// Which attempt it is, from 2.
    pub attempt: u32,
    /// What should be different, in a person's words.
    pub guidance: Option<String>,
    /// The parameters it was started with, in a person's words.
    pub parameters: Option<String>,
}

impl RetryOf {
    /// Returns the message to its agents.
    pub fn describe(&self) -> Option<String> {
        let parameters = self.parameters.as_ref().map(|text| format!("Parameters: {text}"));
        let words: Vec<String> = self.guidance.clone().into_iter().chain(parameters).collect();
        Some(words.join("\n\n")).filter(|words| !words.is_empty())
    }
}

/// The warning for agents that run under the server's own account.
pub const UNDER_SERVER: &str = "Its agents run as the server's user: one could read the server's keys and answer for you. \
    Set `as` under `[jobs]` to separate them.";

/// How many typed texts are remembered.
pub(super) const TYPED: usize = 10;

/// How many started steps are remembered.
pub(super) const REMEMBERED: usize = 100;

/// Whether agents work in steps, or one works alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum JobKind {
    Job,
    Crew,
}

/// The status of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// A step has yet to start.
    Pending,
    /// A step is running.
    Running,
    /// A decision is pending.
    Waiting,
    /// It completed.
    Done,
    /// It ended without completing.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// It was suspended, and can be resumed.
    Suspended,
}

impl JobStatus {
    /// All statuses.
    pub const ALL: [Self; 7] = [
        Self::Pending,
        Self::Running,
        Self::Waiting,
        Self::Done,
        Self::Failed,
        Self::Cancelled,
        Self::Suspended,
    ];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Suspended => "suspended",
        }
    }

    /// Finds a status by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns whether a node has to supervise it.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Pending | Self::Running | Self::Waiting)
    }
}

/// What to do to the running step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Order {
    /// End it; the job is cancelled.
    Cancel,
    /// End it; the job is suspended.
    Suspend,
    /// End it; the step counts as done.
    Advance,
    /// End it and start the step again, with a message to the agent.
    Restart {
        /// The message.
        message: Option<String>,
    },
    /// Run a command, and check how it exits.
    Gate {
        /// The command.
        run: String,
    },
}

/// A later retry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retry {
    /// The trigger.
    pub trigger: Trigger,
    /// Its detail.
    pub detail: String,
    /// When it is due.
    pub at: Timestamp,
}

/// Something that was not typed to an agent, or may not have been.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndeliveredInput {
    /// What, and why.
    pub what: String,
    /// The decision that reports it; none if no question was asked since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_in: Option<DecisionId>,
}

/// A step that was started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// The step.
    pub step: String,
    /// The number of the visit within the job.
    pub visit: u32,
    /// Its session.
    pub agent_id: String,
    /// The node it ran on.
    pub node: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How it ended: `completed`, `failed`, `restarted`, or how the job did.
    pub outcome: Option<String>,
    /// Details of how it ended.
    pub detail: Option<String>,
    /// The message that its agent was started with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Whether it ran under an account that is not the server's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_account: bool,
}

impl Job {
    /// Returns the id of the job that a visit of a step starts, if the step is a job.
    pub fn child_id(parent: &str, visit: u32) -> String {
        format!("{parent}.{visit}")
    }

    /// Returns the possible ids of the job that a visit of a step started: a job that was suspended together with an
    /// earlier visit continues under its id.
    pub fn child_ids(&self, visit: u32) -> Vec<String> {
        let mut ids = vec![Self::child_id(&self.id, visit)];
        let mut before = self.history.iter().rev().skip_while(|one| one.visit >= visit);
        let step = self.history.iter().find(|one| one.visit == visit).map(|one| &one.step);
        while let Some(one) = before.next().filter(|one| Some(&one.step) == step)
            && one.outcome.as_deref() == Some(JobStatus::Suspended.name())
        {
            ids.push(Self::child_id(&self.id, one.visit));
        }
        ids
    }

    /// Returns whether its agent runs under the server's own account.
    pub fn shares_account(&self) -> bool {
        !self.history.last().is_some_and(|visit| visit.own_account)
    }

    /// Returns what to tell people about the account of its agents; none before the first step.
    pub fn account_note(&self) -> Option<&'static str> {
        let own = self.history.last()?.own_account;
        Some(if own { "Its agents run under an account of their own." } else { UNDER_SERVER })
    }

    /// Returns the job as an owner of decisions.
    pub fn owner(&self) -> Owner {
        Owner::new(self.kind.owner(), &self.id)
    }

    /// Returns the decisions that it waits for, newest first.
    pub fn awaited(&self) -> impl Iterator<Item = DecisionId> {
        self.waiting_for.into_iter().chain(self.also_waiting_for.iter().rev().copied())
    }

    /// Returns its state in a word: its status, or the order being carried out.
    pub fn standing(&self) -> &'static str {
        match self.order {
            Some(Order::Cancel) => "cancelling",
            Some(Order::Suspend) => "suspending",
            _ if self.cancelling => "cancelling",
            _ => self.status.name(),
        }
    }

    /// Returns the definition; a crew has none.
    pub fn definition(&self) -> Option<&Definition> {
        match self.kind {
            JobKind::Job => self.runbook.jobs.get(&self.definition),
            JobKind::Crew => None,
        }
    }

    /// Returns the step it is in.
    pub fn current(&self) -> Option<&Step> {
        self.definition()?.steps.iter().find(|step| step.name == self.step)
    }

    /// Returns what carries out the step it is in.
    pub fn run(&self) -> Option<Run> {
        match self.kind {
            JobKind::Job => self.current().map(|step| step.run.clone()),
            JobKind::Crew => Some(Run::Agent(self.definition.clone())),
        }
    }

    /// Returns the agent that carries out the step it is in.
    pub fn agent(&self) -> Option<&Agent> {
        match self.run()? {
            Run::Agent(name) => self.runbook.agents.get(&name),
            _ => None,
        }
    }
}

impl JobKind {
    /// Returns the kind of owner that it is.
    pub fn owner(self) -> OwnerKind {
        match self {
            Self::Job => OwnerKind::Job,
            Self::Crew => OwnerKind::Crew,
        }
    }

    /// Returns the prefix of the ids of its kind.
    pub const fn id_prefix(self) -> &'static str {
        match self {
            Self::Job => "job-",
            Self::Crew => "crw-",
        }
    }

    /// Returns the job, as an owner, whose agents act under this checked name, if the name is a job's.
    pub fn acting_as(name: &str) -> Option<Owner> {
        let kind = [Self::Job, Self::Crew].into_iter().find(|kind| name.starts_with(kind.id_prefix()))?;
        Some(Owner::new(kind.owner(), name))
    }

    /// Returns the kind of job that an owner is, if it is one.
    pub fn of(owner: &Owner) -> Option<Self> {
        match owner.kind {
            OwnerKind::Job => Some(Self::Job),
            OwnerKind::Crew => Some(Self::Crew),
            _ => None,
        }
    }
}
