//! Weekdays of a month: `the first Friday of December` is a day, `every Friday in December` is none.

use std::ops::Range;

use holdpoint_core::Kind;
use jiff::ToSpan as _;
use jiff::civil::Date;

use super::Unfit;
use super::cue::{Cue, cue};
use super::day::{self, Reckoning, Said, article};
use super::mention::Phrase;
use super::number;
use super::relative::{day_name, length};
use super::role::{is_end, is_start};
use super::scan::Scan;
use super::words::{Sort, Token};

/// Reads a weekday that is counted in its month: `the first Friday of December`, `the last Monday of next month`.
pub(super) fn nth(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let start = article(tokens, at).unwrap_or(at);
    let (count, name) = match number::ordinal(tokens, start) {
        Some((count, next)) => (i8::try_from(count).ok().filter(|count| (1..=5).contains(count))?, next),
        None => tokens.get(start).filter(|token| token.is("last")).map(|_| (-1, start + 1))?,
    };
    let weekday = day_name(tokens.get(name)?)?;
    tokens.get(name + 1).filter(|token| token.among(&["of", "in"]))?;
    let which = article(tokens, name + 2).unwrap_or(name + 2);
    let in_month =
        |year: i16, month: i8| Date::new(year, month, 1).ok()?.nth_weekday_of_month(count, weekday).ok();
    let relative = match tokens.get(which)?.low.as_str() {
        "this" => Some(0_i32),
        "next" | "following" => Some(1),
        _ => None,
    };
    if let Some(months) = relative {
        tokens.get(which + 1).filter(|token| token.is("month"))?;
        let month = from.today.first_of_month().checked_add(months.months()).ok()?;
        return in_month(month.year(), month.month()).map(|day| Said::fixed(day, which + 2));
    }
    let month = day::month(tokens.get(which)?)?;
    if let Some((year, next)) = day::year_after(tokens, which + 1) {
        return in_month(year, month).map(|day| Said::fixed(day, next));
    }
    // A fifth that the next such month does not have is none of a later year.
    let this = from.today.year();
    let here = in_month(this, month);
    let other = if from.backward { this - 1 } else { this + 1 };
    let over = |day: Date| if from.backward { day > from.today } else { day < from.today };
    let day = if here.is_some_and(over) { in_month(other, month) } else { here };
    day.map(|day| Said::guessed(day, which + 1))
}

/// Returns what there is not, and the token behind it, where a day is named that its month does not have: `the 31st of Feb`.
pub(super) fn missing(tokens: &[Token], at: usize) -> Option<(String, usize)> {
    let (day, month, name, next) = if let Some(month) = tokens.get(at).and_then(day::month) {
        let (day, next) = day::numbered(tokens, at + 1)?;
        // `in November 30 people`
        let ends = tokens.get(next).is_none_or(|token| token.sort == Sort::Sign);
        (day, month, at, ends.then_some(next)?)
    } else {
        let (day, after) = day::numbered(tokens, at)?;
        let (month, next) = day::month_after(tokens, after)?;
        (day, month, if tokens[after].is("of") { after + 1 } else { after }, next)
    };
    // Of a leap year, unless one is named.
    let (year, next) = day::year_after(tokens, next).unwrap_or((2028, next));
    let last = Date::new(year, month, 1).ok()?.days_in_month();
    let mut month = tokens.get(name)?.low.clone();
    if let Some(first) = month.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    (day > i64::from(last)).then(|| (format!("there is no {day} {month}"), next))
}

/// Notes that there is no such day, for the field that it was meant for.
pub(super) fn tell_missing(scan: &mut Scan<'_>, names: &[Vec<Phrase>], range: Range<usize>, why: String) {
    let fields = scan.fields;
    let mut days = fields.iter().filter(|field| matches!(field.kind, Kind::Date | Kind::Datetime));
    let asked = scan.asked.filter(|field| field.kind.is_temporal());
    let field = match cue(scan, names, range.start) {
        Cue::Named(at) => fields.get(at),
        Cue::End => days.find(|field| is_end(field)).or(asked),
        _ => asked.or_else(|| days.find(|field| is_start(field))),
    };
    let words = scan.words(range.clone()).to_owned();
    scan.claim(range);
    if let Some(field) = field.filter(|field| field.kind.is_temporal()) {
        scan.reading.unfit.push(Unfit { field: field.id.clone(), why, words });
    }
}

/// Returns whether a weekday is no certain day: one of several, one of a month, or one that is counted from elsewhere.
pub(super) fn is_any(tokens: &[Token], at: usize) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.low.as_str());
    let lead = word(at.checked_sub(1));
    let repeated = matches!(lead, "every" | "each" | "one" | "some" | "any" | "most" | "alternate" | "other");
    let counted = (1..=2)
        .filter_map(|back| at.checked_sub(back))
        .any(|before| number::ordinal(tokens, before).is_some_and(|(_, next)| next == at))
        // `the second, Friday` and `the 4th Friday` may be dates with their weekday.
        && tokens.get(at.saturating_sub(1)).is_some_and(|token| {
            token.sort == Sort::Word && !token.among(&["st", "nd", "rd", "th"])
        });
    if repeated || counted {
        return true;
    }
    let mut next = at + 1;
    while matches!(word(Some(next)), "off" | "morning" | "afternoon" | "evening" | "night" | "away") {
        next += 1;
    }
    match word(Some(next)) {
        "of" | "in" => {
            let which = article(tokens, next + 1).unwrap_or(next + 1);
            let month = tokens.get(which).is_some_and(day::is_month)
                || matches!(word(Some(which)), "next" | "this" | "following" | "same" | "new")
                    && matches!(word(Some(which + 1)), "month" | "year")
                || matches!(word(Some(which)), "month" | "year");
            month || word(Some(next)) == "in" && length(tokens, next + 1).is_some()
        }
        _ => false,
    }
}

/// Returns whether a length is counted on from a weekday: `Friday off in two weeks`, of which people do not agree which it is.
pub(super) fn goes_on_from_weekday(tokens: &[Token], at: usize) -> bool {
    (0..at)
        .rev()
        .take(3)
        .find(|at| !tokens[*at].among(&["off", "morning", "afternoon", "evening", "night", "away"]))
        .is_some_and(|at| day_name(&tokens[at]).is_some())
}
