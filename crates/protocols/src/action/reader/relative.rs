//! Days as they are counted from today: weekdays, `in two weeks`, `the 15th`.

use jiff::ToSpan as _;
use jiff::civil::{Date, Weekday};

use super::day::{self, Reckoning, Said, article};
use super::monthly::{goes_on_from_weekday, is_any};
use super::number;
use super::words::{Sort, Token};

const DAYS: [(&str, &[&str], Weekday); 7] = [
    ("monday", &["mon"], Weekday::Monday),
    ("tuesday", &["tue", "tues"], Weekday::Tuesday),
    ("wednesday", &["wed", "weds"], Weekday::Wednesday),
    ("thursday", &["thu", "thur", "thurs"], Weekday::Thursday),
    ("friday", &["fri"], Weekday::Friday),
    ("saturday", &["sat"], Weekday::Saturday),
    ("sunday", &["sun"], Weekday::Sunday),
];

/// Returns the weekday that a word names.
pub(super) fn day_name(token: &Token) -> Option<Weekday> {
    DAYS.iter().find(|(name, short, _)| token.is(name) || token.among(short)).map(|(_, _, day)| *day)
}

/// Reads days counted from today: `tomorrow`, `in two weeks`, `3 days ago`, `a week from Friday`.
pub(super) fn counted(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let word = |offset: usize| tokens.get(at + offset).map_or("", |token| token.low.as_str());
    let after = |days: i32, length: usize| {
        from.today.checked_add(days.days()).ok().map(|day| Said::fixed(day, at + length))
    };
    match (word(0), word(1), word(2)) {
        ("today", "week", _) => after(7, 2),
        ("today" | "tonight", ..) => after(0, 1),
        ("this", "morning" | "afternoon" | "evening", _) => after(0, 2),
        // `tomorrow week` is a week behind it.
        ("tomorrow", "week", _) => after(8, 2),
        ("tomorrow", ..) => after(1, 1),
        ("yesterday", ..) => after(-1, 1),
        ("last", "night" | "evening", _) => after(-1, 2),
        ("day", "after", "tomorrow") => after(2, 3),
        ("day", "before", "yesterday") | ("night", "before", "last") => after(-2, 3),
        // `not tomorrow but the day after`
        ("day", "after", next) if !matches!(next, "my" | "our" | "the" | "a" | "that" | "this") => {
            let said = (1..=4).filter_map(|back| at.checked_sub(back)).find_map(|at| {
                match tokens[at].low.as_str() {
                    "tomorrow" => Some(2),
                    "today" => Some(1),
                    _ => None,
                }
            })?;
            after(said, 2)
        }
        ("the", "day", "after" | "before") => counted(tokens, at + 1, from),
        // `Monday in a week`: which Monday, people do not agree on.
        ("in", ..) if goes_on_from_weekday(tokens, at) => None,
        ("in", ..) => {
            let (days, months, next) = length(tokens, at + 1)?;
            // `in two days' time` is the same.
            moved(from.today, days, months, 1).map(|day| Said::fixed(day, next))
        }
        _ => {
            let (days, months, next) = length(tokens, at)?;
            match (
                tokens.get(next)?.low.as_str(),
                tokens.get(next + 1).map_or("", |token| token.low.as_str()),
            ) {
                ("ago", _) => moved(from.today, days, months, -1).map(|day| Said::fixed(day, next + 1)),
                // `a week tomorrow`, `a week on Friday`
                (near @ ("today" | "tomorrow"), _) if days % 7 == 0 && days > 0 => {
                    moved(from.today, days + i64::from(near == "tomorrow"), months, 1)
                        .map(|day| Said::fixed(day, next + 1))
                }
                ("on", _)
                    if days % 7 == 0 && days > 0 && tokens.get(next + 1).and_then(day_name).is_some() =>
                {
                    let base = weekday(tokens, next + 1, Reckoning { backward: false, week: None, ..from })?;
                    moved(base.day, days, 0, 1).map(|day| Said { day, ..base })
                }
                ("from", "now" | "today") => {
                    moved(from.today, days, months, 1).map(|day| Said::fixed(day, next + 2))
                }
                ("from" | "after", _) if from.asked => {
                    let forward = Reckoning { backward: false, ..from };
                    let base = day::at(tokens, next + 1, forward)?;
                    moved(base.day, days, months, 1).map(|day| Said { day, ..base })
                }
                _ => None,
            }
        }
    }
}

fn moved(day: Date, days: i64, months: i64, sign: i64) -> Option<Date> {
    let span = jiff::Span::new().try_days(sign * days).ok()?.try_months(sign * months).ok()?;
    day.checked_add(span).ok()
}

/// Reads a length in days, weeks or months, as days and months.
pub(super) fn length(tokens: &[Token], at: usize) -> Option<(i64, i64, usize)> {
    let (count, next) = match number::whole(tokens, at, 1000) {
        Some(number) => number,
        None => tokens.get(at).filter(|token| token.among(&["a", "one"])).map(|_| (1, at + 1))?,
    };
    match tokens.get(next)?.low.as_str() {
        "day" | "days" | "days'" => Some((count, 0, next + 1)),
        "week" | "weeks" => Some((7 * count, 0, next + 1)),
        "fortnight" | "fortnights" => Some((14 * count, 0, next + 1)),
        "month" | "months" => Some((0, count, next + 1)),
        _ => None,
    }
}

/// Reads a weekday: `next Monday` is the first Monday after today, `last Monday` the last before today.
pub(super) fn weekday(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    let first = tokens.get(at)?;
    let (way, name_at) = match first.low.as_str() {
        "next" | "coming" => (1, at + 1),
        "this" => (0, at + 1),
        "last" | "past" => (-1, at + 1),
        _ => (if from.backward { -1 } else { 1 }, at),
    };
    let token = tokens.get(name_at)?;
    let day = day_name(token)?;
    // Short names are other words too (sat, sun, wed): they need a sign that a day is meant.
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let meant = name_at > at
        || before.is_some_and(|token| token.among(&["on", "from", "to", "until", "till", "by", "since"]))
        // `Mon-Wed next week`
        || before.is_some_and(|token| token.among(&["-", "–", "/", "&"]))
            && at.checked_sub(2).and_then(|at| tokens.get(at)).and_then(day_name).is_some();
    if token.low.len() <= 3 && !meant && !stands_as_day(tokens, name_at) {
        return None;
    }
    if is_any(tokens, name_at) {
        return None;
    }
    // These are feasts, and not on the next such day.
    let feast = ["good", "black", "ash", "easter", "palm", "whit", "maundy", "shrove"];
    if before.is_some_and(|token| token.among(&feast)) {
        return None;
    }
    // `Friday week` is a day that the two sides of a border count differently.
    let follows = |words: &[&str]| {
        words
            .iter()
            .enumerate()
            .all(|(at, word)| tokens.get(name_at + 1 + at).is_some_and(|token| token.is(word)))
    };
    // `the Monday before Thanksgiving` is another.
    let beside = tokens.get(name_at + 1).is_some_and(|token| token.among(&["before", "after"]))
        && tokens.get(name_at + 2).is_some_and(|next| {
            next.sort == Sort::Word
                && !next.among(&[
                    "noon",
                    "lunch",
                    "work",
                    "school",
                    "midnight",
                    "midday",
                    "dinner",
                    "breakfast",
                    "that",
                    "next",
                ])
                && number::at(tokens, name_at + 2).is_none()
        });
    if beside {
        return None;
    }
    if follows(&["after", "next"])
        || follows(&["week"]) && !follows(&["week", ","]) && !is_week_on(tokens, name_at)
        || follows(&["in", "a", "week"])
        || follows(&["in", "two", "weeks"])
    {
        return None;
    }
    // `Thursday of last week`, `last week on Thursday`
    if name_at == at
        && let Some(next) = of_last_week(tokens, at)
    {
        let monday = from.today.tomorrow().ok()?.nth_weekday(-1, Weekday::Monday).ok()?;
        let before = monday.checked_sub(8.days()).ok()?;
        return before.nth_weekday(1, day).ok().map(|date| Said::fixed(date, next));
    }
    // `Tuesday to Thursday last week`, `last week Monday to Wednesday`
    if name_at == at && (is_of_week(tokens, at, "last") || is_in_week(tokens, at, "last")) {
        let monday = from.today.tomorrow().ok()?.nth_weekday(-1, Weekday::Monday).ok()?;
        let before = monday.checked_sub(8.days()).ok()?;
        return before.nth_weekday(1, day).ok().map(|date| Said::fixed(date, name_at + 1));
    }
    // `Monday and Tuesday of this week`
    if name_at == at && is_of_week(tokens, at, "this") {
        let sunday = from.today.tomorrow().ok()?.nth_weekday(-1, Weekday::Monday).ok()?.yesterday().ok()?;
        return sunday.nth_weekday(1, day).ok().map(|date| Said::fixed(date, name_at + 1));
    }
    if let Some(week) = from.week.filter(|_| name_at == at) {
        return week.nth_weekday(1, day).ok().map(|date| Said::fixed(date, name_at + 1));
    }
    if way == 1 && name_at == at && follows(&["week"]) {
        let date = from.today.nth_weekday(1, day).ok()?.checked_add(7.days()).ok()?;
        return Some(Said::fixed(date, name_at + 2));
    }
    let date = match way {
        0 if from.today.weekday() == day => from.today,
        0 | 1 => from.today.nth_weekday(1, day).ok()?,
        _ => from.today.nth_weekday(-1, day).ok()?,
    };
    // `Tuesday next` is next Tuesday.
    let after =
        usize::from(follows(&["next"]) && !follows(&["next", "week"]) && !follows(&["next", "month"]));
    Some(Said { fixed: name_at > at, ..Said::guessed(date, name_at + 1 + after) })
}

/// Returns whether a token stands between the days of a list or a span.
fn joins_days(token: &Token) -> bool {
    day_name(token).is_some() || token.among(&["and", "&", ",", "to", "-", "–", "/", "until", "till", "of"])
}

/// Returns whether a weekday is said to lie in a week behind it, also with others: `Monday and Tuesday of this week`.
fn is_of_week(tokens: &[Token], at: usize, which: &str) -> bool {
    let rest = tokens.get(at + 1..).unwrap_or_default();
    let skipped = rest.iter().take(5).take_while(|token| joins_days(token)).count();
    rest.get(skipped).is_some_and(|token| token.is(which))
        && rest.get(skipped + 1).is_some_and(|token| token.is("week"))
}

/// Returns whether a weekday is said to lie in a week before it, with others: `last week Monday to Wednesday`.
fn is_in_week(tokens: &[Token], at: usize, which: &str) -> bool {
    let before = tokens.get(..at).unwrap_or_default();
    let skipped = before
        .iter()
        .rev()
        .take(5)
        .take_while(|token| joins_days(token) || token.among(&["from", "on"]))
        .count();
    let days = before.iter().rev().take(skipped).any(|token| day_name(token).is_some());
    matches!(&before[..before.len() - skipped], [.., one, two] if one.is(which) && two.is("week")) && days
}

/// Returns whether `Friday week` is a day: a week behind the next one.
fn is_week_on(tokens: &[Token], at: usize) -> bool {
    let lead = at.checked_sub(1).and_then(|at| tokens.get(at));
    let plain = lead.is_none_or(|token| !token.among(&["last", "this", "next", "a", "every"]));
    plain
        && tokens.get(at + 2).is_none_or(|next| {
            next.sort == Sort::Sign || super::lexicon::is_small(next) || next.among(&["please", "because"])
        })
}

/// Returns the token behind a weekday that is said to lie in the week before this one.
pub(super) fn of_last_week(tokens: &[Token], at: usize) -> Option<usize> {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.low.as_str());
    let of = at + 1 + usize::from(word(Some(at + 1)) == "of");
    if word(Some(of)) == "last" && word(Some(of + 1)) == "week" {
        return Some(of + 2);
    }
    let on = usize::from(matches!(word(at.checked_sub(1)), "on" | ","));
    (word(at.checked_sub(1 + on)) == "week" && word(at.checked_sub(2 + on)) == "last").then_some(at + 1)
}

/// Returns whether a short name of a day can be nothing else here: `fri`, `sat 9 pm`, `all over sun`.
fn stands_as_day(tokens: &[Token], at: usize) -> bool {
    if tokens[at].among(&["mon", "tue", "thu", "fri"]) {
        return true;
    }
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let deed = before.is_some_and(|token| {
        token.among(&["i", "we", "he", "she", "they", "it", "who", "the", "a", "got", "just", "and", "to"])
    });
    let ends = tokens.get(at + 1).is_none_or(|next| {
        next.sort != Sort::Word
            || next.among(&[
                "to",
                "until",
                "till",
                "morning",
                "night",
                "evening",
                "afternoon",
                "noon",
                "please",
                "at",
                "next",
                "this",
            ])
    });
    ends && !deed
}

/// Reads `the 15th`, `on the third`: a day of this month, or the next or last that has come or is to come.
pub(super) fn of_month(tokens: &[Token], at: usize, from: Reckoning) -> Option<Said> {
    // `the 21st and 22nd`
    let joined = at.checked_sub(2).is_some_and(|before| {
        tokens[at - 1].among(&["and", "&", "to", "-", "–"]) && tokens[before].among(&["st", "nd", "rd", "th"])
    });
    // `off sick 16th to 18th`; on the 16th floor nobody is off.
    let figures = tokens.get(at).is_some_and(|token| token.sort == Sort::Digits)
        && number::ordinal(tokens, at).is_some_and(|(_, next)| {
            tokens.get(next).is_none_or(|next| {
                next.sort == Sort::Sign && !next.among(&["-", "‑", "/"])
                    || next.among(&[
                        "to", "until", "till", "through", "and", "please", "at", "because", "for", "as",
                    ])
            })
        });
    let start = article(tokens, at).or((from.asked || joined || figures).then_some(at))?;
    let (day, next) = number::ordinal(tokens, start).filter(|(day, _)| (1..=31).contains(day))?;
    let named = |offset: usize| tokens.get(next + offset).map_or("", |token| token.low.as_str());
    if let ("of", which @ ("next" | "this"), "month") = (named(0), named(1), named(2)) {
        let first = from.today.first_of_month();
        let month = first.checked_add(i32::from(which == "next").months()).ok()?;
        let day = Date::new(month.year(), month.month(), i8::try_from(day).ok()?).ok()?;
        return Some(Said::fixed(day, next + 3));
    }
    // A day that its month does not have is none of another month: `from the 1st to the 31st of Feb`.
    if day::month_after(tokens, next).is_some() || shares_month(tokens, next, at) {
        return None;
    }
    let word = tokens.get(start).is_some_and(|token| token.sort == Sort::Word);
    // `the second-floor kitchen`, `the 3rd-floor office`
    let hyphen = tokens.get(next).is_some_and(|token| !token.spaced && token.among(&["-", "‑"]))
        && tokens.get(next + 1).is_some_and(|token| !token.spaced && token.sort == Sort::Word);
    let storey =
        tokens.get(next).is_some_and(|token| token.among(&["floor", "time", "attempt", "one", "try"]));
    if hyphen || storey {
        return None;
    }
    // `the first day`, `the second one` are no dates; `the fifteenth at eleven` is one.
    let timed =
        tokens.get(next).is_some_and(|token| token.is("at")) && number::at(tokens, next + 1).is_some();
    if word
        && !timed
        && tokens.get(next).is_some_and(|token| {
            token.sort == Sort::Word
                && !token.among(&["to", "until", "till", "and", "or", "please", "instead"])
        })
    {
        return None;
    }
    let day = i8::try_from(day).ok()?;
    let first = from.today.first_of_month();
    let step = if from.backward { -1 } else { 1 };
    let fits = |date: &Date| if from.backward { *date <= from.today } else { *date >= from.today };
    let months = (0..4).filter_map(|count: i32| first.checked_add((step * count).months()).ok());
    let date = months.filter_map(|month| Date::new(month.year(), month.month(), day).ok()).find(fits)?;
    Some(Said::guessed(date, next))
}

/// Returns whether a day goes on to another that names the month of both.
fn shares_month(tokens: &[Token], at: usize, start: usize) -> bool {
    let Some(to) = day::joint(tokens, at, start) else { return false };
    day::numbered(tokens, to).is_some_and(|(_, next)| day::month_after(tokens, next).is_some())
}
