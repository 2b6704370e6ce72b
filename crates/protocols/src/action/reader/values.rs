//! The values that stand in a message by themselves, before anyone asks whose they are.

use std::ops::Range;

use holdpoint_core::Kind;
use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};

use super::lists::Measure;
use super::{Message, Names, Question, Sort, number, when};

/// A value in a message: where it stands, and what it can be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundValue {
    pub(super) at: Range<usize>,
    pub(super) what: ValueKind,
    /// Which end of a span it is.
    pub(super) end: Option<SpanEnd>,
}

/// What was found, with several readings where there are: of an address its kind, of options the place of their field in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueKind {
    Date(Vec<Date>),
    Time(Vec<Time>),
    Moment(Vec<DateTime>),
    Number(Vec<f64>, Measure),
    Address(Kind),
    Options(usize, Vec<String>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SpanEnd {
    First,
    Last,
}

/// Where a value that begins at a token ends, and what it is.
pub(super) type ParsedValue = Option<(usize, ValueKind)>;

impl FoundValue {
    pub(super) fn is_number(&self) -> bool {
        matches!(self.what, ValueKind::Number(..))
    }

    pub(super) fn is_count(&self) -> bool {
        matches!(self.what, ValueKind::Number(_, Measure::Count))
    }

    pub(super) fn is_money(&self) -> bool {
        matches!(self.what, ValueKind::Number(_, Measure::Money(_)))
    }

    pub(super) fn is_option(&self) -> bool {
        matches!(self.what, ValueKind::Options(..))
    }

    pub(super) fn is_temporal(&self) -> bool {
        matches!(self.what, ValueKind::Date(_) | ValueKind::Time(_) | ValueKind::Moment(_))
    }

    pub(super) fn overlaps(&self, at: &Range<usize>) -> bool {
        self.at.start < at.end && at.start < self.at.end
    }
}

/// Adds to the options all other values that a form could take, in the order of the text. Only options may overlap others.
pub(super) fn find(message: &Message<'_>, question: &Question<'_>, names: &Names) -> Vec<FoundValue> {
    // `May` in an option is no month, and figures in a name are no value: `Debian 12`, `Pain from 0 to 10`.
    let mut inside = vec![false; message.tokens.len()];
    let places =
        names.options.iter().map(|option| &option.at).chain(names.mentions.iter().map(|name| &name.at));
    places.filter(|at| at.len() > 1).for_each(|at| inside[at.clone()].fill(true));
    let (mut all, mut at) = (Vec::new(), 0);
    while at < message.tokens.len() {
        let read = if inside[at] { None } else { one(message, question, names, at) };
        let end = read.as_ref().map_or(at + 1, |(end, _)| *end);
        all.extend(read.map(|(end, what)| FoundValue { at: at..end, what, end: None }));
        at = end;
    }
    if question.fields.iter().any(|field| field.kind == Kind::Datetime) {
        all = join(all, |one, other| moment(message, one, other));
    }
    mark_ends(message, &mut all);
    all.extend(names.options.iter().cloned());
    all
}

/// Reads the value that begins at a token.
fn one(message: &Message<'_>, question: &Question<'_>, names: &Names, at: usize) -> ParsedValue {
    match message.tokens[at].sort {
        Sort::Email => Some((at + 1, ValueKind::Address(Kind::Email))),
        Sort::Url => Some((at + 1, ValueKind::Address(Kind::Url))),
        Sort::Phone => Some((at + 1, ValueKind::Address(Kind::Tel))),
        Sort::Iso => Some((at + 1, when::iso(message.text_of(&(at..at + 1)), question.zone))),
        // `a red one` is not counted.
        _ if message.is(at, "one ones") && message.small.get(at + 1) != Some(&false) => None,
        _ => when::day(message, at, question.now.date())
            .or_else(|| when::time(message, at, question, names))
            .or_else(|| number::read(message, at)),
    }
}

/// Makes one of each two neighbours that belong together.
fn join(
    all: Vec<FoundValue>,
    joined: impl Fn(&FoundValue, &FoundValue) -> Option<ValueKind>,
) -> Vec<FoundValue> {
    let mut done: Vec<FoundValue> = Vec::new();
    for found in all {
        match done.last_mut().and_then(|last| Some((joined(last, &found)?, last))) {
            Some((what, last)) => (last.at.end, last.what) = (found.at.end, what),
            None => done.push(found),
        }
    }
    done
}

/// Makes one of a date and a time that stand together: `tomorrow at 9`, `10:30 on 1 December`.
fn moment(message: &Message<'_>, one: &FoundValue, other: &FoundValue) -> Option<ValueKind> {
    let ((ValueKind::Date(dates), ValueKind::Time(times)) | (ValueKind::Time(times), ValueKind::Date(dates))) =
        (&one.what, &other.what)
    else {
        return None;
    };
    // `tonight at 2am` is tomorrow, or was this morning; `tonight at 8` is in the evening.
    let tonight = message.is(one.at.start, "tonight");
    let mut all: Vec<DateTime> = Vec::new();
    for (date, time) in dates.iter().flat_map(|date| times.iter().map(move |time| (date, time))) {
        let (at, early) = (date.to_datetime(*time), tonight && time.hour() < 12);
        all.extend((!early || times.len() == 1).then_some(at));
        all.extend((early && times.len() == 1).then(|| at.saturating_add(1.day())));
    }
    let near = message.past(one.at.end, "at , on by") >= other.at.start && other.at.start <= one.at.end + 2;
    near.then_some(ValueKind::Moment(all))
}

/// Marks the two ends of `from A to B`, `A until B`, `between A and B`, and of one that is said alone.
fn mark_ends(message: &Message<'_>, all: &mut [FoundValue]) {
    for at in 0..all.len() {
        let start = all[at].at.start - usize::from(message.follows(all[at].at.start, "the on at"));
        let first = message.follows(start, "from between starting beginning");
        let last = message.follows(start, "until till ending").then_some(SpanEnd::Last);
        let alone = if first { Some(SpanEnd::First) } else { last };
        all[at].end = all[at].end.or(alone).filter(|_| all[at].is_temporal());
        let Some(next) = all.get(at + 1) else { continue };
        let link = all[at].at.end + usize::from(message.is(all[at].at.end, ","));
        let linked = message.is(link, "to until till through thru - – —") || first && message.is(link, "and");
        let near = message.past(link + 1, "the on at until to till") >= next.at.start;
        let alike = std::mem::discriminant(&all[at].what) == std::mem::discriminant(&next.what);
        if linked && near && alike && next.is_temporal() && all[at].end != Some(SpanEnd::Last) {
            (all[at].end, all[at + 1].end) = (Some(SpanEnd::First), Some(SpanEnd::Last));
        }
    }
}
