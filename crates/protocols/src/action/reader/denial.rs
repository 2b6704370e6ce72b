//! Clauses that say what there is not, and those that count from a week before.

use super::words::Token;

const NEGATORS: [&str; 8] = ["no", "not", "never", "nothing", "nobody", "none", "neither", "cannot"];

/// Returns from where a clause says only what there is not: `no incident today`, `I won't take annual leave in May`.
pub(super) fn denies_all(words: &[Token], topic: &impl Fn(&Token) -> bool) -> Option<usize> {
    // `no, the end is Thursday` denies something said before.
    let from = if words.len() > 2 && words[0].is("no") && words[1].is(",") { 2 } else { 0 };
    let negator =
        (from..words.len()).find(|at| words[*at].among(&NEGATORS) || words[*at].low.ends_with("n't"))?;
    // `it did not happen on Friday`
    let event = ["happen", "start", "begin", "end", "occur", "on", "until"];
    if words.get(negator + 1).is_some_and(|token| token.among(&event)) {
        return Some(negator);
    }
    if words[negator].among(&["nothing", "nobody", "none"]) && negator <= 1 && !words.iter().any(topic) {
        return Some(negator);
    }
    // `I can't come in today, I'm ill` says when somebody is away.
    if words.get(negator + 1..).is_some_and(is_away) {
        return None;
    }
    let spoken: Vec<usize> = (0..words.len()).filter(|at| topic(&words[*at])).collect();
    let first = *spoken.first()?;
    // `nobody was hurt in the accident`: what lies behind a preposition is not denied.
    let apart =
        |at: usize| words[first..at].iter().any(|token| token.among(&["in", "during", "at", "after", "by"]));
    spoken.iter().all(|at| *at > negator && !apart(*at)).then_some(negator)
}

/// Returns whether a clause counts its days in a week before this one, which they do not say themselves.
pub(super) fn of_last_week(words: &[Token]) -> bool {
    (1..words.len()).any(|at| {
        let day = |at: Option<usize>| {
            at.and_then(|at| words.get(at)).is_some_and(|token| super::relative::day_name(token).is_some())
        };
        // `Thursday last week` says it.
        let said = day(at.checked_sub(2))
            || day(at.checked_sub(3).filter(|at| words[at + 1].is("of")))
            || day(Some(at + 1));
        words[at].is("week") && words[at - 1].among(&["last", "previous"]) && !said
    })
}

/// Returns whether words behind a denial say that somebody is away: `I can't come in today, I'm ill` says when.
fn is_away(rest: &[Token]) -> bool {
    let word = |at: usize| rest.get(at).map_or("", |token| token.low.as_str());
    match word(0) {
        "come" | "get" => matches!(word(1), "in" | "into" | "to"),
        "be" => matches!(word(1), "in" | "at" | "coming" | "able" | "working" | "there"),
        "make" => word(1) == "it",
        "in" => matches!(word(1), "today" | "tomorrow" | "work" | "the"),
        "work" | "will" | "going" | "coming" | "working" => true,
        _ => false,
    }
}

/// Returns whether somebody says that they are not there: `I'm away on Friday`, `I won't be in`, `we are closed`.
pub(super) fn is_absent(words: &[Token]) -> bool {
    const AWAY: [&str; 11] = [
        "away",
        "off",
        "out",
        "abroad",
        "busy",
        "travelling",
        "traveling",
        "unavailable",
        "closed",
        "absent",
        "elsewhere",
    ];
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|token| token.among(list));
    (0..words.len()).any(|at| {
        let be = is(at, &["i'm", "we're", "am", "are", "be", "was", "were"]);
        let only = usize::from(is(at + 1, &["also", "still", "just", "actually", "all"]));
        let next = at + 1 + only;
        let not = is(next, &["not"]) || is(at, &["won't", "aren't"]);
        let there = next + usize::from(is(next, &["not"])) + usize::from(is(next, &["be"]));
        let here = is(there, &["here", "in", "around", "there", "available", "free", "back", "at"]);
        let holiday =
            is(next, &["on"]) && is(next + 1, &["leave", "holiday", "vacation", "holidays", "call"]);
        be && (is(next, &AWAY) || holiday) || (be || is(at, &["won't"])) && not && here
    })
}
