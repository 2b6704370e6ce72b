//! Days and times, written and in words. A bare hour stays open between morning and afternoon, unless the field's range decides.

use holdpoint_core::Kind;
use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use super::figures::{
    AFTERNOON, EITHER, MORNING, PM, clock as dotted_time, exact_time, full_year, slashed, times,
};
use super::units::{DAYS, month, small, time_unit};
use super::{FILLERS, Message, Question, Read, Sort, Token, What, is_among, number};

/// Where a day ends that begins at a token, and what it can be.
type Days = Option<(usize, Vec<Date>)>;

/// Reads a day at a token. A weekday or a bare `12th` is the coming one.
pub(super) fn read(message: &Message<'_>, at: usize, today: Date) -> Read {
    day(message, at, today).map(|(end, dates)| (end, What::Date(dates)))
}

fn day(message: &Message<'_>, at: usize, today: Date) -> Days {
    let token = message.tokens.get(at)?;
    match token.sort {
        Sort::Slashed if token.low.len() < 6 => Some((at + 1, short(message, at, today))),
        Sort::Slashed => Some((at + 1, slashed(&token.low, today))),
        Sort::Iso => Some((at + 1, token.low.parse().into_iter().collect())),
        _ => in_month(message, at, today)
            .or_else(|| relative(message, at, today))
            .or_else(|| weekday(message, at, today))
            .or_else(|| numbered(message, at, today)),
    }
}

/// Reads a day and a month without a year: `24.11`, and `1/12` both ways.
pub(super) fn short(message: &Message<'_>, at: usize, today: Date) -> Vec<Date> {
    let low = message.low(at);
    let parts: Vec<i8> = low.split(['/', '.']).filter_map(|part| part.parse().ok()).collect();
    let [one, two] = parts[..] else { return Vec::new() };
    let both = [(one, two), (two, one)];
    let both = if low.contains('/') && one != two { &both[..] } else { &both[..1] };
    both.iter().flat_map(|(day, month)| yearless(message, at, *month, *day, today)).collect()
}

/// Reads a day with its month: `3 December`, `the 3rd of Dec 2026`, `December 3`; of `3 to 5 December` and `Dec 3-5` each.
fn in_month(message: &Message<'_>, at: usize, today: Date) -> Days {
    const TO: &str = "to until till through - – — and";
    let past = |at: usize, words: &str| at + usize::from(message.is(at, words));
    let day =
        |at: usize| message.tokens.get(at).and_then(Token::day).or(message.is(at, "first").then_some(1));
    let named = |at: usize| Some((at + 1, month(message.low(at))?));
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
    // `3 May 2027`, `3 May '27`, and `3 May 27` where nothing is counted
    let figures = written + usize::from(message.is(written, "'"));
    let next = message.tokens.get(figures + 1).filter(|next| !next.is(FILLERS));
    let short = figures > written || figures == said && next.is_none();
    let fits = |figures: &&str| figures.len() == 4 || figures.len() == 2 && short;
    let year =
        Some(message.low(figures)).filter(fits).and_then(|year| Some(full_year(year.parse().ok()?, today)));
    let year = year.filter(|year| (1900..=2200).contains(year));
    let end = if year.is_some() && end == said { figures + 1 } else { end };
    let dates = match year {
        Some(year) => Date::new(year, month, number).into_iter().collect(),
        None => yearless(message, at, month, number, today),
    };
    Some((end, dates))
}

/// Returns what a day without a year can be: the coming one, or the last one too where the past is told or that day has just been.
fn yearless(message: &Message<'_>, at: usize, month: i8, day: i8, today: Date) -> Vec<Date> {
    const JUST: i32 = 45;
    const PAST: &str = "was were did had ago happened";
    let year = |year: i16| Date::new(year, month, day).ok();
    let last = (today.year() - 1..=today.year()).rev().filter_map(year).find(|date| *date < today);
    let coming = (today.year()..today.year() + 8).filter_map(year).find(|date| *date >= today);
    let does = |at: usize| message.follows(at, "i we you he she it they") && message.tells(at);
    let past = |at: usize| message.is(at, PAST) || does(at);
    let told = message.sentence(at).any(past);
    let just =
        |last: Date| coming != Some(today) && today.since(last).is_ok_and(|ago| ago.get_days() <= JUST);
    last.filter(|last| told || just(*last)).into_iter().chain(coming).collect()
}

/// Returns the day of the week at a token, counted from Monday.
fn day_of_week(message: &Message<'_>, at: usize) -> Option<i8> {
    let token = message.tokens.get(at).filter(|token| token.is_word())?;
    let short = |name: &str| name.starts_with(&token.low) && token.low.len() >= 3 && message.is_capital(at);
    i8::try_from(DAYS.split(' ').position(|name| name == token.low || short(name))?).ok()
}

/// Reads `Friday`, `next Friday`, `this Friday`, `Friday 5 December`, `Friday next week`.
fn weekday(message: &Message<'_>, at: usize, today: Date) -> Days {
    let of = at + usize::from(message.is(at, "this next coming last past"));
    // Neither `next week on Friday` nor `the first Monday in December` is any Friday or Monday.
    let lead = at.saturating_sub(1 + usize::from(message.follows(at, "on")));
    let rest =
        message.is(lead, "week") || message.is(of + 1, "in of") && month(message.low(of + 2)).is_some();
    let day = day_of_week(message, of).filter(|_| !rest)?;
    if let Some((end, mut dates)) =
        in_month(message, message.past(of + 1, ", the"), today).filter(|_| of == at)
    {
        // A date on another weekday leaves it open which of the two is wrong.
        dates.retain(|date| date.weekday().to_monday_zero_offset() == day);
        return Some((end, dates));
    }
    let now = today.weekday().to_monday_zero_offset();
    let (ahead, week) = (i64::from((day - now).rem_euclid(7)), i64::from(day - now));
    let (more, days) = match (message.low(at), message.low(of + 1)) {
        // Some weeks begin with the Sunday.
        (_, "next") if message.is(of + 2, "week") && day == 6 => (2, vec![week, week + 7]),
        (_, "next") if message.is(of + 2, "week") => (2, vec![week + 7]),
        (_, "this") if message.is(of + 2, "week") => (2, vec![week]),
        ("next", _) if day > now => (0, vec![ahead, ahead + 7]),
        ("this", _) if day < now => (0, vec![ahead, ahead - 7]),
        ("last" | "past", _) => (0, vec![ahead - 7]),
        ("next" | "coming", _) if ahead == 0 => (0, vec![7]),
        _ if ahead == 0 && of == at => (0, vec![0, 7]),
        _ => (0, vec![ahead]),
    };
    let plus = |days: i64| today.saturating_add(Span::new().days(days));
    Some((of + 1 + more, days.into_iter().map(plus).collect()))
}

/// Reads `today`, `tomorrow`, and a day by another: `in two weeks`, `3 days ago`, `the day after tomorrow`, `a week before 5 May`.
fn relative(message: &Message<'_>, at: usize, today: Date) -> Days {
    let plus = |days: i64| Some((at + 1, vec![today.saturating_add(Span::new().days(days))]));
    match message.low(at) {
        "this" if message.is(at + 1, "morning afternoon evening") => return Some((at + 2, vec![today])),
        // `now` by itself says nothing.
        "now" if !message.follows(at, "from") => return None,
        "now" | "today" | "tonight" => return plus(0),
        "tomorrow" => return plus(1),
        "yesterday" => return plus(-1),
        _ => {}
    }
    let start = at + usize::from(message.is(at, "in the"));
    let one = message.is(start, "day week").then_some((start, 1));
    let (next, count) = number::count(message, start).or(one)?;
    let unit = time_unit(message.low(next)).filter(|unit| is_among(unit, "day week month year"))?;
    let span: Span = format!("{count} {unit}").parse().ok()?;
    let (end, base) = match message.low(next + 1) {
        "ago" => (next + 2, vec![today]),
        "before" | "after" | "from" => day(message, message.past(next + 2, "the"), today)?,
        _ if message.is(at, "in") && one.is_none() => (next + 1, vec![today]),
        _ => return None,
    };
    let span = if message.is(next + 1, "ago before") { span.negate() } else { span };
    Some((end, base.into_iter().map(|day| day.saturating_add(span)).collect()))
}

/// Reads `the 12th`: the next one that is not past.
fn numbered(message: &Message<'_>, at: usize, today: Date) -> Days {
    let token = message.tokens.get(at)?;
    let day = token.day().filter(|_| token.is_ordinal())?;
    let led = message.follows(at, "the on from to until till by - – and");
    let alone = message.tokens.get(at + 1).is_none_or(|next| !next.is_word() || next.is(FILLERS));
    let date = today.series(1.day()).find(|date| date.day() == day)?;
    (led && alone).then_some((at + 1, vec![date]))
}

/// Reads a time at a token: where it ends, and what it can be. Bare hours count only where the form asks for times at all.
pub(super) fn time(message: &Message<'_>, at: usize, question: &Question<'_>) -> Read {
    let timed = question.fields.iter().any(|field| matches!(field.kind, Kind::Time | Kind::Datetime));
    let (low, clock) = (message.low(at), message.tokens[at].sort == Sort::Clock);
    // `14:30:15` is what a control sends.
    if clock && low.matches(':').count() == 2 {
        return Some((at + 1, What::Time(exact_time(low).into_iter().collect())));
    }
    // `2h30` is a length where no time is asked for.
    let length = low.contains('h') && question.asked.is_some_and(|asked| clock && !asked.kind.is_temporal());
    let sure = spoken(message, at).or_else(|| written(message, at)).filter(|_| !length);
    let (end, hour, minute, own) = sure.or_else(|| Some((at + 1, bare(message, at)?, 0, None)))?;
    let (end, halves) = own.map_or_else(|| half(message, end), |own| (end, own));
    let asked = question.asked.is_some_and(|asked| asked.kind == Kind::Time);
    let alone = asked && at == 0 && end == message.tokens.len();
    // `8-9am`
    let linked =
        message.is(at + 1, "- – to or") || message.is(at + 1, "and") && message.follows(at, "between");
    let range = linked && (message.low(at + 2).ends_with('m') || message.is(at + 3, "am pm"));
    let led = timed && (range || message.follows(at, "at by until till from @")) && !message.is(end, "h");
    // What is written with its minutes is as on a clock of 24 hours.
    let halves = if clock && halves == EITHER { &[] } else { halves };
    (sure.is_some() || end > at + 1 || led || alone).then(|| (end, What::Time(times(hour, minute, halves))))
}

/// Reads which half of the day is said behind a time.
fn half(message: &Message<'_>, at: usize) -> (usize, &'static [i8]) {
    let of = |at: usize| match message.low(at) {
        "morning" | "am" => Some(MORNING),
        "pm" => Some(PM),
        "afternoon" | "evening" | "night" | "tonight" => Some(AFTERNOON),
        _ => None,
    };
    let at = at + usize::from(message.is(at, "o'clock"));
    let named = message.past(at, "in at the this");
    let half = of(named).filter(|_| named > at || message.is(at, "am pm"));
    half.map_or((at, EITHER), |half| (named + 1, half))
}

/// Where a time ends, its hour and minute, and its half of the day where that is part of it.
type Hour = (usize, i8, i8, Option<&'static [i8]>);

/// Reads `14:30`, `2pm`, `2.30pm`.
fn written(message: &Message<'_>, at: usize) -> Option<Hour> {
    let dotted = |low: &str| dotted_time(low).is_some() && message.is(at + 1, "am pm");
    let low = &message.tokens.get(at).filter(|token| token.sort == Sort::Clock || dotted(&token.low))?.low;
    let figures = low.trim_end_matches(char::is_alphabetic);
    let mut parts = figures.split([':', '.', 'h']).map(|part| part.parse().ok());
    let half = if low.contains('a') { Some(MORNING) } else { low.contains('p').then_some(PM) };
    Some((at + 1, parts.next()??, parts.next().unwrap_or(Some(0))?, half))
}

/// Reads `noon`, `half past two`, `a quarter to nine`, `ten past nine`.
fn spoken(message: &Message<'_>, at: usize) -> Option<Hour> {
    let from = at + usize::from(message.says(at, "a quarter"));
    let (end, minutes) = match message.low(from) {
        "midnight" => return Some((at + 1, 0, 0, Some(&[]))),
        "noon" | "midday" => return Some((at + 1, 12, 0, Some(&[]))),
        "half" => (from + 1, 30.0),
        "quarter" => (from + 1, 15.0),
        _ => number::words(message, from).filter(|(_, minutes)| [5.0, 10.0, 20.0, 25.0].contains(minutes))?,
    };
    let hour = bare(message, end + 1).filter(|hour| (1..=12).contains(hour))?;
    // `ten to twelve people` are no time.
    let sure = message.is(from, "quarter") || message.follows(at, "at") || half(message, end + 2).0 > end + 2;
    let to = message.is(end, "to") && sure && minutes < 30.0;
    let (hour, minutes) = if to { ((hour + 10) % 12 + 1, 60.0 - minutes) } else { (hour, minutes) };
    let minutes = minutes.to_string().parse().ok()?;
    (to || message.is(end, "past")).then_some((end + 2, hour, minutes, None))
}

fn bare(message: &Message<'_>, at: usize) -> Option<i8> {
    let low = message.low(at);
    let figures = low.parse::<i8>().ok().filter(|_| low.len() <= 2);
    figures.or_else(|| small(low)?.to_string().parse().ok()).filter(|hour| (0..=24).contains(hour))
}
