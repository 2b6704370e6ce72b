//! The first lines of a decision: what happened to the agent, and its last message.

use holdpoint_core::Source;
use holdpoint_core::text::start;

use super::question::Question;

/// What happened, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are named as in the lines they become")]
pub enum Cause<'a> {
    /// The agent stopped and waits.
    Idle,
    /// The agent's process ended.
    Dead { exit_code: Option<i32> },
    /// The agent had an error.
    Error { kind: &'a str, message: &'a str },
    /// A gate command failed.
    Gate { command: &'a str, exit_code: i32, stderr: &'a str, stdout: &'a str },
    /// The agent shows a prompt, e.g. `permission`.
    Approval { prompt_type: &'a str },
    /// The agent asks questions.
    Question { questions: &'a [Question] },
    /// The agent shows a plan.
    Plan,
}

impl Cause<'_> {
    /// Returns the source of the decision it leads to.
    pub fn source(&self) -> Source {
        match self {
            Self::Idle => Source::Idle,
            Self::Dead { .. } => Source::Dead,
            Self::Error { .. } => Source::Error,
            Self::Gate { .. } => Source::Gate,
            Self::Approval { .. } => Source::Approval,
            Self::Question { .. } => Source::Question,
            Self::Plan => Source::Plan,
        }
    }
}

/// The heading of what was on the screen before.
const AGENT_CONTEXT: &str = "Agent Context";
/// The heading of a plan.
pub(super) const PLAN: &str = "Plan";
/// How many bytes of the last message are kept.
const LAST_MESSAGE: usize = 2_000;

/// Builds the context of a decision of the job or crew called `name`; the last message is cut at 2000 bytes.
pub fn context(name: &str, cause: &Cause<'_>, last_message: Option<&str>) -> String {
    let header = header(name, cause);
    let last = start(last_message.unwrap_or_default(), LAST_MESSAGE);
    under(header, section(cause), last)
}

/// Adds what was on the screen before a plan below it.
pub fn with_context(text: String, before: &str) -> String {
    under(text, AGENT_CONTEXT, before)
}

pub(super) fn under(text: String, section: &str, body: &str) -> String {
    if body.trim().is_empty() { text } else { format!("{text}\n\n--- {section} ---\n{body}") }
}

fn header(name: &str, cause: &Cause<'_>) -> String {
    let agent = format!("Agent in job \"{name}\"");
    match cause {
        Cause::Idle => format!("{agent} is idle and waiting for input."),
        Cause::Dead { exit_code: None } => format!("{agent} exited unexpectedly."),
        Cause::Dead { exit_code: Some(code) } => format!("{agent} exited unexpectedly (exit code {code})."),
        Cause::Error { kind, message } => format!("{agent} encountered an error: {kind} - {message}"),
        Cause::Gate { command, exit_code, stderr, stdout } => {
            let mut said =
                format!("Gate command failed in job \"{name}\".\nCommand: {command}\nExit code: {exit_code}");
            // Many test runners report failures on standard output.
            for (stream, text) in [("stderr", stderr), ("stdout", stdout)] {
                if !text.trim().is_empty() {
                    said = format!("{said}\n{stream}:\n{}", text.trim_end());
                }
            }
            said
        }
        Cause::Approval { prompt_type } => format!("{agent} is showing a {prompt_type} prompt."),
        Cause::Question { questions: [] } => format!("{agent} is asking a question (no details available)."),
        Cause::Question { questions } => {
            let line = |one: &Question| {
                format!("\n[{}] {}", one.header.as_deref().unwrap_or("Question"), one.question)
            };
            format!("{agent} is asking a question.\n{}", questions.iter().map(line).collect::<String>())
        }
        Cause::Plan => format!("{agent} is requesting plan approval."),
    }
}

fn section(cause: &Cause<'_>) -> &'static str {
    match cause {
        Cause::Plan => PLAN,
        Cause::Question { .. } | Cause::Approval { .. } => AGENT_CONTEXT,
        Cause::Idle | Cause::Dead { .. } | Cause::Error { .. } | Cause::Gate { .. } => "Last Agent Message",
    }
}
