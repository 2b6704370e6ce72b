//! What somebody wants once more without naming it again: `my laptop died, please get me a new one`.

use std::ops::Range;

use holdpoint_core::{Field, Kind, Opt};

use super::meant::may_follow;
use super::option::named_options;
use super::scan::Scan;
use super::words::Sort;

/// Returns the option that stands before words that ask for another of it, if it is the only one that the text names.
pub(super) fn another<'a>(scan: &Scan<'_>, field: &'a Field) -> Option<(&'a Opt, Range<usize>)> {
    if field.kind != Kind::Choice {
        return None;
    }
    let range = (1..scan.tokens.len()).find_map(|at| asked_again(scan, at))?;
    let names = named_options(field);
    let mut found: Option<&Opt> = None;
    for at in 0..scan.tokens.len() {
        // `the sick leave policy` is no leave.
        let whole =
            |end: usize| scan.tokens.get(end).is_none_or(|next| next.sort != Sort::Word || may_follow(next));
        let here = names
            .iter()
            .find(|(_, phrases)| phrases.iter().any(|phrase| phrase.at(scan, at).is_some_and(whole)));
        let Some((option, _)) = here else { continue };
        if at > range.start || found.is_some_and(|found| found.id != option.id) {
            return None;
        }
        found = Some(*option);
    }
    found.map(|option| (option, range))
}

/// Reads `a new one`, `another one`, `a replacement` where it is wished for.
fn asked_again(scan: &Scan<'_>, at: usize) -> Option<Range<usize>> {
    let end = match (scan.word(at), scan.word(at + 1)) {
        ("new" | "another" | "replacement" | "next" | "second", "one") => at + 2,
        ("replacement", _) => at + 1,
        _ => return None,
    };
    let asks = |at: usize| matches!(scan.word(at), "when" | "if" | "until" | "once" | "before" | "after");
    let wishes = !scan.sentence(at).take_while(|before| *before < at).any(asks)
        && scan.sentence(at).filter(|other| scan.is_in_clause_of(*other, at)).any(|other| {
            matches!(
                scan.word(other),
                "need"
                    | "want"
                    | "wish"
                    | "like"
                    | "get"
                    | "please"
                    | "order"
                    | "send"
                    | "i'd"
                    | "we'd"
                    | "request"
                    | "collect"
            )
        });
    (wishes && scan.free(at..end)).then_some(at..end)
}
