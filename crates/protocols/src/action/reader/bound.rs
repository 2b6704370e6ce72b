//! Days and times that are no answer: they bound one, are denied, or are those of another thing.

use super::clock;
use super::day::Said;
use super::moment::Moment;
use super::relative::length;
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
    // `the day after my birthday, 9 December`
    let apposed = moment.day.is_some()
        && scan.before(moment.start, 1).is_some_and(|token| token.among(&[",", "(", "–", "-"]))
        && (3..=7).any(|count| {
            scan.before(moment.start, count).is_some_and(|token| token.among(&["before", "after"]))
                && scan.before(moment.start, count + 1).is_some_and(|token| {
                    token.among(&["day", "days", "week", "weeks", "night", "evening", "morning", "month"])
                })
        });
    if apposed {
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
    // `do not order before 12 June`
    let before = (1..=2).filter_map(|count| scan.before(start, count)).any(|token| token.is("before"));
    let no = |token: &super::words::Token| super::scan::denies(token);
    if before && (2..=5).filter_map(|count| scan.before(start, count)).any(no) {
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
            // `anything but Friday`
            Some("but" | "except" | "bar") => {
                return scan.before(start, count + 1).is_some_and(|token| {
                    token.among(&["anything", "everything", "anytime", "any", "all", "always"])
                        || token.among(&["day", "time"])
                            && scan
                                .before(start, count + 2)
                                .is_some_and(|token| token.among(&["any", "every", "other"]))
                });
            }
            // `I'd rather not take Wednesday`
            Some(
                "on" | "from" | "the" | "at" | "until" | "before" | "be" | "do" | "make" | "take" | "want"
                | "book" | "have" | "include",
            ) => {}
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
    is_for_another(scan, start)
        || count > 0
            && scan.before(start, count + 1).is_some_and(|token| {
                (super::verbs::is_other(token) || super::verbs::is_occasion(token))
                    && !scan.names_topic(token)
                    && !(scan.report && is_person(token))
            })
}

/// Returns whether a day only says for when a thing is that no form asks for: `the emergency number for the 5th of December`.
fn is_for_another(scan: &Scan<'_>, start: usize) -> bool {
    let article = usize::from(scan.before(start, 1).is_some_and(|token| token.is("the")));
    scan.before(start, 1 + article).is_some_and(|token| token.is("for"))
        && scan.before(start, 2 + article).is_some_and(|token| {
            token.among(&[
                "number",
                "numbers",
                "contact",
                "rota",
                "roster",
                "menu",
                "weather",
                "forecast",
                "agenda",
                "schedule",
                "timetable",
                "address",
                "code",
                "password",
                "price",
                "prices",
                "list",
                "invoice",
            ]) && !scan.names_topic(token)
        })
}

/// Returns whether two days are only those between which something lies: `sometime between 7 and 20 December`, `at midnight between
/// 9 and 10 November`, `between 7 and 20 December, three days`.
pub(super) fn is_window(scan: &Scan<'_>, at: usize, first: &Said, last: &Said) -> bool {
    let between = (1..=2).find(|count| scan.before(at, *count).is_some_and(|token| token.is("between")));
    let Some(between) = between else { return false };
    let lead = scan.before(at, between + 1).is_some_and(|token| {
        token.among(&[
            "sometime",
            "anytime",
            "time",
            "day",
            "days",
            "somewhere",
            "week",
            "weeks",
            "point",
            "midnight",
            "night",
            "nights",
            "once",
        ])
    });
    let mut next = last.next;
    while matches!(scan.word(next), "," | "for" | "about" | "just" | "only") {
        next += 1;
    }
    let days = i64::from(first.day.until(last.day).map_or(0, |span| span.get_days())) + 1;
    let shorter = length(&scan.tokens, next).is_some_and(|(length, months, _)| months == 0 && length < days);
    lead || shorter
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
