//! Rules over the values of a subject: what each may be like, and that none is left over.

use std::collections::BTreeMap;

use serde_json::Value;

use super::glob::{self, Stars};
use super::matching::{ANY, GUARDED, Mismatch, is_guarded, no};
use super::subject::{Call, is_folder};
use super::tools::SHELL_TOOLS;
use super::{Then, ValuePattern, reading};
use crate::text::quote;

fn name(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}

/// Says why an allowing rule may not have a pattern for a value. Commands and paths have patterns that know what they are; a
/// pattern over their text would take a second command, or a path that leads elsewhere.
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
            "{} is an address: name its host before the first star, e.g. https://docs.rs/**",
            quote(pointer)
        )),
        _ => Ok(()),
    }
}

fn names_host(glob: &str) -> bool {
    let host = glob.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(host, _)| host);
    host.is_some_and(|host| !host.is_empty() && !host.contains(['*', '@']))
}

/// Returns whether patterns say anything about what is done: which tool, where, and what is said about it do not. Of a tool whose
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

/// Checks the values by their pointers; what no pointer covers must be harmless, or the tool that is matched apart.
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
            (ValuePattern::Like(like), Value::String(text)) => glob::matches(&like.glob, text, Stars::Text),
            (ValuePattern::Like(_), _) => false,
        };
        if !fits {
            // Every other command is as far from a rule for the very text of one.
            let nearness = if name(pointer) == "command" { 2 } else { 4 };
            return no(nearness, format!("{} is {}", quote(pointer), quote(&value.to_string())));
        }
        if let (Then::Allow, ValuePattern::Like(like), Value::String(text)) = (then, pattern, value)
            && (like.glob != ANY || tool.is_some_and(reading::takes_other_values))
            && (is_guarded(text, &like.glob, like.glob != ANY) || (like.glob == ANY && may_tell(text)))
        {
            return no(5, format!("{GUARDED}; this is {}", quote(text)));
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

/// Returns whether a text may lead to a file of this machine, or lets somebody in.
pub(super) fn may_tell(text: &str) -> bool {
    may_be_path(text) || holds_secret(text)
}

/// Returns whether a text may lead to a file of this machine.
fn may_be_path(text: &str) -> bool {
    text.starts_with(['/', '~']) || text.contains("file:") || glob::leads_out(text)
}

/// How what lets somebody in begins, or what stands in it.
const SECRETS: [&str; 20] = [
    "AIza",
    "AKIA",
    "ASIA",
    "SG.",
    "dop_v1_",
    "eyJhbGci",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "hold_",
    "npm_",
    "pypi-",
    "sk-",
    "sk_live_",
    "whsec_",
    "xoxb-",
    "xoxp-",
];

/// Returns whether a text has something in it that lets somebody in: a token by how it begins, or an address with a password.
fn holds_secret(text: &str) -> bool {
    let begins =
        |word: &str| SECRETS.iter().any(|start| word.starts_with(start) && word.len() >= start.len() + 8);
    let has_password = text.split_once("://").is_some_and(|(_, rest)| {
        rest.split('/')
            .next()
            .is_some_and(|host| host.split_once('@').is_some_and(|(user, _)| user.contains(':')))
    });
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    text.contains("-----BEGIN") || text.contains("Bearer ") || has_password || text.split(is_end).any(begins)
}

/// Returns a part of a value that nothing covers.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_somebody_in_is_known_by_how_it_begins() {
        for text in [
            "ghp_0123456789abcdef",
            "use AKIA0123456789AB please",
            "sk-ant-api03-abcdefgh",
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "postgres://u:pw@db/x",
            "hold_0123456789abcdef",
            "Bearer abc",
        ] {
            assert!(holds_secret(text), "{text}");
        }
        for text in [
            "BIL-412",
            "how does sk- begin",
            "https://docs.rs/serde",
            "risk-averse teams",
            "user@example.com",
        ] {
            assert!(!holds_secret(text), "{text}");
        }
    }
}
