//! Days and times that are no answer: they bound one, are denied, or are those of another thing.

use super::clock;
use super::moment::Moment;
use super::scan::Scan;

/// Returns where a moment ends that only bounds another: `after the 20th`, `between 5 and 6 pm`, `8 or 9`.
pub(super) fn bounded(scan: &Scan<'_>, moment: &Moment) -> Option<usize> {
    let lead = (1..=2)
        .map_while(|count| scan.before(moment.start, count))
        .find(|token| !token.among(&["the", "on"]));
    // What is needed before a day is due on it, as far as a form goes that asks for no other.
    let due = moment.day.is_some()
        && lead.is_some_and(|token| token.is("before"))
        && scan.fields.iter().any(super::role::asks_by_when);
    if lead.is_some_and(|token| token.among(&["after", "before"])) && !due {
        return Some(moment.end);
    }
    // `before my trip on 22 February`
    let beside = moment.day.is_some()
        && lead.is_none_or(|token| token.sort == super::words::Sort::Word)
        && scan.before(moment.start, 1).is_some_and(|token| token.among(&["on", "of"]))
        && (3..=6).any(|count| {
            scan.before(moment.start, count).is_some_and(|token| token.among(&["before", "after"]))
                && scan
                    .before(moment.start, count - 1)
                    .is_some_and(|token| token.among(&["my", "our", "the", "a"]))
        });
    if beside {
        return Some(moment.end);
    }
    // `the week of 9 November` says no day.
    let week = |count: usize| {
        scan.before(moment.start, count).is_some_and(|token| token.among(&["week", "weekend", "wk"]))
    };
    if lead.is_some_and(|token| token.among(&["of", "beginning", "commencing"])) && (week(2) || week(3)) {
        return Some(moment.end);
    }
    if moment.day.is_some() || !lead.is_some_and(|token| token.among(&["between", "from"])) {
        return None;
    }
    let joined = matches!(scan.word(moment.end), "and" | "to" | "-" | "–");
    let last = clock::at(&scan.tokens, moment.end + 1, true, scan.tonight).filter(|_| joined)?;
    Some(last.next)
}

/// Returns whether a moment is denied: `not on the 20th`.
pub(super) fn denied(scan: &Scan<'_>, start: usize) -> bool {
    // `report no. 2026-02-11` is a number.
    let lead =
        (1..=2).filter_map(|count| scan.before(start, count)).find(|token| !token.among(&[".", "#", ":"]));
    let numbered = lead
        .is_some_and(|token| token.among(&["nr", "number", "ref", "ticket", "id", "reference"]))
        || start >= 2
            && matches!(scan.word(start - 1), "." | "#")
            && matches!(scan.word(start - 2), "no" | "nr" | "ref");
    let born = (1..=5)
        .filter_map(|count| scan.before(start, count))
        .any(|token| token.among(&["birth", "dob", "born", "birthdate"]));
    if numbered || born || is_of_another(scan, start) {
        return true;
    }
    // `I can't do the 24 December shift`
    if (start..start + 5).any(|at| scan.word(at) == "shift") {
        return false;
    }
    for count in 1..=3 {
        match scan.before(start, count).map(|token| token.low.as_str()) {
            Some("not") => return true,
            Some(word) if word.ends_with("n't") => return true,
            Some("on" | "from" | "the" | "at" | "until" | "before" | "be" | "do" | "make") => {}
            _ => return false,
        }
    }
    false
}

/// Returns whether a day is that of another thing that stands before it: `your mail of 15 June`, `the meeting on 5 October`.
fn is_of_another(scan: &Scan<'_>, start: usize) -> bool {
    let leads = (1..=2).take_while(|count| {
        scan.before(start, *count).is_some_and(|token| token.among(&["of", "on", "from", "dated", "the"]))
    });
    let count = leads.count();
    count > 0
        && scan.before(start, count + 1).is_some_and(|token| {
            (super::verbs::is_other(token) || super::verbs::is_occasion(token))
                && !scan.names_topic(token)
                && !(scan.report && is_person(token))
        })
}

/// Returns whether a word names somebody, to whom something may happen on a day.
fn is_person(token: &super::words::Token) -> bool {
    token.among(&[
        "customer",
        "guest",
        "client",
        "child",
        "colleague",
        "tenant",
        "supervisor",
        "manager",
        "friend",
        "receptionist",
        "auditor",
        "inspector",
        "children",
        "kid",
        "boss",
        "colleagues",
    ])
}
