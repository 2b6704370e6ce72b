//! Dates that are known, moved by a length: `move it a week later`, `extend by two days`, `a day earlier`.

use holdpoint_core::{Field, Kind};
use jiff::Span;
use jiff::civil::{Date, DateTime};
use serde_json::{Value, json};

use super::correct::{POLITE, named_in};
use super::number;
use super::relative::length;
use super::role::{is_end, is_start, span};
use super::words::{Token, tokens};
use super::{Question, Taken};

/// What is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// When it is, all of it.
    Whole,
    /// How long it lasts.
    Length,
}

/// Which way, and what.
#[derive(Clone, Copy, Debug)]
struct Shift {
    what: What,
    sign: i64,
}

/// Nobody says more to move a date.
const LONGEST: usize = 16;

/// Returns what known dates become, where a text moves them by a length; none if it does not.
pub fn shifted(question: Question<'_>) -> Vec<Taken> {
    let all = tokens(question.text);
    // `two weeks later`, said to whoever asks when it ends, is an answer.
    let asked = question
        .asked
        .is_some_and(|field| field.kind.is_temporal() && !question.known.contains_key(&field.id));
    let thing = all.iter().any(|token| token.among(&["it", "everything", "both", "all"]));
    if question.known.is_empty() || all.len() > LONGEST || asked && !thing {
        return Vec::new();
    }
    read(question, &all).unwrap_or_default()
}

fn read(question: Question<'_>, all: &[Token]) -> Option<Vec<Taken>> {
    let lead = all.iter().position(|token| !token.among(&POLITE))?;
    let (from, to, by) = (lead..all.len()).find_map(|at| length_at(all, at).map(|(by, to)| (at, to, by)))?;
    let shift = shift(all, lead, from, to)?;
    // `move the meeting a week later` is about another thing.
    let rest = |token: &Token| {
        token.low.chars().all(|c| !c.is_alphanumeric())
            || token.among(&POLITE)
            || token.among(&SMALL)
            || token.among(&LATER)
            || token.among(&EARLIER)
            || token.among(&LONGER)
            || token.among(&SHORTER)
            || is_named(question.fields, token)
    };
    if !all[lead..from].iter().chain(&all[to..]).all(rest) {
        return None;
    }
    let fields = targets(question, all, shift.what);
    let sign = if shift.sign < 0 { by.negate() } else { by };
    let words = question.text.get(all[lead].start..all[all.len() - 1].end).unwrap_or(question.text);
    let moved: Vec<Taken> = fields
        .into_iter()
        .filter_map(|field| {
            let value = moved(field, question.known.get(&field.id)?, sign)?;
            Some(Taken { field: field.id.clone(), value, words: words.to_owned() })
        })
        .collect();
    Some(moved)
}

const LATER: [&str; 10] =
    ["later", "postpone", "delay", "push", "back", "postponed", "delayed", "after", "defer", "move"];
const EARLIER: [&str; 5] = ["earlier", "sooner", "forward", "before", "advance"];
const LONGER: [&str; 8] = ["extend", "longer", "prolong", "lengthen", "add", "more", "another", "extra"];
const SHORTER: [&str; 6] = ["shorten", "shorter", "less", "fewer", "cut", "reduce"];
/// What may stand around a shift.
const SMALL: [&str; 28] = [
    "it",
    "this",
    "that",
    "everything",
    "both",
    "all",
    "by",
    "the",
    "my",
    "our",
    "make",
    "shift",
    "bring",
    "put",
    "whole",
    "thing",
    "leave",
    "end",
    "start",
    "date",
    "dates",
    "for",
    "please",
    "thanks",
    "be",
    "should",
    "to",
    "one",
];

/// Reads which way a shift goes: the words before and behind its length say so.
fn shift(all: &[Token], lead: usize, from: usize, to: usize) -> Option<Shift> {
    let around = || all[lead..from].iter().chain(&all[to..]);
    let says = |words: &[&str]| around().any(|token| token.among(words));
    // A length behind which nothing says which way is no shift: `make it two weeks`.
    let shift =
        if says(&["earlier", "sooner"]) || says(&["bring", "advance"]) && says(&["forward", "advance"]) {
            Shift { what: What::Whole, sign: -1 }
        } else if says(&["later", "postpone", "delay", "defer"]) || says(&["push"]) && says(&["back"]) {
            Shift { what: What::Whole, sign: 1 }
        } else if says(&["extend", "longer", "prolong", "lengthen"]) || says(&["add"]) && !says(&["to"]) {
            Shift { what: What::Length, sign: 1 }
        } else if says(&["shorten", "shorter", "cut", "reduce"]) {
            Shift { what: What::Length, sign: -1 }
        } else {
            return None;
        };
    Some(shift)
}

/// Reads a length of days, weeks, months, hours or minutes.
fn length_at(all: &[Token], at: usize) -> Option<(Span, usize)> {
    if let Some((days, months, next)) = length(all, at) {
        return Some((Span::new().try_days(days).ok()?.try_months(months).ok()?, next));
    }
    let (count, next) = match number::whole(all, at, 1000) {
        Some(number) => number,
        None => all.get(at).filter(|token| token.among(&["a", "an", "one"])).map(|_| (1, at + 1))?,
    };
    let unit = all.get(next)?;
    let span = if unit.among(&["hour", "hours", "h", "hr", "hrs"]) {
        Span::new().try_hours(count)
    } else if unit.among(&["minute", "minutes", "min", "mins"]) {
        Span::new().try_minutes(count)
    } else {
        return None;
    };
    Some((span.ok()?, next + 1))
}

/// Lists the fields that are moved: those that are named, or else the one that was asked, or both ends of what is known.
fn targets<'a>(question: Question<'a>, all: &[Token], what: What) -> Vec<&'a Field> {
    let known = |field: &&Field| field.kind.is_temporal() && question.known.contains_key(&field.id);
    let called = |names: &[&str]| all.iter().any(|token| token.among(names));
    let ends = span(question.fields);
    let mut named: Vec<&Field> = named_in(question.fields, all).into_iter().filter(known).collect();
    if named.is_empty() {
        let by_role =
            |field: &&Field| called(&["end"]) && is_end(field) || called(&["start"]) && is_start(field);
        named = question.fields.iter().filter(known).filter(by_role).collect();
    }
    if !named.is_empty() {
        return named;
    }
    match (what, ends) {
        (What::Length, ends) => ends.map(|(_, end)| end).filter(known).into_iter().collect(),
        // `a day earlier`, said of what was spoken of last.
        (What::Whole, _)
            if !called(&["it", "this", "that", "everything", "both", "all", "whole", "dates"])
                && question.asked.is_some_and(|asked| known(&asked)) =>
        {
            question.asked.into_iter().collect()
        }
        (What::Whole, Some((start, end))) => [start, end].into_iter().filter(known).collect(),
        (What::Whole, None) => {
            let dates: Vec<&Field> = question.fields.iter().filter(known).collect();
            if dates.len() == 1 { dates } else { Vec::new() }
        }
    }
}

fn is_named(fields: &[Field], token: &Token) -> bool {
    !named_in(fields, std::slice::from_ref(token)).is_empty()
        || fields.iter().any(|field| {
            tokens(&super::super::form::words_of(&field.id)).iter().any(|word| word.low == token.low)
        })
}

fn moved(field: &Field, held: &Value, by: Span) -> Option<Value> {
    let held = held.as_str()?;
    match field.kind {
        // A day moves by days only.
        Kind::Date if by.get_hours() == 0 && by.get_minutes() == 0 => {
            Some(json!(held.parse::<Date>().ok()?.checked_add(by).ok()?.to_string()))
        }
        Kind::Datetime => Some(json!(held.parse::<DateTime>().ok()?.checked_add(by).ok()?.to_string())),
        Kind::Time => Some(json!(held.parse::<jiff::civil::Time>().ok()?.checked_add(by).ok()?.to_string())),
        _ => None,
    }
}
