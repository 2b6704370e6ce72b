//! Whether somebody comes for the first time: `never been there`, `I've been with you before`, `new patient`.
//!
//! People rarely answer that question by its own words.

use holdpoint_core::Field;

use super::super::form::{synonyms, words_of};
use super::known::named;
use super::number;
use super::scan::Scan;
use super::words::{Sort, Token};

/// Returns whether a field asks if somebody comes for the first time.
pub(super) fn asks_first(field: &Field) -> bool {
    let own = words_of(&field.id);
    let texts = [own.as_str(), field.label.as_str()];
    texts.into_iter().chain(synonyms(&field.extra)).any(|text| {
        let words = named(text);
        words.windows(2).any(|pair| {
            pair[0].is("first") && pair[1].among(&["time", "visit", "stay", "appointment", "booking"])
                || pair[0].is("new") && is_guest(&pair[1])
        })
    })
}

/// Finds what somebody says of it: whether it is the first time, and the words.
pub(super) fn read(scan: &Scan<'_>) -> Option<(bool, usize, usize)> {
    (0..scan.tokens.len()).find_map(|at| {
        let (first, end) = said(scan, at)?;
        (is_own(scan, at) && scan.free_words(at..end)).then_some((first, at, end))
    })
}

/// Reads what is said at a token: whether it is the first time, and the token behind it.
fn said(scan: &Scan<'_>, at: usize) -> Option<(bool, usize)> {
    let word = |offset: usize| scan.word(at + offset);
    let denied = scan.negated(at);
    // `my first visit`, `first-timer`, `the 2nd time`
    if let Some((place, next)) = number::ordinal(&scan.tokens, at) {
        let next = next + usize::from(scan.word(next) == "-");
        let time = matches!(scan.word(next), "time" | "visit" | "appointment" | "stay" | "timer");
        // `it was my first visit last week`: this is another.
        let over = scan.word(next + 1) == "was"
            && matches!(scan.word(next + 2), "in" | "on" | "last" | "back" | "years" | "ages" | "yesterday")
            || (1..=4).filter_map(|count| scan.before(at, count)).any(|token| token.is("was"))
                && (next + 1..next + 5).any(|at| matches!(scan.word(at), "last" | "ago" | "yesterday"));
        return time.then_some((place == 1 && !denied && !over, next + 1));
    }
    match (word(0), word(1)) {
        ("new", _) if scan.tokens.get(at + 1).is_some_and(is_guest) => Some((!denied, at + 2)),
        ("new", "here" | "to" | "at" | "with") if is_with_you(scan, at + 1).is_some() => {
            Some((!denied, at + 2))
        }
        ("existing" | "regular" | "returning" | "current" | "old" | "longstanding" | "registered", _)
            if scan.tokens.get(at + 1).is_some_and(is_guest) =>
        {
            Some((denied, at + 2))
        }
        ("new", _)
            if at > 0 && matches!(scan.word(at - 1), "i'm" | "am" | "we're") && closes(scan, at + 1) =>
        {
            Some((!denied, at + 1))
        }
        ("regular", _) if scan.asked.is_some_and(asks_first) && closes(scan, at + 1) => {
            Some((denied, at + 1))
        }
        ("know", "me") if at > 0 && scan.word(at - 1) == "you" => Some((denied, at + 2)),
        (
            "been" | "was" | "were" | "came" | "visited" | "come" | "seen" | "coming" | "going" | "treated",
            _,
        ) => {
            let next =
                at + 1 + usize::from(matches!(word(1), "already" | "once" | "often" | "also" | "even"));
            let end =
                is_with_you(scan, next).or_else(|| is_before(scan, next)).or_else(|| for_long(scan, next))?;
            Some((denied, end))
        }
        _ => None,
    }
}

/// Reads where those are to whom somebody speaks: `there`, `with you`, `at your practice`. Returns the token behind it.
fn is_with_you(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let place = [
        "practice", "surgery", "clinic", "office", "hotel", "place", "house", "doctor", "shop", "centre",
        "center", "hospital", "salon", "studio", "team",
    ];
    let joins = matches!(scan.word(at), "to" | "with" | "at" | "by" | "in" | "from");
    match (scan.word(at), scan.word(at + 1), scan.word(at + 2)) {
        ("there" | "here", ..) if since(scan, at + 1) => Some(at + 1),
        (_, "you" | "yours" | "y'all", _) if joins && since(scan, at + 2) => Some(at + 2),
        (_, "you", "guys" | "lot" | "people" | "all" | "folks") if joins => Some(at + 3),
        (_, "your" | "this" | "the", name) if joins && place.contains(&name) => Some(at + 3),
        ("a" | "your", "patient" | "customer" | "client" | "guest", _) => Some(at + 2),
        _ => None,
    }
}

/// Returns whether what follows goes on about the time or ends.
fn since(scan: &Scan<'_>, at: usize) -> bool {
    scan.tokens.get(at).is_none_or(|next| {
        next.sort != Sort::Word
            || super::complement::is_time(next)
            || number::at(&scan.tokens, at).is_some()
            || next.among(&[
                "before", "already", "last", "for", "since", "in", "once", "twice", "many", "a", "several",
                "and", "but", "often", "on", "some", "years", "back", "earlier", "so", "too", "ever", "yet",
                "few",
            ])
    })
}

/// Reads `been before`: the token behind it.
fn is_before(scan: &Scan<'_>, at: usize) -> Option<usize> {
    (scan.word(at) == "before" && closes(scan, at + 1)).then_some(at + 1)
}

/// Reads how long somebody has been coming, said to whoever asks: `for years`, `many times`.
fn for_long(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let asked = scan.asked.is_some_and(asks_first);
    match (scan.word(at), scan.word(at + 1)) {
        ("for" | "many" | "several" | "a" | "some" | "since" | "plenty" | "lots" | "last", _) if asked => {
            Some(at + 1)
        }
        ("often" | "twice" | "once" | "regularly" | "loads", _) if asked => Some(at + 1),
        _ => None,
    }
}

fn closes(scan: &Scan<'_>, at: usize) -> bool {
    scan.tokens.get(at).is_none_or(|next| next.sort == Sort::Sign || next.among(&["and", "but", "so"]))
}

/// Returns whether a word says what somebody is to those whom they visit.
pub(super) fn is_guest(token: &Token) -> bool {
    token.among(&["patient", "patients", "customer", "client", "guest", "visitor", "member"])
}

/// Returns whether the one who speaks is meant: no other is named in the clause before it.
fn is_own(scan: &Scan<'_>, at: usize) -> bool {
    if scan.tokens[at].among(&["was", "were"])
        && !at.checked_sub(1).is_some_and(|at| speaks(scan, at) || opens(scan, at))
    {
        return false;
    }
    let clause = (0..at).rev().take_while(|before| scan.is_in_clause_of(*before, at));
    let words: Vec<&Token> = clause.map(|at| &scan.tokens[at]).collect();
    let other = |token: &&Token| {
        super::verbs::is_other(token)
            || token.among(&[
                "he", "she", "they", "he's", "she's", "they've", "his", "her", "their", "who", "if", "when",
            ])
            || token.low.ends_with("'s") && !token.among(&["it's", "that's", "here's", "there's", "this's"])
    };
    let speaker = words.iter().any(|token| {
        token.among(&["i", "i've", "we", "we've", "i'm", "we're", "my", "our", "me", "this", "it's", "it"])
    });
    // Without a subject it is the one who speaks, if nothing else is named.
    let bare = words.iter().all(|token| {
        token.sort != Sort::Word || super::lexicon::is_small(token) || super::complement::is_manner(token)
    });
    !words.iter().any(other) && (speaker || bare) && !asked(scan, at)
}

fn speaks(scan: &Scan<'_>, at: usize) -> bool {
    matches!(scan.word(at), "i" | "we" | "already" | "also")
}

fn opens(scan: &Scan<'_>, at: usize) -> bool {
    scan.tokens[at].sort == Sort::Sign || matches!(scan.word(at), "and" | "but" | "no" | "nope")
}

/// Returns whether the sentence is a question.
fn asked(scan: &Scan<'_>, at: usize) -> bool {
    scan.sentence(at).last().is_some_and(|last| scan.tokens[last].is("?"))
        && !scan.sentence(at).take(3).any(|at| matches!(scan.word(at), "can" | "could" | "may"))
}
