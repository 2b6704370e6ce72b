//! Whether a value that was found is one that a field takes, and as what it is kept.

use holdpoint_core::text::quote;
use holdpoint_core::{Kind, field};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{Found, Measure, Rule, Said, Scan, UNITS, What, listed};

/// What a value comes to in a field: what it can be (more than one is asked), or why the field does not take it.
pub(super) type Fit = Result<Vec<Value>, String>;

impl Scan<'_> {
    /// Fits a value into a field, by its place in the form; rule 4 has nothing that speaks for the field but the kind of the value.
    pub(super) fn fit(&self, at: usize, found: &Found, rule: Rule) -> Option<Fit> {
        let close = rule != Rule::Only;
        let unfit = |why: &str| Some(Err(why.to_owned()));
        let (known, said, words) = (self.field(at), &self.names.said[at], self.message.words(&found.at));
        let picked = |id: &String| field::picking(known, id);
        let values: Vec<Value> = match (known.kind, &found.what) {
            (Kind::Choices | Kind::Products, What::Options(field, ids)) if *field == at => {
                let each = ids.iter().filter_map(|id| picked(id).as_array().cloned());
                vec![each.flatten().collect()]
            }
            (_, What::Options(of, ids)) if *of == at => ids.iter().map(picked).collect(),
            (Kind::Date, What::Date(dates)) => {
                // `When did it happen?` asks for a day that has been.
                let been = |date: &&Date| said.been && **date <= self.question.now.date();
                let been: Vec<&Date> = dates.iter().filter(been).collect();
                texts(if been.is_empty() { dates.iter().collect() } else { been })
            }
            (Kind::Date, What::Moment(_)) if close => return unfit("a day without a time is needed"),
            (Kind::Time, What::Time(times)) => texts(times),
            // `Pick-up time 9:30 on Thursday`
            (Kind::Time, What::Moment(all)) if rule == Rule::Named => texts(all.iter().map(|at| at.time())),
            (Kind::Datetime, What::Moment(moments)) => texts(moments),
            (Kind::Datetime, What::Date(_)) if close => return unfit("a time is needed as well"),
            (Kind::Datetime, What::Time(_)) if close => return unfit("a day is needed as well"),
            (Kind::Integer | Kind::Number, What::Number(readings, measure)) => {
                let next = self.message.low(found.at.end);
                let of = |word| listed(UNITS, word).unwrap_or(word);
                let given = if let Measure::Unit(unit) = measure { unit } else { next };
                let same = || said.units.iter().any(|unit| of(unit) == of(given));
                let paid = said.measure.as_ref().filter(|own| **own != Measure::Money(""));
                if matches!((measure, paid), (Measure::Money(of), Some(Measure::Money(own))) if of != own) {
                    return unfit("it is in another currency");
                }
                let alone = || self.message.clause(found.at.start) == found.at;
                let is_option = || self.names.options.iter().any(|option| option.at.start == found.at.end);
                let fits = match measure {
                    Measure::Unit(_) => same(),
                    Measure::Count => close || same() || said.counts && (is_option() || alone()),
                    _ => close,
                };
                let numbers = said.measured(known.kind, readings, measure, fits)?;
                numbers.into_iter().map(numeric).collect()
            }
            (kind, What::Address(of)) if kind == *of => vec![json!(words)],
            _ => return None,
        };
        if values.is_empty() {
            let kind = if known.kind.is_temporal() { "day or time that exists" } else { "number I can read" };
            return unfit(&format!("{} is not a {kind}", quote(words)));
        }
        // Of several readings those count that the field takes.
        let checked: Vec<_> = values.iter().map(|value| field::check(known, value)).collect();
        let good: Vec<Value> = checked.iter().flatten().cloned().collect();
        Some(checked.into_iter().find_map(Result::err).filter(|_| good.is_empty()).map_or(Ok(good), Err))
    }
}

fn texts(items: impl IntoIterator<Item: ToString>) -> Vec<Value> {
    items.into_iter().map(|item| json!(item.to_string())).collect()
}

fn numeric(number: f64) -> Value {
    number.to_string().parse::<i64>().map_or_else(|_| json!(number), Value::from)
}

impl Said {
    /// Returns numbers in the unit that a field counts in; none, if it counts something else. `fits`: whether more speaks for them.
    fn measured(&self, kind: Kind, readings: &[f64], measure: &Measure, fits: bool) -> Option<Vec<f64>> {
        let factor = match (measure, &self.measure) {
            (Measure::Count | Measure::Unit(_), _) => fits.then_some(1.0)?,
            (Measure::Money(_), Some(Measure::Money(_))) => 1.0,
            (given, Some(own)) if given == own => 1.0,
            (Measure::Money(_), None) if fits && kind == Kind::Number && self.units.is_empty() => 1.0,
            // A working day has no agreed length, and a month none at all.
            (Measure::Time(given), Some(Measure::Time(wanted))) => match (*given, *wanted) {
                ("hour", "minute") => 60.0,
                ("minute", "hour") => 1.0 / 60.0,
                ("week", "day") => 7.0,
                ("year", "month") => 12.0,
                _ => return None,
            },
            _ => return None,
        };
        let all = || readings.iter().map(|reading| reading * factor);
        // `1.000 copies` are a thousand, and so is `1,000`, unless the field is measured in kilos or the like.
        let most = all().filter(|reading| reading.fract() == 0.0).reduce(f64::max);
        let plain = self.measure.is_some() || self.units.is_empty();
        let grouped = most.filter(|most| kind == Kind::Integer || plain && all().next() == Some(*most));
        Some(grouped.map_or_else(|| all().collect(), |most| vec![most]))
    }
}
