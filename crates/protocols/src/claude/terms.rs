//! How a call arrived, and what else is known about it.

use holdpoint_core::{Owner, Span};

use super::dialect::Dialect;
use super::input::Input;

/// How a tool call arrived, and how the answer is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallRoute {
    /// A hook before the tool is used.
    PreToolUse,
    /// A hook in place of the prompt in the terminal.
    PermissionRequest,
    /// The tool that `--permission-prompt-tool` names.
    PromptTool,
    /// A hook that lets the session end and be resumed when there is an answer.
    Deferred,
}

impl CallRoute {
    /// Returns the name under which it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::PreToolUse => "pre_tool_use",
            Self::PermissionRequest => "permission_request",
            Self::PromptTool => "prompt_tool",
            Self::Deferred => "deferred",
        }
    }
}

/// What is known besides the call itself.
#[derive(Clone, Debug, PartialEq)]
pub struct CallContext {
    /// The agent whose hook it is.
    pub dialect: Dialect,
    /// The project; `default` if not given.
    pub project: Option<String>,
    /// How the call arrived.
    pub way: CallRoute,
    /// The session.
    pub session: Option<String>,
    /// The agent within the session, if it is not the first.
    pub agent_id: Option<String>,
    /// What kind of agent that is.
    pub agent_type: Option<String>,
    /// The folder of the session.
    pub cwd: Option<String>,
    /// The prompt that the session works on.
    pub prompt_id: Option<String>,
    /// The session's permission mode.
    pub permission_mode: Option<String>,
    /// The timeout.
    pub timeout: Option<Span>,
    /// The job or crew that the session works for, if any.
    pub within: Option<Supervision>,
}

/// The job or crew of a supervised session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervision {
    /// The job or crew, which waits while the session is held.
    pub owner: Owner,
    /// The supervisor's name for the agent.
    pub agent: String,
}

impl CallContext {
    /// Takes what is known from a hook's input.
    pub fn of(input: &Input, way: CallRoute, project: Option<String>, timeout: Option<Span>) -> Self {
        Self {
            dialect: Dialect::default(),
            project,
            way,
            session: Some(input.session_id.clone()),
            agent_id: input.agent_id.clone(),
            agent_type: input.agent_type.clone(),
            cwd: input.cwd.clone(),
            prompt_id: input.prompt().map(str::to_owned),
            permission_mode: input.permission_mode.clone(),
            timeout,
            within: None,
        }
    }

    /// Returns the terms of a call of the prompt tool, which does not name its session.
    pub fn of_prompt_tool(project: Option<String>) -> Self {
        Self {
            dialect: Dialect::default(),
            project,
            way: CallRoute::PromptTool,
            session: None,
            agent_id: None,
            agent_type: None,
            cwd: None,
            prompt_id: None,
            permission_mode: None,
            timeout: None,
            within: None,
        }
    }
}
