//! What is written in figures: dates and times as machines and people write them, and numbers of both conventions.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::token::{Sort, Token};

/// A day, or a day with a time; none, if there is no such.
pub(super) enum Iso {
    Day(Option<Date>),
    Moment(Option<DateTime>),
}

/// Reads `2026-03-01` with whatever is attached to it, exactly or not at all; what has an offset is converted to a zone.
pub(super) fn iso(text: &str, zone: Option<&TimeZone>) -> Iso {
    let upper = text.to_uppercase();
    let (day, time) = upper.split_at(upper.find('T').unwrap_or(upper.len()));
    let there = |at: Timestamp| zone.unwrap_or(&TimeZone::UTC).to_datetime(at);
    let whole = |civil: DateTime| civil.with().subsec_nanosecond(0).build().unwrap_or(civil);
    let offset = time.rsplit_once(['+', '-']).map_or("0", |(_, offset)| offset.get(..2).unwrap_or_default());
    let moment = match () {
        () if day.len() != 10 || time.contains(":60") => None,
        () if !offset.parse().is_ok_and(|hours: u8| hours <= 14) => None,
        () if time.is_empty() => return Iso::Day(day.parse().ok()),
        () if time.contains(['Z', '+', '-']) => upper.parse().map(there).ok(),
        () => upper.parse().ok(),
    };
    Iso::Moment(moment.map(whole))
}

/// Reads `3/12/2026`: both ways, where both exist. Dots are day first.
pub(super) fn slashed(text: &str, today: Date) -> Vec<Date> {
    let parts: Vec<i16> = text.split(['/', '.', '-']).filter_map(|part| part.parse().ok()).collect();
    let day = |&(year, month, day): &(i16, i16, i16)| {
        Date::new(full_year(year, today), i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    let both = match parts[..] {
        [year, month, day] if year > 99 => vec![(year, month, day)],
        [day, month, year] if day == month || text.contains('.') => vec![(year, month, day)],
        [one, two, three] if text.contains('-') => {
            vec![(three, two, one), (three, one, two), (one, two, three)]
        }
        [first, second, year] => vec![(year, second, first), (year, first, second)],
        _ => Vec::new(),
    };
    both.iter().filter_map(day).collect()
}

/// Returns the year that two figures stand for: the nearest one that is not far ahead.
pub(super) fn full_year(year: i16, today: Date) -> i16 {
    let near = if year + 2000 > today.year() + 20 { year + 1900 } else { year + 2000 };
    if year < 100 { near } else { year }
}

/// Reads `14:30:15`, as a control sends it.
pub(super) fn exact_time(text: &str) -> Option<Time> {
    format!("{text:0>8}").parse().ok().filter(|_| !text.ends_with(":60"))
}

/// Returns the time that a number is where a time is meant: `14.30`, `14h`.
pub(super) fn clock(words: &str) -> Option<Time> {
    let (hour, minute) = words.strip_suffix('h').map_or(words.split_once('.'), |hour| Some((hour, "00")))?;
    let minute = (minute.len() == 2).then(|| minute.parse().ok()).flatten()?;
    Time::new(hour.parse().ok()?, minute, 0, 0).ok()
}

/// Reads a number in figures: `1,249.50` and `1.249,50` are one number, `1.249` may be two, `1,24,9` and `3rd` are none.
pub(super) fn figures(token: &Token) -> Option<Vec<f64>> {
    let factor = if token.low.ends_with('k') { 1000.0 } else { 1.0 };
    let factor = if token.low.starts_with('-') { -factor } else { factor };
    let figures: String = token.low.chars().filter(|c| c.is_ascii_digit() || ".,".contains(*c)).collect();
    let read = |separator: char, point: char| {
        let (whole, rest) = figures.split_once(point).unwrap_or((&figures, "0"));
        let groups: Vec<&str> = whole.split(separator).collect();
        let first = (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0');
        let good = groups.len() == 1 || first && groups[1..].iter().all(|group| group.len() == 3);
        let number = good.then(|| format!("{}.{rest}", groups.concat()).parse::<f64>().ok()).flatten();
        number.map(|number| number * factor)
    };
    let english = read(',', '.');
    // What is more likely comes first: `1,249` is one thousand and more; a comma before other figures is a decimal one.
    let other = read('.', ',');
    let mut all: Vec<f64> = english.into_iter().chain(other).collect();
    all.dedup();
    (token.sort == Sort::Number && !token.is_ordinal()).then_some(all)
}

/// Returns whether the clocks of a zone are put forward over a time, so that there is no such.
pub(super) fn is_skipped(at: DateTime, zone: Option<&TimeZone>) -> bool {
    let offset = zone.unwrap_or(&TimeZone::UTC).to_ambiguous_timestamp(at).offset();
    matches!(offset, AmbiguousOffset::Gap { .. })
}

/// Returns whether some words are a day and a month in figures: `24.11`, `1/12`.
pub(super) fn is_short(words: &str) -> bool {
    let parts: Vec<&str> = words.split(['.', '/']).collect();
    parts.len() == 2
        && parts
            .iter()
            .all(|part| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Halves of the day that can be meant, by the hour that they begin with.
pub(super) const MORNING: &[i8] = &[0];
pub(super) const AFTERNOON: &[i8] = &[12];
pub(super) const PM: &[i8] = &[12, 12];
pub(super) const EITHER: &[i8] = &[0, 12];

/// Returns what an hour and a minute can mean in some halves of the day; without them, and beyond twelve, as on a clock of 24 hours.
pub(super) fn times(hour: i8, minute: i8, halves: &[i8]) -> Vec<Time> {
    // Nobody means `13 am`; `14:00 in the afternoon` is said.
    let twice = halves == MORNING && hour > 12 || halves == PM && !(1..=12).contains(&hour);
    let exact = halves.is_empty() || !(1..=12).contains(&hour);
    let mut hours = if exact { vec![hour] } else { halves.iter().map(|half| hour % 12 + half).collect() };
    hours.dedup();
    hours.into_iter().filter(|_| !twice).filter_map(|hour| Time::new(hour, minute, 0, 0).ok()).collect()
}
