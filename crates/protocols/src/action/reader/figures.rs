//! Days in figures: `2026-02-11`, `11.02.2026`, `13/02`.

use jiff::civil::Date;

use super::day::{Reckoning, Said, in_year};
use super::relative::day_name;
use super::words::{Sort, Token};

/// Reads a day in figures with its year: `2026-02-11`, `11.02.2026`, `13/02/2026`, `13/02/26`.
pub(super) fn written(tokens: &[Token], at: usize) -> Option<Said> {
    let glued = |at: usize| tokens.get(at).filter(|token| !token.spaced);
    let first = tokens.get(at).filter(|token| token.sort == Sort::Digits)?;
    let sign = glued(at + 1).filter(|token| token.among(&["-", "/", "."]))?;
    let second = glued(at + 2)?.number()?;
    let again = glued(at + 3).filter(|token| token.low == sign.low)?;
    let third = glued(at + 4)?;
    let next = at + 5;
    // A run of more figures is a number of another kind: 10.0.13.26.
    if glued(next).is_some_and(|token| token.low == sign.low) && glued(next + 1).is_some() {
        return None;
    }
    match (first.low.len(), third.low.len(), again.low.as_str()) {
        (4, 1..=2, "-" | "/") => Some(Said::fixed(date(first.number()?, second, third.number()?)?, next)),
        (1..=2, 4, ".") => Some(Said::fixed(date(third.number()?, second, first.number()?)?, next)),
        // With strokes some write the month first, others the day.
        (1..=2, 4, _) => either(third.number()?, first.number()?, second, next),
        (1..=2, 2, ".") if (20..=60).contains(&third.number()?) => {
            Some(Said::fixed(date(2000 + third.number()?, second, first.number()?)?, next))
        }
        (1..=2, 2, "/") if (20..=60).contains(&third.number()?) => {
            either(2000 + third.number()?, first.number()?, second, next)
        }
        _ => None,
    }
}

fn date(year: i64, month: i64, day: i64) -> Option<Date> {
    Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn either(year: i64, one: i64, two: i64, next: usize) -> Option<Said> {
    match (date(year, two, one), date(year, one, two)) {
        (Some(day), Some(other)) if day != other => Some(Said { or: Some(other), ..Said::fixed(day, next) }),
        (Some(day), _) | (None, Some(day)) => Some(Said::fixed(day, next)),
        (None, None) => None,
    }
}

/// How many tokens around a day are looked at for another.
const REACH: usize = 60;

/// In which order a day and its month are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    DayFirst,
    MonthFirst,
}

/// Returns which of two figures is the day, where only one can be.
fn order(one: i64, two: i64) -> Option<Order> {
    match (one, two) {
        (13..=31, 1..=12) => Some(Order::DayFirst),
        (1..=12, 13..=31) => Some(Order::MonthFirst),
        (same, other) if same == other && (1..=12).contains(&same) => Some(Order::DayFirst),
        _ => None,
    }
}

/// Returns the two figures that stand at a token, joined by a sign, and the token behind them.
fn pair(tokens: &[Token], at: usize) -> Option<(i64, &Token, i64, usize)> {
    let glued = |at: usize| tokens.get(at).filter(|token| !token.spaced);
    let short = |token: &&Token| token.sort == Sort::Digits && token.low.len() <= 2;
    let first = tokens.get(at).filter(short)?;
    let sign = glued(at + 1).filter(|token| token.among(&["/", "."]))?;
    let second = glued(at + 2).filter(short)?;
    // The German way ends with a point: `21.12.`
    let closed = glued(at + 3).is_some_and(|token| token.is("."));
    let longer = glued(at + 3).is_some_and(|token| token.sort == Sort::Digits || token.is("/"))
        || closed && glued(at + 4).is_some_and(|token| token.sort == Sort::Digits);
    let inner = at.checked_sub(1).is_some_and(|before| {
        !tokens[at].spaced && (tokens[before].sort != Sort::Sign || tokens[before].among(&["/", ".", ":"]))
    });
    if longer || inner || sign.is(".") && !closed {
        return None;
    }
    // Around the clock, every day of the week.
    let next = at + 3 + usize::from(closed && sign.is("."));
    (first.low != "24" || second.low != "7").then_some((first.number()?, sign, second.number()?, next))
}

/// Reads a day and a month in figures: `from 21/12 to 24/12`. Which is which another day in the text may tell.
pub(super) fn without_year(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let (one, sign, two, next) = pair(tokens, at)?;
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let due = from.asked && tokens.len() <= 5
        || before.is_some_and(|token| {
            token.among(&[
                "from",
                "to",
                "until",
                "till",
                "on",
                "through",
                "since",
                "starting",
                "–",
                "-",
                "by",
                "before",
                "latest",
                "deadline",
                "beginning",
                "due",
            ]) || day_name(token).is_some()
        });
    // `21/12 - 24/12`
    let spans = tokens.get(next).is_some_and(|token| {
        token.among(&["-", "–", "to", "until", "till", "and", "&"])
            && pair(tokens, next + 1).is_some_and(|(_, other, ..)| other.low == sign.low)
    });
    // What is counted or measured is no day: `a 16/9 screen`, `13/12 inch`.
    let measured = tokens.get(next).is_some_and(|token| {
        token.among(&["inch", "inches", "monitor", "screen", "display", "ratio", "percent", "%", "of"])
    });
    let told = order(one, two);
    if measured || !(due || spans || told.is_some() && sign.is("/") && one != two) {
        return None;
    }
    // Not farther than a few sentences, so that a long text costs no more than its length.
    let near = at.saturating_sub(REACH)..tokens.len().min(at + REACH);
    let like = || near.filter(|other| *other != at).find_map(|other| settled(tokens, other));
    let (day, month) = match told.or_else(like) {
        Some(Order::DayFirst) => (one, two),
        Some(Order::MonthFirst) => (two, one),
        None => return either_way(one, two, from, next),
    };
    in_year(i8::try_from(day).ok()?, i8::try_from(month).ok()?, from, next)
}

/// Returns the order of a pair of figures that can be read in one way only.
fn settled(tokens: &[Token], at: usize) -> Option<Order> {
    let (one, _, two, _) = pair(tokens, at).filter(|(one, _, two, _)| one != two)?;
    order(one, two)
}

/// Reads a day that some write with the month first, others with the day: that is asked.
fn either_way(one: i64, two: i64, from: Reckoning, next: usize) -> Option<Said> {
    let (one, two) = (i8::try_from(one).ok()?, i8::try_from(two).ok()?);
    if !((1..=12).contains(&one) && (1..=12).contains(&two)) {
        return None;
    }
    let day = in_year(one, two, from, next)?;
    let other = in_year(two, one, from, next)?.day;
    Some(Said { or: Some(other), ..day })
}
