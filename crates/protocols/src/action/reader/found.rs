//! Values that stand in a text by themselves, before anyone asks whose they are.

use std::ops::Range;

use holdpoint_core::Kind;
use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use super::{Message, Names, Question, Sort, date, number};

/// A value in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) at: Range<usize>,
    pub(super) what: What,
    /// Which end of a span it is.
    pub(super) end: Option<End>,
}

impl Found {
    pub(super) fn is_count(&self) -> bool {
        matches!(self.what, What::Number(_, Measure::Count))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// Where a value that begins at a token ends, and what it is.
pub(super) type Read = Option<(usize, What)>;

/// What was found, with several readings where the words allow several: of a number with what it measures, of an address (e-mail,
/// link, telephone) with its kind, of options with the place of their field in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Date(Vec<Date>),
    Time(Vec<Time>),
    Moment(Vec<DateTime>),
    Number(Vec<f64>, Measure),
    Address(Kind),
    Options(usize, Vec<String>),
}

/// What a number measures: an amount of a currency, a length in a unit of time, or another unit: letters attached to the number.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Measure {
    Count,
    Money(&'static str),
    Percent,
    Time(&'static str),
    Unit(String),
}

/// Adds to the options all other values that a form could take, in the order of the text. Only options may overlap others.
pub(super) fn find(message: &Message<'_>, question: &Question<'_>, names: &Names) -> Vec<Found> {
    let (fields, today) = (question.fields, question.now.date());
    let has = |kind: Kind| fields.iter().any(|field| field.kind == kind);
    // `May` in an option is no month, and `2 hours` may be one of several offers.
    let optional = |at| names.options.iter().any(|option| option.at.len() > 1 && option.at.contains(&at));
    let (mut all, mut at) = (Vec::new(), 0);
    while at < message.tokens.len() {
        let read = match message.tokens[at].sort {
            _ if optional(at) => None,
            Sort::Email => Some((at + 1, What::Address(Kind::Email))),
            Sort::Url => Some((at + 1, What::Address(Kind::Url))),
            Sort::Iso => Some((at + 1, date::iso(message.words(&(at..at + 1)), question.zone))),
            _ => (date::read(message, at, today))
                .or_else(|| has(Kind::Tel).then(|| number::tel(message, at)).flatten())
                .or_else(|| date::time(message, at, question))
                .or_else(|| number::read(message, at)),
        };
        let end = read.as_ref().map_or(at + 1, |(end, _)| *end);
        all.extend(read.map(|(end, what)| Found { at: at..end, what, end: None }));
        at = end;
    }
    if has(Kind::Datetime) {
        all = join(all, |one, other| moment(message, one, other));
    }
    mark_ends(message, &mut all);
    all.extend(names.options.iter().cloned());
    all
}

pub(super) fn join(all: Vec<Found>, joined: impl Fn(&Found, &Found) -> Option<What>) -> Vec<Found> {
    let mut done: Vec<Found> = Vec::new();
    for found in all {
        match done.last_mut().and_then(|last| Some((joined(last, &found)?, last))) {
            Some((what, last)) => (last.at.end, last.what) = (found.at.end, what),
            None => done.push(found),
        }
    }
    done
}

/// Makes one of a date and a time that stand together.
fn moment(message: &Message<'_>, one: &Found, other: &Found) -> Option<What> {
    let both = (&one.what, &other.what);
    let ((What::Date(dates), What::Time(times)) | (What::Time(times), What::Date(dates))) = both else {
        return None;
    };
    let (end, next) = (one.at.end, other.at.start);
    let joined = next <= end + 2 && message.past(end, "at , on from by") >= next;
    let pairs = dates.iter().flat_map(|date| times.iter().map(|time| date.to_datetime(*time)));
    // `tonight at 2am` is tomorrow, or was this morning.
    let night = message.is(one.at.start, "tonight") && times.iter().all(|time| time.hour() < 12);
    let later = pairs.clone().filter(|_| night).map(|moment| moment.saturating_add(Span::new().days(1)));
    joined.then(|| What::Moment(pairs.clone().chain(later).collect()))
}

/// Marks the two ends of `from A to B`, `A until B`, `between A and B`, and of one that is said alone.
fn mark_ends(message: &Message<'_>, all: &mut [Found]) {
    let temporal = |found: &Found| matches!(found.what, What::Date(_) | What::Time(_) | What::Moment(_));
    for at in 0..all.len() {
        let start = all[at].at.start - usize::from(message.follows(all[at].at.start, "the on at"));
        let first = message.follows(start, "from between starting beginning");
        let last = message.follows(start, "until till ending").then_some(End::Last);
        let end = if first { Some(End::First) } else { last };
        all[at].end = all[at].end.or(end).filter(|_| temporal(&all[at]));
        let Some(next) = all.get(at + 1) else { continue };
        let gap = all[at].at.end + usize::from(message.is(all[at].at.end, ","))..next.at.start;
        let linked = message.is(gap.start, "to until till through thru - – —")
            || message.is(gap.start, "and") && first;
        let near = gap.len() <= 3 && message.past(gap.start + 1, "the on at until to till") >= gap.end;
        let alike = std::mem::discriminant(&all[at].what) == std::mem::discriminant(&next.what);
        if linked && near && alike && temporal(next) && all[at].end != Some(End::Last) {
            (all[at].end, all[at + 1].end) = (Some(End::First), Some(End::Last));
        }
    }
}
