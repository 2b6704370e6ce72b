//! Mail addresses, web addresses and telephone numbers: known by their form.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::Value;

use super::scan::Scan;

/// Finds addresses for the fields that take one; the first of its kind goes to the first such field.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    for kind in [Kind::Email, Kind::Url, Kind::Tel] {
        let asked = scan.asked.filter(|field| field.kind == kind);
        let Some(field) = asked.or_else(|| fields.iter().find(|field| field.kind == kind)) else { continue };
        find(scan, field);
    }
}

fn find(scan: &mut Scan<'_>, field: &Field) {
    let found = all(scan, field);
    let own = super::correct::own_words(field);
    // Of several the one that the field's own words lead to: `confirmation to me@home.example`.
    let led = |start: usize| {
        (1..=4).filter_map(|count| scan.before(start, count)).any(|token| own.contains(&token.low))
    };
    let several = found.iter().any(|range| scan.words(range.clone()) != scan.words(found[0].clone()));
    let led: Vec<&Range<usize>> = found.iter().filter(|range| led(range.start)).collect();
    match (&found[..], &led[..]) {
        ([], _) => {}
        (_, [one]) if several => {
            let range = (*one).clone();
            let words = scan.words(range.clone());
            scan.take(field, &Value::from(words), range);
        }
        (all, _) if several => {
            let values = all.iter().map(|range| Value::from(scan.words(range.clone()))).collect();
            scan.wonder(field, values, all[0].clone());
        }
        ([first, ..], _) => {
            let (range, words) = (first.clone(), scan.words(first.clone()));
            scan.take(field, &Value::from(words), range);
        }
    }
}

/// Finds all addresses that a field could take.
fn all(scan: &Scan<'_>, field: &Field) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // Longest first, so that a number is taken whole.
    let count = scan.tokens.len();
    for start in 0..count {
        let begins = match field.kind {
            Kind::Tel => {
                scan.word(start) == "+"
                    || scan.tokens[start].number().is_some()
                    || scan.tokens[start].low.len() > 9
            }
            _ => scan.tokens[start].spaced,
        };
        if !begins || found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        for end in (start + 1..=count.min(start + 24)).rev() {
            let words = scan.words(start..end);
            let whole = scan
                .tokens
                .get(end)
                .is_none_or(|next| next.spaced || next.among(&[",", ".", ";", "!", "?", ")"]));
            let sign = scan.tokens[end - 1].among(&[".", ",", ";", "!", "?", ")", ":"]);
            if whole && !sign && scan.free(start..end) && fits(field, words) && !scan.negated(start) {
                found.push(start..end);
                break;
            }
        }
    }
    found
}

fn fits(field: &Field, words: &str) -> bool {
    let long = match field.kind {
        // A year, a date or a count is no number to call.
        Kind::Tel => {
            words.bytes().filter(u8::is_ascii_digit).count() >= 7
                && (words.starts_with('+') || words.starts_with('0'))
                && !words.contains([',', '/'])
        }
        Kind::Email => words.contains('@'),
        _ => words.contains("://"),
    };
    long && field::check(field, &Value::from(words)).is_ok()
}
