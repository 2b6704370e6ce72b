//! A subject as the call of a tool: which tool, with what input, in which folder.

use serde_json::{Map, Value};

use crate::decision::Decision;

/// Returns whether a member of a command changes nothing about what is done.
fn is_harmless(name: &str, value: &Value) -> bool {
    match name {
        "description" => value.is_string(),
        "timeout" => value.is_number(),
        // Whether the agent waits for it.
        "run_in_background" => value.is_boolean(),
        // What is so anyway.
        "dangerouslyDisableSandbox" => value == false,
        _ => false,
    }
}

/// Returns whether a decision names a tool, whatever stands beside it: a second name must not hide the first.
pub(crate) fn is_about_tool(decision: &Decision, tool: &str) -> bool {
    let subject = decision.subject.as_ref();
    TOOL.iter().any(|name| subject.and_then(|subject| subject.get(name)).is_some_and(|named| named == tool))
}

/// Names under which a tool is given.
const TOOL: [&str; 2] = ["tool", "tool_name"];

/// Names under which a working folder is given.
const FOLDER: [&str; 3] = ["cwd", "workdir", "working_directory"];

/// The call of a tool, or of a program where no tool is named.
pub(super) struct Call<'a> {
    pub(super) tool: Option<&'a str>,
    pub(super) input: &'a Map<String, Value>,
    /// The member that has the input; none where the subject is it.
    within: Option<&'a str>,
    /// What stands beside tool and input.
    pub(super) beside: Vec<(&'a str, &'a Value)>,
}

impl<'a> Call<'a> {
    /// Takes a subject for a call, if it can be one.
    pub(super) fn of(subject: &'a Value) -> Option<Self> {
        let members = subject.as_object()?;
        let tool = TOOL.into_iter().find(|name| members.contains_key(*name));
        let input = ["input", "tool_input", "arguments"].into_iter().find(|name| members.contains_key(*name));
        match (tool, input) {
            (Some(tool), Some(input)) => {
                let beside = members.iter().filter(|(name, _)| *name != tool && *name != input);
                Some(Self {
                    tool: Some(members[tool].as_str()?),
                    input: members[input].as_object()?,
                    within: Some(input),
                    beside: beside.map(|(name, value)| (name.as_str(), value)).collect(),
                })
            }
            (None, None) => Some(Self { tool: None, input: members, within: None, beside: Vec::new() }),
            _ => None,
        }
    }

    /// Returns the pointer to a member of its input.
    pub(super) fn pointer(&self, name: &str) -> String {
        let within = self.within.map(|within| format!("/{within}")).unwrap_or_default();
        format!("{within}/{}", name.replace('~', "~0").replace('/', "~1"))
    }

    /// Returns whether a pointer leads to a member of its input that changes nothing about what is done.
    pub(super) fn is_harmless(&self, pointer: &str) -> bool {
        self.input.iter().any(|(name, value)| is_harmless(name, value) && self.pointer(name) == pointer)
    }

    /// Returns the pointers to the folders that it names.
    pub(super) fn folders(&self) -> impl Iterator<Item = (String, &'a Value)> {
        let inner = self.input.iter().filter(|(name, _)| is_folder(name));
        let inner = inner.map(|(name, value)| (self.pointer(name), value));
        let beside = self.beside.iter().filter(|(name, _)| is_folder(name));
        inner.chain(beside.map(|(name, value)| (format!("/{name}"), *value)))
    }

    /// Returns the one command that it gives, as text or as words.
    pub(super) fn command(&self) -> Option<(&'a str, &'a Value)> {
        let mut given = self.input.iter().filter(|(name, _)| matches!(name.as_str(), "command" | "cmd"));
        let (name, value) = given.next()?;
        given.next().is_none().then_some((name.as_str(), value))
    }

    /// Returns the one folder that it names.
    pub(super) fn folder(&self) -> Option<&'a str> {
        let mut given = self.folders();
        let (_, value) = given.next()?;
        given.next().is_none().then(|| value.as_str()).flatten()
    }

    /// Returns a member that is neither one of these, nor a folder, nor harmless.
    pub(super) fn other_than(&self, known: &[&str]) -> Option<&'a str> {
        let inner = self.input.iter().find(|(name, value)| {
            !known.contains(&name.as_str()) && !is_folder(name) && !is_harmless(name, value)
        });
        let inner = inner.map(|(name, _)| name.as_str());
        inner.or_else(|| self.beside.iter().map(|(name, _)| *name).find(|name| !is_folder(name)))
    }
}

pub(super) fn is_folder(name: &str) -> bool {
    FOLDER.contains(&name)
}
