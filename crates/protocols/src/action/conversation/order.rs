//! Keeps each start before its end: a value that would break the order is rejected, and the known ones stay.

use holdpoint_core::{Field, Kind};
use serde_json::Value;

use super::super::form::span;
use super::{Conversation, next, say};

/// Leaves out of what was given an end before its start, and says so. A new start behind the known end waits for a new
/// end, so that never one of them is lost for the other.
pub(super) fn keep(talk: &mut Conversation<'_>, given: &mut Vec<(String, Value)>) {
    let fields = &talk.form.fields;
    let Some((start, end)) = span(fields, |field| matches!(field.kind, Kind::Date | Kind::Datetime)) else {
        return;
    };
    let (start, end) = (fields[start].clone(), fields[end].clone());
    let said = |given: &[(String, Value)], field: &Field| {
        given.iter().rev().find(|(id, _)| *id == field.id).map(|(_, value)| value.clone())
    };
    let (mut first, last) = (said(given, &start), said(given, &end));
    let waiting = talk.state.waiting.take();
    if let (None, Some(_), Some(value)) = (&first, &last, waiting) {
        given.insert(0, (start.id.clone(), value.clone()));
        first = Some(value);
    }
    let (held_first, held_last) = (talk.values.get(&start.id).cloned(), talk.values.get(&end.id).cloned());
    let touched = first.is_some() || last.is_some();
    let (Some(from), Some(to)) =
        (first.clone().or_else(|| held_first.clone()), last.clone().or_else(|| held_last.clone()))
    else {
        return;
    };
    // Days and moments are written so that they sort as texts.
    if !touched || to.as_str() >= from.as_str() {
        return;
    }
    let (from_name, to_name) = (say::called(&start), say::called(&end));
    let (shown_from, shown_to) = (say::value(&start, &from), say::value(&end, &to));
    let text = match (&first, &last, &held_last) {
        (Some(_), None, _) => {
            given.retain(|(id, _)| *id != start.id);
            talk.state.waiting = first;
            format!(
                "{} {shown_from} would lie behind {to_name} ({shown_to}), so nothing was changed yet: when does it end then?",
                say::capital(&from_name)
            )
        }
        (_, _, Some(held)) => {
            // Both are new, and they contradict each other.
            let both = first.is_some() && held_first.is_some();
            given.retain(|(id, _)| *id != end.id && !(both && *id == start.id));
            format!(
                "{} {shown_to} would lie before {from_name} ({shown_from}), so it stays {}.",
                say::capital(&to_name),
                say::value(&end, held)
            )
        }
        _ => {
            given.retain(|(id, _)| *id != end.id);
            format!(
                "{} ({shown_to}) lies before {from_name} ({shown_from}), so I ask for it again.",
                say::capital(&to_name)
            )
        }
    };
    talk.add_message(text);
    next::ask_first(talk, &end.id);
}
