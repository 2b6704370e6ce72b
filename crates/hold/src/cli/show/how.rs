//! How a decision is answered on the command line.

use holdpoint_core::decision::number::questions;
use holdpoint_core::field::definition::ACCEPT;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Kind, Source, Values, form};
use serde_json::{Value, json};

/// How any one option is picked.
const CHOICE: &str = "CHOICE [-m MESSAGE]";
/// How several are picked.
const CHOICES: &str = "CHOICE… [-m MESSAGE]";

/// Returns what follows `hold answer ID` in an example that answers the decision.
pub(super) fn how(decision: &Decision) -> String {
    match questions(decision).as_slice() {
        [field] if matches!(field.kind, Kind::Choices | Kind::Products) => CHOICES.to_owned(),
        [field] if field.kind.picks() => CHOICE.to_owned(),
        [field] if field.kind.is_text() => "--text \"…\"".to_owned(),
        [field] => set(field),
        fields => match must(decision).as_slice() {
            // A few of what can be answered.
            [] => fields.iter().take(3).map(|field| set(field)).collect::<Vec<_>>().join(" "),
            must if decision.source == Source::Verdict => {
                let open = must.iter().find(|field| field.id == "patchset" && field.options.len() > 1);
                open.map_or_else(
                    || CHOICE.to_owned(),
                    |field| format!("commit --patchset {}", example(field)),
                )
            }
            must => must.iter().map(|field| set(field)).collect::<Vec<_>>().join(" "),
        },
    }
}

/// Returns the fields that must be answered, and those that must be because of what the example answers to others.
fn must(decision: &Decision) -> Vec<&Field> {
    let (mut must, mut values): (Vec<&Field>, _) = (Vec::new(), Values::new());
    let is_open = |field: &&Field, values: &Values| field.required && !values.contains_key(&field.id);
    while let Some(field) =
        form::visible(&decision.fields, &values).into_iter().find(|field| is_open(field, &values))
    {
        values.insert(field.id.clone(), json!(example(field)));
        must.push(field);
    }
    must
}

fn set(field: &Field) -> String {
    format!("--set {}={}", inert_line(&field.id), example(field))
}

fn example(field: &Field) -> String {
    let suggested = field.default.as_ref().and_then(Value::as_str);
    let first = || field.options.iter().find(|option| option.id != ACCEPT).map(|option| option.id.as_str());
    suggested.or_else(first).map_or_else(|| "VALUE".to_owned(), inert_line)
}
