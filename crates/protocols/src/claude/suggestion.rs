//! Permissions for the future that Claude Code suggests with a call: each is offered beside the yes, and sent back only
//! if the person chose it. A suggestion is not offered unless every member of it is understood.

use holdpoint_core::field::Kind;
use holdpoint_core::form::{Condition, Op};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, json};
use serde_json::{Map, Value};

use super::input::Tool;
use super::permission::CHOICE;
use super::terms::{CallContext, CallRoute};

/// How many are offered.
const MOST: usize = 4;
/// The length limit for the description of one.
const LONGEST: usize = 300;
/// How the names of their fields begin.
const FROM_NOW_ON: &str = "from_now_on_";

/// Lists the fields for choosing suggestions. Only a reply in place of the prompt can carry them.
pub(super) fn fields(tool: &Tool, terms: &CallContext) -> Vec<Field> {
    if terms.way != CallRoute::PermissionRequest || !terms.dialect.is_rich() {
        return Vec::new();
    }
    let field = |(id, words, _): (String, String, &Value)| Field {
        required: false,
        description: Some(
            "Claude Code then no longer asks, and Holdpoint sees nothing of what it lets through.".to_owned(),
        ),
        visible_if: Some(Condition::Compare {
            field: CHOICE.into(),
            op: Op::Equals,
            value: Some("approve".into()),
            value_field: None,
        }),
        ..Field::new(id, Kind::Boolean, words)
    };
    offered(tool).into_iter().map(field).collect()
}

/// Lists the chosen suggestions, unchanged.
pub(super) fn chosen(tool: &Tool, decision: &Decision) -> Vec<Value> {
    let values = decision.answer.as_ref().map(|answer| &answer.values);
    let is_chosen = |id: &str| values.and_then(|values| values.get(id)) == Some(&Value::Bool(true));
    // A field is named after its content, so a repeated question about a call can send back nothing else.
    offered(tool).into_iter().filter(|(id, ..)| is_chosen(id)).map(|(.., update)| update.clone()).collect()
}

/// Lists what is offered: the field, a description, and the suggestion.
fn offered(tool: &Tool) -> Vec<(String, String, &Value)> {
    let mut offered: Vec<(String, String, &Value)> = Vec::new();
    for update in &tool.suggestions {
        let (Some(words), Ok(code)) = (describe(update), json::code(update)) else { continue };
        let id = format!("{FROM_NOW_ON}{}", &code[..code.len().min(12)]);
        if offered.len() < MOST && offered.iter().all(|(other, ..)| *other != id) {
            offered.push((id, words, update));
        }
    }
    offered
}

/// Describes a permission; none if any of it is not understood, or it would stop more than one kind of prompt.
fn describe(update: &Value) -> Option<String> {
    let members = update.as_object()?;
    let place = match text(members, "destination")? {
        "session" => "in this session",
        "localSettings" => "in this folder (.claude/settings.local.json)",
        "projectSettings" => "for everybody in this project (.claude/settings.json)",
        "userSettings" => "in all your projects (~/.claude/settings.json)",
        _ => return None,
    };
    let (what, known): (String, &[&str]) = match text(members, "type")? {
        "addRules" if text(members, "behavior") == Some("allow") => {
            let rules = list(members, "rules", rule)?;
            (format!("Also stop asking for {rules}, {place}"), &["type", "rules", "behavior", "destination"])
        }
        "addDirectories" => {
            let folders = list(members, "directories", |folder| folder.as_str().map(str::to_owned))?;
            (format!("Also let it work in {folders}, {place}"), &["type", "directories", "destination"])
        }
        "setMode" if text(members, "mode") == Some("acceptEdits") => {
            (format!("Also stop asking before edits, {place}"), &["type", "mode", "destination"])
        }
        _ => return None,
    };
    let is_known = members.keys().all(|name| known.contains(&name.as_str()));
    // A permission that a person could not read completely is not offered.
    (is_known && what.chars().count() <= LONGEST && inert_line(&what) == what).then_some(what)
}

fn rule(rule: &Value) -> Option<String> {
    let members = rule.as_object()?;
    let tool = text(members, "toolName").filter(|tool| !tool.is_empty())?;
    match (members.len(), members.get("ruleContent")) {
        (1, None) => Some(tool.to_owned()),
        (2, Some(content)) => Some(format!("{tool}({})", content.as_str()?)),
        _ => None,
    }
}

fn list(members: &Map<String, Value>, name: &str, read: impl Fn(&Value) -> Option<String>) -> Option<String> {
    let items = members.get(name)?.as_array().filter(|items| !items.is_empty())?;
    Some(items.iter().map(read).collect::<Option<Vec<_>>>()?.join(", "))
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    members.get(name).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_understood_is_said_in_words_and_nothing_else_is_offered() {
        let rules = |rules: Value| json!({"type": "addRules", "rules": rules, "behavior": "allow", "destination": "localSettings"});
        for (update, expected) in [
            (
                rules(json!([{"toolName": "Bash", "ruleContent": "npm test:*"}, {"toolName": "WebFetch"}])),
                "Also stop asking for Bash(npm test:*), WebFetch, in this folder (.claude/settings.local.json)",
            ),
            (
                json!({"type": "addDirectories", "directories": ["/d"], "destination": "session"}),
                "Also let it work in /d, in this session",
            ),
            (
                json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"}),
                "Also stop asking before edits, in this session",
            ),
        ] {
            assert_eq!(describe(&update).as_deref(), Some(expected), "{update}");
        }
        for update in [
            json!(null),
            json!("setMode"),
            json!({}),
            json!({"type": "setMode", "mode": "bypassPermissions", "destination": "session"}),
            json!({"type": "setMode", "mode": "auto", "destination": "session"}),
            json!({"type": "setMode", "mode": "acceptEdits", "destination": "cliArg"}),
            json!({"type": "setMode", "mode": "acceptEdits"}),
            json!({"type": "setMode", "mode": "acceptEdits", "destination": "session", "and": "more"}),
            json!({"type": "removeRules", "rules": [{"toolName": "Bash"}], "behavior": "deny", "destination": "session"}),
            json!({"type": "addRules", "rules": [{"toolName": "Bash"}], "behavior": "deny", "destination": "session"}),
            json!({"type": "addDirectories", "directories": [], "destination": "session"}),
            json!({"type": "addDirectories", "directories": ["/d", 1], "destination": "session"}),
            json!({"type": "addDirectories", "directories": ["/d\u{202e}x"], "destination": "session"}),
            json!({"type": "addDirectories", "directories": ["/d\n/x"], "destination": "session"}),
            json!({"type": "addDirectories", "directories": ["x".repeat(400)], "destination": "session"}),
            rules(json!([])),
            rules(json!([{"toolName": ""}])),
            rules(json!([{"toolName": "Bash", "ruleContent": 1}])),
            rules(json!([{"toolName": "Bash", "ruleContent": "a", "more": "b"}])),
            rules(json!([{"toolName": "Bash", "more": "b"}])),
        ] {
            assert_eq!(describe(&update), None, "{update}");
        }
    }
}
