//! Numbers: in figures and words, with a currency, a unit, a percentage or a length of time; telephone numbers.

use super::found::{Measure, What};
use super::token::{Message, Token};

const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                    seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";
/// Signs, codes and names of money.
pub(super) const CURRENCIES: &str = "$ € £ ¥ usd eur gbp chf jpy sek nok dkk pln aud cad nzd inr cny sar aed dollar dollars \
                                     euro euros pounds quid bucks francs yen rupees kronor";

/// Reads a number at a token: where it ends, and what it is, with what it measures.
pub(super) fn read(message: &Message<'_>, at: usize) -> Option<(usize, What)> {
    let found = |end: usize, readings, measure| Some((end, What::Number(readings, measure)));
    let led = at + usize::from(message.is(at, "us") && message.is(at + 1, "$"));
    if message.is(led, CURRENCIES) {
        return number(message, led + 1)
            .and_then(|(end, readings)| found(end, money(readings), Measure::Money));
    }
    let halved = |at: usize| message.is(at, "and") && message.is(at + 1, "a") && message.is(at + 2, "half");
    if message.is(at, "half") && message.is(at + 1, "an") && message.is(at + 2, "hour") {
        return found(at + 3, vec![0.5], Measure::Time("hour"));
    }
    let hour = message.is(at, "an") && message.is(at + 1, "hour");
    let (mut end, mut readings) = if hour { (at + 1, vec![1.0]) } else { number(message, at)? };
    // `two and a half hours`, `an hour and a half`
    let (before, behind) = (halved(end), message.is(end, "hour hours") && halved(end + 1));
    if before || behind {
        end += if before { 3 } else { 0 };
        readings = readings.into_iter().map(|reading| reading + 0.5).collect();
    }
    let attached = message
        .tokens
        .get(end)
        .is_some_and(|next| next.is_word() && next.at.start == message.tokens[end - 1].at.end);
    match message.low(end) {
        unit if CURRENCIES.split(' ').any(|known| known == unit) => {
            found(end + 1, money(readings), Measure::Money)
        }
        "us" if message.is(end + 1, "dollars") => found(end + 2, money(readings), Measure::Money),
        "%" | "percent" | "pct" => found(end + 1, readings, Measure::Percent),
        unit => match time_unit(unit) {
            Some(time) => found(end + 1 + if behind { 3 } else { 0 }, readings, Measure::Time(time)),
            None => found(end, readings, if attached { Measure::Unit } else { Measure::Count }),
        },
    }
}

/// Money has no thousandths: `1.249 €` is one thousand and more.
fn money(readings: Vec<f64>) -> Vec<f64> {
    readings.into_iter().reduce(f64::max).into_iter().collect()
}

/// Returns a unit of time by any of its names.
pub(super) fn time_unit(word: &str) -> Option<&'static str> {
    match word {
        "minute" | "minutes" | "min" | "mins" => Some("minute"),
        "hour" | "hours" | "hr" | "hrs" | "h" => Some("hour"),
        "day" | "days" => Some("day"),
        "week" | "weeks" => Some("week"),
        "month" | "months" => Some("month"),
        "year" | "years" | "yr" | "yrs" => Some("year"),
        _ => None,
    }
}

/// Reads a whole count without a unit, `a` counting as one: what stands before `days` and `weeks`.
pub(super) fn count(message: &Message<'_>, at: usize) -> Option<(usize, f64)> {
    if message.is(at, "a an one") && !message.is(at + 1, "hundred dozen") {
        return Some((at + 1, 1.0));
    }
    number(message, at).filter(|(_, readings)| readings.len() == 1).map(|(end, readings)| (end, readings[0]))
}

/// Returns what one word for a number counts.
pub(super) fn small(word: &str) -> Option<f64> {
    let place =
        |list: &str| list.split(' ').position(|name| name == word).and_then(|at| u8::try_from(at).ok());
    place(ONES).map(f64::from).or_else(|| place(TENS).map(|at| f64::from(at) * 10.0 + 20.0))
}

/// Reads a number in figures or words: where it ends, and what it can mean.
fn number(message: &Message<'_>, at: usize) -> Option<(usize, Vec<f64>)> {
    let (mut end, mut readings) = (at + 1, Vec::new());
    if let Some(number) = message.tokens.get(at).and_then(Token::number) {
        readings.clone_from(&number.readings);
        if number.ordinal {
            return None;
        }
    } else if message.is(at, "a half") && message.is(at + 1, "hundred dozen thousand") {
        readings.push(if message.is(at, "a") { 1.0 } else { 0.5 });
    } else {
        let (first, next) = (small(message.low(at))?, end + usize::from(message.is(end, "-")));
        // `twenty five` is one number, `five twenty` is not.
        let ones = small(message.low(next)).filter(|ones| first >= 20.0 && (1.0..10.0).contains(ones));
        (end, readings) = (if ones.is_some() { next + 1 } else { end }, vec![first + ones.unwrap_or(0.0)]);
    }
    let factor = match message.low(end) {
        "dozen" => 12.0,
        "hundred" => 100.0,
        "thousand" | "k" => 1000.0,
        "million" => 1_000_000.0,
        _ => return Some((end, readings)),
    };
    readings = readings.into_iter().map(|reading| reading * factor).collect();
    // `two hundred and fifty`
    let rest = end + 1 + usize::from(message.is(end + 1, "and"));
    match number(message, rest).as_ref().map(|(end, more)| (end, &more[..])) {
        Some((end, [more])) if factor >= 100.0 && *more < factor && small(message.low(rest)).is_some() => {
            Some((*end, readings.iter().map(|reading| reading + more).collect()))
        }
        _ => Some((end + 1, readings)),
    }
}

/// Reads a telephone number: seven figures or more, with the signs that people put between them.
pub(super) fn tel(message: &Message<'_>, at: usize) -> Option<(usize, What)> {
    let start = message.tokens.get(at)?.at.start;
    let rest = &message.text[start..];
    let length = rest.find(|c: char| !(c.is_ascii_digit() || " +-()/".contains(c))).unwrap_or(rest.len());
    let number = rest[..length].trim_end_matches(|c: char| !c.is_ascii_digit());
    let figures = number.bytes().filter(u8::is_ascii_digit).count();
    let dated =
        number.split_whitespace().any(|part| part.matches(['-', '/']).count() == 2 && part.len() <= 10);
    // A plain number has no signs in it, and money goes on behind a dot.
    let plain = number.len() == figures && figures < 9 || number.starts_with(['-', '/', ')']);
    let goes_on = rest[number.len()..].starts_with(['%', ':', '.', ',']) && figures < 9;
    let end = message.tokens.iter().skip(at).position(|token| token.at.start >= start + number.len());
    let end = end.map_or(message.tokens.len(), |end| at + end);
    ((7..=17).contains(&figures) && !plain && !dated && !goes_on).then_some((end, What::Tel))
}
