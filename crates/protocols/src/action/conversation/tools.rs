//! Results of tools: options for the fields that wait for them.

use holdpoint_core::Field;
use holdpoint_core::text::{inert_line, start};
use serde_json::Value;

use super::super::form::options_of;
use super::super::wire::ToolResult;
use super::{Conversation, phrase, say};

/// Takes results; what is empty or went wrong is told.
pub(super) fn take(talk: &mut Conversation<'_>, results: &[ToolResult]) {
    for result in results {
        let name = result.tool_name.clone().or_else(|| talk.state.tool.clone()).unwrap_or_default();
        if talk.state.tool.as_deref() == Some(&name) {
            talk.state.tool = None;
        }
        let waits = |field: &&Field| field.options_from.as_ref().is_some_and(|from| from.tool == name);
        let waiting: Vec<Field> = talk.form.fields.iter().filter(waits).cloned().collect();
        let error = result.result.get("error").filter(|error| !error.is_null());
        let empty = match &result.result {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(map) => map.is_empty(),
            Value::String(text) => text.trim().is_empty(),
            _ => false,
        };
        let why = error.map_or_else(|| "nothing was found".to_owned(), describe_error);
        if waiting.is_empty() && (error.is_some() || empty) {
            talk.add_message(format!("I could not look that up ({}): {why}.", say::name(&name)));
        }
        for field in waiting {
            let path = field.options_from.as_ref().and_then(|from| from.path.as_deref());
            let options = if error.is_some() { Vec::new() } else { options_of(&result.result, path) };
            if options.is_empty() {
                if !talk.state.barren.contains(&name) {
                    talk.state.barren.push(name.clone());
                }
                let way = if field.custom { " Please say it in your own words." } else { "" };
                talk.add_message(format!(
                    "I could not look up what there is for {}: {why}.{way}",
                    say::called(&field)
                ));
                continue;
            }
            if let Some(known) = talk.form.to_mut().fields.iter_mut().find(|known| known.id == field.id) {
                known.options.clone_from(&options);
            }
            talk.options.push((field.id.clone(), options));
        }
    }
}

/// How often something else may be said while a tool's result is awaited.
const PATIENCE: u32 = 3;

/// Returns whether to stop waiting for a tool: the person keeps talking, or wants to leave the field out.
pub(super) fn gives_up_on(talk: &mut Conversation<'_>, tool: &str) -> bool {
    let waits = talk.state.tool.as_deref() == Some(tool) && talk.turn.tool_results.is_empty();
    if !waits || talk.is_blank() {
        talk.state.unheard = 0;
        return false;
    }
    talk.state.unheard += 1;
    talk.state.unheard >= PATIENCE || phrase::skips(&talk.turn.text)
}

/// Continues without the results of a tool.
pub(super) fn give_up(talk: &mut Conversation<'_>, field: &Field, tool: &str) {
    (talk.state.tool, talk.state.unheard) = (None, 0);
    talk.state.barren.push(tool.to_owned());
    let way = if field.custom {
        "Please say it in your own words, or \"try again\"."
    } else {
        "Say \"try again\" to wait for it."
    };
    talk.add_message(format!("Nothing was looked up for {} so far. {way}", say::called(field)));
}

/// Returns an error as a person reads it.
fn describe_error(error: &Value) -> String {
    let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
    start(&inert_line(&text), 300).trim_end_matches('.').to_owned()
}
