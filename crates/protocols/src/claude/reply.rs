//! The answer of a person, as an agent's tool call needs it. Only an explicit yes is a yes.

use holdpoint_core::decision::{Answer, chosen, is_refusal};
use holdpoint_core::text::inert;
use holdpoint_core::{Decision, Status, rule};
use serde_json::{Map, Value};

use super::input::Tool;
use super::permission::{STOP, edited_input};
use super::{plan, question, suggestion};

/// The out that acknowledges a question and does nothing about it.
const DISMISS: &str = "dismiss";

/// The reply to a tool call.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// It may continue, with this input.
    Allow {
        /// The whole input to continue with.
        input: Map<String, Value>,
        /// The person's comment.
        note: Option<String>,
        /// A description of the standing rule that answered; none if a person did.
        by: Option<String>,
        /// The permissions for the future that the person chose, as suggested by the agent's program.
        permissions: Vec<Value>,
    },
    /// It is refused.
    Deny {
        /// Why, for the agent.
        message: String,
        /// Whether the agent is to stop altogether.
        stop: bool,
    },
    /// It is still pending: the session may end and come back.
    Defer {
        /// A description of what is pending, for the agent.
        message: String,
    },
    /// The person leaves it to the agent's own prompt, in the terminal that its job runs in.
    Leave {
        /// What the person did, for an agent without such a prompt.
        message: String,
    },
    /// There is no reply: the asker continues as without us.
    Silent,
}

impl Reply {
    /// Returns a yes without a comment.
    pub fn allow(input: Map<String, Value>) -> Self {
        Self::Allow { input, note: None, by: None, permissions: Vec::new() }
    }

    /// Returns a refusal.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny { message: message.into(), stop: false }
    }
}

/// Turns a decision into the reply to a tool call.
pub fn reply(tool: &Tool, decision: &Decision) -> Reply {
    let id = decision.id;
    match (decision.status, &decision.answer) {
        (Status::Answered | Status::TimedOut, Some(answer)) => {
            let silence = decision.status == Status::TimedOut;
            let message = answer.message.as_deref().map(inert).filter(|text| !text.trim().is_empty());
            // In a job, dismissing means that nothing is to be done: neither a yes nor a no.
            if decision.is_held() && answer.out.as_deref() == Some(DISMISS) {
                return Reply::Leave {
                    message: message
                        .unwrap_or_else(|| format!("Decision {id} was dismissed: nothing was decided.")),
                };
            }
            if answer.out.is_some() || is_refusal(decision) {
                let by = match rule_of(answer) {
                    _ if silence => "nobody answered in time".into(),
                    Some(rule) => format!("{rule} says no"),
                    None => format!("{} said no", inert(&answer.by)),
                };
                return Reply::Deny {
                    message: message.unwrap_or_else(|| format!("Not allowed: {by} (decision {id}).")),
                    stop: answer.out.as_deref() == Some(STOP),
                };
            }
            if silence {
                return Reply::deny(format!("Nobody answered in time (decision {id})."));
            }
            consent(tool, decision, message)
        }
        (Status::Refined, Some(answer)) if tool.name == question::TOOL => {
            let words = answer.message.as_deref().map(inert).unwrap_or_default();
            Reply::allow(question::responded(tool, &words))
        }
        (Status::Pending, _) => Reply::Defer {
            message: format!("Waits for a person: decision {id}. Answer it with: hold answer {id}"),
        },
        (status, _) => {
            let reason = decision.reason.as_deref().map(|reason| format!(": {}", inert(reason)));
            let status = if status == Status::TimedOut { "timed out".to_owned() } else { status.to_string() };
            Reply::deny(format!(
                "There is no answer: decision {id} is {status}{}.",
                reason.unwrap_or_default()
            ))
        }
    }
}

/// Returns a description of the standing rule that answered.
fn rule_of(answer: &Answer) -> Option<String> {
    let id = answer.by.strip_prefix(rule::BY)?;
    let author = answer.on_behalf_of.as_ref().map(|author| format!(" of {author}"));
    Some(inert(&format!("rule {id}{}", author.unwrap_or_default())))
}

fn consent(tool: &Tool, decision: &Decision, note: Option<String>) -> Reply {
    let by = decision.answer.as_ref().and_then(rule_of);
    if tool.name == question::TOOL {
        return Reply::allow(question::answered(tool, decision));
    }
    // A text without a choice is not a yes.
    if chosen(decision).is_empty() {
        let id = decision.id;
        return Reply::deny(note.unwrap_or_else(|| format!("Nothing was chosen (decision {id}).")));
    }
    if tool.name == plan::TOOL {
        return Reply::Allow { input: tool.input.clone(), note, by, permissions: Vec::new() };
    }
    match edited_input(tool, decision) {
        Ok(edited) => {
            let changed = edited.is_some();
            let note = match (changed, note) {
                (true, None) => Some("The person changed the input before allowing it.".to_owned()),
                (_, note) => note,
            };
            let permissions = suggestion::chosen(tool, decision);
            Reply::Allow { input: edited.unwrap_or_else(|| tool.input.clone()), note, by, permissions }
        }
        Err(why) => Reply::deny(format!("Not allowed: {why} (decision {}).", decision.id)),
    }
}
