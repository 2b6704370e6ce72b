//! Numbers: in figures and words, with a currency, a unit, a percentage or a length of time; telephone numbers.

use holdpoint_core::Kind;

use super::{Measure, Message, Read, Sort, Token, What, is_among};

const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// Reads a number at a token: where it ends, and what it is, with what it measures.
pub(super) fn read(message: &Message<'_>, at: usize) -> Read {
    let found = |end: usize, readings, measure| Some((end, What::Number(readings, measure)));
    // Money has no thousandths: `1.249 €` is one thousand and more.
    let money = |end: usize, readings: Vec<f64>, of: &'static str| {
        found(end, readings.into_iter().reduce(f64::max).into_iter().collect(), Measure::Money(of))
    };
    if let Some(of) = currency(message.low(at)) {
        return number(message, at + 1).and_then(|(end, readings)| money(end, readings, of));
    }
    let (end, readings) = number(message, at)?;
    // `two and a half hours`, `an hour and a half`
    let half = |at: usize| if message.says(at, "and a half") { 3 } else { 0 };
    let unit = end + half(end);
    let time = time_unit(message.low(unit));
    let halves = half(end) + time.map_or(0, |_| half(unit + 1));
    let readings = readings.into_iter().map(|one| if halves > 0 { one + 0.5 } else { one }).collect();
    let next = message.tokens.get(unit).filter(|next| next.is_word());
    let attached = next.is_some_and(|next| next.at.start == message.tokens[unit - 1].at.end);
    match (time, currency(message.low(unit)), listed(UNITS, message.low(unit))) {
        // `in 2 hours` is when, and not how long.
        (Some(_), ..) if message.follows(at, "in within after at") => None,
        (Some(time), ..) => found(end + halves + 1, readings, Measure::Time(time)),
        _ if message.is(unit, "% percent pct") => found(unit + 1, readings, Measure::Percent),
        (_, Some(of), _) => money(unit + 1, readings, of),
        (.., Some(of)) => found(unit + 1, readings, Measure::Unit(of.to_owned())),
        _ if attached => found(unit + 1, readings, Measure::Unit(message.low(unit).to_owned())),
        _ => found(unit, readings, Measure::Count),
    }
}

const MONEY: &str = "$ usd dollar dollars bucks, € eur euro euros, £ gbp pounds quid, ¥ jpy yen, chf francs, inr rupees, sek kronor, nok, dkk, pln, aud, cad, nzd, cny, sar, aed";
pub(super) const UNITS: &str = "kg kgs kilo kilos kilogram kilograms, g gram grams, lb lbs, oz ounces, t ton tons tonne tonnes, km kilometres kilometers, m metre metres meter meters, cm centimetres centimeters, mm, mile miles, ft foot feet, inch \
                     inches, l litre litres liter liters, ml, gb, mb, kw, kwh";

pub(super) fn currency(word: &str) -> Option<&'static str> {
    listed(MONEY, word)
}

/// Returns the names of what a word is one name of, in a list of such names.
pub(super) fn listed(all: &'static str, word: &str) -> Option<&'static str> {
    all.split(", ").find(|names| is_among(word, names) && !word.is_empty())
}

pub(super) fn time_unit(word: &str) -> Option<&'static str> {
    const UNITS: [&str; 7] = ["second sec", "minute min", "hour hr h", "day", "week", "month", "year yr"];
    let single = word.strip_suffix('s').unwrap_or(word);
    let named = UNITS.iter().find(|names| names.split(' ').any(|name| name == single));
    named.and_then(|names| names.split(' ').next())
}

/// Reads a whole count up to a thousand, `a` counting as one: what stands before `days` and `weeks`.
pub(super) fn count(message: &Message<'_>, at: usize) -> Option<(usize, i64)> {
    let (end, readings) = number(message, at).or(message.is(at, "a an").then(|| (at + 1, vec![1.0])))?;
    let [count] = readings[..] else { return None };
    // What is no whole number is not written like one.
    count.to_string().parse().ok().filter(|count| (0..=1000).contains(count)).map(|count| (end, count))
}

pub(super) fn small(word: &str) -> Option<f64> {
    let place = |list: &str| u8::try_from(list.split(' ').position(|name| name == word)?).ok();
    place(ONES).map(f64::from).or_else(|| place(TENS).map(|at| f64::from(at) * 10.0 + 20.0))
}

/// Reads a number in figures or words: where it ends, and what it can mean.
fn number(message: &Message<'_>, at: usize) -> Option<(usize, Vec<f64>)> {
    if let Some(written) = message.tokens.get(at).and_then(figures) {
        let (end, factor) = scale(message, at + 1).map_or((at + 1, 1.0), |factor| (at + 2, factor));
        return Some((end, written.into_iter().map(|reading| reading * factor).collect()));
    }
    // `half a dozen`, `a hundred`, `an hour`; `20 euros an hour` is a rate.
    let half = usize::from(message.is(at, "half"));
    let first = at + half + usize::from(message.is(at + half, "a an"));
    let paid =
        at > 0 && (message.tokens[at - 1].sort == Sort::Number || currency(message.low(at - 1)).is_some());
    let hour = message.is(first, "hour") && !paid;
    let counts = first > at && (scale(message, first).is_some() || hour);
    let counted = counts.then_some((first, if half > 0 { 0.5 } else { 1.0 }));
    let (end, number) = counted.or_else(|| below_hundred(message, at))?;
    Some(scaled(message, end, number, 0.0, f64::INFINITY)).map(|(end, number)| (end, vec![number]))
}

fn scale(message: &Message<'_>, at: usize) -> Option<f64> {
    const SCALES: [(&str, f64); 4] =
        [("dozen", 12.0), ("hundred", 1e2), ("thousand k", 1e3), ("million", 1e6)];
    SCALES.iter().find(|(names, _)| message.is(at, names)).map(|(_, factor)| *factor)
}

/// Multiplies a number by the scale behind it, if that is between two, and adds what follows: `two hundred and fifty thousand`.
fn scaled(message: &Message<'_>, at: usize, number: f64, least: f64, most: f64) -> (usize, f64) {
    let factor = scale(message, at).filter(|factor| least < *factor && *factor < most);
    let Some(factor) = factor else { return (at, number) };
    let rest = below_hundred(message, at + 1 + usize::from(message.is(at + 1, "and")));
    let rest = rest.map(|(end, more)| scaled(message, end, more, 0.0, factor));
    let (end, more) = rest.filter(|(_, more)| factor > 99.0 && *more < factor).unwrap_or((at + 1, 0.0));
    scaled(message, end, number * factor + more, if factor < 1e3 { factor } else { most }, most)
}

/// Reads a number in figures: `1,249.50` and `1.249,50` are one number, `1.249` may be two, `1,24,9` and `3rd` are none.
fn figures(token: &Token) -> Option<Vec<f64>> {
    let factor = if token.low.ends_with('k') { 1000.0 } else { 1.0 };
    let factor = if token.low.starts_with('-') { -factor } else { factor };
    let figures: String = token.low.chars().filter(|c| c.is_ascii_digit() || ".,".contains(*c)).collect();
    let read = |separator: char, point: char| {
        let (whole, rest) = figures.split_once(point).unwrap_or((&figures, "0"));
        let groups: Vec<&str> = whole.split(separator).collect();
        let first = (1..=3).contains(&groups[0].len()) && !groups[0].starts_with('0');
        let good = groups.len() == 1 || first && groups[1..].iter().all(|group| group.len() == 3);
        let number = good.then(|| format!("{}.{rest}", groups.concat()).parse::<f64>().ok()).flatten();
        number.map(|number| number * factor)
    };
    let english = read(',', '.');
    // What is more likely comes first: `1,249` is one thousand and more; a comma before other figures is a decimal one.
    let other = read('.', ',');
    let mut all: Vec<f64> = english.into_iter().chain(other).collect();
    all.dedup();
    (token.sort == Sort::Number && !token.is_ordinal()).then_some(all)
}

/// Reads a number below a hundred in words: `twenty five` is one, `five twenty` is not.
fn below_hundred(message: &Message<'_>, at: usize) -> Option<(usize, f64)> {
    let (first, next) = (small(message.low(at))?, at + 1 + usize::from(message.is(at + 1, "-")));
    let ones = small(message.low(next)).filter(|ones| first >= 20.0 && (1.0..10.0).contains(ones));
    Some(ones.map_or((at + 1, first), |ones| (next + 1, first + ones)))
}

/// Reads a telephone number: seven figures or more, with the signs that people put between them.
pub(super) fn tel(message: &Message<'_>, at: usize) -> Read {
    let start = message.tokens.get(at)?.at.start;
    let rest = &message.text[start..];
    let length = rest.find(|c: char| !(c.is_ascii_digit() || " +-()/".contains(c))).unwrap_or(rest.len());
    let number = rest[..length].trim_end_matches(|c: char| !c.is_ascii_digit());
    let figures = number.bytes().filter(u8::is_ascii_digit).count();
    // A plain number is shorter and begins otherwise.
    let dialled = figures >= 9 || number.starts_with(['+', '0', '(']);
    let end = message.tokens.iter().skip(at).position(|token| token.at.start >= start + number.len());
    let end = end.map_or(message.tokens.len(), |end| at + end);
    ((7..=17).contains(&figures) && dialled).then_some((end, What::Address(Kind::Tel)))
}
