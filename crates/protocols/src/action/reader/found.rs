//! Values that stand in a text by themselves, before anyone asks whose they are.

use std::ops::Range;

use holdpoint_core::Kind;
use jiff::civil::{Date, DateTime, Time};

use super::name::Names;
use super::token::{GOES_ON, Message, Sort};
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
                .or_else(|| date::read(message, at, today))
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
    mark_ends(message, &mut all);
    for found in all.iter_mut().filter(|found| !matches!(found.what, What::Address(_))) {
        let changes = changes(message, found, &names.covered);
        let changes = changes.then(|| "what stands beside it may change it".to_owned());
        found.doubt = rough(message, found, &names.covered).or(changes);
    }
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
    let joined = next <= end + 2 && message.past(end, "at , on from by") >= next;
    let pairs = dates.iter().flat_map(|date| times.iter().map(|time| date.to_datetime(*time)));
    joined.then(|| What::Moment(pairs.collect()))
}

/// Finds the word that makes a value a rough one: `about 20`, `at least 3`, `5 or so`, `the week of 3 May`.
fn rough(message: &Message<'_>, found: &Found, covered: &[bool]) -> Doubt {
    const ROUGH: &str = "about around roughly approximately approx circa ca ~ ≈ nearly almost over under above below maximum max \
                         minimum min within before after since maybe perhaps possibly probably say least most than between or / \
                         week weeks month times x";
    let is = |at: &usize| {
        !covered[*at] && message.is(*at, ROUGH) && !(found.end.is_some() && message.is(*at, "between"))
            || message.says(*at, "up to")
    };
    let before = (1..=3).filter_map(|back| found.at.start.checked_sub(back));
    let passed = |at: &usize| is(at) || message.is(*at, "the $ € £ of a on at to in us");
    let behind = || Some(found.at.end).filter(|at| message.is(*at, "or ish tops max + plus /"));
    let word = before.take_while(passed).find(is).or_else(behind)?;
    Some(format!("\"{}\" leaves it open", message.low(word)))
}

/// Returns whether what stands beside a value may change it: `40 to 50`, `300 a week`, `Tuesday next week`, `14:00 CET`.
fn changes(message: &Message<'_>, found: &Found, covered: &[bool]) -> bool {
    const TO: &str = "to - – — until till through of";
    const PLAIN: &str =
        "morning afternoon evening night works suits total altogether fine good great ok okay perfect best";
    let (start, end) = (found.at.start, found.at.end);
    let is = |more: usize, words: &str| message.is(end + more, words);
    let named = |at: usize| covered.get(at).is_some_and(|named| *named);
    let figure = |at: usize| {
        let token = message.tokens.get(at + usize::from(message.is(at, number::CURRENCIES)));
        token.is_some_and(|token| token.sort == Sort::Number || number::small(&token.low).is_some())
    };
    let has = |mut all: Range<usize>, words: &str| all.any(|at| message.is(at, words));
    let other = message.tokens.get(end).is_some_and(|token| {
        let more = token.is_word() && !token.is(GOES_ON) && !token.is(PLAIN) && !named(end);
        more || token.is("/ ( %") || token.low.starts_with(['+', '-']) && token.low.len() > 1
    });
    let about = is(0, "is are was were") && !is(1, PLAIN) && !named(message.past(end + 1, "the a an my our"));
    about
        || match &found.what {
            What::Number(_, measure) => {
                let counted = matches!(measure, Measure::Count | Measure::Unit);
                let second = || figure(start - 2) || message.is(start - 2, "% percent € $ £");
                (if counted { is(0, "per each every a an of") && !named(end) } else { other })
                    || is(0, "for") && (figure(end + 1) || is(1, "a an each every"))
                    || is(0, "and") && is(2, "half quarter third few bit")
                    || is(0, TO) && figure(end + 1)
                    || matches!(measure, Measure::Time(_)) && figure(end)
                    || start > 1 && message.follows(start, TO) && second()
            }
            What::Moment(all) if has(start..end, "tonight") && all.iter().all(|all| all.hour() < 12) => true,
            What::Date(_) | What::Moment(_) => {
                // `Tuesday` is another day in another week, and `in two weeks` on another weekday.
                let own = has(start..end, "week weeks");
                let figures = message.words(&found.at).contains(|c: char| c.is_ascii_digit());
                let words = if own { date::DAYS } else { "week weeks fortnight" };
                let near = has(start.saturating_sub(5)..start, words) || has(end..end + 5, words);
                other || near && (own || !figures)
            }
            What::Time(_) => other,
            What::Address(_) | What::Options(..) => false,
        }
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
        if linked && near && alike && temporal(next) && all[at].end != Some(End::Last) {
            (all[at].end, all[at + 1].end) = (Some(End::First), Some(End::Last));
        }
    }
}
