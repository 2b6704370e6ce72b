//! Whether a value that was found is one that a field takes, and as what it is kept.

use holdpoint_core::text::quote;
use holdpoint_core::{Field, Kind, field};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::found::{Found, Measure, What};
use super::name::Said;
use super::number::{CURRENCIES, time_unit};
use super::scan::Scan;

/// What a value comes to in a field: what it can be (more than one is asked), or why the field does not take it.
pub(super) type Fit = Result<Vec<Value>, String>;

/// How much speaks for a field besides the kind of the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tie {
    /// Nothing.
    Loose,
    /// Its name, or that it was asked.
    Close,
}

/// Fits a value into the field at a place of the form.
pub(super) fn fit(scan: &Scan<'_>, at: usize, found: &Found, tie: Tie) -> Option<Fit> {
    let (question, message, facts) = (&scan.question, scan.message, &scan.facts[at]);
    let (known, close) = (scan.field(at), tie == Tie::Close);
    let words = message.words(&found.at);
    let values: Vec<Value> = match (known.kind, &found.what) {
        (_, What::Options(field, ids)) if *field == at => match known.kind {
            Kind::Choices | Kind::Products => {
                let each = ids.iter().filter_map(|id| field::picking(known, id).as_array().cloned());
                vec![Value::Array(each.flatten().collect())]
            }
            _ => ids.iter().map(|id| field::picking(known, id)).collect(),
        },
        (Kind::Date, What::Date(dates)) => {
            // `When did it happen?` asks for a day that has been.
            let been = |date: &&Date| facts.been && **date <= question.now.date();
            let sided: Vec<&Date> = dates.iter().filter(been).collect();
            let all = if sided.is_empty() { dates.iter().collect() } else { sided };
            all.iter().map(|date| json!(date.to_string())).collect()
        }
        (Kind::Date, What::Moment(moments)) if close => {
            moments.iter().map(|at| json!(at.date().to_string())).collect()
        }
        (Kind::Time, What::Time(times)) => times.iter().map(|time| json!(time.to_string())).collect(),
        (Kind::Datetime, What::Moment(moments)) => moments.iter().map(|at| json!(at.to_string())).collect(),
        (Kind::Datetime | Kind::Date, What::Instant(at)) => {
            let there = question.zone.cloned().unwrap_or(TimeZone::UTC).to_datetime(*at);
            let whole = there.with().subsec_nanosecond(0).build().unwrap_or(there);
            vec![json!(if known.kind == Kind::Date { whole.date().to_string() } else { whole.to_string() })]
        }
        (Kind::Datetime, What::Date(_) | What::Time(_)) if close => {
            return Some(Err("a day and a time are needed together".into()));
        }
        (Kind::Date | Kind::Time | Kind::Datetime, What::Impossible) => {
            return Some(Err(format!("{} is not a date or time that exists", quote(words))));
        }
        (Kind::Integer | Kind::Number, What::Number(readings, _)) if readings.is_empty() => {
            return Some(Err(format!("{} is not a number that I can read", quote(words))));
        }
        (Kind::Integer | Kind::Number, What::Number(readings, measure)) => {
            let unit = message.low(found.at.end);
            measured(known.kind, facts, readings, measure, unit, close)?.into_iter().map(numeric).collect()
        }
        (Kind::Email, What::Email) | (Kind::Url, What::Url) | (Kind::Tel, What::Tel) => vec![json!(words)],
        _ => return None,
    };
    Some(checked(known, values))
}

/// Keeps of several readings those that a field takes.
fn checked(known: &Field, values: Vec<Value>) -> Fit {
    let mut why = String::new();
    let mut good: Vec<Value> = Vec::new();
    for value in values {
        match field::check(known, &value) {
            Ok(value) if !good.contains(&value) => good.push(value),
            Ok(_) => {}
            Err(reason) => why = reason,
        }
    }
    if good.is_empty() { Err(why) } else { Ok(good) }
}

/// What a field's label says about its values: the units that it counts in, and whether it asks for something that has been,
/// of a form that reports what happened.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    units: Vec<String>,
    time: Option<&'static str>,
    /// Money or a percentage.
    about: Option<Measure>,
    pub(super) been: bool,
    pub(super) reports: bool,
}

impl Facts {
    pub(super) fn of(said: &Said) -> Self {
        const PRICED: &str = "price cost costs budget fee salary deposit payment money sum amount rent";
        let named = || said.id.iter().chain(&said.label);
        let says = |words: &str| {
            named().any(|token| token.is(words))
                || said.units.iter().any(|unit| words.split(' ').any(|word| word == unit))
        };
        let plural = named().map(|token| &token.low).filter(|low| low.ends_with('s'));
        let reports = says("did happened occurred");
        let (money, percent) = (says(CURRENCIES) || says(PRICED), says("% percent percentage"));
        Self {
            time: said.units.iter().chain(plural).find_map(|unit| time_unit(unit)),
            about: if percent { Some(Measure::Percent) } else { money.then_some(Measure::Money) },
            been: reports || says("was were birth born had"),
            reports,
            units: said.units.clone(),
        }
    }
}

fn numeric(number: f64) -> Value {
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53, checked")]
    if number.fract() == 0.0 && number.abs() < WHOLE { json!(number as i64) } else { json!(number) }
}

/// Returns numbers in the unit that a field counts in; none, if it counts something else. Without its name beside it, a number
/// fits only with its unit.
fn measured(
    kind: Kind,
    facts: &Facts,
    readings: &[f64],
    measure: &Measure,
    unit: &str,
    close: bool,
) -> Option<Vec<f64>> {
    let Facts { units, time, about, .. } = facts;
    let plain = kind == Kind::Number && close && time.is_none() && units.is_empty();
    let same = units.iter().any(|known| known == unit);
    let fits = match measure {
        Measure::Count => close || same,
        Measure::Money | Measure::Percent => about.as_ref() == Some(measure) || plain && about.is_none(),
        Measure::Unit => same,
        Measure::Time(given) => {
            // A working day has no agreed length, and a month none at all.
            let factor = match (*given, (*time)?) {
                (given, wanted) if given == wanted => 1.0,
                ("hour", "minute") => 60.0,
                ("minute", "hour") => 1.0 / 60.0,
                ("week", "day") => 7.0,
                ("year", "month") => 12.0,
                _ => return None,
            };
            return Some(readings.iter().map(|reading| reading * factor).collect());
        }
    };
    let whole: Vec<f64> = readings.iter().copied().filter(|reading| reading.fract() == 0.0).collect();
    let integral = kind == Kind::Integer && !whole.is_empty();
    fits.then(|| if integral { whole } else { readings.to_vec() })
}
