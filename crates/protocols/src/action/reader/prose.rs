//! Why: the clause behind `because`, `due to`, `to visit my parents`.

use std::ops::Range;

use holdpoint_core::{Field, Kind};

use super::super::form::words_of;
use super::day;
use super::known::named;
use super::number;
use super::option;
use super::scan::Scan;
use super::words::Sort;

/// Finds a reason for the field that asks for one.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    let Some(field) = fields.iter().find(|field| asks_why(field)) else { return };
    if scan.reading.value(&field.id).is_some() {
        return;
    }
    let found = (0..scan.tokens.len())
        .find_map(|at| cause(scan, at))
        .or_else(|| (0..scan.tokens.len()).find_map(|at| purpose(scan, at)));
    let Some((cue, clause)) = found else {
        if let Some(range) = super::ground::read(scan) {
            let words = scan.words(range.clone());
            scan.take_text(field, words, range);
        }
        return;
    };
    if clause.is_empty() || !scan.free_words(cue..clause.end) || !explains(scan, cue, &clause) {
        return;
    }
    let words = scan.words(clause.clone());
    if super::mention::is_verdict(words) {
        return;
    }
    // What an order is for may be named before why: `reason for the headset: …`.
    let from = if matches!(scan.word(cue), "reason" | "purpose") { clause.start } else { cue };
    scan.take_text(field, words, from..clause.end);
    scan.reason = Some(clause);
}

/// Returns whether a clause gives a reason for what is stated: `as Ruth has told you` gives none, and why something else is so
/// is another matter.
fn explains(scan: &Scan<'_>, cue: usize, clause: &Range<usize>) -> bool {
    let told = clause.clone().any(|at| {
        let token = &scan.tokens[at];
        let asks = token.among(&["suggested", "recommended", "advised", "asked", "requested", "wanted"]);
        asks || token.among(&[
            "told",
            "said",
            "mentioned",
            "discussed",
            "agreed",
            "wrote",
            "know",
            "promised",
        ])
    });
    if scan.word(cue) == "as" && told {
        return false;
    }
    if matches!(scan.word(cue), "reason" | "purpose") {
        return true;
    }
    // Why something is not wanted is no reason for what is.
    let denied = |at: usize| scan.free(at..at + 1) && !scan.free_days(at..at + 1);
    if !scan.report && cue.checked_sub(2).is_some_and(denied) {
        return false;
    }
    // `since my accident I've been fine` says how long.
    let lasts = scan.sentence(cue).any(|at| {
        matches!(scan.word(at), "i've" | "we've" | "have" | "has" | "he's" | "she's")
            && matches!(scan.word(at + 1), "been" | "had" | "felt" | "not" | "never")
    });
    if scan.word(cue) == "since" && scan.before(cue, 1).is_none() && lasts {
        return false;
    }
    let leads = scan.before(cue, 1).is_none();
    let main = if leads { clause.end + 1 } else { cue.saturating_sub(1) };
    // Whoever gives a reason and nothing else was asked for it.
    main >= scan.tokens.len() || cue == 0 && !leads || scan.is_statement(main)
}

/// Looks into the reason for what a person says of themselves, where nothing else says it: `because I'm sick`.
pub(super) fn read_first_person(scan: &mut Scan<'_>) {
    let Some(reason) = scan.reason.clone() else { return };
    let own = match (scan.word(reason.start), scan.word(reason.start + 1)) {
        ("i'm", _) => reason.start + 1,
        ("i", "am" | "feel" | "was") => reason.start + 2,
        _ => return,
    };
    // Only what follows at once: a clause about someone else may come later.
    let end = (own + 2).min(reason.end);
    scan.release(own..end);
    let fields = scan.fields;
    for field in fields.iter().filter(|field| field.kind == Kind::Choice) {
        let open = scan.reading.value(&field.id).is_none()
            && !scan.reading.unsure.iter().any(|unsure| unsure.field == field.id);
        if open {
            option::read_within(scan, field, own, end);
        }
    }
    scan.claim(own..end);
}

fn asks_why(field: &Field) -> bool {
    let words = |text: &str| {
        named(text).iter().any(|token| token.among(&["reason", "why", "cause", "because", "purpose"]))
    };
    matches!(field.kind, Kind::Text | Kind::Multiline) && (words(&words_of(&field.id)) || words(&field.label))
}

/// Finds a cause: the token that announces it, and its clause.
fn cause(scan: &Scan<'_>, at: usize) -> Option<(usize, Range<usize>)> {
    let start = match (scan.word(at), scan.word(at + 1)) {
        ("because" | "due" | "owing", "of" | "to") | ("reason", "is") => at + 2,
        ("because", _) => at + 1,
        ("reason" | "purpose", _) => super::cause::announced(scan, at)?,
        (
            "since" | "as",
            "i" | "i'm" | "i've" | "we" | "we're" | "my" | "our" | "he" | "she" | "it" | "they" | "the"
            | "there",
        ) => {
            let from = day::Reckoning { backward: true, ..scan.reckoning };
            let day = day::at(&scan.tokens, at + 1, from).is_some();
            (!day && super::cause::says_something(scan, at + 1)).then_some(at + 1)?
        }
        _ => return None,
    };
    // What stands first ends where the rest begins: `since the kids are off, I'd like …`.
    let leads = scan.before(at, 1).is_none();
    Some((at, start..clause_end(scan, start, leads)))
}

/// Returns whether an option is named at a token.
pub(super) fn names_option(scan: &Scan<'_>, at: usize) -> bool {
    let choices = scan.fields.iter().filter(|field| field.kind.picks());
    choices.flat_map(option::names_of).any(|name| name.at(scan, at).is_some())
}

/// Verbs that ask for the thing itself, before `to` and behind it.
const BEFORE: [&str; 40] = [
    "asked",
    "told",
    "wanting",
    "up",
    "kind",
    "write",
    "sorry",
    "person",
    "something",
    "anything",
    "nothing",
    "everything",
    "someone",
    "ready",
    "how",
    "what",
    "where",
    "enough",
    "according",
    "thanks",
    "supposed",
    "need",
    "like",
    "want",
    "have",
    "had",
    "has",
    "going",
    "able",
    "wish",
    "love",
    "plan",
    "planning",
    "try",
    "used",
    "got",
    "way",
    "happy",
    "from",
    "due",
];
const BEHIND: [&str; 34] = [
    "finish", "reach", "work", "school", "bed", "hospital", "town", "church", "office", "home", "take",
    "request", "apply", "book", "report", "have", "get", "be", "ask", "the", "my", "a", "an", "our", "say",
    "let", "give", "use", "start", "begin", "end", "come", "do", "me",
];

/// Finds a purpose: `to visit my grandmother`, `for my driving test`.
fn purpose(scan: &Scan<'_>, at: usize) -> Option<(usize, Range<usize>)> {
    let next = scan.tokens.get(at + 1)?;
    let start = match scan.word(at) {
        "to" => {
            let before = scan.before(at, 1)?;
            // `I switch to unpaid` says what, not why.
            let option = || names_option(scan, at + 1);
            // A place is no purpose: `home to Manila`.
            let place = scan.words(at + 1..at + 2).starts_with(char::is_uppercase);
            let plain = next.sort == Sort::Word && !super::lexicon::is_small(next) && !next.is("go");
            let verb = plain && !next.among(&BEHIND) && !before.among(&BEFORE) && !place;
            let day = day::at(&scan.tokens, at + 1, scan.reckoning).is_some()
                || number::at(&scan.tokens, at + 1).is_some();
            // `we're off to see the sea` says no more than that.
            let off = before.is("off")
                && scan
                    .before(at, 2)
                    .is_some_and(|token| token.among(&["we're", "i'm", "are", "am", "they're"]));
            (verb && !off && !day && before.sort != Sort::Sign && !option()).then_some(at + 1)?
        }
        "for" => {
            let thing = next.among(&["my", "our", "a", "an", "his", "her"]);
            let length = scan.tokens.get(at + 2).is_some_and(|token| {
                token.among(&[
                    "week",
                    "weeks",
                    "day",
                    "days",
                    "month",
                    "few",
                    "couple",
                    "while",
                    "year",
                    "long",
                    "short",
                    "leave",
                    "fortnight",
                    "weekend",
                    "night",
                    "hour",
                    "half",
                    "quarter",
                    "bit",
                    "spell",
                    "stretch",
                ])
            });
            // Who gets it, or where it goes, is no reason: `a laptop for our new colleague`.
            let person = (at + 2..at + 5).take_while(|at| is_plain(scan, *at)).any(|at| {
                scan.tokens[at].among(&[
                    "colleague",
                    "coworker",
                    "employee",
                    "starter",
                    "hire",
                    "intern",
                    "trainee",
                ]) || super::verbs::is_family(&scan.tokens[at]) && !scan.word(at).ends_with("'s")
                    || super::lexicon::is_group(&scan.tokens[at])
                    || scan.tokens[at].among(&["home", "house", "flat", "desk", "table"])
            });
            let seeks = scan.before(at, 1).is_some_and(|token| {
                token.among(&[
                    "looking",
                    "asking",
                    "ask",
                    "apply",
                    "applying",
                    "searching",
                    "waiting",
                    "wait",
                ])
            });
            // `swap my laptop for a monitor`
            let option = names_option(scan, at + 2);
            (thing && !length && !person && !seeks && !option).then_some(at + 1)?
        }
        _ => return None,
    };
    // What one cannot do one does not do for a reason.
    let cannot = (1..=4)
        .filter_map(|count| scan.before(at, count))
        .any(|token| token.among(&["not", "cannot", "never"]) || token.low.ends_with("n't"));
    if cannot {
        return None;
    }
    // Why somebody else did something is no reason here.
    scan.hangs(at).then(|| (at, start..clause_end(scan, start, true)))
}

fn is_plain(scan: &Scan<'_>, at: usize) -> bool {
    scan.tokens.get(at).is_some_and(|token| token.sort == Sort::Word && !super::verbs::is_verb(token))
}

/// Returns where a clause ends: with its sentence, at a comma that closes it, or where a day begins.
fn clause_end(scan: &Scan<'_>, start: usize, at_comma: bool) -> usize {
    let Some(first) = scan.tokens.get(start) else { return start };
    for at in start..scan.tokens.len() {
        let token = &scan.tokens[at];
        if !scan.free_words(at..at + 1) {
            // What was read before is no part of it, nor is what led there.
            let leads = |at: &usize| matches!(scan.word(*at), "," | "at" | "on" | "in" | "near");
            return (start..=at).rev().find(|end| *end == start || !leads(&(end - 1))).unwrap_or(start);
        }
        let begins = |at: usize| {
            matches!(
                scan.word(at),
                "from"
                    | "starting"
                    | "until"
                    | "start"
                    | "end"
                    | "beginning"
                    | "with"
                    | "without"
                    | "no"
                    | "please"
                    | "kindly"
                    | "thanks"
                    | "thank"
                    | "could"
                    | "can"
                    | "so"
            ) || day::at(&scan.tokens, at, scan.reckoning).is_some()
        };
        // `…, and I have a doctor's note`
        let goes_on = |at: usize| {
            scan.word(at) == "and"
                && matches!(scan.word(at + 1), "i" | "i've" | "i'd" | "i'm" | "we" | "we'd" | "please")
        };
        if token.sentence != first.sentence
            || token.is(";")
            || (token.is(",") && (at_comma || begins(at + 1) || goes_on(at + 1)))
            || ((token.is("from") || at_comma && token.among(&["by", "until", "till", "before", "on"]))
                && day::at(&scan.tokens, at + 1, scan.reckoning).is_some())
        {
            return at;
        }
        // `due to a family matter I need unpaid leave`
        let wishes = token.among(&["i'd", "we'd"])
            || token.among(&["i", "we"])
                && scan.tokens.get(at + 1).is_some_and(|next| {
                    next.among(&["need", "want", "request", "require", "would", "wish", "will"])
                });
        if at > start + 1
            && wishes
            && scan.tokens[at - 1].sort == Sort::Word
            && !scan.tokens[at - 1].is("that")
        {
            return at;
        }
        let last = scan.tokens.get(at + 1).is_none_or(|next| next.sentence != first.sentence);
        if last && token.among(&[".", "!", "?"]) {
            return at;
        }
    }
    scan.tokens.len()
}
