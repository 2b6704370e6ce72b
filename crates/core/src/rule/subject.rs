//! Reads a subject as the call of a tool: which tool, with what input, in which folder.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::folder::gone_to;
use crate::decision::Decision;

/// Returns whether a member of a command does not change what is done.
fn is_harmless(name: &str, value: &Value) -> bool {
    match name {
        "description" | "justification" => value.is_string(),
        "timeout" | "timeout_ms" | "yield_time_ms" | "max_output_tokens" => value.is_number(),
        // Whether the agent waits for it has no effect on what it does.
        "run_in_background" | "is_background" => value.is_boolean(),
        // These values are the defaults.
        "dangerouslyDisableSandbox" | "with_escalated_permissions" => value == false,
        "sandbox_permissions" => value == "use_default",
        _ => false,
    }
}

/// Returns whether a decision names a tool, regardless of its other members: a second name must not hide the first.
pub(crate) fn is_about_tool(decision: &Decision, tool: &str) -> bool {
    let subject = decision.subject.as_ref();
    TOOL.iter().any(|name| subject.and_then(|subject| subject.get(name)).is_some_and(|named| named == tool))
}

/// Names under which a tool is given.
const TOOL: [&str; 2] = ["tool", "tool_name"];

/// Names under which a working folder is given.
const FOLDER: [&str; 3] = ["cwd", "workdir", "working_directory"];

/// Shells whose input names the folder where the command runs, and the member that names it.
const WORKS_IN: [(&str, &str); 5] = [
    ("bash", "workdir"),
    ("exec_command", "workdir"),
    ("local_shell", "working_directory"),
    (GEMINI_SHELL, GEMINI_FOLDER),
    ("shell", "workdir"),
];
/// The shell whose folder is relative to the one where the agent works.
const GEMINI_SHELL: &str = "run_shell_command";
const GEMINI_FOLDER: &str = "dir_path";

/// The call of a tool, or of a program if no tool is named.
pub(super) struct Call<'a> {
    pub(super) tool: Option<&'a str>,
    pub(super) input: &'a Map<String, Value>,
    /// The member that has the input; none if the subject itself is the input.
    within: Option<&'a str>,
    /// The members beside tool and input.
    pub(super) beside: Vec<(&'a str, &'a Value)>,
    /// The folder in which the call is made, if known.
    folder: Option<Cow<'a, str>>,
}

impl<'a> Call<'a> {
    /// Reads a subject as a call, if it can be one.
    pub(super) fn of(subject: &'a Value) -> Option<Self> {
        let members = subject.as_object()?;
        let tool = TOOL.into_iter().find(|name| members.contains_key(*name));
        let input = ["input", "tool_input", "arguments"].into_iter().find(|name| members.contains_key(*name));
        match (tool, input) {
            (Some(tool), Some(input)) => {
                let beside = members.iter().filter(|(name, _)| *name != tool && *name != input);
                let call = Self {
                    tool: Some(members[tool].as_str()?),
                    input: members[input].as_object()?,
                    within: Some(input),
                    beside: beside.map(|(name, value)| (name.as_str(), value)).collect(),
                    folder: None,
                };
                Some(call.placed())
            }
            (None, None) => {
                let call =
                    Self { tool: None, input: members, within: None, beside: Vec::new(), folder: None };
                Some(call.placed())
            }
            _ => None,
        }
    }

    /// Finds the folder of the call: the one that it names, or, for a shell that is given a folder within the one where
    /// the agent works, that folder.
    fn placed(mut self) -> Self {
        let inner: Vec<_> = self.input.iter().filter(|(name, _)| self.is_own_folder(name)).collect();
        let folder = match (inner.as_slice(), self.beside_folder()) {
            ([], beside) => beside.map(Cow::Borrowed),
            ([(_, inner)], None) if self.beside.iter().all(|(name, _)| !is_folder(name)) => {
                inner.as_str().map(Cow::Borrowed)
            }
            ([(name, inner)], Some(beside)) if self.works_in(name) => {
                inner.as_str().and_then(|inner| within(beside, inner, name.as_str() == GEMINI_FOLDER))
            }
            _ => None,
        };
        self.folder = folder;
        self
    }

    /// Returns the one folder given beside tool and input: where the agent works.
    pub(super) fn beside_folder(&self) -> Option<&'a str> {
        let mut given = self.beside.iter().filter(|(name, _)| is_folder(name));
        let (_, value) = given.next()?;
        given.next().is_none().then(|| value.as_str()).flatten()
    }

    fn works_in(&self, name: &str) -> bool {
        self.tool.is_some_and(|tool| WORKS_IN.contains(&(tool, name)))
    }

    /// Returns whether a member of the input names the folder of the call.
    fn is_own_folder(&self, name: &str) -> bool {
        is_folder(name) || self.works_in(name)
    }

    /// Returns the pointer to a member of its input.
    pub(super) fn pointer(&self, name: &str) -> String {
        let within = self.within.map(|within| format!("/{within}")).unwrap_or_default();
        format!("{within}/{}", name.replace('~', "~0").replace('/', "~1"))
    }

    /// Returns whether a pointer leads to a member of its input that does not change what is done.
    pub(super) fn is_harmless(&self, pointer: &str) -> bool {
        self.input.iter().any(|(name, value)| is_harmless(name, value) && self.pointer(name) == pointer)
    }

    /// Returns the pointers to the folders that it names.
    pub(super) fn folders(&self) -> impl Iterator<Item = (String, &'a Value)> {
        let inner = self.input.iter().filter(|(name, _)| self.is_own_folder(name));
        let inner = inner.map(|(name, value)| (self.pointer(name), value));
        let beside = self.beside.iter().filter(|(name, _)| is_folder(name));
        inner.chain(beside.map(|(name, value)| (format!("/{name}"), *value)))
    }

    /// Returns the one command of the call, as text or as words.
    pub(super) fn command(&self) -> Option<(&'a str, &'a Value)> {
        let mut given = self.input.iter().filter(|(name, _)| matches!(name.as_str(), "command" | "cmd"));
        let (name, value) = given.next()?;
        given.next().is_none().then_some((name.as_str(), value))
    }

    /// Returns the folder of the call, if known.
    pub(super) fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Returns the part of a path after the folder where the call is made.
    pub(super) fn within<'p>(&self, path: &'p str) -> &'p str {
        self.folder().and_then(|folder| path.strip_prefix(folder)).unwrap_or(path)
    }

    /// Returns a member that is neither one of the given ones, nor a folder, nor harmless.
    pub(super) fn other_than(&self, known: &[&str]) -> Option<&'a str> {
        let inner = self.input.iter().find(|(name, value)| {
            !known.contains(&name.as_str()) && !self.is_own_folder(name) && !is_harmless(name, value)
        });
        let inner = inner.map(|(name, _)| name.as_str());
        inner.or_else(|| self.beside.iter().map(|(name, _)| *name).find(|name| !is_folder(name)))
    }
}

/// Returns a folder that lies within another, as it is named; none if it leads elsewhere, or if that is unknown.
fn within<'a>(folder: &str, named: &'a str, is_relative: bool) -> Option<Cow<'a, str>> {
    if named.starts_with('/') {
        let rest = named.strip_prefix(folder)?;
        return (rest.is_empty() || rest.starts_with('/')).then_some(Cow::Borrowed(named));
    }
    gone_to(Some(folder), &[named.to_owned()]).filter(|_| is_relative).map(Cow::Owned)
}

pub(super) fn is_folder(name: &str) -> bool {
    FOLDER.contains(&name)
}
