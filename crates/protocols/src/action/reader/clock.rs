//! Times of day. A bare hour stays open between morning and afternoon, unless the field's range decides.

use jiff::civil::Time;

use super::found::What;
use super::number;
use super::token::{GOES_ON, Message, Sort};

/// Halves of the day that can be meant, by the hour that they begin with.
const MORNING: &[i8] = &[0];
const AFTERNOON: &[i8] = &[12];
const EITHER: &[i8] = &[0, 12];

/// Reads a time at a token: where it ends, and what it can be. Bare hours count only where the form asks for times at all.
pub(super) fn read(message: &Message<'_>, at: usize, timed: bool) -> Option<(usize, What)> {
    let bare = || Some((at + 1, bare(message, at)?, 0, None));
    let sure = spoken(message, at).or_else(|| written(message, at));
    let (end, hour, minute, own) = sure.or_else(bare)?;
    let (end, halves) = own.map_or_else(|| half(message, end), |own| (end, own));
    // `at 5 Main Street` is no time.
    let after = message.tokens.get(end);
    let alone = after.is_none_or(|next| !next.is_word() || next.is(GOES_ON) || next.low.ends_with("day"));
    let led = timed && alone && message.follows(at, "at by until till from @");
    // What is written with its minutes is as on a clock of 24 hours.
    let clock = message.tokens[at].sort == Sort::Clock;
    let halves = if clock && halves == EITHER { &[] } else { halves };
    (sure.is_some() || end > at + 1 || led).then(|| (end, What::Time(times(hour, minute, halves))))
}

/// Returns what an hour and a minute can mean in some halves of the day; without them, and beyond twelve, as on a clock of 24 hours.
fn times(hour: i8, minute: i8, halves: &[i8]) -> Vec<Time> {
    let exact = halves.is_empty() || !(1..=12).contains(&hour);
    let hours = if exact { vec![hour] } else { halves.iter().map(|half| hour % 12 + half).collect() };
    hours.into_iter().filter_map(|hour| Time::new(hour, minute, 0, 0).ok()).collect()
}

/// Reads which half of the day is said behind a time.
fn half(message: &Message<'_>, at: usize) -> (usize, &'static [i8]) {
    let of = |at: usize| match message.low(at) {
        "morning" | "am" | "a.m" => Some(MORNING),
        "afternoon" | "evening" | "pm" | "p.m" | "night" | "tonight" => Some(AFTERNOON),
        _ => None,
    };
    let at = at + usize::from(message.is(at, "o'clock"));
    let named = message.past(at, "in at the");
    if let Some(half) = of(named).filter(|_| named > at || message.is(at, "am pm a.m p.m")) {
        return (named + 1, half);
    }
    (at, EITHER)
}

/// Where a time ends, its hour and minute, and its half of the day where that is part of it.
type Hour = (usize, i8, i8, Option<&'static [i8]>);

/// Reads `14:30`, `2pm`, `2.30pm`.
fn written(message: &Message<'_>, at: usize) -> Option<Hour> {
    let low = &message.tokens.get(at).filter(|token| token.sort == Sort::Clock)?.low;
    let figures = low.trim_end_matches(|c: char| c.is_alphabetic() || c == '.');
    let mut parts = figures.split([':', '.']).map(|part| part.parse().ok());
    let half = if low.contains('a') { Some(MORNING) } else { low.contains('p').then_some(AFTERNOON) };
    Some((at + 1, parts.next()??, parts.next().unwrap_or(Some(0))?, half))
}

/// Reads `noon`, `half past two`, `quarter to nine`.
fn spoken(message: &Message<'_>, at: usize) -> Option<Hour> {
    let minutes = if message.is(at, "half") { 30 } else { 15 };
    let hour = bare(message, at + 2).filter(|hour| (1..=12).contains(hour) && message.is(at, "half quarter"));
    match (message.low(at), message.low(at + 1), hour) {
        ("midnight", ..) => Some((at + 1, 0, 0, Some(&[]))),
        ("noon" | "midday", ..) => Some((at + 1, 12, 0, Some(&[]))),
        (_, "past", Some(hour)) => Some((at + 3, hour, minutes, None)),
        ("quarter", "to", Some(hour)) => Some((at + 3, if hour == 1 { 12 } else { hour - 1 }, 45, None)),
        _ => None,
    }
}

/// Reads an hour without minutes.
fn bare(message: &Message<'_>, at: usize) -> Option<i8> {
    let low = message.low(at);
    let figures = low.parse::<i8>().ok().filter(|_| low.len() <= 2);
    let worded = || number::small(low).and_then(|hour| format!("{hour}").parse().ok());
    figures.or_else(worded).filter(|hour| (0..=24).contains(hour))
}
