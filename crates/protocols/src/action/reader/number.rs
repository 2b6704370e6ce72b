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
    // Money has no thousandths: `1.249 €` is one thousand and more.
    let money = |end: usize, readings: Vec<f64>| {
        found(end, readings.into_iter().reduce(f64::max).into_iter().collect(), Measure::Money)
    };
    let led = at + usize::from(message.says(at, "us $"));
    if message.is(led, CURRENCIES) {
        return number(message, led + 1, f64::INFINITY).and_then(|(end, readings)| money(end, readings));
    }
    if message.says(at, "half an hour") {
        return found(at + 3, vec![0.5], Measure::Time("hour"));
    }
    let hour = message.says(at, "an hour");
    let (end, mut readings) = if hour { (at + 1, vec![1.0]) } else { number(message, at, f64::INFINITY)? };
    // `two and a half hours`, `an hour and a half`
    let half = |at: usize| if message.says(at, "and a half") { 3 } else { 0 };
    let unit = end + half(end);
    let time = time_unit(message.low(unit));
    let halves = half(end) + time.map_or(0, |_| half(unit + 1));
    if halves > 0 {
        readings = readings.into_iter().map(|reading| reading + 0.5).collect();
    }
    let next = message.tokens.get(unit).filter(|next| next.is_word());
    let attached = next.is_some_and(|next| next.at.start == message.tokens[unit - 1].at.end);
    match time {
        Some(time) => found(end + halves + 1, readings, Measure::Time(time)),
        None if message.is(unit, CURRENCIES) => money(unit + 1, readings),
        None if message.says(unit, "us dollars") => money(unit + 2, readings),
        None if message.is(unit, "% percent pct") => found(unit + 1, readings, Measure::Percent),
        None => found(unit, readings, if attached { Measure::Unit } else { Measure::Count }),
    }
}

/// Returns a unit of time by any of its names.
pub(super) fn time_unit(word: &str) -> Option<&'static str> {
    const UNITS: [&str; 6] = ["minute min", "hour hr h", "day", "week", "month", "year yr"];
    let single = word.strip_suffix('s').unwrap_or(word);
    let named = UNITS.iter().find(|names| names.split(' ').any(|name| name == single));
    named.and_then(|names| names.split(' ').next())
}

/// Reads a whole count up to a thousand, `a` counting as one: what stands before `days` and `weeks`.
pub(super) fn count(message: &Message<'_>, at: usize) -> Option<(usize, i64)> {
    if message.is(at, "a an one") && !message.is(at + 1, "hundred dozen") {
        return Some((at + 1, 1));
    }
    let (end, readings) = number(message, at, f64::INFINITY)?;
    let [count] = readings[..] else { return None };
    // What is no whole number is not written like one.
    count.to_string().parse().ok().filter(|count| (0..=1000).contains(count)).map(|count| (end, count))
}

/// Returns what one word for a number counts.
pub(super) fn small(word: &str) -> Option<f64> {
    let place =
        |list: &str| list.split(' ').position(|name| name == word).and_then(|at| u8::try_from(at).ok());
    place(ONES).map(f64::from).or_else(|| place(TENS).map(|at| f64::from(at) * 10.0 + 20.0))
}

/// Reads a number in figures or words, below a bound: where it ends, and what it can mean.
fn number(message: &Message<'_>, at: usize, bound: f64) -> Option<(usize, Vec<f64>)> {
    let (mut end, mut readings) = (at + 1, Vec::new());
    if let Some(written) = message.tokens.get(at).and_then(Token::readings) {
        readings = written;
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
    if factor >= bound {
        return Some((end, readings));
    }
    readings = readings.into_iter().map(|reading| reading * factor).collect();
    // `two hundred and fifty`
    let rest = end + 1 + usize::from(message.is(end + 1, "and"));
    let worded = factor >= 100.0 && small(message.low(rest)).is_some();
    match worded.then(|| number(message, rest, factor)).flatten() {
        Some((end, more)) if more[0] < factor => {
            Some((end, readings.iter().map(|reading| reading + more[0]).collect()))
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
