//! Rules over the values of a subject: what each may be, and that none is left over.

use std::collections::BTreeMap;

use serde_json::Value;

use super::glob::ANY;
use super::glob::{self, WildcardScope};
use super::guarded::{TELLS, guard};
use super::mismatch::{Mismatch, no};
use super::subject::{Call, is_folder};
use super::tools::SHELL_TOOLS;
use super::{Then, ValuePattern, reading};
use crate::text::quote;

fn name(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}

/// Returns why an allowing rule may not have a pattern for a value. Commands and paths have patterns of their own; a
/// pattern over their text would accept a second command, or a path that leads elsewhere.
pub(super) fn may_allow(pointer: &str, pattern: &ValuePattern) -> Result<(), String> {
    let ValuePattern::Like(like) = pattern else { return Ok(()) };
    match name(pointer) {
        "command" | "cmd" | "script" => {
            Err(format!("{} is a command: match it with `command`, or by its exact text", quote(pointer)))
        }
        "file_path" | "filePath" | "notebook_path" | "path" => {
            Err(format!("{} is a path: match it with `path`, or by its exact text", quote(pointer)))
        }
        "url" | "uri" if !names_host(&like.glob) => Err(format!(
            "{} is a URL: name its host before the first star, e.g. https://docs.rs/**",
            quote(pointer)
        )),
        _ => Ok(()),
    }
}

fn names_host(glob: &str) -> bool {
    let host = glob.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(host, _)| host);
    host.is_some_and(|host| !host.is_empty() && !host.contains(['*', '@']))
}

/// Returns whether patterns restrict what is done: the tool, the folder and the description do not. For a tool whose
/// name says that it only reads, the name is enough.
pub(super) fn say_something(patterns: &BTreeMap<String, ValuePattern>, tool: Option<&str>) -> bool {
    let mut patterns = patterns.iter();
    tool.is_some_and(reading::takes_other_values)
        || patterns.any(|(pointer, pattern)| {
            let is_any = matches!(pattern, ValuePattern::Like(like) if like.glob == ANY);
            let is_beside =
                matches!(name(pointer), "tool" | "tool_name" | "description" | "timeout" | "prompt");
            !is_any && !is_beside && !is_folder(name(pointer))
        })
}

/// Checks the values at their pointers; a value without a pointer must be harmless, or the tool, which is matched
/// separately.
pub(super) fn covers(
    patterns: &BTreeMap<String, ValuePattern>,
    tool: Option<&str>,
    subject: &Value,
    then: Then,
) -> Result<(), Mismatch> {
    for (pointer, pattern) in patterns {
        if then == Then::Allow
            && let Err(why) = may_allow(pointer, pattern)
        {
            return no(2, why);
        }
        let Some(value) = subject.pointer(pointer) else {
            return no(2, format!("it is for {}, which is not here", quote(pointer)));
        };
        let fits = match (pattern, value) {
            (ValuePattern::Exact(exact), value) => exact == value,
            (ValuePattern::Like(like), value) if like.glob == ANY => {
                !value.is_object() && !value.is_array() && !value.is_null()
            }
            (ValuePattern::Like(like), Value::String(text)) => {
                glob::matches(&like.glob, text, WildcardScope::Text)
            }
            (ValuePattern::Like(_), _) => false,
        };
        let is_switch = || value.is_boolean() && !reading::only_shows(name(pointer));
        if let (Then::Allow, ValuePattern::Like(_), Some(tool)) = (then, pattern, tool)
            && reading::says_it_reads(tool)
            && (is_switch() || (!value.is_boolean() && reading::may_do_more(tool, name(pointer))))
        {
            return no(5, format!("{} may make it do more", quote(pointer)));
        }
        if !fits {
            // Any other command is equally far from a rule for the exact text of one.
            let nearness = if name(pointer) == "command" { 2 } else { 4 };
            return no(nearness, format!("{} is {}", quote(pointer), quote(&value.to_string())));
        }
        if let (Then::Allow, ValuePattern::Like(like), Value::String(text)) = (then, pattern, value) {
            let tells = |tool| reading::takes_other_values(tool) && reading::tells(tool, name(pointer), text);
            let why = if like.glob == ANY {
                tool.is_some_and(tells).then(|| TELLS.to_owned())
            } else {
                guard(text, &like.glob, true).map(|why| why.to_string())
            };
            if let Some(why) = why {
                return no(5, format!("{why}; this is {}", quote(text)));
            }
        }
    }
    let (call, is_shell) = (Call::of(subject), tool.is_some_and(|tool| SHELL_TOOLS.contains(&tool)));
    match uncovered(subject, "", &|pointer| {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        patterns.contains_key(pointer)
            || (is_folder(name) && pointer.rfind('/') == Some(0))
            || (tool.is_some() && matches!(pointer, "/tool" | "/tool_name"))
            || (is_shell && call.as_ref().is_some_and(|call| call.is_harmless(pointer)))
    }) {
        Some(pointer) => no(5, format!("this also gives {}, which the rule does not cover", quote(&pointer))),
        None => Ok(()),
    }
}

/// Returns a part of a value that no pattern covers.
fn uncovered(value: &Value, pointer: &str, is_covered: &dyn Fn(&str) -> bool) -> Option<String> {
    if is_covered(pointer) {
        return None;
    }
    let step = |name: &str| format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(members) if !members.is_empty() => {
            members.iter().find_map(|(name, value)| uncovered(value, &step(name), is_covered))
        }
        Value::Array(items) if !items.is_empty() => items
            .iter()
            .enumerate()
            .find_map(|(at, value)| uncovered(value, &step(&at.to_string()), is_covered)),
        _ => Some(pointer.to_owned()),
    }
}
