//! Parses tool calls.

use holdpoint_core::decision::{AnswerInput, New, Requirements, Revision};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Owner, ShapeError, Source, Span, Status, shape};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::new::{self, ShortQuestion};
use super::rpc::{self, RpcError};
use super::tools::Tool;
use crate::{beads, claude};

/// A request of a client.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "named as in the tools' schemas")]
pub enum Call {
    Ask { new: Box<New>, key: Option<String>, wait: Option<Span> },
    Wait { id: String, timeout: Option<Span> },
    Revise { id: String, revision: Box<Revision> },
    List(List),
    Show { id: String },
    Answer { id: String, input: Box<AnswerInput> },
    Cancel { id: String, reason: Option<String> },
    Consume { id: String, subject: Value, required: Requirements },
    ApprovalPrompt(claude::Tool),
    BdList { project: Option<String> },
    BdShow(Issue),
    BdCreate(Box<beads::Create>),
    BdRespond { issue: Issue, respond: beads::Respond },
}

/// The parameters of `list`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "named as in the tool's schema")]
pub struct List {
    pub status: Option<String>,
    pub project: Option<String>,
    pub source: Option<Source>,
    pub owner: Option<Owner>,
    pub requested_by: Option<String>,
    pub limit: Option<usize>,
    pub cursor: Option<String>,
}

impl List {
    /// Returns the statuses to list; all if empty.
    pub fn statuses(&self) -> Result<Vec<Status>, String> {
        match self.status.as_deref() {
            None => Ok(vec![Status::Pending]),
            Some("all") => Ok(Vec::new()),
            Some(name) => Status::from_name(name).map(|status| vec![status]).ok_or_else(|| {
                let known: Vec<&str> = Status::ALL.iter().map(|status| status.name()).collect();
                format!("{:?} is not one of: {}, all", inert_line(name), known.join(", "))
            }),
        }
    }
}

/// The parameters that name a work item.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "named as in the tool's schema")]
pub struct Issue {
    pub issue_id: String,
    #[serde(default)]
    pub project: Option<String>,
}

/// Why a call cannot be parsed: a protocol error, or a message for the model.
#[derive(Clone, Debug, PartialEq)]
pub enum CallError {
    /// The call itself is wrong.
    RpcError(RpcError),
    /// The arguments are wrong; the model can correct them.
    Words(String),
}

impl From<RpcError> for CallError {
    fn from(fault: RpcError) -> Self {
        Self::RpcError(fault)
    }
}

impl From<String> for CallError {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

/// Parses the parameters of `tools/call`.
pub fn read(params: &Map<String, Value>) -> Result<Call, CallError> {
    let name = params.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| RpcError::params("\"name\" is missing: which tool?"))?;
    let tool = Tool::from_name(name)
        .ok_or_else(|| RpcError::params(format!("there is no tool {:?}", inert_line(name))))?;
    let arguments = match params.get("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(_) => return Err(RpcError::params("\"arguments\" must be an object").into()),
    };
    Ok(of_tool(tool, arguments)?)
}

/// Checks that a call which is to become a task, in the form of revision 2025-11-25, can be one.
pub fn check_task(params: &Map<String, Value>) -> Result<(), RpcError> {
    if !params.get("task").is_some_and(Value::is_object) {
        return Err(RpcError::params("\"task\" must be an object"));
    }
    let tool = params.get("name").and_then(Value::as_str).and_then(Tool::from_name);
    match tool.filter(|tool| !tool.holds()) {
        Some(tool) => {
            Err(RpcError::new(rpc::NO_METHOD, format!("{:?} cannot be called as a task", tool.name())))
        }
        None => Ok(()),
    }
}

fn of_tool(tool: Tool, mut arguments: Map<String, Value>) -> Result<Call, String> {
    Ok(match tool {
        Tool::Ask => {
            let short = ShortQuestion::take(&mut arguments)?;
            let (key, wait) = (take(&mut arguments, "key")?, take(&mut arguments, "wait")?);
            Call::Ask { new: Box::new(new::complete(shaped(arguments)?, short)?), key, wait }
        }
        Tool::Wait => {
            let (id, timeout) = (id(&mut arguments)?, take(&mut arguments, "timeout")?);
            nothing_else(&arguments)?;
            Call::Wait { id, timeout }
        }
        Tool::Revise => Call::Revise { id: id(&mut arguments)?, revision: Box::new(shaped(arguments)?) },
        Tool::List => Call::List(shaped(arguments)?),
        Tool::Show => {
            let id = id(&mut arguments)?;
            nothing_else(&arguments)?;
            Call::Show { id }
        }
        Tool::Answer => Call::Answer { id: id(&mut arguments)?, input: Box::new(shaped(arguments)?) },
        Tool::Cancel => {
            let (id, reason) = (id(&mut arguments)?, take(&mut arguments, "reason")?);
            nothing_else(&arguments)?;
            Call::Cancel { id, reason }
        }
        Tool::Consume => {
            let (id, min) = (id(&mut arguments)?, take(&mut arguments, "min")?);
            let seen: Option<bool> = take(&mut arguments, "seen")?;
            let subject =
                arguments.remove("subject").ok_or("subject is missing: what is about to be done?")?;
            nothing_else(&arguments)?;
            Call::Consume { id, subject, required: Requirements { min, seen: seen == Some(true) } }
        }
        Tool::ApprovalPrompt => {
            let name: Option<String> = take(&mut arguments, "tool_name")?;
            let name = name.filter(|name| !name.trim().is_empty()).ok_or("tool_name is missing")?;
            let input = match arguments.remove("input") {
                Some(Value::Object(input)) => input,
                None => return Err("input is missing: what the tool would be called with".to_owned()),
                Some(_) => return Err("input must be an object".to_owned()),
            };
            Call::ApprovalPrompt(claude::Tool {
                name,
                input,
                use_id: take(&mut arguments, "tool_use_id")?,
                cwd: None,
                suggestions: Vec::new(),
            })
        }
        Tool::BdList => {
            let project = take(&mut arguments, "project")?;
            nothing_else(&arguments)?;
            Call::BdList { project }
        }
        Tool::BdShow => Call::BdShow(shaped(arguments)?),
        Tool::BdCreate => Call::BdCreate(Box::new(bd_create(arguments)?)),
        Tool::BdRespond => {
            let respond = beads::Respond {
                option: take(&mut arguments, "option")?,
                text: take(&mut arguments, "text")?,
                guidance: take(&mut arguments, "guidance")?,
                accept_guidance: false,
                by: take(&mut arguments, "by")?,
            };
            Call::BdRespond { issue: shaped(arguments)?, respond }
        }
    })
}

fn bd_create(mut arguments: Map<String, Value>) -> Result<beads::Create, String> {
    let options = arguments.remove("options").ok_or("options are missing")?;
    let (issue, parent): (Option<String>, Option<String>) =
        (take(&mut arguments, "issue_id")?, take(&mut arguments, "parent")?);
    let issue = match (issue, &parent) {
        (Some(_), Some(_)) => return Err("issue_id and parent exclude each other; give one".to_owned()),
        (None, None) => return Err("issue_id is missing; or give a parent to ask below".to_owned()),
        (issue, _) => issue.unwrap_or_default(),
    };
    let create = beads::Create {
        project: take(&mut arguments, "project")?,
        issue,
        parent,
        prompt: take(&mut arguments, "prompt")?.ok_or("prompt is missing")?,
        context: take(&mut arguments, "context")?,
        urgency: take(&mut arguments, "urgency")?,
        option: Vec::new(),
        options: Some(options.to_string()),
        default: take(&mut arguments, "default_option")?,
        timeout: take(&mut arguments, "timeout")?,
        default_timeout: None,
        blocks: take(&mut arguments, "blocks")?.unwrap_or_default(),
        max_iterations: take(&mut arguments, "max_iterations")?,
        requested_by: take(&mut arguments, "requested_by")?,
        quiet: false,
    };
    nothing_else(&arguments)?;
    Ok(create)
}

fn id(arguments: &mut Map<String, Value>) -> Result<String, String> {
    let id: Option<String> = take(arguments, "id")?;
    id.filter(|id| !id.trim().is_empty()).ok_or_else(|| "id is missing: which decision?".to_owned())
}

fn take<T: DeserializeOwned>(arguments: &mut Map<String, Value>, key: &str) -> Result<Option<T>, String> {
    let value = arguments.remove(key).filter(|value| !value.is_null());
    value.map(|value| read_as(key, value)).transpose()
}

fn shaped<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, String> {
    read_as("", Value::Object(arguments))
}

/// Parses a value of a known type; an error names its place, so that a model can correct it.
fn read_as<T: DeserializeOwned>(place: &str, value: Value) -> Result<T, String> {
    shape::read(value).map_err(|ShapeError { place: path, why }| {
        let place = match (place, path.as_str()) {
            ("", "") => "arguments".to_owned(),
            ("", path) => path.to_owned(),
            (place, "") => place.to_owned(),
            (place, path) => format!("{place}.{path}"),
        };
        inert_line(&format!("{place}: {why}"))
    })
}

fn nothing_else(arguments: &Map<String, Value>) -> Result<(), String> {
    match arguments.keys().next() {
        Some(key) => Err(format!("{:?} is not taken here", inert_line(key))),
        None => Ok(()),
    }
}
