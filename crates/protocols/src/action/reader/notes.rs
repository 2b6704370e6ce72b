//! What else somebody wants to be known: `something you should know: I'm deaf in one ear`, `for handover, Priya has the keys`.

use holdpoint_core::{Field, Kind};

use super::super::form::words_of;
use super::known::named;
use super::mention::phrases;
use super::scan::Scan;
use super::words::Sort;

/// Finds notes for the fields that take them.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    for field in fields.iter().filter(|field| matches!(field.kind, Kind::Text | Kind::Multiline)) {
        if scan.reading.value(&field.id).is_some() {
            continue;
        }
        let found = (0..scan.tokens.len()).find_map(|at| headed(scan, field, at)).or_else(|| {
            asks_more(field).then(|| (0..scan.tokens.len()).find_map(|at| announced(scan, at))).flatten()
        });
        let Some(start) = found else { continue };
        let end = end(scan, start);
        if start < end && scan.free_words(start..end) {
            let words = scan.words(start..end);
            scan.take_text(field, words, start..end);
        }
    }
}

/// Returns whether a field asks for anything else that matters.
fn asks_more(field: &Field) -> bool {
    let id = words_of(&field.id);
    named(&field.label).iter().any(|token| token.is("know"))
        || matches!(id.as_str(), "notes" | "comments" | "remarks" | "comment" | "note")
}

/// Finds what stands behind the name of a field at the head of a sentence: `for the handover, …`.
fn headed(scan: &Scan<'_>, field: &Field, at: usize) -> Option<usize> {
    let head = scan.sentence(at).start;
    let led = (head..at)
        .all(|at| matches!(scan.word(at), "for" | "the" | "as" | "my" | "regarding" | "about" | "on"));
    if !led || head == at {
        return None;
    }
    let next = phrases(field).iter().find_map(|phrase| phrase.at(scan, at))?;
    let comma = scan.word(next) == ",";
    let colon = (next..next + 3).find(|at| scan.word(*at) == ":").map(|at| at + 1);
    comma.then(|| colon.unwrap_or(next + 1))
}

/// Finds what is announced as worth knowing, where it states nothing else.
fn announced(scan: &Scan<'_>, at: usize) -> Option<usize> {
    if !matches!(scan.word(at), "know" | "note" | "following" | "aware" | "mention" | "notes") {
        return None;
    }
    let first = scan.sentence(at).start;
    let denied = (first..at).any(|at| {
        scan.tokens[at].low.ends_with("n't")
            || matches!(scan.word(at), "not" | "if" | "sick" | "doctor's" | "doctors" | "medical" | "a")
    });
    let start = match scan.word(at + 1) {
        ":" => at + 2,
        "that" if at <= first + 4 && matches!(scan.word(at), "note" | "know" | "aware") => at + 2,
        _ => return None,
    };
    let end = end(scan, start);
    let value = |at: usize| {
        scan.tokens[at].sort == Sort::Digits
            || super::complement::is_time(&scan.tokens[at]) && scan.word(at) != "am"
            || scan.is_statement(at)
    };
    let sole = end.saturating_sub(start) >= 2 && !(start..end).any(value);
    (sole && !denied).then_some(start)
}

/// Returns where a note ends: with its sentence.
fn end(scan: &Scan<'_>, start: usize) -> usize {
    let range = scan.sentence(start);
    if range.end > start && matches!(scan.word(range.end - 1), "." | "!") { range.end - 1 } else { range.end }
}
