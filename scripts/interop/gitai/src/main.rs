//! Holds Holdpoint's runs and verdicts against the crate whose format they are.
//!
//! Every object of the sample must read and write the same on both sides, byte for byte. Then each is damaged in every
//! way that a key can be (taken away, emptied, given another's value, doubled by a stranger): both sides must take or
//! refuse it alike, and write alike what they take.

use std::process::ExitCode;

use git_internal::internal::object::{
    context::ContextSnapshot, context_frame::ContextFrame, decision::Decision, evidence::Evidence, intent::Intent,
    intent_event::IntentEvent, patchset::PatchSet, plan::Plan, plan_step_event::PlanStepEvent, provenance::Provenance,
    run::Run, run_event::RunEvent, run_usage::RunUsage, task::Task, task_event::TaskEvent, tool::ToolInvocation,
    types::ObjectType as Theirs,
};
use holdpoint_protocols::gitai::{Object, ObjectType};
use serde_json::{Map, Value, json};

const OBJECTS: &str = include_str!("../../../../crates/protocols/tests/it/gitai_objects/objects.jsonl");

fn main() -> ExitCode {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (kind, theirs) in ObjectType::ALL.into_iter().zip([
        Theirs::ContextSnapshot, Theirs::Decision, Theirs::Evidence, Theirs::PatchSet, Theirs::Plan, Theirs::Provenance,
        Theirs::Run, Theirs::Task, Theirs::Intent, Theirs::ToolInvocation, Theirs::ContextFrame, Theirs::IntentEvent,
        Theirs::TaskEvent, Theirs::RunEvent, Theirs::PlanStepEvent, Theirs::RunUsage,
    ]) {
        if kind.folder() != theirs.to_string() {
            wrong.push(format!("folder {} is {theirs} over there", kind.folder()));
        }
    }
    for line in OBJECTS.lines() {
        let Ok(object) = Object::read_any(line) else {
            wrong.push(format!("not read: {line}"));
            continue;
        };
        let kind = object.kind();
        match theirs(kind, line) {
            Ok(text) if text == line => compared += 1,
            other => wrong.push(format!("{line}\n  over there: {other:?}")),
        }
        for damaged in damage(line) {
            let ours = Object::read(kind, &damaged).and_then(|object| object.text());
            let theirs = theirs(kind, &damaged);
            compared += 1;
            match (&ours, &theirs) {
                (Ok(ours), Ok(theirs)) if ours == theirs => {}
                (Err(_), Err(_)) => {}
                _ => wrong.push(format!("{damaged}\n  here: {ours:?}\n  there: {theirs:?}")),
            }
        }
    }
    println!("gitai: {compared} objects compared, {} differ", wrong.len());
    for what in wrong.iter().take(20) {
        println!("- {what}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Reads and writes an object over there.
fn theirs(kind: ObjectType, text: &str) -> Result<String, String> {
    macro_rules! through {
        ($($name:ident),*) => {
            match kind {
                $(ObjectType::$name => serde_json::from_str::<$name>(text)
                    .and_then(|object| serde_json::to_string(&object)),)*
            }
        };
    }
    through!(
        ContextSnapshot, Decision, Evidence, PatchSet, Plan, Provenance, Run, Task, Intent, ToolInvocation,
        ContextFrame, IntentEvent, TaskEvent, RunEvent, PlanStepEvent, RunUsage
    )
    .map_err(|why| why.to_string())
}

/// Returns an object damaged in every way that one key can be.
fn damage(line: &str) -> Vec<String> {
    let values = [
        Value::Null, json!(""), json!("x"), json!("plan"), json!("done"), json!(0), json!(-1), json!(1.5), json!(300), json!(true),
        json!([]), json!({}), json!(["x"]), json!({"other": "x"}), json!("AB".repeat(32)), json!("ab".repeat(20)),
        json!("01A1DCA4-D331-73E3-8CFB-758E798222E6"), json!("01a1dca4d33173e38cfb758e798222e6"),
        json!("2026-11-15T01:39:11.5+01:00"), json!("2026-11-15"), json!({"kind": "human", "id": ""}),
        json!({"kind": "x", "id": "y", "display_name": null}), json!({"store": "", "key": ""}),
    ];
    let Ok(Value::Object(object)) = serde_json::from_str::<Value>(line) else { return Vec::new() };
    let mut damaged = Vec::new();
    let mut add = |object: Map<String, Value>| damaged.push(Value::Object(object).to_string());
    for key in object.keys() {
        let mut less = object.clone();
        less.remove(key);
        add(less);
        for value in &values {
            let mut other = object.clone();
            other.insert(key.clone(), value.clone());
            add(other);
        }
    }
    let mut more = object.clone();
    more.insert("stranger".into(), json!(1));
    add(more);
    damaged
}
