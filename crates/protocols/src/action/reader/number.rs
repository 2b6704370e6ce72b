//! Numbers: in figures and words, with a currency, a unit, a percentage or a length of time; telephone numbers.

use holdpoint_core::Kind;

use super::figures::figures;
use super::found::{Found, Read, What};
use super::message::Message;
use super::token::{Sort, Token};
use super::units::{Measure, UNITS, currency, listed, small, time_unit};

/// Reads a number at a token: where it ends, and what it is, with what it measures.
pub(super) fn read(message: &Message<'_>, at: usize) -> Read {
    let found = |end, readings, measure| Some((end, What::Number(readings, measure)));
    // Money has no thousandths: `1.249 €` is one thousand and more.
    let money = |end, readings: Vec<f64>, of| {
        found(end, readings.into_iter().reduce(f64::max).into_iter().collect(), Measure::Money(of))
    };
    if let Some(of) = currency(message.low(at)) {
        return number(message, at + 1).and_then(|(end, readings)| money(end, readings, of));
    }
    if let (Sort::Clock, Some((hours, minutes))) = (&message.tokens[at].sort, message.low(at).split_once('h'))
    {
        let length = hours.parse::<f64>().ok()? + minutes.parse::<f64>().ok()? / 60.0;
        return found(at + 1, vec![length], Measure::Time("hour"));
    }
    let (end, readings) = number(message, at)?;
    // `two and a half hours`, `an hour and a half`
    let half = |at: usize| message.says(at, "and a half");
    let unit = if half(end) { end + 3 } else { end };
    let low = message.low(unit);
    let time = time_unit(low);
    let after = if time.is_some() && half(unit + 1) { unit + 4 } else { unit + 1 };
    let more = if unit > end || after > unit + 1 { 0.5 } else { 0.0 };
    let readings = readings.into_iter().map(|one| one + more).collect();
    let touches = |next: &Token| next.is_word() && next.at.start == message.tokens[unit - 1].at.end;
    let attached = message.tokens.get(unit).is_some_and(touches);
    match (time, currency(low), listed(UNITS, low)) {
        // `in 2 hours` is when, and not how long.
        (Some(_), ..) if message.follows(at, "in within after at") => None,
        (Some(time), ..) => found(after, readings, Measure::Time(time)),
        _ if message.is(unit, "% percent pct") => found(unit + 1, readings, Measure::Percent),
        (_, Some(of), _) => money(unit + 1, readings, of),
        (.., Some(of)) => found(unit + 1, readings, Measure::Unit(of.to_owned())),
        _ if attached => found(unit + 1, readings, Measure::Unit(low.to_owned())),
        _ => found(unit, readings, Measure::Count),
    }
}

/// Makes one of a length that is said in two units: `1h 30m`.
pub(super) fn sum(message: &Message<'_>, one: &Found, other: &Found) -> Option<What> {
    let (What::Number(whole, Measure::Time("hour")), What::Number(part, of)) = (&one.what, &other.what)
    else {
        return None;
    };
    let minutes = match of {
        Measure::Time(of) => *of == "minute",
        Measure::Unit(of) => of.starts_with("m "),
        _ => false,
    };
    let near = minutes && message.past(one.at.end, "and") == other.at.start;
    near.then_some(What::Number(vec![whole.first()? + part.first()? / 60.0], Measure::Time("hour")))
}

/// Reads a whole count up to a thousand, `a` counting as one: what stands before `days` and `weeks`.
pub(super) fn count(message: &Message<'_>, at: usize) -> Option<(usize, i64)> {
    let (end, readings) = number(message, at).or(message.is(at, "a an").then(|| (at + 1, vec![1.0])))?;
    let [count] = readings[..] else { return None };
    // What is no whole number is not written like one.
    count.to_string().parse().ok().filter(|count| (0..=1000).contains(count)).map(|count| (end, count))
}

/// Reads a number in figures or words: where it ends, and what it can mean.
fn number(message: &Message<'_>, at: usize) -> Option<(usize, Vec<f64>)> {
    if let Some(written) = message.tokens.get(at).and_then(figures) {
        let (end, factor) = scale(message, at + 1).map_or((at + 1, 1.0), |factor| (at + 2, factor));
        return Some((end, written.into_iter().map(|reading| reading * factor).collect()));
    }
    // `half a dozen`, `a hundred`, `an hour`; `20 euros an hour` is a rate.
    let (from, share) = if message.is(at, "half") { (at + 1, 0.5) } else { (at, 1.0) };
    let (first, paid) = (
        from + 1,
        at > 0 && (figures(&message.tokens[at - 1]).is_some() || currency(message.low(at - 1)).is_some()),
    );
    match scale(message, first) {
        _ if !message.is(from, "a an") => {}
        Some(factor) => return Some((first + 1, vec![share * factor])),
        None if message.is(first, "hour") && !paid => return Some((first, vec![share])),
        None => {}
    }
    words(message, at).map(|(end, number)| (end, vec![number]))
}

fn scale(message: &Message<'_>, at: usize) -> Option<f64> {
    const SCALES: [(&str, f64); 4] =
        [("dozen", 12.0), ("hundred", 1e2), ("thousand k", 1e3), ("million mio mn", 1e6)];
    SCALES.iter().find(|(names, _)| message.is(at, names)).map(|(_, factor)| *factor)
}

/// Reads a number in words: `two hundred and fifty thousand`; `twenty five` is one, `five twenty` is not.
pub(super) fn words(message: &Message<'_>, at: usize) -> Option<(usize, f64)> {
    let (mut end, mut whole, mut part) = (at + 1, 0.0, small(message.low(at))?);
    loop {
        let next = end + usize::from(message.is(end, "-") || message.is(end, "and") && part + whole >= 100.0);
        let tens = part % 10.0 == 0.0 && part % 100.0 >= 20.0;
        match (small(message.low(next)), scale(message, end)) {
            (Some(more), _) if part % 100.0 == 0.0 || tens && (1.0..10.0).contains(&more) => {
                (end, part) = (next + 1, part + more);
            }
            (None, Some(factor)) if factor >= 1e3 => {
                (end, whole, part) = (end + 1, whole + part * factor, 0.0);
            }
            (None, Some(factor)) if part < 100.0 => (end, part) = (end + 1, part * factor),
            _ => return Some((end, whole + part)),
        }
    }
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
    let end = message.until(start + number.len());
    ((7..=17).contains(&figures) && dialled).then_some((end, What::Address(Kind::Tel)))
}
