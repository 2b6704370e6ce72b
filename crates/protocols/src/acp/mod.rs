//! The Agent Client Protocol, as a proxy between editor and agent sees it: the requests of an agent to its editor
//! become decisions, and the answers become the editor's replies. Nothing here waits, and no other message is read.

mod elicitation;
mod message;
mod permission;

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::text::check_name;
use holdpoint_core::{Decision, Owner, OwnerKind, Span};
use serde_json::{Map, Value};

pub use message::{Message, cancel_request, prompt, response};

/// The reply to the agent after a person answered elsewhere than in the editor.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The result of the request.
    pub result: Value,
    /// Why it was refused, if the result has no place for that: to be sent as a prompt.
    pub reason: Option<String>,
}

/// A request of an agent to its editor that a person can also answer here.
#[derive(Clone, Debug, PartialEq)]
pub enum EditorRequest {
    /// Whether a tool may be used.
    Permission(permission::Permission),
    /// A form to fill in.
    Elicitation(elicitation::Elicitation),
}

impl EditorRequest {
    /// Reads a request; none if it is not one of these, or cannot be asked here.
    pub fn read(method: &str, params: &Map<String, Value>) -> Option<Self> {
        match method {
            "session/request_permission" => permission::read(params).map(Self::Permission),
            "elicitation/create" => elicitation::read(params).map(Self::Elicitation),
            _ => None,
        }
    }

    /// Returns the session that asks, if it is given.
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::Permission(asked) => Some(&asked.session),
            Self::Elicitation(asked) => asked.session.as_deref(),
        }
    }

    /// Returns the question.
    pub fn question(&self, project: &str, timeout: Option<Span>) -> New {
        let (new, id) = match self {
            Self::Permission(asked) => (permission::ask(asked, timeout), asked.call.clone()),
            Self::Elicitation(asked) => (elicitation::ask(asked), None),
        };
        let session = self.session().filter(|session| check_name(session).is_ok());
        let origin = Origin {
            protocol: "acp".to_owned(),
            id,
            schema: None,
            thread: session.map(str::to_owned),
            extra: Map::new(),
        };
        New {
            project: Some(project.to_owned()),
            owner: session.map(|session| Owner::new(OwnerKind::Thread, session)),
            requested_by: session
                .map(|session| format!("acp:{session}"))
                .filter(|name| check_name(name).is_ok()),
            timeout,
            origin: Some(origin),
            ..new
        }
    }

    /// Returns the subject to approve, if there is one.
    pub fn subject(&self) -> Option<&Value> {
        match self {
            Self::Permission(asked) => Some(&asked.subject),
            Self::Elicitation(_) => None,
        }
    }

    /// Turns a settled decision into a reply; none if there is no answer, so that the editor may still answer.
    pub fn reply(&self, decision: &Decision) -> Option<Reply> {
        match self {
            Self::Permission(asked) => permission::reply(asked, decision),
            Self::Elicitation(asked) => elicitation::reply(asked, decision),
        }
    }

    /// Returns a refusal, with a reason.
    pub fn refusal(&self, reason: String) -> Reply {
        let result = match self {
            Self::Permission(asked) => permission::refused(asked),
            Self::Elicitation(_) => elicitation::declined(),
        };
        Reply { result, reason: Some(reason) }
    }
}
