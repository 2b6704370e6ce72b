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

/// Finds the two fields of a kind between which something lasts, by what they are called.
pub fn span(fields: &[Field], of_kind: impl Fn(&Field) -> bool) -> Option<(usize, usize)> {
    const FIRST: [&str; 9] = ["start", "begin", "from", "first", "arriv", "depart", "out", "open", "since"];
    const LAST: [&str; 10] =
        ["end", "finish", "until", "last", "return", "leav", "depart", "till", "clos", "back"];
    let says = |at: usize, begun: &[&str]| {
        let named = format!("{} {}", words_of(&fields[at].id), fields[at].label).to_lowercase();
        let mut words = named.split(|c: char| !c.is_alphanumeric());
        words.any(|word| begun.iter().any(|begin| word.starts_with(begin)))
    };
    let all: Vec<usize> = (0..fields.len()).filter(|at| of_kind(&fields[*at])).collect();
    all.iter().copied().filter(|at| says(*at, &FIRST)).find_map(|first| {
        let last = |at: &&usize| **at > first && fields[**at].kind == fields[first].kind && says(**at, &LAST);
        Some((first, *all.iter().find(last)?))
    })
}
