//! Days and times, as they are written and as they are said. What is not sure has several readings.

use holdpoint_core::{Field, Kind};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, ToSpan as _};

use super::lists::{DAYS, MONTHS, small, time_unit};
use super::{Message, Names, ParsedValue, Question, Sort, Token, ValueKind, number};

/// Where a day ends that begins at a token, and what it can be.
type Days = Option<(usize, Vec<Date>)>;

/// Reads `2026-03-01` with whatever is attached to it, exactly or not at all; what has an offset is converted to a zone.
pub(super) fn iso(text: &str, zone: Option<&TimeZone>) -> ValueKind {
    let upper = text.to_uppercase();
    let (day, time) = upper.split_at(upper.find('T').unwrap_or(upper.len()));
    if time.is_empty() {
        return ValueKind::Date(day.parse().into_iter().filter(|_| day.len() == 10).collect());
    }
    let offset = time.rsplit_once(['+', '-']).map_or("0", |(_, offset)| offset.get(..2).unwrap_or_default());
    let exists = !time.contains(":60") && offset.parse().is_ok_and(|hours: u8| hours <= 14);
    let there = |at: Timestamp| zone.unwrap_or(&TimeZone::UTC).to_datetime(at);
    let moment: Result<DateTime, _> =
        if time.contains(['Z', '+', '-']) { upper.parse().map(there) } else { upper.parse() };
    let whole = |moment: DateTime| moment.with().subsec_nanosecond(0).build().unwrap_or(moment);
    ValueKind::Moment(moment.into_iter().filter(|_| exists).map(whole).collect())
}

/// Returns whether the clocks of a zone are put forward over a time, so that there is no such.
pub(super) fn is_skipped(at: DateTime, zone: Option<&TimeZone>) -> bool {
    let offset = zone.unwrap_or(&TimeZone::UTC).to_ambiguous_timestamp(at).offset();
    matches!(offset, AmbiguousOffset::Gap { .. })
}

/// Reads a day at a token. A weekday is the coming one.
pub(super) fn day(message: &Message<'_>, at: usize, today: Date) -> ParsedValue {
    let days = match message.tokens[at].sort {
        Sort::Slashed => Some((at + 1, in_figures(message.low(at), today))),
        _ => in_month(message, at, today)
            .or_else(|| weekday(message, at, today))
            .or_else(|| relative(message, at, today)),
    };
    days.map(|(end, dates)| (end, ValueKind::Date(dates)))
}

/// Reads `3/12/2026` and `3/12`: both ways, where both exist. Dots are day first.
fn in_figures(text: &str, today: Date) -> Vec<Date> {
    let parts: Vec<i16> = text.split(['/', '.', '-']).filter_map(|part| part.parse().ok()).collect();
    let (year, one, two) = match parts[..] {
        [year, month, day] if year > 99 => (Some(year), day, month),
        [day, month, year] => (Some(year), day, month),
        [day, month] => (None, day, month),
        _ => return Vec::new(),
    };
    // Two figures of a year are the nearest one that is not far ahead.
    let near = |year: i16| if year + 2000 > today.year() + 20 { year + 1900 } else { year + 2000 };
    let full = year.map(|year| if year < 100 { near(year) } else { year });
    let sure = text.contains('.') || one == two || parts[0] > 99;
    let orders = if sure { vec![(one, two)] } else { vec![(one, two), (two, one)] };
    orders.into_iter().flat_map(|(day, month)| of_year(full, month, day, today)).collect()
}

/// Returns a day of a year; without a year the last and the coming one, of which the field says which is meant.
fn of_year(year: Option<i16>, month: i16, day: i16, today: Date) -> Vec<Date> {
    let (Ok(month), Ok(day)) = (i8::try_from(month), i8::try_from(day)) else { return Vec::new() };
    let date = |year: i16| Date::new(year, month, day).ok();
    let (first, last) = (today.year() - 1, today.year());
    let gone = (first..=last).rev().filter_map(date).find(|date| *date < today);
    let coming = (last..last + 8).filter_map(date).find(|date| *date >= today);
    year.map_or_else(|| gone.into_iter().chain(coming).collect(), |year| date(year).into_iter().collect())
}

/// Reads a day with its month: `3 December`, `the 3rd of Dec 2026`, `December 3`; of `3 to 5 December` and `Dec 3-5` each.
fn in_month(message: &Message<'_>, at: usize, today: Date) -> Days {
    const TO: &str = "to until till through - – — and";
    let past = |at: usize, words: &str| at + usize::from(message.is(at, words));
    let day = |at: usize| message.tokens.get(at).and_then(Token::day);
    let month = |at: usize| {
        let low = message.low(at);
        let number = MONTHS.split(' ').position(|name| low.len() >= 3 && name.starts_with(low))?;
        Some((at + 1, i16::try_from(number + 1).ok()?))
    };
    // `may 3 people come` is no day.
    let leads = month(at).filter(|_| message.is_capital(at) || !message.is(at, "may march"));
    let first = if leads.is_some() { past(past(at + 1, "."), "the") } else { at };
    let (number, second) = (day(first)?, past(first + 2, "the"));
    let shared = message.is(first + 1, TO) && day(second).is_some();
    let before = at.checked_sub(3).filter(|at| day(at + 1).is_some() && message.is(at + 2, TO));
    // Where the month and its day end, and where the day itself does.
    let ((said, month), end) = match (leads, month(past(first + 1, "of"))) {
        (Some((_, month)), _) => ((first + 1, month), first + 1),
        (None, Some((said, month))) => ((said, month), said),
        (None, None) if shared => (month(past(second + 1, "of"))?, first + 1),
        (None, None) => (before.and_then(month).map(|(_, month)| (first + 1, month))?, first + 1),
    };
    let figures = past(said, ",");
    let year = message.low(figures).parse().ok().filter(|year| (1900..=2200).contains(year));
    let end = if year.is_some() && end == said { figures + 1 } else { end };
    Some((end, of_year(year, month, i16::from(number), today)))
}

/// Reads `Friday`, `next Friday`, `last Friday`, `Friday 5 December`. More weeks between are not read.
fn weekday(message: &Message<'_>, at: usize, today: Date) -> Days {
    let of = at + usize::from(message.is(at, "this next coming last"));
    let low = message.low(of);
    let short = |name: &str| name.starts_with(low) && low.len() >= 3 && message.is_capital(of);
    let day = i8::try_from(DAYS.split(' ').position(|name| name == low || short(name))?).ok()?;
    if let Some((end, mut dates)) = in_month(message, message.past(of + 1, ", the"), today) {
        // A date on another weekday leaves it open which of the two is wrong. That of last year fits only by chance.
        let fits = |date: &Date| date.weekday().to_monday_zero_offset() == day;
        if dates.len() == 1 || dates.last().is_some_and(fits) {
            dates.retain(fits);
        }
        return Some((end, dates));
    }
    let now = today.weekday().to_monday_zero_offset();
    let ahead = i64::from((day - now).rem_euclid(7));
    let days = match message.low(at) {
        "next" if day > now => vec![ahead, ahead + 7],
        "next" | "coming" if ahead == 0 => vec![7],
        "this" if day < now => vec![ahead, ahead - 7],
        "last" => vec![ahead - 7],
        _ if ahead == 0 => vec![0, 7],
        _ => vec![ahead],
    };
    Some((of + 1, days.into_iter().map(|days| today.saturating_add(days.days())).collect()))
}

/// Reads `today`, `tomorrow`, `the day after tomorrow`, `the 12th`, `in two weeks`, `3 days ago`, `a week from Friday`.
fn relative(message: &Message<'_>, at: usize, today: Date) -> Days {
    let plus = |end: usize, days: i64| Some((end, vec![today.saturating_add(days.days())]));
    match message.low(at) {
        "today" | "tonight" => return plus(at + 1, 0),
        "tomorrow" => return plus(at + 1, 1),
        "yesterday" => return plus(at + 1, -1),
        "day" if message.says(at, "day after tomorrow") => return plus(at + 3, 2),
        _ => {}
    }
    if let Some(day) = message.tokens[at].day().filter(|_| message.tokens[at].is_ordinal()) {
        let alone = !message.is_word(at + 1) || message.small[at + 1];
        return alone.then_some((at + 1, vec![today.series(1.day()).find(|date| date.day() == day)?]));
    }
    let (next, count) = number::count(message, at + usize::from(message.is(at, "in")))?;
    let days = match time_unit(message.low(next))? {
        "day" => count,
        "week" => count * 7,
        _ => return None,
    };
    match message.low(next + 1) {
        "ago" => plus(next + 2, -days),
        "from" => {
            let (end, base) = weekday(message, next + 2, today)?;
            Some((end, base.into_iter().map(|base| base.saturating_add(days.days())).collect()))
        }
        _ if message.is(at, "in") => plus(next + 1, days),
        _ => None,
    }
}

/// Reads a time at a token: where it ends, and what it can be. Bare hours count only where the form asks for times at all.
pub(super) fn time(message: &Message<'_>, at: usize, question: &Question<'_>, names: &Names) -> ParsedValue {
    let clock = message.tokens[at].sort == Sort::Clock || is_dotted(message, at, question, names);
    let low = &if clock { message.low(at).replace('.', ":") } else { message.low(at).to_owned() };
    let figures = match low.as_str() {
        "midnight" => "00:00",
        "noon" | "midday" => "12:00",
        _ => low.trim_end_matches(['a', 'p', 'm']),
    };
    let attached = low.strip_prefix(figures).filter(|half| clock && !half.is_empty());
    let said = attached.map(|half| (at + 1, half)).or_else(|| half(message, at + 1));
    if figures.len() > 3 && figures.contains(':') && said.is_none() {
        // `14:30:15` is what a control sends; `:60` is no second of a day.
        let exact = format!("{figures:0>5}").parse().ok();
        let exact = exact.filter(|_| figures.len() < 6 || !figures.ends_with(":60"));
        return Some((at + 1, ValueKind::Time(exact.into_iter().collect())));
    }
    let (end, hour, minute) = if clock {
        let (hour, minute) = figures.split_once(':').unwrap_or((figures, "0"));
        (at + 1, hour.parse().ok()?, minute.parse().ok()?)
    } else {
        spoken(message, at).or_else(|| Some((at + 1, bare(message, at)?, 0)))?
    };
    let said = said.filter(|_| clock).or_else(|| half(message, end));
    let oclock = end + usize::from(message.is(end, "o'clock"));
    let sure = end > at + 1 || clock || said.is_some() || oclock > end;
    let times = times(hour, minute, said.map(|(_, half)| half));
    let end = said.map_or(oclock, |(end, _)| end);
    (sure || means_hour(message, at, end, question)).then_some((end, ValueKind::Time(times)))
}

/// Returns whether `14.30` is a time: behind `at`, as the answer to a field for a time, or behind the name of one.
fn is_dotted(message: &Message<'_>, at: usize, question: &Question<'_>, names: &Names) -> bool {
    let timed = |field: &Field| matches!(field.kind, Kind::Time | Kind::Datetime);
    let from = at - usize::from(message.follows(at, ": = is"));
    let beside = names.mentions.iter().any(|name| name.at.end == from && timed(&question.fields[name.field]));
    let asked = question.asked.is_some_and(timed) && message.tokens.len() < 3;
    let led = message.follows(at, "at @") && question.fields.iter().any(timed);
    let clock = |(hour, minute): (&str, &str)| {
        minute.len() == 2 && minute < "60" && hour.parse().is_ok_and(|hour: u8| hour < 24)
    };
    (beside || asked || led) && message.low(at).split_once('.').is_some_and(clock)
}

/// Returns whether a bare number is an hour: `at 9`, the whole answer to a field for a time, or the first of `8-9am`.
fn means_hour(message: &Message<'_>, at: usize, end: usize, question: &Question<'_>) -> bool {
    let timed = question.fields.iter().any(|field| matches!(field.kind, Kind::Time | Kind::Datetime));
    let asked = question.asked.is_some_and(|asked| asked.kind == Kind::Time);
    let range = message.is(end, "- – to or and")
        && (message.low(end + 1).ends_with('m') || message.is(end + 2, "am pm"));
    let led = message.follows(at, "at by until till from between @") || range;
    asked && message.all() == (at..end) || timed && led && !message.is(end, "h")
}

/// Returns what an hour and a minute can mean in a half of the day, if one is said.
fn times(hour: i8, minute: i8, half: Option<&str>) -> Vec<Time> {
    let (on_dial, morning) = ((1..=12).contains(&hour), hour % 12);
    let hours = match half {
        // `14:00 in the afternoon` is said, but nobody means `13 am`.
        Some("pm") if !on_dial => vec![],
        Some("am" | "morning") if hour > 12 => vec![],
        Some("am" | "morning") => vec![morning],
        Some(_) if on_dial => vec![morning + 12],
        None if on_dial => vec![morning, morning + 12],
        _ => vec![hour],
    };
    hours.into_iter().filter_map(|hour| Time::new(hour, minute, 0, 0).ok()).collect()
}

/// Reads which half of the day is said behind a time, and where that ends.
fn half<'m>(message: &'m Message<'_>, at: usize) -> Option<(usize, &'m str)> {
    let named = message.past(at, "o'clock in at the this");
    let of_day = named > at && message.is(named, "morning afternoon evening night");
    (of_day || message.is(named, "am pm")).then(|| (named + 1, message.low(named)))
}

/// Reads `half past two`, `a quarter to nine`, `ten past nine`.
fn spoken(message: &Message<'_>, at: usize) -> Option<(usize, i8, i8)> {
    let from = at + usize::from(message.says(at, "a quarter"));
    let minute = match message.low(from) {
        "half" => 30,
        "quarter" => 15,
        low => small(low).filter(|minutes| [5, 10, 20].contains(minutes))?,
    };
    let hour = bare(message, from + 2).filter(|hour| (1..=12).contains(hour))?;
    // `ten to twelve people` are no time.
    let sure = minute == 15 || message.follows(at, "at") || half(message, from + 3).is_some();
    match message.low(from + 1) {
        "past" => Some((from + 3, hour, minute)),
        "to" if sure && minute < 30 => Some((from + 3, (hour + 10) % 12 + 1, 60 - minute)),
        _ => None,
    }
}

fn bare(message: &Message<'_>, at: usize) -> Option<i8> {
    let low = message.low(at);
    let figures = low.parse::<i8>().ok().filter(|_| low.len() <= 2);
    figures.or_else(|| small(low)).filter(|hour| (0..=24).contains(hour))
}
