//! Times of day. A bare hour stays open between morning and afternoon, unless the field's range decides.

use jiff::civil::Time;

use super::found::What;
use super::number;
use super::token::{Message, Sort};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    Morning,
    Afternoon,
    /// As it is written on a clock of 24 hours.
    Exact,
}

/// Reads a time at a token: where it ends, and what it can be. Bare hours count only where the form asks for times at all.
pub(super) fn read(message: &Message<'_>, at: usize, timed: bool) -> Option<(usize, What)> {
    const AFTER: &str = "on and or to until till for in please tomorrow today if but because at from sharp";
    if message.is(at, "noon midday midnight") {
        let hour = if message.is(at, "midnight") { 0 } else { 12 };
        return Some((at + 1, What::Time(times(hour, 0, Some(Half::Exact)))));
    }
    if let Some((end, hour, minute)) = spoken(message, at) {
        let (end, half) = half(message, end);
        return Some((end, What::Time(times(hour, minute, half))));
    }
    let clock = message.tokens.get(at)?.sort == Sort::Clock;
    let (hour, minute, own) = if clock { written(message.low(at))? } else { (bare(message, at)?, 0, None) };
    let (end, half) = if own.is_some() { (at + 1, own) } else { half(message, at + 1) };
    // `2 to 4 pm` says the half of the day for both.
    if half.is_none()
        && (timed && !clock)
        && message.is(at + 1, "to - – until till and")
        && let Some((_, What::Time(last))) = read(message, at + 2, false)
        && let [last] = last[..]
    {
        let first = times(hour, minute, None).into_iter().rfind(|first| *first < last);
        return Some((at + 1, What::Time(first.into_iter().collect())));
    }
    // `at 5 Main Street` is no time.
    let after = message.tokens.get(end);
    let alone = after.is_none_or(|next| !next.is_word() || next.is(AFTER) || next.low.ends_with("day"));
    let led = timed && alone && message.follows(at, "at by until till from to @");
    // What is written with its minutes is as on a clock of 24 hours.
    let half = half.or((clock || hour > 12).then_some(Half::Exact));
    (clock || end > at + 1 || led).then(|| (end, What::Time(times(hour, minute, half))))
}

/// Returns what an hour and a minute can mean.
fn times(hour: i8, minute: i8, half: Option<Half>) -> Vec<Time> {
    let hours = match half {
        Some(Half::Morning) if (1..=12).contains(&hour) => vec![hour % 12],
        Some(Half::Afternoon) if (1..=12).contains(&hour) => vec![hour % 12 + 12],
        None if (1..=12).contains(&hour) => vec![hour % 12, hour % 12 + 12],
        _ => vec![hour],
    };
    hours.into_iter().filter_map(|hour| Time::new(hour, minute, 0, 0).ok()).collect()
}

/// Reads which half of the day is said behind a time, or elsewhere in its clause: `tomorrow morning at 9`.
fn half(message: &Message<'_>, at: usize) -> (usize, Option<Half>) {
    let of = |at: usize| match message.low(at) {
        "morning" | "am" | "a.m" => Some(Half::Morning),
        "afternoon" | "evening" | "pm" | "p.m" | "night" | "tonight" => Some(Half::Afternoon),
        _ => None,
    };
    let at = at + usize::from(message.is(at, "o'clock"));
    if message.is(at, "am pm a.m p.m") {
        return (at + 1, of(at));
    }
    let named = (at..at + 3).find(|at| !message.is(*at, "in at the")).unwrap_or(at);
    if named > at && of(named).is_some() {
        return (named + 1, of(named));
    }
    let clause = message.clause(at.saturating_sub(1).min(message.tokens.len().saturating_sub(1)));
    let mut halves: Vec<Half> =
        clause.filter(|at| message.is(*at, "morning afternoon evening tonight")).filter_map(of).collect();
    halves.dedup();
    (at, if let [half] = halves[..] { Some(half) } else { None })
}

/// Reads `14:30`, `2pm`, `2.30 pm`, `14h30`: hour, minute, and its half of the day.
fn written(low: &str) -> Option<(i8, i8, Option<Half>)> {
    let figures = low.trim_end_matches(|c: char| c.is_alphabetic() || c == '.');
    let mut parts = figures.split([':', '.', 'h']);
    let hour = parts.next()?;
    let minute = parts.next().map_or(Some(0), |minute| minute.parse().ok())?;
    let half = match low {
        _ if low.contains('a') => Some(Half::Morning),
        _ if low.contains('p') => Some(Half::Afternoon),
        _ => None,
    };
    Some((hour.parse().ok()?, minute, half))
}

/// Reads `half past two`, `quarter to nine`.
fn spoken(message: &Message<'_>, at: usize) -> Option<(usize, i8, i8)> {
    let minutes = if message.is(at, "half") { 30 } else { 15 };
    let hour =
        bare(message, at + 2).filter(|hour| (1..=12).contains(hour) && message.is(at, "half quarter"))?;
    match message.low(at + 1) {
        "past" => Some((at + 3, hour, minutes)),
        "to" if minutes == 15 => Some((at + 3, if hour == 1 { 12 } else { hour - 1 }, 45)),
        _ => None,
    }
}

/// Reads an hour without minutes.
fn bare(message: &Message<'_>, at: usize) -> Option<i8> {
    let low = message.low(at);
    let figures = low.parse::<i8>().ok().filter(|_| low.len() <= 2);
    let worded = || number::small(low).and_then(|hour| format!("{hour}").parse().ok());
    figures.or_else(worded).filter(|hour| (0..=59).contains(hour))
}
