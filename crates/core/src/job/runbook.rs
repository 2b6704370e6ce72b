//! Runbooks: jobs, their steps, and the agents that carry steps out. Parsing is elsewhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Span;

/// A runbook.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Runbook {
    /// Jobs, by name.
    pub jobs: BTreeMap<String, Definition>,
    /// Agents, by name.
    pub agents: BTreeMap<String, Agent>,
}

/// The definition of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Definition {
    /// Its variables with their defaults; one without a default must be given.
    pub vars: BTreeMap<String, Option<String>>,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// The step after the last one, unless the last one names another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_done: Option<String>,
    /// The step after a failed one, unless the failed one names another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_fail: Option<String>,
    /// The step to run when the job is cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_cancel: Option<String>,
    /// The directory of its steps, relative to where it is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The work item it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Whether it gets its own git worktree.
    pub worktree: bool,
    /// Whether its end asks for a verdict on its worktree; by default yes if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<bool>,
    /// The commands that notify people about it.
    pub notify: Notify,
}

/// Commands that notify people when something starts or ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notify {
    /// When it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_start: Option<String>,
    /// When it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_done: Option<String>,
    /// When it failed or was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_fail: Option<String>,
}

/// One step of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The name within the job.
    pub name: String,
    /// What carries it out.
    pub run: Run,
    /// The next step; if none is named, the one that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_done: Option<String>,
    /// The next step if it fails; the job fails if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_fail: Option<String>,
    /// The step to run if the job is cancelled during this step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_cancel: Option<String>,
}

/// What carries out a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Run {
    /// A shell command; it fails unless it exits 0.
    Shell(String),
    /// An agent of the runbook.
    Agent(String),
    /// Another job of the runbook, with values for its variables.
    Job {
        /// Its name.
        name: String,
        /// The values.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        vars: BTreeMap<String, String>,
    },
}

/// A program that is supervised while it works.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Agent {
    /// The shell command that starts it.
    pub run: String,
    /// Its first prompt; the last argument of the command, unless the command places it elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Its environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Its directory, relative to that of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What to do when it is idle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_idle: Vec<Reaction>,
    /// What to do when its process ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_dead: Vec<Reaction>,
    /// What to do when it meets an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_error: Vec<Reaction>,
    /// What to do when it shows a prompt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_prompt: Vec<Reaction>,
    /// How long it must be quiet to count as idle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_after: Option<Span>,
    /// Errors of this program: a text on its screen, and the kind of error.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, String>,
    /// The commands that notify people about it.
    pub notify: Notify,
}

/// An occurrence that a runbook can react to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum Trigger {
    Idle,
    Dead,
    Error,
    Prompt,
}

impl Trigger {
    /// All triggers.
    pub const ALL: [Self; 4] = [Self::Idle, Self::Dead, Self::Error, Self::Prompt];

    /// Returns the name used for counting.
    pub fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Dead => "dead",
            Self::Error => "error",
            Self::Prompt => "prompt",
        }
    }

    /// Returns the key in a runbook.
    pub fn key(self) -> &'static str {
        match self {
            Self::Idle => "on_idle",
            Self::Dead => "on_dead",
            Self::Error => "on_error",
            Self::Prompt => "on_prompt",
        }
    }

    /// Returns the possible actions.
    pub fn actions(self) -> &'static [Action] {
        use Action::{Auto, Done, Escalate, Fail, Gate, Nudge, Resume};
        match self {
            Self::Idle => &[Nudge, Done, Fail, Escalate, Gate, Auto],
            Self::Dead => &[Done, Resume, Fail, Escalate, Gate],
            Self::Error => &[Fail, Resume, Escalate, Gate],
            Self::Prompt => &[Done, Fail, Escalate, Gate],
        }
    }
}

impl Agent {
    /// Returns the first reaction that matches a trigger.
    pub fn reaction(&self, trigger: Trigger, detail: &str) -> Reaction {
        let reactions = match trigger {
            Trigger::Idle => &self.on_idle,
            Trigger::Dead => &self.on_dead,
            Trigger::Error => &self.on_error,
            Trigger::Prompt => &self.on_prompt,
        };
        // A shell exits with 128 plus the number if a signal ended its child.
        let signalled = detail.parse::<u8>().is_ok_and(|code| (129..=192).contains(&code));
        let is = |when: &str| when == detail || (trigger == Trigger::Dead && when == "signal" && signalled);
        let fits = |one: &&Reaction| one.when.as_deref().is_none_or(is);
        reactions.iter().find(fits).cloned().unwrap_or_default()
    }
}

/// A reaction to a trigger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reaction {
    /// Applies only to this detail: an error's kind, an exit code, a prompt's kind.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// What to do.
    pub action: Action,
    /// The message to the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The gate's command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How often to try; after that it is escalated to a person.
    pub attempts: Attempts,
    /// How long to wait before the second try, and before each one after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooldown: Option<Span>,
}

/// The action of a reaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Tell the agent to continue.
    Nudge,
    /// Count the step as done.
    Done,
    /// Count the step as failed.
    Fail,
    /// Start the agent again.
    Resume,
    /// Ask a person.
    #[default]
    Escalate,
    /// Run a command: the step is done if it exits 0, else it is escalated to a person.
    Gate,
    /// Do nothing, and leave it to the agent.
    Auto,
}

impl Action {
    /// All actions.
    pub const ALL: [Self; 7] =
        [Self::Nudge, Self::Done, Self::Fail, Self::Resume, Self::Escalate, Self::Gate, Self::Auto];

    /// Returns the name in a runbook.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nudge => "nudge",
            Self::Done => "done",
            Self::Fail => "fail",
            Self::Resume => "resume",
            Self::Escalate => "escalate",
            Self::Gate => "gate",
            Self::Auto => "auto",
        }
    }
}

/// How often an action is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attempts {
    /// This many times.
    Times(u32),
    /// Without limit.
    Forever,
}

impl Default for Attempts {
    fn default() -> Self {
        Self::Times(1)
    }
}
