//! Values that stand in a text by themselves, before anyone asks whose they are.

use std::ops::Range;

use holdpoint_core::Kind;
use jiff::civil::{Date, DateTime, Time};

use super::super::form::span;
use super::name::Names;
use super::token::{Message, Sort};
use super::{Question, clock, date, number};

/// A value in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The tokens it is made of.
    pub(super) at: Range<usize>,
    pub(super) what: What,
    pub(super) doubt: Doubt,
    /// Which end of a span it is.
    pub(super) end: Option<End>,
}

impl Found {
    pub(super) fn new(at: Range<usize>, what: What) -> Self {
        Self { at, what, doubt: None, end: None }
    }
}

/// Why a value is uncertain, though it can be read.
pub(super) type Doubt = Option<String>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// What was found; several readings where the words allow several.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Date(Vec<Date>),
    Time(Vec<Time>),
    Moment(Vec<DateTime>),
    Number(Vec<f64>, Measure),
    /// An e-mail address, a link or a telephone number.
    Address(Kind),
    /// Options of the field at this place in the form, by their ids.
    Options(usize, Vec<String>),
}

/// What a number measures.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measure {
    Count,
    Money,
    Percent,
    /// A length of time, in this unit.
    Time(&'static str),
    /// Letters attached to the number.
    Unit,
}

/// Adds to the options all other values that a form could take, in the order of the text. Only options may overlap others.
pub(super) fn find(message: &Message<'_>, question: &Question<'_>, names: &Names) -> Vec<Found> {
    let (fields, today) = (question.fields, question.now.date());
    let has = |kind: Kind| fields.iter().any(|field| field.kind == kind);
    // To whoever is asked for the end, `Friday` is the one after the start.
    let start = question.asked.and_then(|asked| {
        let (first, last) = span(fields, |field| field.kind == asked.kind)?;
        let start = question.known.get(&fields[first].id).filter(|_| fields[last].id == asked.id)?;
        start.as_str()?.get(..10)?.parse::<Date>().ok().filter(|start| *start > today)
    });
    let base = start.unwrap_or(today);
    let timed = has(Kind::Time) || has(Kind::Datetime);
    // `May` in an option is no month, and `2 hours` may be one of several offers.
    let optional = |at| names.options.iter().any(|option| option.at.len() > 1 && option.at.contains(&at));
    let mut all = Vec::new();
    let mut at = 0;
    while at < message.tokens.len() {
        let read = match message.tokens[at].sort {
            _ if optional(at) => None,
            Sort::Email => Some((at + 1, What::Address(Kind::Email))),
            Sort::Url => Some((at + 1, What::Address(Kind::Url))),
            Sort::Iso => Some((at + 1, date::iso(message.words(&(at..at + 1)), question.zone))),
            _ => (has(Kind::Tel).then(|| number::tel(message, at)).flatten())
                .or_else(|| date::read(message, at, today, base))
                .or_else(|| clock::read(message, at, timed))
                .or_else(|| number::read(message, at)),
        };
        let end = read.as_ref().map_or(at + 1, |(end, _)| *end);
        all.extend(read.map(|(end, what)| Found::new(at..end, what)));
        at = end;
    }
    if has(Kind::Datetime) {
        all = join(all, |one, other| moment(message, one, other));
    }
    for found in all.iter_mut().filter(|found| !matches!(found.what, What::Address(_))) {
        found.doubt = doubt(message, &found.at, &names.covered);
    }
    mark_ends(message, &mut all);
    all.extend(names.options.iter().cloned());
    all
}

/// Joins neighbours that make one value.
pub(super) fn join(all: Vec<Found>, joined: impl Fn(&Found, &Found) -> Option<What>) -> Vec<Found> {
    let mut done: Vec<Found> = Vec::new();
    for found in all {
        match done.last_mut().and_then(|last| Some((joined(last, &found)?, last))) {
            Some((what, last)) => *last = Found::new(last.at.start..found.at.end, what),
            None => done.push(found),
        }
    }
    done
}

/// Makes one of a date and a time that stand together.
fn moment(message: &Message<'_>, one: &Found, other: &Found) -> Option<What> {
    let ((What::Date(dates), What::Time(times)) | (What::Time(times), What::Date(dates))) =
        (&one.what, &other.what)
    else {
        return None;
    };
    let (end, next) = (one.at.end, other.at.start);
    let joined = next <= end + 2 && message.past(end, "at , on from by around") >= next;
    let pairs = dates.iter().flat_map(|date| times.iter().map(|time| date.to_datetime(*time)));
    joined.then(|| What::Moment(pairs.collect()))
}

/// Finds what makes a value a rough one: `about 20`, `at least 3`, `5 or so`, `2 or 3`.
fn doubt(message: &Message<'_>, at: &Range<usize>, covered: &[bool]) -> Doubt {
    const ROUGH: &str = "about around roughly approximately approx circa ca ~ ≈ nearly almost over under above below maximum max \
                         minimum min within before after since maybe perhaps possibly probably say least most than between or /";
    let is = |at: &usize| !covered[*at] && message.is(*at, ROUGH) || message.says(*at, "up to");
    let before = (1..=3).filter_map(|back| at.start.checked_sub(back));
    let passed = |at: &usize| is(at) || message.is(*at, "the $ € £ of a on at to in us");
    let rough = before.take_while(passed).find(is);
    let rough = rough.or_else(|| Some(at.end).filter(|at| message.is(*at, "or ish tops max + plus /")));
    rough.map(|at| format!("\"{}\" leaves it open", message.low(at)))
}

/// Marks the two ends of `from A to B`, `A until B`, `between A and B`, and of one that is said alone.
fn mark_ends(message: &Message<'_>, all: &mut [Found]) {
    let temporal = |found: &Found| matches!(found.what, What::Date(_) | What::Time(_) | What::Moment(_));
    for at in 0..all.len() {
        let start = all[at].at.start - usize::from(message.follows(all[at].at.start, "the on at"));
        let first = message.follows(start, "from between starting beginning");
        let last = message.follows(start, "until till ending").then_some(End::Last);
        if all[at].end.is_none() && temporal(&all[at]) {
            all[at].end = if first { Some(End::First) } else { last };
        }
        let Some(next) = all.get(at + 1) else { continue };
        let gap = all[at].at.end + usize::from(message.is(all[at].at.end, ","))..next.at.start;
        let linked = message.is(gap.start, "to until till through thru - – —")
            || message.is(gap.start, "and") && first;
        let near = gap.len() <= 3 && message.past(gap.start + 1, "the on at until to till") >= gap.end;
        let alike = std::mem::discriminant(&all[at].what) == std::mem::discriminant(&next.what);
        if linked && near && alike && all[at].end != Some(End::Last) {
            for (found, end) in all[at..=at + 1].iter_mut().zip([End::First, End::Last]) {
                found.end = Some(end);
                found.doubt = (!temporal(found)).then(|| "it is a range".to_owned());
            }
        }
    }
}
