//! Where a reason begins: behind a word that calls it one, and behind `as` only where a verb says something.

use super::prose::names_option;
use super::scan::Scan;
use super::words::Sort;

/// Finds where a reason begins that is called one: `reason for the headset: …`, `the reason being that …`, `the reason, since you ask,
/// is that …`.
pub(super) fn announced(scan: &Scan<'_>, at: usize) -> Option<usize> {
    const REACH: usize = 12;
    let end = scan.sentence(at).end.min(at + REACH);
    let word = |at: usize| scan.word(at);
    let denied = |start: usize| {
        (at + 1..start).any(|at| matches!(word(at), "no" | "not" | "without"))
            || scan
                .before(at, 1)
                .is_some_and(|token| token.among(&["no", "any", "without", "other", "another"]))
    };
    let start = (at + 1..end).find_map(|here| match (word(here), word(here + 1)) {
        ("is" | "was" | "being", "that" | "because") => Some(here + 2),
        ("is", "as") if word(here + 2) == "follows" => Some(here + 3 + usize::from(word(here + 3) == ":")),
        (":" | "being", _) => Some(here + 1),
        ("is", _) if !scan.report && is_for_this(scan, at, here) => Some(here + 1),
        _ => None,
    });
    start.filter(|start| !denied(*start) && *start < scan.tokens.len())
}

/// Returns whether a reason is one for what the form is about: `the reason for my leave is`.
fn is_for_this(scan: &Scan<'_>, reason: usize, is: usize) -> bool {
    let own = |at: usize| {
        let token = &scan.tokens[at];
        scan.names_topic(token)
            || names_option(scan, at)
            || super::lexicon::is_goods(token)
            || token.among(&["this", "it", "that", "absence", "application"])
    };
    let theirs = |at: usize| {
        matches!(scan.word(at), "his" | "her" | "their" | "your") || scan.word(at).ends_with("'s")
    };
    matches!(scan.word(reason + 1), "for" | "behind")
        && (reason + 2..is).any(own)
        && !(reason + 2..is).any(theirs)
        && !matches!(scan.word(is + 1), "not" | "that" | "because" | "none" | "as" | "what" | "why")
}

/// Returns whether a verb follows, so that something is said: `as my kids are off` gives a reason, `as my emergency contact` says
/// what somebody is.
pub(super) fn says_something(scan: &Scan<'_>, start: usize) -> bool {
    const REACH: usize = 9;
    if !matches!(scan.word(start), "my" | "our" | "the") {
        return true;
    }
    let sentence = scan.tokens[start].sentence;
    let near = (start..scan.tokens.len().min(start + REACH)).take_while(|at| {
        let token = &scan.tokens[*at];
        token.sentence == sentence && (token.sort != Sort::Sign || token.among(&["-", "'"]))
    });
    near.skip(2).any(|at| {
        let token = &scan.tokens[at];
        let plural = scan.word(at - 1).ends_with('s') && super::lexicon::is_wishing(token);
        super::verbs::is_verb(token)
            || super::verbs::is_happening(token)
            || super::verbs::is_third_person(&scan.tokens, at)
            || super::verbs::is_third_form(token) && !scan.names_topic(token) && !names_option(scan, at)
            || plural
            || token.among(&["isn't", "aren't", "can't", "cannot", "keep", "won't", "need", "want", "has"])
    })
}
