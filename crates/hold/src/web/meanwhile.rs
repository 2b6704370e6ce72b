//! What others gave while a page was open. A page carries what it showed (`shown`): what was not touched there says nothing, so
//! it never takes the place of what others have given since.

use holdpoint_core::{Decision, Timestamp, Values, field, form as together};
use serde_json::Value;

use super::controls::sending;
use super::filled::{Filled, shows_draft};
use super::form::Form;
use super::{read, words};

/// The name under which a page carries what it showed.
pub(super) const SHOWN: &str = "shown";

/// Returns what a form carries along: what it showed first, however often it was redrawn.
pub(super) fn carried(decision: &Decision, filled: &Filled) -> String {
    match filled.all(SHOWN) {
        [] => Filled::of_decision(decision).encoded(),
        [first, ..] => first.clone(),
    }
}

/// Returns what is known once what was changed on a page is taken: field by field, the rest stays as others left it.
pub(super) fn joined(decision: &Decision, form: &Form, now: Timestamp) -> Values {
    let mine = read::some(decision, &Filled::of_pairs(&form.0), now).values;
    // A page that does not say what it showed means all that it sends.
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
    // Half a date is not a date yet: only what is right so far is kept.
    together::accept_draft(&decision.fields, &values).values
}

/// Lists what others changed since a page was made, where the page would send something else: what it is called, and what it
/// is now. Empty for a page that does not say what it showed.
pub(super) fn changed(decision: &Decision, form: &Form, now: Timestamp) -> Vec<(String, String)> {
    let Some(base) = base(decision, form, now) else { return Vec::new() };
    let mine = read::some(decision, &Filled::of_pairs(&form.0), now).values;
    let theirs = read::some(decision, &Filled::of_decision(decision), now).values;
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
    // What is never shown of others cannot change under anybody, nor can a pick that is sent as it is made; that a page keeps its
    // own pick changes nothing either.
    let is_sent = |known: &holdpoint_core::Field| sending(decision).is_some_and(|pick| pick.id == known.id);
    let fields = decision.fields.iter().filter(|known| shows_draft(decision, known) && !is_sent(known));
    fields.filter(differs).map(told).collect()
}

/// Returns what a page shows next to someone whose page was too old: what they changed, else what others gave.
pub(super) fn again(decision: &Decision, form: &Form, now: Timestamp) -> Filled {
    let draft = joined(decision, form, now);
    let mut filled = Filled::of_decision(&Decision { draft, ..decision.clone() });
    for name in ["message", "guidance", "by"] {
        filled.set(name.to_owned(), form.get(name));
    }
    filled
}

fn base(decision: &Decision, form: &Form, now: Timestamp) -> Option<Values> {
    let (_, shown) = form.0.iter().find(|(name, _)| name == SHOWN)?;
    Some(read::some(decision, &Filled::of_pairs(&Form::parse(shown).0), now).values)
}

fn is_same(known: &holdpoint_core::Field, left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => field::same(known.kind, left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}
