//! Checks that what a form refers to exists: options that are named, and tools that are declared.

use holdpoint_core::form::{Condition, Op};
use holdpoint_core::text::quote;
use holdpoint_core::{Field, Kind};
use serde_json::Value;

use super::{Findings, Tool};

/// Collects what could never be chosen or looked up.
pub(super) fn check(fields: &[Field], tools: &[Tool], findings: &mut Findings) {
    for (at, field) in fields.iter().enumerate() {
        if let Some(from) = &field.options_from
            && !tools.iter().any(|tool| tool.name == from.tool)
        {
            let message =
                format!("options come from {}, which is not among the form's tools", quote(&from.tool));
            findings.flaw(&format!("/fields/{at}"), &field.id, message);
        }
        if let Some(condition) = &field.visible_if
            && let Some(message) = impossible(condition, fields)
        {
            findings.flaw(&format!("/fields/{at}/visible_if"), &field.id, format!("visible_if: {message}"));
        }
    }
}

/// Finds a comparison with something that the field can never be.
fn impossible(condition: &Condition, fields: &[Field]) -> Option<String> {
    match condition {
        Condition::All { all: parts } | Condition::Any { any: parts } => {
            parts.iter().find_map(|part| impossible(part, fields))
        }
        Condition::Not { not } => impossible(not, fields),
        Condition::Compare { field, op, value: Some(value), .. } => {
            let field = fields.iter().find(|known| known.id == *field)?;
            let values: &[Value] = match (op, value) {
                (Op::In, Value::Array(values)) => values,
                _ => std::slice::from_ref(value),
            };
            let closed = field.kind.picks() && !field.custom && field.options_from.is_none();
            let dated = matches!(field.kind, Kind::Date | Kind::Datetime);
            let wrong = values.iter().find(|value| match op {
                Op::Equals | Op::NotEquals | Op::In | Op::Contains if closed => {
                    value.as_str().is_some_and(|id| field.option(id).is_none())
                }
                Op::After | Op::Before | Op::OnOrAfter | Op::OnOrBefore if dated => !is_day(value),
                _ => false,
            })?;
            let shown = quote(&wrong.as_str().map_or_else(|| wrong.to_string(), str::to_owned));
            let right = if closed { "is not among its options" } else { "is not a day; use YYYY-MM-DD" };
            Some(format!("compares {} with {shown}, which {right}", field.id))
        }
        Condition::Compare { .. } => None,
    }
}

fn is_day(value: &Value) -> bool {
    value.as_str().and_then(|text| text.get(..10)).is_some_and(|day| day.parse::<jiff::civil::Date>().is_ok())
}
