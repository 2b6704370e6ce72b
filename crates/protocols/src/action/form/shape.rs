//! What a form says about its fields by the way it is built: which take a yes or a no, and between which two something lasts.

use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::words_of;

/// Returns what a field takes for yes and for no, if it is such a field.
pub fn poles(field: &Field) -> Option<(Value, Value)> {
    if field.kind == Kind::Boolean {
        return Some((json!(true), json!(false)));
    }
    let option = |names: [&str; 3]| {
        let named = |label: &str| names.iter().any(|name| label.eq_ignore_ascii_case(name));
        field.options.iter().find(|option| named(&option.label) || named(&option.id))
    };
    let (yes, no) = (option(["yes", "y", "true"])?, option(["no", "n", "false"])?);
    (field.kind.picks() && field.options.len() <= 3)
        .then(|| (field::picking(field, &yes.id), field::picking(field, &no.id)))
}

const FIRST: [&str; 11] = [
    "start", "begin", "from", "first", "arriv", "depart", "outbound", "open", "since", "check in", "pick up",
];
const LAST: [&str; 12] = [
    "end",
    "finish",
    "until",
    "last",
    "return",
    "leav",
    "depart",
    "till",
    "clos",
    "back",
    "check out",
    "drop off",
];

/// Returns whether a field is called what begins a span of time, or what ends one.
pub fn ends(field: &Field, last: bool) -> bool {
    let named = format!(" {} {}", words_of(&field.id), words_of(&field.label));
    let begun: &[&str] = if last { &LAST } else { &FIRST };
    begun.iter().any(|begin| named.match_indices(begin).any(|(at, _)| named[..at].ends_with(' ')))
}

/// Finds the two fields of a kind between which something lasts: by what both are called, or two of which one is called an end.
pub fn span(fields: &[Field], of_kind: impl Fn(&Field) -> bool) -> Option<(usize, usize)> {
    let all: Vec<usize> = (0..fields.len()).filter(|at| of_kind(&fields[*at])).collect();
    let alike = |first: usize, last: usize| fields[first].kind == fields[last].kind;
    let named = all.iter().copied().filter(|at| ends(&fields[*at], false)).find_map(|first| {
        let last = all.iter().find(|at| **at > first && alike(first, **at) && ends(&fields[**at], true));
        Some((first, *last?))
    });
    let two = || match all[..] {
        [first, last] if alike(first, last) && !ends(&fields[first], true) && ends(&fields[last], true) => {
            Some((first, last))
        }
        _ => None,
    };
    named.or_else(two)
}
