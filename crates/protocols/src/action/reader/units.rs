//! The names of numbers, currencies, units, lengths of time, months and days.

use super::token::is_among;

pub(super) const MONTHS: &str =
    "january february march april may june july august september october november december";
pub(super) const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";

const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

const MONEY: &str = "$ usd dollar dollars bucks, € eur euro euros, £ gbp pounds quid, ¥ jpy yen, chf francs, inr rupees, sek kronor, nok, dkk, pln, aud, cad, nzd, cny, sar, aed";
pub(super) const UNITS: &str = "kg kgs kilo kilos kilogram kilograms, g gram grams, lb lbs, oz ounces, t ton tons tonne tonnes, km kilometres kilometers, m metre metres meter meters, m2 m² sqm, cm centimetres centimeters, mm, mile miles, ft foot feet, inch \
                     inches, l litre litres liter liters, ml, gb, mb, kw, kwh";

/// What a number measures: an amount of a currency, a length in a unit of time, or another unit: letters attached to the number.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::action) enum Measure {
    Count,
    Money(&'static str),
    Percent,
    Time(&'static str),
    Unit(String),
}

/// Returns the names of a currency, by one of them.
pub(super) fn currency(word: &str) -> Option<&'static str> {
    listed(MONEY, word)
}

/// Returns the names of what a word is one name of, in a list of such names.
pub(super) fn listed(all: &'static str, word: &str) -> Option<&'static str> {
    all.split(", ").find(|names| is_among(word, names) && !word.is_empty())
}

/// Returns a unit of time by one of its names.
pub(super) fn time_unit(word: &str) -> Option<&'static str> {
    const UNITS: [&str; 7] =
        ["second sec", "minute min", "hour hr h", "day night", "week", "month", "year yr"];
    let single = word.strip_suffix('s').unwrap_or(word);
    let named = UNITS.iter().find(|names| names.split(' ').any(|name| name == single));
    named.and_then(|names| names.split(' ').next())
}

/// Returns the number of a month by its name or how it begins.
pub(super) fn month(low: &str) -> Option<i8> {
    let at = MONTHS.split(' ').position(|name| low.len() >= 3 && name.starts_with(low))?;
    i8::try_from(at + 1).ok()
}

/// Returns the number below a hundred that one word stands for.
pub(super) fn small(word: &str) -> Option<f64> {
    let place = |list: &str| u8::try_from(list.split(' ').position(|name| name == word)?).ok();
    place(ONES).map(f64::from).or_else(|| place(TENS).map(|at| f64::from(at) * 10.0 + 20.0))
}
