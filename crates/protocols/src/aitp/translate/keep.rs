//! Members without an equivalent in core are stored beside it, under one name, so that a request can be written again
//! unchanged.

use std::collections::HashSet;

use holdpoint_core::text::check_name;
use holdpoint_core::{Decision, Field, Opt};
use serde_json::{Map, Value};

/// Their name in `extra`. A member that is null there was not in the message.
const KEY: &str = "aitp";

/// Stores members beside an option, a field or an origin.
pub(super) fn store_members(extra: &mut Map<String, Value>, members: Map<String, Value>) {
    if !members.is_empty() {
        extra.insert(KEY.into(), Value::Object(members));
    }
}

/// Returns the stored members.
pub(super) fn stored_members(extra: &Map<String, Value>) -> Option<&Map<String, Value>> {
    extra.get(KEY)?.as_object()
}

/// Writes the stored members over newly made ones.
pub(super) fn restore(members: &mut Map<String, Value>, extra: &Map<String, Value>) {
    for (name, value) in stored_members(extra).into_iter().flatten() {
        if value.is_null() {
            members.remove(name);
        } else {
            members.insert(name.clone(), value.clone());
        }
    }
}

/// Gives ids to things whose own ids may not be valid names in core.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    last: usize,
}

impl Names {
    /// Reserves ids that are used unchanged; only others are replaced.
    pub(super) fn new<'a>(ids: impl Iterator<Item = &'a str>) -> Self {
        Self { taken: ids.filter(|id| is_name(id)).map(str::to_owned).collect(), last: 0 }
    }

    /// Returns the id itself, or a replacement, which is then recorded in `members`.
    pub(super) fn name(&mut self, id: &str, what: &str, members: &mut Map<String, Value>) -> String {
        if is_name(id) {
            return id.to_owned();
        }
        members.insert("id".into(), id.into());
        loop {
            self.last += 1;
            let fresh = format!("{what}-{}", self.last);
            if !self.taken.contains(&fresh) {
                return fresh;
            }
        }
    }
}

fn is_name(id: &str) -> bool {
    check_name(id).is_ok() && !id.starts_with('_')
}

/// Returns the id of an option in messages.
pub(super) fn option_id(option: &Opt) -> &str {
    stored_id(&option.extra).unwrap_or(&option.id)
}

/// Returns the id of a field in messages.
pub(super) fn field_id(field: &Field) -> &str {
    stored_id(&field.extra).unwrap_or(&field.id)
}

fn stored_id(extra: &Map<String, Value>) -> Option<&str> {
    stored_members(extra)?.get("id")?.as_str()
}

/// Returns what a browser may autofill for a field, as given in its request.
pub fn autocomplete(field: &Field) -> Option<&str> {
    let said = stored_members(&field.extra)?.get("autocomplete")?.as_str()?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"- ".contains(&byte);
    Some(said).filter(|said| (1..=100).contains(&said.len()) && said.bytes().all(plain))
}

/// Returns the label for submitting the form, as given in its request.
pub fn fill_label(decision: &Decision) -> Option<&str> {
    let said = stored_members(&super::origin(decision)?.extra)?.get("fillButtonLabel")?.as_str()?;
    Some(said).filter(|said| !said.trim().is_empty())
}

/// Returns the text with which a form offers each option: the label or, if labels repeat, the id.
pub(super) fn option_texts<'a>(field: &'a Field) -> Vec<(&'a Opt, &'a str)> {
    let mut met = HashSet::new();
    let told_apart = field.options.iter().all(|option| met.insert(option.label.as_str()));
    let text = |option: &'a Opt| match stored_id(&option.extra) {
        Some(own) => own,
        None if told_apart => option.label.as_str(),
        None => option.id.as_str(),
    };
    field.options.iter().map(|option| (option, text(option))).collect()
}
