//! Mail addresses, web addresses and telephone numbers: known by their form.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::Value;

use super::scan::Scan;
use super::words::Sort;

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
    // What is licensed comes before what only looks like one.
    let licensed = all(scan, field, |range| scan.free(range.clone()) && !is_anothers(scan, range.start));
    let found = if licensed.is_empty() {
        all(scan, field, |range| scan.offered(range.clone()) && is_own(scan, range.start))
    } else {
        licensed
    };
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
fn all(scan: &Scan<'_>, field: &Field, free: impl Fn(Range<usize>) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // Longest first, so that a number is taken whole.
    let count = scan.tokens.len();
    for start in 0..count {
        let begins = if field.kind == Kind::Tel {
            matches!(scan.word(start), "+" | "(")
                || scan.tokens[start].number().is_some()
                || scan.tokens[start].low.len() > 9
        } else {
            let before = start.checked_sub(1).map_or("", |before| scan.word(before));
            let opened = matches!(before, "(" | "<" | "[" | ":" | "=");
            scan.tokens[start].spaced || opened && scan.tokens[start].sort != Sort::Sign
        };
        if !begins || found.last().is_some_and(|last| start < last.end) {
            continue;
        }
        for end in (start + 1..=count.min(start + 24)).rev() {
            let words = scan.words(start..end);
            let whole = scan
                .tokens
                .get(end)
                .is_none_or(|next| next.spaced || next.among(&[",", ".", ";", "!", "?", ")", ">", "]", ":"]));
            let sign = scan.tokens[end - 1].among(&[".", ",", ";", "!", "?", ")", ":"]);
            if whole && !sign && fits(field, words) && free(start..end) && !scan.negated(start) {
                found.push(start..end);
                break;
            }
        }
    }
    found
}

/// Returns whether a number or address is said to be that of somebody else: `call my wife on 0655 501 220`.
fn is_anothers(scan: &Scan<'_>, start: usize) -> bool {
    const REACH: usize = 8;
    let lead = (start.saturating_sub(REACH)..start).filter(|at| scan.is_in_clause_of(*at, start));
    let lead: Vec<usize> = lead.collect();
    let own = lead.iter().any(|at| {
        matches!(scan.word(*at), "me" | "mine" | "i" | "i'm")
            || scan.word(*at) == "my" && scan.tokens.get(at + 1).is_some_and(super::lexicon::is_label)
    });
    let other = lead.iter().any(|at| {
        let whose = matches!(scan.word(*at), "your" | "his" | "her" | "their");
        whose && scan.tokens.get(at + 1).is_some_and(|next| super::lexicon::is_label(next) || next.is("fax"))
            || scan.word(*at) == "my" && scan.tokens.get(at + 1).is_some_and(super::verbs::is_family)
            || scan.word(*at) == "fax"
    });
    other && !own
}

/// Returns whether a number or address is the speaker's own: nobody else is named in the clause before it.
fn is_own(scan: &Scan<'_>, start: usize) -> bool {
    // Near enough, so that a long text costs no more than its length.
    const REACH: usize = 200;
    let clause: Vec<usize> =
        (0..start).rev().take(REACH).take_while(|at| scan.is_in_clause_of(*at, start)).collect();
    let own = clause
        .iter()
        .any(|at| matches!(scan.word(*at), "me" | "my" | "i" | "i'm" | "best" | "mine" | "reach"));
    let other = clause.iter().any(|at| {
        let token = &scan.tokens[*at];
        super::verbs::is_family(token)
            || token.low.ends_with("'s") && !token.among(&["it's", "that's", "here's", "number's"])
            || token.among(&[
                "his",
                "her",
                "their",
                "your",
                "colleague",
                "boss",
                "manager",
                "supplier",
                "company",
                "hotline",
                "helpdesk",
                "vendor",
                "old",
                "former",
                "previous",
                "not",
                "he",
                "she",
                "they",
                "assistant",
            ])
    });
    !other && (own || clause.is_empty() || scan.asked.is_some_and(|field| field.kind == Kind::Tel))
}

fn fits(field: &Field, words: &str) -> bool {
    let long = match field.kind {
        // A year, a date or a count is no number to call.
        Kind::Tel => {
            words.bytes().filter(u8::is_ascii_digit).count() >= 7
                && (words.starts_with('+') || words.starts_with('0') || is_grouped(words))
                && !words.contains([',', '/'])
        }
        Kind::Email => words.contains('@'),
        _ => words.contains("://"),
    };
    long && field::check(field, &Value::from(words)).is_ok()
}

/// Returns whether a number is written in groups of three, three and four, as in America: `512-555-0147`, `(512) 555-0196`.
fn is_grouped(words: &str) -> bool {
    let groups: Vec<usize> =
        words.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).map(str::len).collect();
    matches!(groups[..], [3, 3, 4] | [1, 3, 3, 4])
        && words.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '(' | ')' | ' ' | '.'))
}
