//! Whether a value that was found is one that a field takes, and as what it is kept.

use holdpoint_core::text::quote;
use holdpoint_core::{Field, Kind, field};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::found::{Found, Measure, What};
use super::name::Said;
use super::scan::Scan;

/// What a value comes to in a field: what it can be (more than one is asked), or why the field does not take it.
pub(super) type Fit = Result<Vec<Value>, String>;

impl Scan<'_> {
    /// Fits a value into a field that is named beside it or was asked; the field by its place in the form.
    pub(super) fn fit(&self, at: usize, found: &Found) -> Option<Fit> {
        self.fit_if(at, found, true)
    }

    /// Lists what a value can be in a field that is named beside it or was asked.
    pub(super) fn values(&self, at: usize, found: &Found) -> Vec<Value> {
        self.fit(at, found).and_then(Result::ok).unwrap_or_default()
    }

    /// Lists what a value can be in a field for which nothing speaks but the kind of the value.
    pub(super) fn loose_values(&self, at: usize, found: &Found) -> Vec<Value> {
        self.fit_if(at, found, false).and_then(Result::ok).unwrap_or_default()
    }

    fn fit_if(&self, at: usize, found: &Found, close: bool) -> Option<Fit> {
        let (known, said, words) = (self.field(at), &self.names.said[at], self.message.words(&found.at));
        let values: Vec<Value> = match (known.kind, &found.what) {
            (kind, What::Options(field, ids)) if *field == at => {
                let each = ids.iter().map(|id| field::picking(known, id));
                match kind {
                    Kind::Choices | Kind::Products => {
                        vec![each.flat_map(|value| value.as_array().cloned().unwrap_or_default()).collect()]
                    }
                    _ => each.collect(),
                }
            }
            (Kind::Date, What::Date(dates)) => {
                // `When did it happen?` asks for a day that has been.
                let today = self.question.now.date();
                let been: Vec<&Date> = dates.iter().filter(|date| said.been && **date <= today).collect();
                texts(if been.is_empty() { dates.iter().collect() } else { been })
            }
            (Kind::Date, What::Moment(moments)) if close => texts(moments.iter().map(|at| at.date())),
            (Kind::Time, What::Time(times)) => texts(times),
            (Kind::Datetime, What::Moment(moments)) => texts(moments),
            (Kind::Datetime, What::Date(dates)) if dates.is_empty() => Vec::new(),
            (Kind::Datetime, What::Date(_) | What::Time(_)) if close => {
                return Some(Err("a day and a time are needed together".into()));
            }
            (Kind::Integer | Kind::Number, What::Number(readings, measure)) => {
                let same = || said.units.iter().any(|unit| unit == self.message.low(found.at.end));
                let is_option = || self.names.options.iter().any(|option| option.at.start == found.at.end);
                let fits = match measure {
                    Measure::Unit => same(),
                    Measure::Count => close || same() || said.counts && is_option(),
                    _ => close,
                };
                let numbers = said.measured(known.kind, readings, measure, fits)?;
                numbers.into_iter().map(numeric).collect()
            }
            (kind, What::Address(of)) if kind == *of => vec![json!(words)],
            _ => return None,
        };
        if values.is_empty() {
            let kind =
                if known.kind.is_temporal() { "date or time that exists" } else { "number that I can read" };
            return Some(Err(format!("{} is not a {kind}", quote(words))));
        }
        Some(checked(known, values))
    }
}

fn texts(items: impl IntoIterator<Item: ToString>) -> Vec<Value> {
    items.into_iter().map(|item| json!(item.to_string())).collect()
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

fn numeric(number: f64) -> Value {
    const WHOLE: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53, checked")]
    if number.fract() == 0.0 && number.abs() < WHOLE { json!(number as i64) } else { json!(number) }
}

impl Said {
    /// Returns numbers in the unit that a field counts in; none, if it counts something else. `fits`: whether more than their
    /// measure speaks for them.
    fn measured(&self, kind: Kind, readings: &[f64], measure: &Measure, fits: bool) -> Option<Vec<f64>> {
        let plain = kind == Kind::Number && fits && self.time.is_none() && self.units.is_empty();
        let factor = match measure {
            Measure::Count | Measure::Unit => fits.then_some(1.0)?,
            Measure::Money | Measure::Percent => {
                (self.about.as_ref() == Some(measure) || plain && self.about.is_none()).then_some(1.0)?
            }
            // A working day has no agreed length, and a month none at all.
            Measure::Time(given) => match (*given, self.time?) {
                (given, wanted) if given == wanted => 1.0,
                ("hour", "minute") => 60.0,
                ("minute", "hour") => 1.0 / 60.0,
                ("week", "day") => 7.0,
                ("year", "month") => 12.0,
                _ => return None,
            },
        };
        let all = || readings.iter().map(|reading| reading * factor);
        let whole: Vec<f64> = all().filter(|reading| reading.fract() == 0.0).collect();
        Some(if kind == Kind::Integer && !whole.is_empty() { whole } else { all().collect() })
    }
}
