//! A request to use a tool: an approval, whose subject is tool and input.

use holdpoint_core::decision::New;
use holdpoint_core::field::Effect;
use holdpoint_core::form::{Condition, Op};
use holdpoint_core::text::{inert_line, start};
use holdpoint_core::{Decision, Field, Kind, OnTimeout, Opt, Source};
use serde_json::{Map, Value, json};

use super::input::Tool;
use super::terms::CallContext;
use super::{lineage, suggestion};

/// The field with the choice.
pub(super) const CHOICE: &str = "choice";
/// The field in which the person may edit the input.
pub(super) const EDITED: &str = "input";
/// The out that denies and stops the agent.
pub(super) const STOP: &str = "stop";

/// Asks whether a tool may be used with an input.
pub(super) fn ask(tool: &Tool, terms: &CallContext) -> New {
    let approve = option("approve", "Approve", Effect::Approve);
    let deny = Opt { refuses: true, ..option("deny", "Deny", Effect::Deny) };
    let choice = Field::offering(CHOICE, Kind::Confirm, "Allow it?", vec![approve, deny]);
    let stop = Opt {
        description: Some("Deny it, and end the agent's turn".to_owned()),
        ..option(STOP, "Deny and stop", Effect::Cancel)
    };
    let (mut fields, mut outs) = (vec![choice], Vec::new());
    if terms.dialect.is_rich() {
        fields.push(edited(tool));
        fields.extend(suggestion::fields(tool, terms));
        outs.push(stop);
    }
    // There is no prompt: the subject is the whole call, and is on every card.
    New {
        source: Some(Source::Approval),
        title: Some(lineage::title(terms, &summary(tool))),
        fields,
        outs,
        on_timeout: terms.timeout.map(|_| OnTimeout::Deny),
        subject: Some(subject(tool)),
        ..New::default()
    }
}

/// Returns the subject: the call, and the folder in which it is made.
pub fn subject(tool: &Tool) -> Value {
    let mut subject = call(tool);
    if let (Value::Object(members), Some(cwd)) = (&mut subject, &tool.cwd) {
        members.insert("cwd".to_owned(), cwd.as_str().into());
    }
    subject
}

/// Returns a call without its folder.
pub(super) fn call(tool: &Tool) -> Value {
    json!({ "tool": tool.name, "input": tool.input })
}

/// Returns the input as edited by the person, if they did. An input that cannot be parsed is not a consent.
pub(super) fn edited_input(tool: &Tool, decision: &Decision) -> Result<Option<Map<String, Value>>, String> {
    let written = decision.answer.as_ref().and_then(|answer| answer.values.get(EDITED));
    let Some(text) = written.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if let Some(key) = sole_text(tool).filter(|_| !text.starts_with('{')) {
        let mut input = tool.input.clone();
        input.insert(key.to_owned(), text.into());
        return Ok(Some(input));
    }
    match holdpoint_core::json::parse_strict(text) {
        Ok(Value::Object(input)) => Ok(Some(input)),
        Ok(_) => Err("the input that was written instead is not a JSON object".to_owned()),
        Err(why) => {
            Err(format!("the input that was written instead is not JSON: {}", inert_line(&why.to_string())))
        }
    }
}

fn edited(tool: &Tool) -> Field {
    let label = match sole_text(tool) {
        Some(key) => format!("Another {key}"),
        None => "Another input, as JSON".to_owned(),
    };
    let visible_if = Condition::Compare {
        field: CHOICE.into(),
        op: Op::Equals,
        value: Some("approve".into()),
        value_field: None,
    };
    Field {
        required: false,
        description: Some(
            "Leave it empty to allow what is asked. What you write is done instead.".to_owned(),
        ),
        visible_if: Some(visible_if),
        ..Field::new(EDITED, Kind::Multiline, label)
    }
}

/// Returns the key of the only text in a call, if a person would edit just that.
fn sole_text(tool: &Tool) -> Option<&'static str> {
    (matches!(tool.name.as_str(), "Bash" | "bash" | "run_shell_command")
        && tool.input.get("command").is_some_and(Value::is_string))
    .then_some("command")
}

fn summary(tool: &Tool) -> String {
    const LONGEST: usize = 120;
    let keys = ["command", "file_path", "filePath", "url", "pattern", "query", "path"];
    let what = keys.iter().find_map(|key| tool.input.get(*key).and_then(Value::as_str));
    match what {
        Some(what) => {
            let files = patched_files(what);
            let line = inert_line(if files.is_empty() { what } else { &files });
            let short = start(&line, LONGEST);
            format!("{}: {short}{}", tool.name, if short.len() < line.len() { "…" } else { "" })
        }
        None => tool.name.clone(),
    }
}

/// Returns the files in a patch of Codex, for a title; empty if it is not a patch.
fn patched_files(text: &str) -> String {
    let Some(patch) = text.strip_prefix("*** Begin Patch\n") else { return String::new() };
    let named =
        |line: &str| line.strip_prefix("*** ")?.split_once(" File: ").map(|(_, path)| path.to_owned());
    patch.lines().filter_map(named).collect::<Vec<_>>().join(", ")
}

/// Returns an option with an effect.
pub(super) fn option(id: &str, label: &str, effect: Effect) -> Opt {
    Opt { effect: Some(effect), ..Opt::new(id, label) }
}
