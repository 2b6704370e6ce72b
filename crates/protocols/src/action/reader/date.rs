//! Days and times, written and in words. A bare hour stays open between morning and afternoon, unless the field's range decides.

use holdpoint_core::Kind;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _};

use super::{FILLERS, Message, Question, Read, Sort, Token, What, is_among, number};

pub(super) const MONTHS: &str =
    "january february march april may june july august september october november december";
pub(super) const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

/// Halves of the day that can be meant, by the hour that they begin with.
const MORNING: &[i8] = &[0];
const AFTERNOON: &[i8] = &[12];
const EITHER: &[i8] = &[0, 12];

/// Reads a day at a token: where it ends, and what it is. A weekday or a bare `12th` is the coming one.
pub(super) fn read(message: &Message<'_>, at: usize, today: Date) -> Read {
    let token = message.tokens.get(at)?;
    let written = (token.sort == Sort::Slashed).then(|| (at + 1, slashed(&token.low)));
    let worded = || in_month(message, at, today).or_else(|| relative(message, at, today));
    let named = || weekday(message, at, today).or_else(|| numbered(message, at, today));
    written.or_else(worded).or_else(named).map(|(end, dates)| (end, What::Date(dates)))
}

/// Reads `2026-03-01` with whatever is attached to it, exactly or not at all; what has an offset is converted to a zone.
pub(super) fn iso(text: &str, zone: Option<&TimeZone>) -> What {
    let upper = text.to_uppercase();
    let (day, time) = upper.split_at(upper.find('T').unwrap_or(upper.len()));
    let there = |at: Timestamp| zone.unwrap_or(&TimeZone::UTC).to_datetime(at);
    let whole = |civil: DateTime| civil.with().subsec_nanosecond(0).build().unwrap_or(civil);
    let moment = match () {
        () if day.len() != 10 || time.contains(":60") => None,
        () if time.is_empty() => return What::Date(day.parse().into_iter().collect()),
        () if time.contains(['Z', '+', '-']) => upper.parse().map(there).ok(),
        () => upper.parse().ok(),
    };
    What::Moment(moment.map(whole).into_iter().collect())
}

/// Reads `3/12/2026`: both ways, where both exist. Dots are day first.
fn slashed(text: &str) -> Vec<Date> {
    let parts: Vec<i16> = text.split(['/', '.', '-']).filter_map(|part| part.parse().ok()).collect();
    let day = |&(year, month, day): &(i16, i16, i16)| {
        let full = if year < 100 { 2000 + year } else { year };
        Date::new(full, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    let both = match parts[..] {
        [year, month, day] if year > 99 => vec![(year, month, day)],
        [day, month, year] if day == month || text.contains('.') => vec![(year, month, day)],
        [first, second, year] => vec![(year, second, first), (year, first, second)],
        _ => Vec::new(),
    };
    both.iter().filter_map(day).collect()
}

fn day_number(token: Option<&Token>) -> Option<i8> {
    let token = token.filter(|token| token.sort == Sort::Number)?;
    let figures = if token.is_ordinal() { &token.low[..token.low.len() - 2] } else { &token.low };
    figures.parse().ok().filter(|day| (1..=31).contains(day))
}

/// Reads a day with its month: `3 December`, `the 3rd of Dec 2026`, `December 3`; of `3 to 5 December` and `Dec 3-5` each.
fn in_month(message: &Message<'_>, at: usize, today: Date) -> Option<(usize, Vec<Date>)> {
    const TO: &str = "to until till through - – — and";
    let past = |at: usize, words: &str| at + usize::from(message.is(at, words));
    let day = |at: usize| day_number(message.tokens.get(at)).or(message.is(at, "first").then_some(1));
    let month = |low: &str| MONTHS.split(' ').position(|name| low.len() >= 3 && name.starts_with(low));
    let named = |at: usize| Some((at + 1, i8::try_from(month(message.low(at))? + 1).ok()?));
    // `may 3 people come` is no day.
    let leads = named(at).filter(|_| message.is_capital(at) || !message.is(at, "may march"));
    let first = if leads.is_some() { past(past(at + 1, "."), "the") } else { at };
    let (number, second) = (day(first)?, past(first + 2, "the"));
    let shared = message.is(first + 1, TO) && day(second).is_some();
    let before = at.checked_sub(3).filter(|at| day(at + 1).is_some() && message.is(at + 2, TO));
    let ((said, month), end) = match (leads, named(past(first + 1, "of"))) {
        (Some((_, month)), _) => ((first + 1, month), first + 1),
        (None, Some((said, month))) => ((said, month), said),
        _ if shared && named(past(second + 1, "of")).is_some() => (named(past(second + 1, "of"))?, first + 1),
        _ => (before.and_then(named).map(|(_, month)| (first + 1, month))?, first + 1),
    };
    let written = past(said, ",");
    let year = message.low(written).parse().ok().filter(|year| (1900..=2200).contains(year));
    let end = if year.is_some() && end == said { written + 1 } else { end };
    let dates = match year {
        Some(year) => Date::new(year, month, number).into_iter().collect(),
        None => yearless(message, at, month, number, today),
    };
    Some((end, dates))
}

/// Returns what a day without a year can be: the coming one, or the last one too where the sentence tells of the past or that
/// day has just been.
fn yearless(message: &Message<'_>, at: usize, month: i8, day: i8, today: Date) -> Vec<Date> {
    const JUST: i32 = 45;
    let year = |year: i16| Date::new(year, month, day).ok();
    let last = (today.year() - 1..=today.year()).rev().filter_map(year).find(|date| *date < today);
    let coming = (today.year()..today.year() + 8).filter_map(year).find(|date| *date >= today);
    let past = |at: usize| message.tells(at) && !message.is(at, FILLERS);
    let told = message.sentence(at).any(|at| message.is(at, "was were did had ago happened") || past(at));
    let just =
        |last: Date| coming != Some(today) && today.since(last).is_ok_and(|ago| ago.get_days() <= JUST);
    last.filter(|last| told || just(*last)).into_iter().chain(coming).collect()
}

/// Reads `Friday`, `next Friday`, `this Friday`, `Friday 5 December`.
fn weekday(message: &Message<'_>, at: usize, today: Date) -> Option<(usize, Vec<Date>)> {
    let lead = message.is(at, "this next coming last past");
    let of = at + usize::from(lead);
    let token = message.tokens.get(of).filter(|token| token.is_word())?;
    let short = |name: &str| name.starts_with(&token.low) && token.low.len() >= 3 && message.is_capital(of);
    let day = i8::try_from(DAYS.split(' ').position(|name| name == token.low || short(name))?).ok()?;
    let next = of + 1 + usize::from(message.is(of + 1, ",")) + usize::from(message.is(of + 1, "the"));
    if let (false, Some((end, mut dates))) = (lead, in_month(message, next, today)) {
        // A date on another weekday leaves it open which of the two is wrong.
        dates.retain(|date| date.weekday().to_monday_zero_offset() == day);
        return Some((end, dates));
    }
    let now = today.weekday().to_monday_zero_offset();
    let ahead = i64::from((day - now).rem_euclid(7));
    let plus = |days: i64| today.saturating_add(Span::new().days(days));
    let dates = match message.low(at) {
        "next" if day > now => vec![plus(ahead), plus(ahead + 7)],
        "this" if day < now => vec![plus(ahead), plus(ahead - 7)],
        "last" | "past" => vec![plus(ahead - 7)],
        "next" | "coming" if ahead == 0 => vec![plus(7)],
        _ if ahead == 0 && !lead => vec![plus(0), plus(7)],
        _ => vec![plus(ahead)],
    };
    Some((of + 1, dates))
}

/// Reads `today`, `tomorrow`, `in two weeks`, `3 days ago`, `a week from Friday`.
fn relative(message: &Message<'_>, at: usize, today: Date) -> Option<(usize, Vec<Date>)> {
    const NAMED: [(&str, i64); 5] =
        [("day after tomorrow", 2), ("today", 0), ("tonight", 0), ("tomorrow", 1), ("yesterday", -1)];
    if let Some((name, days)) = NAMED.iter().find(|(name, _)| message.says(at, name)) {
        let end = at + name.split(' ').count();
        return Some((end, vec![today.saturating_add(Span::new().days(*days))]));
    }
    let start = at + usize::from(message.is(at, "in"));
    let (next, count) = number::count(message, start)?;
    let unit = number::time_unit(message.low(next)).filter(|unit| is_among(unit, "day week month year"))?;
    let span: Span = format!("{count} {unit}").parse().ok()?;
    let after = |day: Date| day.saturating_add(span);
    let all = |(end, days): (usize, Vec<Date>)| (end, days.into_iter().map(after).collect());
    match message.low(next + 1) {
        "ago" => Some((next + 2, vec![today.saturating_sub(span)])),
        "from" => weekday(message, next + 2, today).map(all),
        _ => (start > at).then(|| (next + 1, vec![after(today)])),
    }
}

/// Reads `the 12th`: the next one that is not past.
fn numbered(message: &Message<'_>, at: usize, today: Date) -> Option<(usize, Vec<Date>)> {
    let token = message.tokens.get(at)?;
    let day = day_number(Some(token)).filter(|_| token.is_ordinal())?;
    let led = message.follows(at, "the on from to until till by - – and");
    let alone = message.tokens.get(at + 1).is_none_or(|next| !next.is_word() || next.is(FILLERS));
    let date = today.series(1.day()).find(|date| date.day() == day)?;
    (led && alone).then_some((at + 1, vec![date]))
}

/// Reads a time at a token: where it ends, and what it can be. Bare hours count only where the form asks for times at all.
pub(super) fn time(message: &Message<'_>, at: usize, question: &Question<'_>) -> Read {
    let timed = question.fields.iter().any(|field| matches!(field.kind, Kind::Time | Kind::Datetime));
    let asked = question.asked.is_some_and(|asked| asked.kind == Kind::Time);
    let sure = spoken(message, at).or_else(|| written(message, at));
    let (end, hour, minute, own) = sure.or_else(|| Some((at + 1, bare(message, at)?, 0, None)))?;
    let (end, halves) = own.map_or_else(|| half(message, end), |own| (end, own));
    let clock = message.tokens[at].sort == Sort::Clock;
    let alone = asked && at == 0 && end == message.tokens.len();
    // `8-9am`
    let half_said = message.low(at + 2).ends_with('m') || message.is(at + 3, "am pm");
    let range = message.is(at + 1, "- – to") && half_said;
    let led = timed && (range || message.follows(at, "at by until till from @")) || alone;
    let led = led && !message.is(end, "h");
    // What is written with its minutes is as on a clock of 24 hours.
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
    let half = of(named).filter(|_| named > at || message.is(at, "am pm a.m p.m"));
    half.map_or((at, EITHER), |half| (named + 1, half))
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
    let hour = bare(message, at + 2).filter(|hour| (1..=12).contains(hour) && message.is(at, "half quarter"));
    match (message.low(at), message.low(at + 1), hour) {
        ("midnight", ..) => Some((at + 1, 0, 0, Some(&[]))),
        ("noon" | "midday", ..) => Some((at + 1, 12, 0, Some(&[]))),
        (_, "past", Some(hour)) => Some((at + 3, hour, if message.is(at, "half") { 30 } else { 15 }, None)),
        ("quarter", "to", Some(hour)) => Some((at + 3, if hour == 1 { 12 } else { hour - 1 }, 45, None)),
        _ => None,
    }
}

fn bare(message: &Message<'_>, at: usize) -> Option<i8> {
    let low = message.low(at);
    let figures = low.parse::<i8>().ok().filter(|_| low.len() <= 2);
    // `twenty to ten` is not ten.
    let late = at > 1 && message.follows(at, "to past") && message.is(at - 2, "five ten twenty");
    figures.or_else(|| number::small(low)?.to_string().parse().ok()).filter(|h| !late && (0..=24).contains(h))
}
