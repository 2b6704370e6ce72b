//! From a call of a tool to a decision.

use holdpoint_core::decision::{New, Origin};
use holdpoint_core::json::sha256_hex;
use holdpoint_core::text::MAX_NAME;
use holdpoint_core::{Owner, Refusal, Span};

use super::dialect::Dialect;
use super::input::{Input, Tool};
use super::{lineage, permission, plan, question};

/// How a call of a tool came to us, and how the answer goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A hook before the tool is used.
    PreToolUse,
    /// A hook before the person would be asked in the terminal.
    PermissionRequest,
    /// The tool that `--permission-prompt-tool` names.
    PromptTool,
    /// A hook that lets the session end and be taken up again when the answer is there.
    Deferred,
}

impl Way {
    /// Returns the name under which it is kept.
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
pub struct Terms {
    /// Whose hook it is.
    pub dialect: Dialect,
    /// Where the decision belongs; `default` if not given.
    pub project: Option<String>,
    /// How the call came.
    pub way: Way,
    /// The session.
    pub session: Option<String>,
    /// The agent within the session, if it is not the first.
    pub agent_id: Option<String>,
    /// What kind of agent that is.
    pub agent_type: Option<String>,
    /// Where the session works.
    pub cwd: Option<String>,
    /// The prompt that the session works on.
    pub prompt_id: Option<String>,
    /// How free the session is.
    pub permission_mode: Option<String>,
    /// How long until silence settles it.
    pub timeout: Option<Span>,
    /// The job or crew that the session works for, where it does.
    pub within: Option<Within>,
}

/// For whom a session works that is supervised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Within {
    /// The job or crew, which waits while the session is held.
    pub owner: Owner,
    /// What the supervisor calls the agent.
    pub agent: String,
}

impl Terms {
    /// Takes from a hook's input what is known.
    pub fn of(input: &Input, way: Way, project: Option<String>, timeout: Option<Span>) -> Self {
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

    /// Returns the terms of a call of the prompt tool, which says nothing of its session.
    pub fn of_prompt_tool(project: Option<String>) -> Self {
        Self {
            dialect: Dialect::default(),
            project,
            way: Way::PromptTool,
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

/// What to ask, and under which key, so that the same call is asked about once.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedAsk {
    /// The question.
    pub new: New,
    /// The key, where the call has an id.
    pub key: Option<String>,
}

/// Turns a call of a tool into a decision.
pub fn ask(tool: &Tool, terms: &Terms) -> Result<KeyedAsk, Refusal> {
    let new = match tool.name.as_str() {
        question::TOOL => question::ask(tool, terms)?,
        plan::TOOL => plan::ask(tool, terms),
        _ => permission::ask(tool, terms),
    };
    let mut extra = lineage::extra(terms);
    // A task is read back by nothing but its decision; an approval has its call as subject.
    if terms.way == Way::PromptTool && new.subject.is_none() {
        extra.insert("call".to_owned(), permission::subject(tool));
    }
    let origin = Origin {
        protocol: terms.dialect.protocol().to_owned(),
        id: tool.use_id.clone(),
        schema: None,
        thread: terms.session.clone(),
        extra,
    };
    // In a job the same can be taken as of what its screen shows.
    let outs = terms.within.as_ref().and(new.source).map_or_else(|| new.outs.clone(), lineage::outs);
    let new = New {
        project: terms.project.clone(),
        owner: lineage::owner(terms),
        requested_by: lineage::asker(terms),
        timeout: terms.timeout,
        origin: Some(origin),
        outs,
        consume: new.subject.is_some(),
        ..new
    };
    Ok(KeyedAsk { new, key: key(tool, terms) })
}

/// The same call, asked about again by the same way, is the same decision. What has no id is a call of its own.
fn key(tool: &Tool, terms: &Terms) -> Option<String> {
    let id = tool.use_id.as_deref().filter(|id| !id.is_empty())?;
    let session = terms.session.as_deref().unwrap_or_default();
    let way = if terms.way == Way::PromptTool { "prompt" } else { "hook" };
    let agent = terms.dialect.name();
    let key = format!("{agent}:{way}:{session}:{id}");
    let plain = key.len() <= MAX_NAME && key.bytes().all(|byte| byte.is_ascii_graphic());
    Some(if plain { key } else { format!("{agent}:{}", sha256_hex(key.as_bytes())) })
}
