//! What a runbook says: jobs, their steps, and the agents that carry steps out. Parsing it is elsewhere.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Span;

/// All that a runbook defines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Runbook {
    /// Jobs, by name.
    pub jobs: BTreeMap<String, Definition>,
    /// Agents, by name.
    pub agents: BTreeMap<String, Agent>,
}

/// A job as it is defined.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Definition {
    /// Its variables: what is taken where none is given, or nothing if one must be.
    pub vars: BTreeMap<String, Option<String>>,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// The step after the last one, where a step itself says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_done: Option<String>,
    /// The step after one that failed, where it itself says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_fail: Option<String>,
    /// The step that is run when the job is cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_cancel: Option<String>,
    /// Where its steps run, from where it is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The work item it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// Whether it gets a git worktree of its own.
    pub worktree: bool,
    /// Whether its end asks for a verdict on what its worktree holds; yes where it has one, unless it says no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<bool>,
    /// Whom to tell what.
    pub notify: Notify,
}

/// Commands that are run when something ends or starts; words for people.
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
    /// Names it within the job.
    pub name: String,
    /// What carries it out.
    pub run: Run,
    /// The step after it; the one that follows if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_done: Option<String>,
    /// The step after it if it fails; the job fails if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_fail: Option<String>,
    /// The step that is run if the job is cancelled in it.
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
        /// Values.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        vars: BTreeMap<String, String>,
    },
}

/// A program that is watched while it works.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Agent {
    /// The shell command that starts it.
    pub run: String,
    /// What it is told first; the last argument of the command, unless that names it elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Variables of its environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// Where it runs, from where the job runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// What is done when it stands idle.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_idle: Vec<Reaction>,
    /// What is done when its process ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_dead: Vec<Reaction>,
    /// What is done when it meets an error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_error: Vec<Reaction>,
    /// What is done when it asks for something.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_prompt: Vec<Reaction>,
    /// How long it must be quiet to count as idle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_after: Option<Span>,
    /// Errors that this program shows in its own words: what is on its screen, and what it is called.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, String>,
    /// Whom to tell what.
    pub notify: Notify,
}

/// What happens to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Trigger {
    Idle,
    Dead,
    Error,
    Prompt,
}

impl Trigger {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Idle, Self::Dead, Self::Error, Self::Prompt];

    /// Returns the name that is counted under.
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

    /// Returns what may be done about it.
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
    /// Returns what is to be done about something that happens to it: what fits first.
    pub fn reaction(&self, trigger: Trigger, detail: &str) -> Reaction {
        let reactions = match trigger {
            Trigger::Idle => &self.on_idle,
            Trigger::Dead => &self.on_dead,
            Trigger::Error => &self.on_error,
            Trigger::Prompt => &self.on_prompt,
        };
        // A shell says 128 and the signal's number of what a signal ended below it.
        let signalled = detail.parse::<u8>().is_ok_and(|code| (129..=192).contains(&code));
        let is = |when: &str| when == detail || (trigger == Trigger::Dead && when == "signal" && signalled);
        let fits = |one: &&Reaction| one.when.as_deref().is_none_or(is);
        reactions.iter().find(fits).cloned().unwrap_or_default()
    }
}

/// What is done when something happens to an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reaction {
    /// Only where it is this: an error's kind, an exit code, a prompt's kind.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// What is done.
    pub action: Action,
    /// What the agent is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The gate's command.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How often; then it is escalated to a person.
    pub attempts: Attempts,
    /// How long to wait before the second time, and each after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cooldown: Option<Span>,
}

/// What can be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Tell the agent to go on.
    Nudge,
    /// Count the step as done.
    Done,
    /// Count the step as failed.
    Fail,
    /// Start the agent again.
    Resume,
    /// Put it to a person.
    #[default]
    Escalate,
    /// Run a command: the step is done if it exits 0, else it is escalated to a person.
    Gate,
    /// Do nothing: the agent knows best.
    Auto,
}

impl Action {
    /// All of them.
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

/// How often something is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attempts {
    /// So many times.
    Times(u32),
    /// Without end.
    Forever,
}

impl Default for Attempts {
    fn default() -> Self {
        Self::Times(1)
    }
}
