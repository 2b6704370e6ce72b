//! One value put in the place of another that is known: `change Monday to Tuesday`, `Saturday instead of Friday`; and which
//! day a weekday is, where a day is known already.

use std::ops::Range;

use holdpoint_core::{Field, Kind, Values};
use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Weekday};
use serde_json::{Value, json};

use super::correct::named_in;
use super::relative::day_name;
use super::role::span;
use super::words::{Token, tokens};
use super::{Question, Reading, mood, read_all};

/// What a text puts in the place of something.
pub(super) enum Exchange<'a> {
    /// The field, and the bytes of the text where its new value stands.
    For(&'a Field, Range<usize>),
    /// It does not say in which field.
    Unclear,
}

/// Finds what a text puts in the place of a value that is known.
pub(super) fn exchange(question: Question<'_>) -> Option<Exchange<'_>> {
    if question.known.is_empty() {
        return None;
    }
    let all = tokens(question.text);
    let pair = |at: usize, one: &str, two: &str| {
        all.get(at).is_some_and(|token| token.is(one)) && all.get(at + 1).is_some_and(|token| token.is(two))
    };
    if let Some(at) = (1..all.len()).find(|at| pair(*at, "instead", "of") || pair(*at, "rather", "than")) {
        let sentence = all[at].sentence;
        let end = (at + 2..all.len())
            .find(|at| all[*at].sentence != sentence || all[*at].is(","))
            .unwrap_or(all.len());
        let old = words(question.text, &all, at + 2..end)?;
        let new = 0..all[at - 1].end;
        let holders = holders(question, old);
        return match (&named_in(question.fields, &all[..at])[..], &holders[..]) {
            ([one], _) if holders.iter().any(|holder| holder.id == one.id) || reads(question, one, old) => {
                Some(Exchange::For(one, new))
            }
            ([], [one]) => Some(Exchange::For(one, new)),
            ([], [_, _, ..]) => Some(Exchange::Unclear),
            _ => None,
        };
    }
    let lead = all.iter().position(|token| !token.among(&super::correct::POLITE))?;
    if !all[lead].among(&["change", "switch", "swap", "replace", "move"]) {
        return None;
    }
    let to = (lead + 2..all.len().min(lead + 7))
        .find(|at| all[*at].among(&["to", "with", "for", "into", "by"]))?;
    let old = words(question.text, &all, lead + 1..to)?;
    let new = all.get(to + 1)?.start..question.text.len();
    match &holders(question, old)[..] {
        [one] => Some(Exchange::For(one, new)),
        [_, ..] => Some(Exchange::Unclear),
        // `change Thursday to Friday`, where nothing is on a Thursday.
        [] => tokens(old).iter().any(|token| day_name(token).is_some()).then_some(Exchange::Unclear),
    }
}

fn words<'a>(text: &'a str, all: &[Token], range: Range<usize>) -> Option<&'a str> {
    let (first, last) = (all.get(range.start)?, all.get(range.end.checked_sub(1)?)?);
    text.get(first.start..last.end).filter(|_| range.start < range.end)
}

fn reads(question: Question<'_>, field: &Field, text: &str) -> bool {
    read_all(Question { asked: Some(field), text, ..question }).value(&field.id).is_some()
}

/// Lists the fields that hold what some words name.
fn holders<'a>(question: Question<'a>, old: &str) -> Vec<&'a Field> {
    let weekday = bare_weekday(old);
    let holds = |field: &&Field| {
        let Some(held) = question.known.get(&field.id) else { return false };
        match (weekday, date(Some(held))) {
            (Some(weekday), Some(day)) => day.weekday() == weekday,
            (Some(_), None) => false,
            _ => {
                read_all(Question { asked: Some(field), text: old, ..question }).value(&field.id)
                    == Some(held)
            }
        }
    };
    question.fields.iter().filter(holds).collect()
}

/// Returns the weekday that some words name and nothing else.
fn bare_weekday(text: &str) -> Option<Weekday> {
    let all = tokens(text);
    let mut rest = all.iter().filter(|token| !token.among(&["on", "the", "this", "to", "a", ",", "."]));
    let day = day_name(rest.next()?)?;
    rest.next().is_none().then_some(day)
}

/// Returns the day of a month that some words name without the month: `the 15th`.
fn bare_ordinal(text: &str) -> Option<i8> {
    let all = tokens(text);
    let rest: Vec<&Token> = all
        .iter()
        .filter(|token| !token.among(&["on", "the", "to", ",", ".", "st", "nd", "rd", "th"]))
        .collect();
    let ordinal = all.iter().any(|token| token.among(&["st", "nd", "rd", "th"]));
    match rest[..] {
        [one] if ordinal => i8::try_from(one.number()?).ok().filter(|day| (1..=31).contains(day)),
        _ => None,
    }
}

/// Moves days that are told by their number alone to the month of what is known.
fn settle_month(question: Question<'_>, reading: &mut Reading) {
    let first = span(question.fields).and_then(|(start, _)| date(question.known.get(&start.id)));
    for taken in &mut reading.taken {
        let field = question.fields.iter().find(|field| field.id == taken.field && field.kind == Kind::Date);
        let held = date(question.known.get(&taken.field));
        let (Some(field), Some(held), Some(day)) = (field, held, bare_ordinal(&taken.words)) else {
            continue;
        };
        let near = Date::new(held.year(), held.month(), day).ok();
        // An end does not lie before its start.
        let fits = |day: &Date| !super::role::is_end(field) || first.is_none_or(|first| *day >= first);
        if let Some(day) = near.filter(fits) {
            taken.value = json!(day.to_string());
        }
    }
}

fn date(value: Option<&Value>) -> Option<Date> {
    value?.as_str()?.parse().ok()
}

/// Moves a bare weekday to the week that is spoken of: near the day that its field holds, and no end before its start.
pub(super) fn settle(question: Question<'_>, reading: &mut Reading) {
    settle_month(question, reading);
    let report = mood::is_report(question.fields);
    let begins = span(question.fields)
        .and_then(|(start, end)| Some((end.id.as_str(), date(question.known.get(&start.id))?)));
    for unsure in &mut reading.unsure {
        let named = tokens(&unsure.words)
            .iter()
            .all(|token| day_name(token).is_some() || token.among(&["or", "on", "the", "this"]));
        let first = begins.filter(|(end, _)| *end == unsure.field).map(|(_, first)| first);
        if let Some(held) = date(question.known.get(&unsure.field)).or(first).filter(|_| named) {
            for value in &mut unsure.values {
                let day = date(Some(value)).and_then(|day| nearest(held, day.weekday(), first, None));
                *value = day.map_or_else(|| value.clone(), |day| json!(day.to_string()));
            }
        }
    }
    let Some((start, end)) = span(question.fields) else {
        return near_held(question, reading, report);
    };
    let known = |reading: &Reading, field: &Field, known: &Values| {
        date(reading.value(&field.id)).or_else(|| date(known.get(&field.id)))
    };
    let today = question.now.date();
    for (field, ends) in [(start, false), (end, true)] {
        if field.kind != Kind::Date {
            continue;
        }
        let Some(at) = reading.taken.iter().position(|taken| taken.field == field.id) else { continue };
        let (Some(weekday), Some(said)) =
            (bare_weekday(&reading.taken[at].words), date(Some(&reading.taken[at].value)))
        else {
            continue;
        };
        let first = known(reading, start, question.known);
        let held = date(question.known.get(&field.id));
        let day = match (held, ends) {
            (Some(held), true) => nearest(held, weekday, first, None),
            (Some(held), false) => {
                let last = date(question.known.get(&end.id)).filter(|_| reading.value(&end.id).is_none());
                nearest(held, weekday, (!report).then_some(today), last.or(report.then_some(today)))
            }
            (None, true) => first
                .filter(|first| said < *first)
                .and_then(|first| nearest(first, weekday, Some(first), None)),
            (None, false) => None,
        };
        if let Some(day) = day {
            reading.taken[at].value = json!(day.to_string());
        }
    }
}

fn near_held(question: Question<'_>, reading: &mut Reading, report: bool) {
    let today = question.now.date();
    for taken in &mut reading.taken {
        let held = date(question.known.get(&taken.field));
        if let (Some(weekday), Some(held)) = (bare_weekday(&taken.words), held)
            && let Some(day) = nearest(held, weekday, (!report).then_some(today), report.then_some(today))
        {
            // The hour of what is known stays.
            let time =
                taken.value.as_str().and_then(|value| value.parse::<DateTime>().ok()).map(DateTime::time);
            let whole = time.filter(|_| taken.value.as_str().is_some_and(|value| value.contains('T')));
            taken.value = match whole {
                Some(time) => json!(day.to_datetime(time).to_string()),
                None => json!(day.to_string()),
            };
        }
    }
}

/// Returns the day with a name that is nearest to another, within bounds if there is one.
fn nearest(held: Date, weekday: Weekday, lowest: Option<Date>, highest: Option<Date>) -> Option<Date> {
    let days = || {
        (0..=6i32)
            .flat_map(|away| [away, -away])
            .filter_map(|away| held.checked_add(away.days()).ok())
            .filter(|day| day.weekday() == weekday)
            .filter(|day| lowest.is_none_or(|lowest| *day >= lowest))
    };
    days().find(|day| highest.is_none_or(|highest| *day <= highest)).or_else(|| days().next())
}
