//! The text that a change removes from a file and the text that it adds.

use serde_json::Value;

use super::programs::has;
use super::subject::Call;
use super::{addresses, disabling};
use crate::text::quote;

/// The endings of text files for people, which no program runs.
const TEXTS: &str = "adoc md rst txt";
/// The names under which an edit gives the text that it removes.
const REMOVED: &str = "old_string oldString";
/// The names under which a tool gets the path of the file.
const PATHS: &str = "filePath file_path notebook_path";

/// The texts of a change to a file.
#[derive(Default)]
pub(super) struct Change<'a> {
    pub(super) removed: Vec<&'a str>,
    pub(super) added: Vec<&'a str>,
}

impl<'a> Change<'a> {
    /// Returns the change that a call makes to a file. A file that is written whole removes nothing that is known.
    pub(super) fn of(call: &Call<'a>, path: &str) -> Self {
        let is_text = path.rsplit_once('.').is_some_and(|(_, end)| has(TEXTS, end));
        let mut change = Self::default();
        if !is_text {
            call.input.iter().for_each(|(name, value)| change.collect(name, value));
        }
        change
    }

    fn collect(&mut self, name: &str, value: &'a Value) {
        match value {
            Value::String(_) if has(PATHS, name) => {}
            Value::String(text) if has(REMOVED, name) => self.removed.push(text),
            Value::String(text) => self.added.push(text),
            Value::Array(items) => items.iter().for_each(|item| self.collect(name, item)),
            Value::Object(members) => members.iter().for_each(|(name, value)| self.collect(name, value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Returns why a change to a file needs a person by what it adds or removes, if it does.
pub(super) fn concern(call: &Call<'_>, path: &str) -> Option<String> {
    let change = Change::of(call, path);
    let address = addresses::brought_in(&change)
        .map(|host| format!("changes that add a URL need a person; this has {}", quote(host)));
    address.or_else(|| {
        let what = disabling::found(&change)?;
        Some(format!("changes that disable tests or checks need a person; this {what}"))
    })
}
