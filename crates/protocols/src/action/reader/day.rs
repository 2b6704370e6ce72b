//! Days as people say them: in figures and with the name of their month.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::figures::{without_year, written};
use super::monthly;
use super::number;
use super::relative::{counted, day_name, of_month, weekday};
use super::words::{Sort, Token};

/// What a day is reckoned from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reckoning {
    pub(super) today: Date,
    /// Whether days without a year or a direction lie in the past.
    pub(super) backward: bool,
    /// Whether a day was asked for, so that `two weeks from Monday` is one and not a length with its start.
    pub(super) asked: bool,
    /// The day before the week that weekdays lie in, where that was said.
    pub(super) week: Option<Date>,
}

/// A day that was said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// The day; the second is another way to read it.
    pub(super) day: Date,
    pub(super) or: Option<Date>,
    /// Whether nothing but the words decides which day it is: no year and no weekday had to be guessed.
    pub(super) fixed: bool,
    pub(super) next: usize,
}

impl Said {
    pub(super) fn fixed(day: Date, next: usize) -> Self {
        Self { day, or: None, fixed: true, next }
    }

    pub(super) fn guessed(day: Date, next: usize) -> Self {
        Self { day, or: None, fixed: false, next }
    }
}

const MONTHS: [(&str, &str); 12] = [
    ("january", "jan"),
    ("february", "feb"),
    ("march", "mar"),
    ("april", "apr"),
    ("may", "may"),
    ("june", "jun"),
    ("july", "jul"),
    ("august", "aug"),
    ("september", "sep"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
];

/// Reads a day that begins at a token.
pub(super) fn at(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    written(tokens, at)
        .or_else(|| without_year(tokens, at, from))
        .or_else(|| super::feast::at(tokens, at, from))
        .or_else(|| edge_of_month(tokens, at, from))
        .or_else(|| monthly::nth(tokens, at, from))
        .or_else(|| named(tokens, at, from))
        .or_else(|| counted(tokens, at, from))
        .or_else(|| weekday(tokens, at, from))
        .or_else(|| of_month(tokens, at, from))
}

/// Reads a range whose ends share their month: `11 to 15 February`, `the 3rd to the 5th of May`, `Thursday 10 and Friday 11 June`,
/// `8, 9 and 10 March`.
pub(super) fn range(tokens: &[Token], at: usize, from: Reckoning) -> Option<(Said, Said)> {
    let (first, after) = numbered(tokens, at)?;
    // Days that follow each other go on to the last: `8, 9 and 10 March`; `24 and 27` are two days.
    let (mut last, mut next) = (first, after);
    let mut joined = false;
    let start = loop {
        let listed = tokens.get(next).is_some_and(|token| token.among(&["and", "&", "+", ","]));
        let comma = usize::from(
            tokens.get(next).is_some_and(|token| token.is(","))
                && tokens.get(next + 1).is_some_and(|token| token.among(&["and", "&"])),
        );
        let to = match joint(tokens, next, at) {
            Some(to) if !joined => {
                joined = true;
                to
            }
            _ if listed && !joined => next + 1 + comma,
            _ => return None,
        };
        let (day, behind) = numbered(tokens, to)?;
        if !joined && day != last + 1 {
            return None;
        }
        (last, next) = (day, behind);
        if month_after(tokens, next).is_some() || joined {
            break to;
        }
    };
    // Without a month both must be ordinals: `3 to 5` alone are no days. `21-24/12` has it in figures.
    let begin = unnamed(tokens, start);
    let end = if month_after(tokens, next).is_some() {
        dated(tokens, begin, from)?
    } else {
        written(tokens, begin).or_else(|| without_year(tokens, begin, from)).filter(|end| end.or.is_none())?
    };
    if i64::from(end.day.day()) != last {
        return None;
    }
    let start = Date::new(end.day.year(), end.day.month(), i8::try_from(first).ok()?).ok()?;
    Some((Said { day: start, or: None, fixed: end.fixed, next: after }, end))
}

/// Returns the token behind a weekday and an article that stand before the number of a day.
fn unnamed(tokens: &[Token], at: usize) -> usize {
    let named = tokens.get(at).and_then(day_name).is_some();
    let comma = usize::from(named && tokens.get(at + 1).is_some_and(|token| token.is(",")));
    let at = at + usize::from(named) + comma;
    article(tokens, at).unwrap_or(at)
}

/// Reads the number of a day, also behind its weekday: `11`, `the 11th`, `Friday 11`.
pub(super) fn numbered(tokens: &[Token], at: usize) -> Option<(i64, usize)> {
    day_number(tokens, unnamed(tokens, at))
}

/// Reads `Feb 11 to 15`.
pub(super) fn month_first_range(tokens: &[Token], at: usize, from: Reckoning) -> Option<(Said, Said)> {
    month(tokens.get(at)?)?;
    let start = dated(tokens, at, from)?;
    let joint = joint(tokens, start.next, at);
    let both = tokens.get(start.next).filter(|token| token.among(&["and", "&", "+"])).map(|_| start.next + 1);
    let to = joint.or(both)?;
    let to = article(tokens, to).unwrap_or(to);
    let (last, after) = day_number(tokens, to)?;
    // `April 9 and 10` follow each other.
    if joint.is_none() && last != i64::from(start.day.day()) + 1 {
        return None;
    }
    if month_after(tokens, after).is_some()
        || tokens.get(after).is_some_and(|token| token.among(&[":", "am", "pm"]))
    {
        return None;
    }
    let (year, after) =
        year_after(tokens, after).map_or((start.day.year(), after), |(year, after)| (year, after));
    let end = Date::new(year, start.day.month(), i8::try_from(last).ok()?).ok()?;
    Some((Said { next: to, ..start.clone() }, Said { day: end, or: None, fixed: start.fixed, next: after }))
}

/// Returns the token after what joins the ends of a range.
pub(super) fn joint(tokens: &[Token], at: usize, start: usize) -> Option<usize> {
    let token = tokens.get(at)?;
    let between =
        || start.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|token| token.is("between"));
    let joins = token.among(&["to", "until", "till", "through", "thru", "-", "–", "—"])
        || (token.is("and") && between());
    joins.then_some(at + 1)
}

/// Reads a day with its month by name, or a day of this or the next month: `the 15th`.
fn named(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    // A weekday before a date only confirms it.
    let start = match tokens.get(at).and_then(day_name) {
        Some(weekday) => {
            let comma = usize::from(tokens.get(at + 1).is_some_and(|token| token.is(",")));
            let after = at + 1 + comma;
            let said = article(tokens, after)
                .and_then(|at| dated(tokens, at, from))
                .or_else(|| dated(tokens, after, from))
                .or_else(|| of_month(tokens, article(tokens, after).map_or(after, |_| after), from))?;
            // A weekday that does not fit says that one of both is wrong.
            let other = if from.backward { -1 } else { 1 };
            let other = (said.day.weekday() != weekday).then(|| from.today.nth_weekday(other, weekday).ok());
            return Some(Said { or: other.flatten().or(said.or), ..said });
        }
        None => article(tokens, at).unwrap_or(at),
    };
    dated(tokens, start, from)
}

pub(super) fn article(tokens: &[Token], at: usize) -> Option<usize> {
    tokens.get(at).filter(|token| token.is("the")).map(|_| at + 1)
}

/// Reads `11 February 2026`, `11th of Feb`, `February 11, 2026`.
fn dated(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let (day, month, after) = if let Some(month) = tokens.get(at).and_then(month) {
        let (day, after) = day_number(tokens, article(tokens, at + 1).unwrap_or(at + 1))?;
        (day, month, after)
    } else {
        let (day, after) = day_number(tokens, at)?;
        let (month, after) = month_after(tokens, after)?;
        (day, month, after)
    };
    let day = i8::try_from(day).ok()?;
    if let Some((year, next)) = year_after(tokens, after) {
        return Date::new(year, month, day).ok().map(|day| Said::fixed(day, next));
    }
    in_year(day, month, from, after)
}

/// Returns a day of a month without a year.
pub(super) fn in_year(day: i8, month: i8, from: Reckoning, after: usize) -> Option<Said> {
    // Of the years around, the one in which the day is next, or was last.
    let year = from.today.year();
    let years = if from.backward {
        [year, year - 1, year - 2, year - 3, year - 4]
    } else {
        [year, year + 1, year + 2, year + 3, year + 4]
    };
    // Who names a day of last week is catching up, not planning a year ahead.
    let lately = from.today.checked_sub(14.days()).unwrap_or(from.today);
    let fits = |date: &Date| if from.backward { *date <= from.today } else { *date >= lately };
    let date = years.iter().filter_map(|year| Date::new(*year, month, day).ok()).find(fits)?;
    // What lies more than half a year back is rather to come: then it is asked which.
    let half = from.today.checked_sub(183.days()).unwrap_or(from.today);
    let or = (from.backward && date < half)
        .then(|| {
            years[0..1]
                .iter()
                .chain(&[year + 1])
                .filter_map(|year| Date::new(*year, month, day).ok())
                .find(|date| *date > from.today)
        })
        .flatten();
    Some(Said { or, ..Said::guessed(date, after) })
}

/// Returns whether a word names a month.
pub(super) fn is_month(token: &Token) -> bool {
    month(token).is_some()
}

/// Reads `the last day of June`, `the first day of next month` excepted.
fn edge_of_month(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let at = article(tokens, at).unwrap_or(at);
    let word = |offset: usize| tokens.get(at + offset).map_or("", |token| token.low.as_str());
    let last = match (word(0), word(1), word(2)) {
        ("last", "day", "of") => true,
        ("first", "day", "of") => false,
        _ => return None,
    };
    let month = month(tokens.get(at + 3)?)?;
    let (year, next) = year_after(tokens, at + 4).map_or((None, at + 4), |(year, next)| (Some(year), next));
    let edge = |year: i16| {
        let first = Date::new(year, month, 1).ok()?;
        Some(if last { first.last_of_month() } else { first })
    };
    if let Some(year) = year {
        return edge(year).map(|day| Said::fixed(day, next));
    }
    let this = from.today.year();
    let years = if from.backward { [this, this - 1] } else { [this, this + 1] };
    let fits = |date: &Date| if from.backward { *date <= from.today } else { *date >= from.today };
    years.into_iter().filter_map(edge).find(fits).map(|day| Said::guessed(day, next))
}

pub(super) fn month(token: &Token) -> Option<i8> {
    let at = MONTHS.iter().position(|(name, short)| {
        token.is(name) || token.is(short) || (*short == "sep" && token.is("sept"))
    })?;
    i8::try_from(at + 1).ok()
}

pub(super) fn month_after(tokens: &[Token], at: usize) -> Option<(i8, usize)> {
    let at = if tokens.get(at).is_some_and(|token| token.is("of")) { at + 1 } else { at };
    let month = month(tokens.get(at)?)?;
    let dot = tokens.get(at + 1).is_some_and(|token| {
        token.is(".") && !token.spaced && tokens.get(at + 2).is_some_and(|next| next.sort == Sort::Digits)
    });
    Some((month, at + 1 + usize::from(dot)))
}

pub(super) fn year_after(tokens: &[Token], at: usize) -> Option<(i16, usize)> {
    let at = if tokens.get(at).is_some_and(|token| token.is(",")) { at + 1 } else { at };
    let token = tokens.get(at).filter(|token| token.low.len() == 4)?;
    let year = token.number().filter(|year| (1900..=2200).contains(year))?;
    Some((i16::try_from(year).ok()?, at + 1))
}

/// Reads the number of a day in a month: `11`, `11th`, `eleventh`; no part of a longer number or a time.
fn day_number(tokens: &[Token], at: usize) -> Option<(i64, usize)> {
    if let Some((day, next)) = number::ordinal(tokens, at) {
        return (1..=31).contains(&day).then_some((day, next));
    }
    let token = tokens.get(at).filter(|token| token.low.len() <= 2)?;
    let day = token.number().filter(|day| (1..=31).contains(day))?;
    let dot = tokens
        .get(at + 1)
        .is_some_and(|next| next.is(".") && !next.spaced && tokens.get(at + 2).and_then(month).is_some());
    Some((day, at + 1 + usize::from(dot)))
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;
    use super::*;

    #[test]
    fn days_are_read() {
        let today = jiff::civil::date(2026, 1, 20);
        let read = |text: &str| {
            at(&tokens(text), 0, Reckoning { today, backward: false, asked: true, week: None })
                .map(|said| said.day.to_string())
        };
        for (text, day) in [
            ("2026-02-11", "2026-02-11"),
            ("11.02.2026", "2026-02-11"),
            ("13/02/2026", "2026-02-13"),
            ("11 February", "2026-02-11"),
            ("the 11th of Feb 2027", "2027-02-11"),
            ("January 5th", "2027-01-05"),
            ("Friday 30 January", "2026-01-30"),
            ("tomorrow", "2026-01-21"),
            ("in two weeks", "2026-02-03"),
            ("3 days ago", "2026-01-17"),
            ("a week from Friday", "2026-01-30"),
            ("next Tuesday", "2026-01-27"),
            ("next Monday", "2026-01-26"),
            ("last Monday", "2026-01-19"),
            ("the 15th", "2026-02-15"),
            ("29 February", "2028-02-29"),
            ("in a month", "2026-02-20"),
            ("sat", "2026-01-24"),
            ("fri 9 pm", "2026-01-23"),
            ("Friday week", "2026-01-30"),
            ("a week tomorrow", "2026-01-28"),
            ("last night", "2026-01-19"),
            ("Thursday of last week", "2026-01-15"),
            ("21/12", "2026-12-21"),
            ("21.12.26", "2026-12-21"),
        ] {
            assert_eq!(read(text).as_deref(), Some(day), "{text}");
        }
        for text in
            ["30 February", "31.02.2026", "may", "sat down", "the first day", "11", "in two", "13/13/2026"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(
            at(&tokens("11/02/2026"), 0, Reckoning { today, backward: false, asked: true, week: None })
                .unwrap()
                .or
                .is_some()
        );
    }
}
