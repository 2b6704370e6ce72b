//! Merges the input on a page with changes that others made while it was open. A page carries the values that it
//! showed (`shown`): fields that were not touched there do not override later changes by others.

use holdpoint_core::{Decision, Timestamp, Values, field, form as together};
use serde_json::Value;

use super::controls::sending;
use super::form::Form;
use super::form_values::{FormValues, shows_draft};
use super::{read_form, words};

/// The form value with the values that the page showed.
pub(super) const SHOWN: &str = "shown";

/// Returns the value to carry in a form: what it showed first, however often it was redrawn.
pub(super) fn carried(decision: &Decision, filled: &FormValues) -> String {
    match filled.all(SHOWN) {
        [] => FormValues::of_decision(decision).encoded(),
        [first, ..] => first.clone(),
    }
}

/// Returns the values after merging the changes made on a page, field by field; other fields stay as others left
/// them.
pub(super) fn joined(decision: &Decision, form: &Form, now: Timestamp) -> Values {
    let mine = read_form::some(decision, &FormValues::of_pairs(&form.0), now).values;
    // If a page does not say what it showed, all its values count.
    let base = base(decision, form, now).unwrap_or_else(|| decision.draft.clone());
    let mut values = decision.draft.clone();
    for known in &decision.fields {
        let (said, showed) = (mine.get(&known.id), base.get(&known.id));
        if !is_same(known, said, showed) {
            match said {
                Some(value) => values.insert(known.id.clone(), value.clone()),
                None => values.remove(&known.id),
            };
        }
    }
    // Half a date is not a date yet: only valid values are stored.
    together::accept_draft(&decision.fields, &values).values
}

/// Lists fields that others changed since a page was rendered and for which the page would send another value: label
/// and current value. Empty if the page does not say what it showed.
pub(super) fn changed(decision: &Decision, form: &Form, now: Timestamp) -> Vec<(String, String)> {
    let Some(base) = base(decision, form, now) else { return Vec::new() };
    let mine = read_form::some(decision, &FormValues::of_pairs(&form.0), now).values;
    let theirs = read_form::some(decision, &FormValues::of_decision(decision), now).values;
    let differs = |known: &&holdpoint_core::Field| {
        let of = |values: &'_ Values| values.get(&known.id).cloned();
        let (mine, theirs, base) = (of(&mine), of(&theirs), of(&base));
        !is_same(known, theirs.as_ref(), base.as_ref()) && !is_same(known, theirs.as_ref(), mine.as_ref())
    };
    let told = |known: &holdpoint_core::Field| {
        let value = decision.draft.get(&known.id).cloned();
        let value = value.map(|value| Values::from_iter([(known.id.clone(), value)]));
        let shown = value.and_then(|value| words::given(decision, &value, None).pop());
        (words::short(&known.label, 80), shown.map_or_else(|| "nothing".to_owned(), |(_, value)| value))
    };
    // Fields in which others' values are never shown cannot change unnoticed, nor can a pick that is sent at once;
    // and there a page that keeps its own pick does no harm.
    let is_sent = |known: &holdpoint_core::Field| sending(decision).is_some_and(|pick| pick.id == known.id);
    let fields = decision.fields.iter().filter(|known| shows_draft(decision, known) && !is_sent(known));
    fields.filter(differs).map(told).collect()
}

/// Returns the values to show after a submission from an outdated page: the person's changes, and otherwise what
/// others filled in.
pub(super) fn merged_values(decision: &Decision, form: &Form, now: Timestamp) -> FormValues {
    let draft = joined(decision, form, now);
    let mut filled = FormValues::of_decision(&Decision { draft, ..decision.clone() });
    for name in ["message", "guidance", "by"] {
        filled.set(name.to_owned(), form.get(name));
    }
    filled
}

fn base(decision: &Decision, form: &Form, now: Timestamp) -> Option<Values> {
    let (_, shown) = form.0.iter().find(|(name, _)| name == SHOWN)?;
    Some(read_form::some(decision, &FormValues::of_pairs(&Form::parse(shown).0), now).values)
}

fn is_same(known: &holdpoint_core::Field, left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => field::same(known.kind, left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}
