//! Yes and no: what is answered to a question, and what is said of a thing: `no breakfast`.

use holdpoint_core::{Field, Kind};
use serde_json::{Value, json};

use super::acquaintance::{self, asks_first};
use super::mention::{Phrase, phrases};
use super::scan::Scan;
use super::words::Sort;

const YES: [&str; 12] = [
    "yes",
    "yep",
    "yeah",
    "yup",
    "sure",
    "certainly",
    "definitely",
    "absolutely",
    "ok",
    "okay",
    "true",
    "aye",
];
const NO: [&str; 7] = ["no", "nope", "nah", "none", "never", "false", "negative"];
/// What makes the mention of a thing a statement that it is there or wanted.
const AFFIRMING: [&str; 37] = [
    "yes",
    "it's",
    "with",
    "have",
    "has",
    "got",
    "had",
    "i've",
    "we've",
    "include",
    "including",
    "included",
    "want",
    "need",
    "like",
    "love",
    "take",
    "add",
    "plus",
    "please",
    "attached",
    "available",
    "expected",
    "be",
    "there",
    "bring",
    "also",
    "expect",
    "got",
    "and",
    "there's",
    "enclosed",
    "follows",
    "submitted",
    "uploaded",
    "supplied",
    "in",
];

/// Returns the values that mean yes and no to a field, if it asks for one of them.
pub(super) fn poles(field: &Field) -> Option<(Value, Value)> {
    if field.kind == Kind::Boolean {
        return Some((json!(true), json!(false)));
    }
    let named = |name: &str| {
        field.options.iter().find(|option| option.label.eq_ignore_ascii_case(name) || option.id == name)
    };
    let (yes, no) = (named("yes")?, named("no")?);
    let pick = |id: &str| holdpoint_core::field::picking(field, id);
    (field.options.len() == 2 && field.kind != Kind::Products).then(|| (pick(&yes.id), pick(&no.id)))
}

/// Returns whether a no answers a field.
pub fn takes_no(field: &Field) -> bool {
    poles(field).is_some()
}

/// Finds yes and no for all fields that ask for it.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    for field in fields {
        let Some((yes, no)) = poles(field) else { continue };
        // `for me yes please`
        let lead = usize::from(scan.word(0) == "for" && matches!(scan.word(1), "me" | "us")) * 2;
        if lead > 0
            && scan.is_asked(field)
            && let Some((said, end)) = answer(scan, lead)
            && scan.free_words(lead..end)
        {
            scan.take(field, if said { &yes } else { &no }, lead..end);
            continue;
        }
        if scan.is_asked(field)
            && let Some((said, end)) = answer(scan, opening(scan))
            && (scan.offered(0..end) || is_plain(scan) && scan.free_words(0..end))
        {
            scan.take(field, if said { &yes } else { &no }, 0..end);
            continue;
        }
        // `the doctor gives it to me on Friday, so not yet`
        let so = (0..scan.tokens.len())
            .rfind(|at| {
                scan.word(*at) == "so" || *at > 1 && scan.word(*at) == "time" && scan.word(at - 1) == "this"
            })
            .filter(|_| scan.is_asked(field));
        let concluded = so.and_then(|so| {
            let (said, end) = answer(scan, so + 1)?;
            let ends = scan.tokens.get(end).is_none_or(|token| token.sort == Sort::Sign);
            (ends && scan.free_words(so + 1..end)).then_some((said, so + 1, end))
        });
        if let Some((said, start, end)) = concluded {
            scan.take(field, if said { &yes } else { &no }, start..end);
            continue;
        }
        if asks_first(field)
            && let Some((first, start, end)) = acquaintance::read(scan)
        {
            scan.take(field, if first { &yes } else { &no }, start..end);
            continue;
        }
        if let Some((start, end)) = done_without(scan, field) {
            scan.take(field, &no, start..end);
            continue;
        }
        let mut names = phrases(field);
        // The last word of the name is the thing itself: a medical certificate is a certificate.
        let head = names.first().and_then(|name| name.words().last().cloned()).filter(|word| word.len() >= 6);
        names.extend(head.as_deref().and_then(Phrase::new));
        if let Some((start, end)) = find(scan, &names) {
            let said = answer(scan, end)
                .filter(|(_, next)| scan.tokens.get(*next).is_none_or(|token| token.sort == Sort::Sign));
            if let Some((said, next)) = said {
                scan.take(field, if said { &yes } else { &no }, start..next);
            } else if scan.negated(start) || scan.denied_after(end) || scan.denied_in_series(start, end) {
                scan.take(field, &no, start..end);
            } else if affirmed(scan, start, end) || listed(scan, start, end) {
                scan.take(field, &yes, start..end);
            }
        }
    }
}

/// Returns the token behind exclamations that stand before an answer: `goodness, no`.
fn opening(scan: &Scan<'_>) -> usize {
    (0..scan.tokens.len().min(6))
        .find(|at| {
            !matches!(
                scan.word(*at),
                "oh" | "well"
                    | "goodness"
                    | "gosh"
                    | "um"
                    | "hm"
                    | "ah"
                    | ","
                    | "!"
                    | "god"
                    | "heavens"
                    | "honestly"
                    | "uh"
                    | "ha"
                    | "er"
                    | "sorry"
                    | "my"
                    | "me"
                    | "dear"
            )
        })
        .unwrap_or(0)
}

/// Finds that somebody does without what was spoken of before: `last time there was an outage, this time I expect none`.
fn done_without(scan: &Scan<'_>, field: &Field) -> Option<(usize, usize)> {
    let named = find_anywhere(scan, &phrases(field))?;
    (named + 1..scan.tokens.len()).find_map(|at| {
        let none = matches!(scan.word(at), "none" | "without");
        let behind = scan.tokens.get(at + 1);
        let ends =
            behind.is_none_or(|token| token.sort == Sort::Sign || token.among(&["this", "please", "here"]));
        let clause = |other: &usize| scan.is_in_clause_of(*other, at);
        let own = (named..at).filter(clause).any(|at| {
            matches!(scan.word(at), "i" | "we" | "i'd" | "we'd" | "one" | "time" | "here" | "so" | "there'll")
        });
        let apart = !scan.is_in_clause_of(named, at);
        (none && ends && own && apart && scan.free_words(at..at + 1)).then_some((at, at + 1))
    })
}

fn find_anywhere(scan: &Scan<'_>, names: &[Phrase]) -> Option<usize> {
    (0..scan.tokens.len()).find(|at| names.iter().any(|name| name.at(scan, *at).is_some()))
}

/// Returns whether a text begins with a yes or a no that can be nothing else, whatever is said behind it.
fn is_plain(scan: &Scan<'_>) -> bool {
    let has = matches!(scan.word(0), "got" | "have" | "i've" | "we've" | "i")
        && (1..3).any(|at| matches!(scan.word(at), "one" | "it"));
    has || matches!(scan.word(0), "yes" | "yep" | "yeah" | "yup" | "no" | "nope" | "nah")
}

/// Reads yes or no right behind the field's name.
pub(super) fn read_within(scan: &mut Scan<'_>, field: &Field, start: usize, end: usize) {
    let Some((yes, no)) = poles(field) else { return };
    if let Some((said, next)) = answer(scan, start).filter(|(_, next)| *next <= end) {
        scan.take(field, if said { &yes } else { &no }, start..next);
    }
}

/// Reads an answer that is yes or no: whether, and the token after it.
pub(super) fn answer(scan: &Scan<'_>, start: usize) -> Option<(bool, usize)> {
    let word = |offset: usize| scan.word(start + offset);
    match (word(0), word(1), word(2)) {
        ("of", "course", "not")
        | ("i" | "we", "do" | "have" | "did" | "will", "not")
        | ("it" | "this" | "that", "is" | "was" | "will", "not") => Some((false, start + 3)),
        ("of", "course", _)
        | ("why", "not", _)
        | ("i" | "we", "do" | "did", _)
        | ("got" | "have" | "i've" | "we've", "one" | "it", _)
        | ("it" | "this" | "that", "is" | "was" | "will", "" | "." | "," | "!") => Some((true, start + 2)),
        ("not", "yet" | "really" | "at", _)
        | ("i", "don't" | "haven't" | "didn't" | "won't", _)
        | ("it" | "this" | "that", "isn't" | "wasn't" | "won't", _) => Some((false, start + 2)),
        ("i" | "we", "have" | "got", "one" | "it" | "some" | "that")
        | ("i've" | "we've" | "have", "got", "one" | "it" | "some") => Some((true, start + 3)),
        (first, ..) if YES.contains(&first) => Some((true, start + 1)),
        (first, ..) if NO.contains(&first) => Some((false, start + 1)),
        _ => None,
    }
}

fn find(scan: &Scan<'_>, names: &[Phrase]) -> Option<(usize, usize)> {
    (0..scan.tokens.len()).find_map(|start| {
        let end = names.iter().find_map(|name| name.at(scan, start))?;
        scan.free(start..end).then_some((start, end))
    })
}

/// Returns whether a thing is one of a list of what is wanted: `two nights, breakfast, parking`.
fn listed(scan: &Scan<'_>, start: usize, end: usize) -> bool {
    let sign = |at: usize| scan.tokens.get(at).is_some_and(|token| token.among(&[",", ";"]));
    let closes = |at: usize| sign(at) || scan.tokens.get(at).is_none_or(|token| token.is("."));
    let here = usize::from(matches!(scan.word(end), "here" | "please" | "too" | "thanks"));
    // `two nights, breakfast in the room`
    if start.checked_sub(1).is_some_and(sign)
        && matches!(scan.word(end), "in" | "for" | "if" | "every" | "daily" | "each")
    {
        return true;
    }
    start.checked_sub(1).is_some_and(sign) && closes(end + here)
}

/// Returns whether an `if` of a sentence is only polite: `if possible`, `if you have any`.
fn is_polite(scan: &Scan<'_>, at: usize, place: usize) -> bool {
    let from = scan.sentence(at).start;
    matches!(
        scan.word(from + place + 1),
        "possible" | "you" | "available" | "that's" | "it's" | "ok" | "okay"
    )
}

/// Returns whether the words around say that the thing is there or wanted.
fn affirmed(scan: &Scan<'_>, start: usize, end: usize) -> bool {
    let before = (1..=5).filter_map(|count| scan.before(start, count));
    let sentence = scan.tokens.get(start).map(|token| token.sentence);
    let after =
        (end..end + 3).filter_map(|at| scan.tokens.get(at)).filter(|token| Some(token.sentence) == sentence);
    let later = scan
        .tokens
        .iter()
        .filter(|token| Some(token.sentence) == sentence)
        .enumerate()
        .any(|(at, token)| token.is("later") || token.is("if") && !is_polite(scan, start, at))
        || (1..=2).filter_map(|count| scan.before(start, count)).any(|token| token.is("about"));
    let length = scan.word(start.wrapping_sub(1)) == "of"
        && start.checked_sub(2).is_some_and(|at| {
            matches!(scan.word(at), "minute" | "minutes" | "hour" | "hours" | "seconds" | "days" | "min")
        });
    let there = scan.word(end) == "is"
        && matches!(scan.word(end + 1), "in" | "with" | "on" | "here" | "attached" | "enclosed" | "ready");
    let lasts = there || scan.word(end) == "of" && super::quantity::length_at(scan, end + 1).is_some();
    !later && (length || lasts || before.chain(after).any(|token| token.among(&AFFIRMING)))
}
