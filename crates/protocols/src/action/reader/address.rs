//! Mail addresses, web addresses and telephone numbers: known by their form.

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
        if !begins {
            continue;
        }
        for end in (start + 1..=count.min(start + 24)).rev() {
            let words = scan.words(start..end);
            let whole = scan
                .tokens
                .get(end)
                .is_none_or(|next| next.spaced || next.among(&[",", ".", ";", "!", "?", ")"]));
            if whole && scan.free(start..end) && fits(field, words) {
                scan.take(field, &Value::from(words), start..end);
                return;
            }
        }
    }
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
