//! Finds the values in a text that stand there by themselves, before anyone asks whose they are.

use holdpoint_core::Kind;
use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use super::figures::{Iso, clock, iso};
use super::found::{join, share};
use super::{End, Found, Message, Names, Question, Sort, What, date, number};

/// Adds to the options all other values that a form could take, in the order of the text. Only options may overlap others.
pub(super) fn find(message: &Message<'_>, question: &Question<'_>, names: &Names) -> Vec<Found> {
    let (fields, today) = (question.fields, question.now.date());
    let has = |kind: Kind| fields.iter().any(|field| field.kind == kind);
    // `May` in an option is no month, and `2 hours` may be one of several offers.
    let optional = |at| names.options.iter().any(|option| option.at.len() > 1 && option.at.contains(&at));
    let (mut all, mut at) = (Vec::new(), 0);
    while at < message.tokens.len() {
        let read = match message.tokens[at].sort {
            _ if optional(at) || message.is_code(at) => None,
            Sort::Email => Some((at + 1, What::Address(Kind::Email))),
            Sort::Url => Some((at + 1, What::Address(Kind::Url))),
            Sort::Iso => Some(match iso(message.words(&(at..at + 1)), question.zone) {
                Iso::Day(day) => (at + 1, What::Date(day.into_iter().collect())),
                Iso::Moment(moment) => (at + 1, What::Moment(moment.into_iter().collect())),
            }),
            _ => (date::read(message, at, today))
                .or_else(|| has(Kind::Tel).then(|| number::tel(message, at)).flatten())
                .or_else(|| date::time(message, at, question))
                .or_else(|| number::read(message, at)),
        };
        let end = read.as_ref().map_or(at + 1, |(end, _)| *end);
        all.extend(read.map(|(end, what)| Found { at: at..end, what, end: None }));
        at = end;
    }
    all = join(all, |one, other| number::sum(message, one, other));
    if has(Kind::Datetime) {
        all = join(all, |one, other| moment(message, one, other));
    }
    share(message, &mut all);
    mark_ends(message, &mut all);
    all.extend(names.options.iter().cloned());
    all
}

/// Makes one of a date and a time that stand together.
fn moment(message: &Message<'_>, one: &Found, other: &Found) -> Option<What> {
    let dotted = |found: &Found| clock(message.words(&found.at)).map(|time| What::Time(vec![time]));
    let second = dotted(other).filter(|_| other.is_count());
    let both = (&one.what, second.as_ref().unwrap_or(&other.what));
    let ((What::Date(dates), What::Time(times)) | (What::Time(times), What::Date(dates))) = both else {
        return None;
    };
    let (end, next) = (one.at.end, other.at.start);
    let joined = next <= end + 2 && message.past(end, "at , on from by between") >= next;
    let said = |words: &str| (one.at.start..end).any(|at| message.is(at, words));
    // `this evening at 7`
    let other = |time: &Time| if time.hour() < 12 { "afternoon evening tonight" } else { "morning" };
    let half = |time: &&Time| times.len() == 1 || !said(other(time));
    let pairs = dates.iter().flat_map(|date| times.iter().filter(half).map(|time| date.to_datetime(*time)));
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
        // `from 10:00 to 12:30 on 1 December`: the day is that of both.
        if linked && near {
            match (all[at].what.clone(), next.what.clone()) {
                (What::Time(times), What::Moment(days)) => all[at].what = of_days(&days, &times),
                (What::Moment(days), What::Time(times)) => all[at + 1].what = of_days(&days, &times),
                _ => {}
            }
        }
        let next = &all[at + 1];
        let alike = std::mem::discriminant(&all[at].what) == std::mem::discriminant(&next.what);
        if linked && near && alike && temporal(next) && all[at].end != Some(End::Last) {
            (all[at].end, all[at + 1].end) = (Some(End::First), Some(End::Last));
        }
    }
}

fn of_days(days: &[DateTime], times: &[Time]) -> What {
    let mut days: Vec<Date> = days.iter().map(|moment| moment.date()).collect();
    days.dedup();
    What::Moment(days.iter().flat_map(|day| times.iter().map(|time| day.to_datetime(*time))).collect())
}
