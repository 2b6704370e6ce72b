//! Where a job stands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::runbook::{Agent, Definition, Run, Runbook, Step, Trigger};
use crate::run::ObjectId;
use crate::{DecisionId, Owner, OwnerKind, Timestamp};

/// A job, or a crew: an agent that is supervised without one. Its JSON, without the runbook, is what every door shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Names it.
    pub id: String,
    /// Whether it is a job or a crew.
    pub kind: JobKind,
    /// Where it belongs.
    pub project: String,
    /// What people call it.
    pub name: String,
    /// Which of the runbook's jobs it is; of a crew, which agent.
    pub definition: String,
    /// All that it may need of its runbook.
    #[serde(default)]
    pub runbook: Runbook,
    /// The values of its variables.
    pub vars: BTreeMap<String, String>,
    /// Where it runs.
    pub cwd: String,
    /// The work item it is about.
    pub item: Option<String>,
    /// The job that waits for its end, and in which visit.
    pub parent: Option<(String, u32)>,
    /// Where it stands.
    pub status: JobStatus,
    /// The step it is in, or was in last.
    pub step: String,
    /// How many steps were begun; names the one that runs.
    pub visit: u32,
    /// The session of the step that runs.
    pub agent_id: Option<String>,
    /// The decision it waits for.
    pub waiting_for: Option<DecisionId>,
    /// The other decisions that it waits for, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_waiting_for: Vec<DecisionId>,
    /// What the agent of the step that is begun next is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Whether it was cancelled and runs only what its runbook names for that; then it ends as cancelled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancelling: bool,
    /// The job that it tries again, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Box<Again>>,
    /// The job that tries again what this one tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// What is to be done to what runs, as soon as somebody can.
    pub order: Option<Order>,
    /// How often something was tried in this step, by what happened.
    pub attempts: BTreeMap<String, u32>,
    /// What is tried again later.
    pub retry: Option<Retry>,
    /// What went wrong last.
    pub error: Option<String>,
    /// The node that supervises it.
    pub node: Option<String>,
    /// The steps that were begun, oldest first; the last hundred.
    pub history: Vec<Visit>,
    /// When it was started.
    pub created_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// Who started it.
    pub by: String,
}

/// Why a job is another one's next attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Again {
    /// The job before it.
    pub job: String,
    /// The run that it works on.
    pub run: ObjectId,
    /// Which attempt it is, from 2.
    pub attempt: u32,
    /// What a person said should be different.
    pub guidance: Option<String>,
    /// With what it was started, in their words.
    pub parameters: Option<String>,
}

impl Again {
    /// Returns what agents are told about it.
    pub fn words(&self) -> Option<String> {
        let parameters = self.parameters.as_ref().map(|text| format!("Parameters: {text}"));
        let words: Vec<String> = self.guidance.clone().into_iter().chain(parameters).collect();
        Some(words.join("\n\n")).filter(|words| !words.is_empty())
    }
}

/// What is said of agents that run under the server's own account.
pub const UNDER_SERVER: &str = "Its agents run under the server's own account: one that goes looking for the server's keys \
    can answer in a person's place. The setting [jobs] as gives them an account of their own.";

/// How many begun steps are remembered.
pub(super) const REMEMBERED: usize = 100;

/// Whether agents work in steps or one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum JobKind {
    Job,
    Crew,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// A step is to be begun.
    Pending,
    /// A step runs.
    Running,
    /// A person is to decide.
    Waiting,
    /// It completed.
    Done,
    /// It ended without completing.
    Failed,
    /// Someone ended it.
    Cancelled,
    /// Someone suspended it; it can go on.
    Suspended,
}

impl JobStatus {
    /// All of them.
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

/// What is to be done to what runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Order {
    /// End it; the job is cancelled.
    Cancel,
    /// End it; the job is suspended.
    Suspend,
    /// End it; the step counts as done.
    Advance,
    /// End it and begin the step again, with words for the agent.
    Restart {
        /// What it is told.
        message: Option<String>,
    },
    /// Run a command, and see how it ends.
    Gate {
        /// The command.
        run: String,
    },
}

/// What is tried again later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retry {
    /// What happened.
    pub trigger: Trigger,
    /// Of which kind.
    pub detail: String,
    /// When.
    pub at: Timestamp,
}

/// A step that was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// Which step.
    pub step: String,
    /// Which visit of the job it is.
    pub visit: u32,
    /// Its session.
    pub agent_id: String,
    /// Where it ran.
    pub node: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// How it ended: `completed`, `failed`, `restarted`, or how the job did.
    pub outcome: Option<String>,
    /// More about that.
    pub detail: Option<String>,
    /// What its agent was told when it was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Whether it ran under an account that is not the server's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub own_account: bool,
}

impl Job {
    /// Returns the id of the job that a visit of a step starts, where the step is one.
    pub fn child_id(parent: &str, visit: u32) -> String {
        format!("{parent}.{visit}")
    }

    /// Returns whether its agent runs under the server's own account.
    pub fn shares_account(&self) -> bool {
        !self.history.last().is_some_and(|visit| visit.own_account)
    }

    /// Returns what is to be said of the account that its agents run under; nothing before the first step.
    pub fn account_note(&self) -> Option<&'static str> {
        let own = self.history.last()?.own_account;
        Some(if own { "Its agents run under an account of their own." } else { UNDER_SERVER })
    }

    /// Returns it as the owner of decisions.
    pub fn owner(&self) -> Owner {
        Owner::new(self.kind.owner(), &self.id)
    }

    /// Returns the decisions that it waits for, newest first.
    pub fn awaited(&self) -> impl Iterator<Item = DecisionId> {
        self.waiting_for.into_iter().chain(self.also_waiting_for.iter().rev().copied())
    }

    /// Returns where it stands in a word: its status, or what is being done to it.
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
    /// Returns what it is as an owner.
    pub fn owner(self) -> OwnerKind {
        match self {
            Self::Job => OwnerKind::Job,
            Self::Crew => OwnerKind::Crew,
        }
    }

    /// Returns what an owner is as a job, if it is one.
    pub fn of(owner: &Owner) -> Option<Self> {
        match owner.kind {
            OwnerKind::Job => Some(Self::Job),
            OwnerKind::Crew => Some(Self::Crew),
            _ => None,
        }
    }
}
