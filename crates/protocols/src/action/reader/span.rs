//! How long something lasts, where a form asks when it ends: `for two weeks`, `just for tomorrow`, `the same day`.
//!
//! The last day counts: three days from Monday end on Wednesday.

use holdpoint_core::{Field, Kind};
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::relative::length;
use super::role::{is_end, is_start};
use super::scan::Scan;
use super::verbs;
use super::words::Sort;

/// Gives the field that asks for an end what follows from its start, where the end itself is not said.
pub(super) fn read(scan: &mut Scan<'_>) {
    let dates = || scan.fields.iter().filter(|field| field.kind == Kind::Date);
    let (Some(start), Some(end)) =
        (dates().find(|field| is_start(field)), dates().find(|field| is_end(field)))
    else {
        return;
    };
    let doubted = scan.reading.unsure.iter().any(|unsure| unsure.field == end.id || unsure.field == start.id);
    if scan.reading.value(&end.id).is_some() || doubted {
        return;
    }
    let said = scan.reading.value(&start.id).is_some();
    let Some(first) = scan.reading.value(&start.id).or_else(|| scan.known.get(&start.id)).and_then(day)
    else {
        return;
    };
    let found = (0..scan.tokens.len())
        .find_map(|at| same(scan, at).map(|next| (first, at, next)).or_else(|| later(scan, at, end, first)))
        .or_else(|| {
            let due = said || scan.is_asked(end);
            (0..scan.tokens.len()).filter(|_| due).find_map(|at| lasting(scan, at, end, first))
        })
        .or_else(|| {
            (0..scan.tokens.len())
                .filter(|_| said)
                .find_map(|at| only(scan, at).map(|next| (first, at, next)))
        });
    if let Some((last, from, to)) = found.filter(|(_, from, to)| scan.stated(*from..*to)) {
        scan.take(end, &json!(last.to_string()), from..to);
    }
}

fn day(value: &Value) -> Option<Date> {
    value.as_str()?.parse().ok()
}

/// Reads `the same day`, `that same evening`: the token behind it.
fn same(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let day = matches!(scan.word(at + 1), "day" | "evening" | "night" | "afternoon" | "morning");
    // `the same day as Tom` is another's.
    let whose = matches!(scan.word(at + 2), "as" | "last");
    // `just that one day`
    let one = matches!(scan.word(at), "just" | "only") && scan.word(at + 1) == "that";
    let behind = at + 2 + usize::from(scan.word(at + 2) == "one");
    if one && scan.word(behind) == "day" {
        return Some(behind + 1);
    }
    (scan.word(at) == "same" && day && !whose).then_some(at + 2)
}

/// Reads `two weeks later`, `the following day`, said to whoever asks for the end or behind a word that says that it ended.
fn later(scan: &Scan<'_>, at: usize, end: &Field, first: Date) -> Option<(Date, usize, usize)> {
    let ended = || {
        (1..=6).map_while(|count| scan.before(at, count)).any(|token| {
            token.among(&[
                "end",
                "ended",
                "over",
                "finished",
                "concluded",
                "extinguished",
                "out",
                "until",
                "done",
            ])
        })
    };
    if matches!(scan.word(at), "following" | "next") && scan.word(at + 1) == "day" {
        return (scan.is_asked(end) || ended()).then_some((first.tomorrow().ok()?, at, at + 2));
    }
    let (days, months, next) = length(&scan.tokens, at)?;
    let asked = matches!(scan.word(next), "later" | "after")
        && (scan.is_asked(end) || scan.word(next) == "later" && ended());
    let last = first.checked_add(jiff::Span::new().try_days(days).ok()?.try_months(months).ok()?).ok()?;
    asked.then_some((last, at, next + 1))
}

/// Reads a length that what is asked for lasts: `for two weeks`, `three days off`, `one day of holiday`.
fn lasting(scan: &Scan<'_>, at: usize, end: &Field, first: Date) -> Option<(Date, usize, usize)> {
    if scan.report {
        return None;
    }
    let (days, months, next) = length(&scan.tokens, at)?;
    // `just the one day`
    let at_article = usize::from(at > 0 && scan.word(at - 1) == "the" && scan.word(at) == "one");
    let before = |count: usize| at.checked_sub(count + at_article).map_or("", |at| scan.word(at));
    let led = matches!(before(1), "granting" | "grant" | "booking" | "book")
        || before(1) == "for"
        || matches!(before(1), "only" | "just" | "take" | "want" | "need" | "requesting");
    let goes_on = matches!(
        scan.word(next),
        "off"
            | "of"
            | "leave"
            | "holiday"
            | "vacation"
            | "starting"
            | "beginning"
            | "sick"
            | "annual"
            | "unpaid"
            | "paid"
    );
    // `3 weeks from 7 December`, unless that is the day itself.
    let ends = scan.tokens.get(next).is_none_or(|token| token.sort == Sort::Sign || token.is("altogether"))
        || scan.word(next) == "in" && matches!(scan.word(next + 1), "total" | "all");
    // Whoever asks for the end may be told how long: `two weeks`.
    let alone = scan.is_asked(end) && before(1).is_empty();
    let listed = (before(1) == "," || alone) && ends;
    let from = scan.word(next) == "from"
        && scan.free(at..next)
        && (before(1).is_empty() || matches!(before(1), ":" | "," | "for" | "off"));
    let bound = matches!(
        before(1),
        "least" | "most" | "to" | "or" | "in" | "than" | "about" | "almost" | "nearly" | "within"
    ) || matches!(before(2), "least" | "most" | "up" | "about" | "almost" | "nearly")
        || matches!(
            scan.word(next),
            "ago" | "later" | "or" | "to" | "notice" | "before" | "in" | "left" | "after"
        )
        || scan.word(next) == "of" && matches!(scan.word(next + 1), "notice" | "work");
    if !(led || goes_on || from || listed) || bound || scan.negated(at) {
        return None;
    }
    let last = first
        .checked_add(jiff::Span::new().try_days(days).ok()?.try_months(months).ok()?)
        .and_then(|behind| behind.checked_sub(1.days()))
        .ok()?;
    (last >= first).then_some((last, at, next))
}

/// Reads `just for tomorrow`, `only today`: one day and no more. Returns the token behind it.
fn only(scan: &Scan<'_>, at: usize) -> Option<usize> {
    if scan.report || !matches!(scan.word(at), "just" | "only") {
        return None;
    }
    // `just that day`
    if scan.word(at + 1) == "that" && scan.word(at + 2) == "day" {
        return Some(at + 3);
    }
    // `next Friday only`
    let day_before = at.checked_sub(1).and_then(|before| scan.tokens.get(before)).is_some_and(|token| {
        token.among(&["today", "tomorrow"])
            || super::relative::day_name(token).is_some()
            || super::day::is_month(token)
    });
    if scan.word(at) == "only" && day_before && !scan.word(at + 1).starts_with("if") {
        return Some(at + 1);
    }
    let mut next = at + 1;
    while matches!(scan.word(next), "for" | "on" | "the" | "one" | "day" | "this" | "next") {
        next += 1;
    }
    let day = scan.tokens.get(next).is_some_and(|token| {
        token.among(&["today", "tomorrow"])
            || verbs::is_time(token) && super::relative::day_name(token).is_some()
    });
    // `just Monday to Friday` goes on.
    let more = matches!(scan.word(next + 1), "to" | "until" | "till" | "and" | "-" | "–" | "through" | "or");
    (day && !more).then_some(next + 1)
}
