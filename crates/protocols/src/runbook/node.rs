//! A tree with positions, to which all three formats are converted.

use holdpoint_core::text::quote;

use super::{Faults, suggestion};

/// A value and its position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) at: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Whole(i64),
    Truth(bool),
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// A description of a value that no runbook has.
    Other(&'static str),
}

/// A member of a map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) at: usize,
    pub(super) node: Node,
}

/// A complete runbook.
pub(super) struct Root {
    pub(super) node: Node,
}

impl Node {
    pub(super) fn new(value: Value, at: usize) -> Self {
        Self { value, at }
    }

    pub(super) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "text",
            Value::Whole(_) => "a number",
            Value::Truth(_) => "true or false",
            Value::List(_) => "a list",
            Value::Map(_) => "a block",
            Value::Other(what) => what,
        }
    }

    /// Returns the text, or reports that it should be one.
    pub(super) fn text(&self, what: &str, faults: &mut Faults) -> Option<String> {
        match &self.value {
            Value::Text(text) if text.contains('\0') => {
                faults.add(self.at, format!("{what} must not contain a zero character"));
                None
            }
            Value::Text(text) => Some(text.clone()),
            _ => {
                faults.add(self.at, format!("{what} must be text, not {}", self.kind()));
                None
            }
        }
    }

    /// Returns the text, also of a number or a boolean.
    pub(super) fn word(&self, what: &str, faults: &mut Faults) -> Option<String> {
        match &self.value {
            Value::Whole(number) => Some(number.to_string()),
            Value::Truth(truth) => Some(truth.to_string()),
            _ => self.text(what, faults),
        }
    }

    pub(super) fn truth(&self, what: &str, faults: &mut Faults) -> bool {
        if let Value::Truth(truth) = &self.value {
            return *truth;
        }
        faults.add(self.at, format!("{what} must be true or false, not {}", self.kind()));
        false
    }

    /// Returns the members, or reports that there should be some.
    pub(super) fn map(&self, what: &str, faults: &mut Faults) -> &[Entry] {
        if let Value::Map(entries) = &self.value {
            return entries;
        }
        faults.add(self.at, format!("{what} must be a block, not {}", self.kind()));
        &[]
    }

    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node),
            _ => None,
        }
    }
}

/// Reports unknown keys, and duplicate ones.
pub(super) fn only(entries: &[Entry], known: &[&str], what: &str, faults: &mut Faults) {
    for (place, entry) in entries.iter().enumerate() {
        if !known.contains(&entry.key.as_str()) {
            let hint = elsewhere(&entry.key).map_or_else(|| suggestion(&entry.key, known), str::to_owned);
            let message = format!("{what} has no {}; {hint}", quote(&entry.key));
            faults.add(entry.at, message);
        } else if entries[..place].iter().any(|before| before.key == entry.key) {
            faults.add(entry.at, format!("{} occurs twice", quote(&entry.key)));
        }
    }
}

/// Returns what to write for a key of other tools' runbooks.
fn elsewhere(key: &str) -> Option<&'static str> {
    match key {
        "append" => {
            Some("leave it out: resume always starts the agent with its prompt, and adds the message")
        }
        "prompt_file" => Some("use prompt = \"Do what FILE says.\": the agent reads the file itself"),
        _ => None,
    }
}
