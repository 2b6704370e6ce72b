//! Numbers: in figures of both conventions and in words, with a currency, a unit, a percentage or a length of time.

use super::lists::{Measure, currency, small, time_unit, unit};
use super::{Message, ParsedValue, Sort, Token, ValueKind};

/// Reads a number at a token: where it ends, and what it is, with what it measures; of hours and minutes both.
pub(super) fn read(message: &Message<'_>, at: usize) -> ParsedValue {
    let minutes = |end: usize, all: f64| Some((end, ValueKind::Number(vec![all], Measure::Time("minute"))));
    let an_hour = message.is(at, "a an") && message.says(at + 1, "hour and");
    let hour = || (at + 2, ValueKind::Number(vec![1.0], Measure::Time("hour")));
    let first = if an_hour { Some(hour()) } else { one(message, at) };
    match first {
        _ if message.says(at, "half an hour") => minutes(at + 3, 30.0),
        Some((end, ValueKind::Number(ref hours, Measure::Time("hour")))) if hours.len() == 1 => {
            let next = plain(message, end + usize::from(message.is(end, "and")));
            match next.as_ref().map(|(next, more)| (*next, &more[..])) {
                _ if message.says(end, "and a half") => minutes(end + 3, hours[0] * 60.0 + 30.0),
                Some((next, [more])) if message.is(next, "m min mins minute minutes") => {
                    minutes(next + 1, hours[0] * 60.0 + more)
                }
                _ => first,
            }
        }
        _ => first,
    }
}

fn one(message: &Message<'_>, at: usize) -> ParsedValue {
    let before = currency(message.low(at));
    let (end, readings) = plain(message, at + usize::from(before.is_some()))?;
    let low = message.low(end);
    let measure = match (time_unit(low), before.or(currency(low)), unit(low)) {
        // `in 2 hours` is when, and not how long.
        (Some(_), ..) if message.follows(at, "in within after at") => return None,
        (Some(time), ..) => Measure::Time(time),
        (_, Some(of), _) => {
            // Money has no thousandths: `1.249 €` is one thousand and more.
            let most = readings.into_iter().reduce(f64::max).into_iter().collect();
            return Some((end + usize::from(before.is_none()), ValueKind::Number(most, Measure::Money(of))));
        }
        (.., Some(of)) => Measure::Unit(of.to_owned()),
        _ if message.is(end, "% percent pct") => Measure::Percent,
        _ if message.is_word(end) && message.touches(end) => Measure::Unit(low.to_owned()),
        _ => return Some((end, ValueKind::Number(readings, Measure::Count))),
    };
    Some((end + 1, ValueKind::Number(readings, measure)))
}

/// Reads a whole count up to a thousand: what stands before `days` and `weeks`, or `minutes past`.
pub(super) fn count(message: &Message<'_>, at: usize) -> Option<(usize, i64)> {
    let (end, readings) = plain(message, at).or(message.is(at, "a").then(|| (at + 1, vec![1.0])))?;
    let [count] = readings[..] else { return None };
    // What is no whole number is not written like one.
    count.to_string().parse().ok().filter(|count| (0..=1000).contains(count)).map(|count| (end, count))
}

/// Reads a number without what it measures: where it ends, and what it can mean.
fn plain(message: &Message<'_>, at: usize) -> Option<(usize, Vec<f64>)> {
    let (end, all) = match message.tokens.get(at).and_then(figures) {
        Some(written) => {
            let factor = scale(message, at + 1);
            let all = written.into_iter().map(|reading| reading * factor.unwrap_or(1.0)).collect();
            (at + 1 + usize::from(factor.is_some()), all)
        }
        None => number_in_words(message, at).map(|(end, number)| (end, vec![number]))?,
    };
    let half = message.says(end, "and a half");
    Some(if half { (end + 3, all.into_iter().map(|whole: f64| whole + 0.5).collect()) } else { (end, all) })
}

fn scale(message: &Message<'_>, at: usize) -> Option<f64> {
    match message.low(at) {
        "dozen" => Some(12.0),
        "hundred" => Some(1e2),
        "thousand" | "k" => Some(1e3),
        "million" | "mio" => Some(1e6),
        _ => None,
    }
}

/// Reads a number in words: `twelve`, `twenty-five`, `a dozen`, `two hundred`. What is longer is left to be asked.
fn number_in_words(message: &Message<'_>, at: usize) -> Option<(usize, f64)> {
    let one = message.is(at, "a") && scale(message, at + 1).is_some();
    let tens = small(message.low(at)).or(one.then_some(1))?;
    let next = at + 1 + usize::from(message.is(at + 1, "-"));
    let ones = small(message.low(next)).filter(|ones| tens >= 20 && (1..10).contains(ones));
    let end = if ones.is_some() { next + 1 } else { at + 1 };
    let number = f64::from(tens + ones.unwrap_or(0));
    Some(scale(message, end).map_or((end, number), |factor| (end + 1, number * factor)))
}

/// Reads a number in figures: `1,249.50` and `1.249,50` are one number, `1.249` may be two, `1,24,9` and `3rd` are none.
fn figures(token: &Token) -> Option<Vec<f64>> {
    if token.sort != Sort::Number || token.is_ordinal() {
        return None;
    }
    let thousands = if token.low.ends_with('k') { 1000.0 } else { 1.0 };
    let factor = if token.low.starts_with('-') { -thousands } else { thousands };
    let figures: String = token.low.chars().filter(|c| c.is_ascii_digit() || ".,".contains(*c)).collect();
    let read = |separator: char, point: char| {
        let (whole, rest) = figures.split_once(point).unwrap_or((&figures, "0"));
        let groups: Vec<&str> = whole.split(separator).collect();
        let first = (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0');
        let good = groups.len() == 1 || first && groups[1..].iter().all(|group| group.len() == 3);
        let number = good.then(|| format!("{}.{rest}", groups.concat()).parse::<f64>().ok()).flatten();
        number.map(|number| number * factor)
    };
    // What is more likely comes first: `1,249` is one thousand and more; a comma before other figures is a decimal one.
    let mut all: Vec<f64> = read(',', '.').into_iter().chain(read('.', ',')).collect();
    all.dedup();
    Some(all)
}
