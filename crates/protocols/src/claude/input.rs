//! The input of a hook: one JSON object, which gets new keys with every version. Unknown ones are ignored.

use holdpoint_core::json::parse_strict;
use holdpoint_core::text::{check_name, inert_line};
use holdpoint_core::{Refusal, shape};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::dialect::{BEFORE_TOOL, Dialect};
use super::notification;

/// An event of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as Claude Code names them")]
pub enum Event {
    PreToolUse,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    UserPromptSubmit,
    Stop,
    Notification,
    SessionStart,
    SessionEnd,
}

impl Event {
    /// All events that are handled.
    pub const ALL: [Self; 9] = [
        Self::PreToolUse,
        Self::PermissionRequest,
        Self::PostToolUse,
        Self::PostToolUseFailure,
        Self::UserPromptSubmit,
        Self::Stop,
        Self::Notification,
        Self::SessionStart,
        Self::SessionEnd,
    ];

    /// Returns Claude Code's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "PreToolUse",
            Self::PermissionRequest => "PermissionRequest",
            Self::PostToolUse => "PostToolUse",
            Self::PostToolUseFailure => "PostToolUseFailure",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::Stop => "Stop",
            Self::Notification => "Notification",
            Self::SessionStart => "SessionStart",
            Self::SessionEnd => "SessionEnd",
        }
    }

    /// Returns an agent's name for it.
    pub fn name_for(self, dialect: Dialect) -> &'static str {
        if (self, dialect) == (Self::PreToolUse, Dialect::Gemini) { BEFORE_TOOL } else { self.name() }
    }

    /// Finds an event by any agent's name for it.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == BEFORE_TOOL {
            return Some(Self::PreToolUse);
        }
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}

/// The input of a hook.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "named as Claude Code names them")]
pub struct Input {
    pub session_id: String,
    pub hook_event_name: String,
    pub cwd: Option<String>,
    pub prompt_id: Option<String>,
    /// Codex's name for a prompt.
    pub turn_id: Option<String>,
    pub permission_mode: Option<String>,
    pub agent_id: Option<String>,
    pub agent_type: Option<String>,
    pub tool_name: Option<String>,
    pub tool_input: Option<Map<String, Value>>,
    pub tool_use_id: Option<String>,
    pub message: Option<String>,
    pub title: Option<String>,
    pub notification_type: Option<String>,
    pub stop_hook_active: bool,
    pub last_assistant_message: Option<String>,
    pub reason: Option<String>,
    pub background_tasks: Vec<Value>,
    pub permission_suggestions: Value,
}

/// A tool call that a person is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The tool's name.
    pub name: String,
    /// The input of the call.
    pub input: Map<String, Value>,
    /// The call's id, if known.
    pub use_id: Option<String>,
    /// The folder of the call, if known.
    pub cwd: Option<String>,
    /// Permissions for the future that the agent's program suggests, unchanged.
    pub suggestions: Vec<Value>,
}

/// Reads the input of a hook; `called` is the event named on the command line, if any.
pub fn read(called: Option<Event>, text: &str) -> Result<(Event, Input), Refusal> {
    let wrong = |why: String| Refusal::invalid("hook input", why);
    let value =
        parse_strict(text).map_err(|why| wrong(format!("is not JSON: {}", inert_line(&why.to_string()))))?;
    read_value(called, value)
}

fn read_value(called: Option<Event>, value: Value) -> Result<(Event, Input), Refusal> {
    let wrong = |why: String| Refusal::invalid("hook input", why);
    let input = match notification::read(&value) {
        Some(said) => said?,
        None => shape::read::<Input>(value).map_err(|error| wrong(inert_line(&error.why.to_string())))?,
    };
    let event = Event::from_name(&input.hook_event_name).ok_or_else(|| {
        let known: Vec<&str> = Event::ALL.iter().map(|event| event.name()).collect();
        let given = inert_line(&input.hook_event_name);
        wrong(format!("hook_event_name {given:?} is none of: {}", known.join(", ")))
    })?;
    if let Some(called) = called.filter(|called| *called != event) {
        return Err(wrong(format!("is of the event {}, not {}", event.name(), called.name())));
    }
    check_name(&input.session_id).map_err(|why| wrong(format!("session_id {why}")))?;
    Ok((event, input))
}

impl Input {
    /// Returns the prompt that the session works on.
    pub fn prompt(&self) -> Option<&str> {
        self.prompt_id.as_deref().or(self.turn_id.as_deref())
    }

    /// Returns the tool call.
    pub fn tool(&self) -> Result<Tool, Refusal> {
        let wrong = |why: &str| Refusal::invalid("hook input", why);
        let name = self.tool_name.clone().filter(|name| !name.trim().is_empty());
        Ok(Tool {
            name: name.ok_or_else(|| wrong("tool_name is missing"))?,
            input: self.tool_input.clone().unwrap_or_default(),
            use_id: self.tool_use_id.clone(),
            cwd: self.cwd.clone(),
            suggestions: self.permission_suggestions.as_array().cloned().unwrap_or_default(),
        })
    }
}
