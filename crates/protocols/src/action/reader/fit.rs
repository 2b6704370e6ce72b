//! Whether a value that was found is one that a field takes, and as what it is kept.

use holdpoint_core::text::quote;
use holdpoint_core::{Kind, field};
use jiff::SignedDuration;
use jiff::civil::Date;
use serde_json::{Value, json};

use super::lists::Measure;
use super::{FoundValue, Rule, Scan, ValueKind, when};

/// What a value comes to in a field: what it can be (more than one is asked), or why the field does not take it.
pub(super) type FitResult = Result<Vec<Value>, String>;

impl Scan<'_> {
    /// Fits a value into a field, by its place in the form; none, if it is no value of that kind. With rule 4 nothing speaks for the
    /// field but the kind of the value.
    pub(super) fn fit(&self, at: usize, found: &FoundValue, rule: Rule) -> Option<FitResult> {
        let (known, words) = (self.field(at), self.message.text_of(&found.at));
        let close = rule != Rule::Only;
        let values: Vec<Value> = match (known.kind, &found.what) {
            (Kind::Choices | Kind::Products, ValueKind::Options(of, ids)) if *of == at => {
                let picked = ids.iter().map(|id| field::picking(known, id));
                vec![picked.filter_map(|value| value.as_array().cloned()).flatten().collect()]
            }
            (_, ValueKind::Options(of, ids)) if *of == at => {
                ids.iter().map(|id| field::picking(known, id)).collect()
            }
            // `24/7` is no day, unless one is asked for.
            (Kind::Date, ValueKind::Date(dates)) if close || words.len() > 5 || !words.contains('/') => {
                let (days, today) = (self.meant(at, dates), self.question.now.date());
                // What is to come is no day that has been, and a birthday has a year.
                let comes = days.len() > 1 || days.iter().all(|day| *day > today);
                if !close && self.about[at].been && comes {
                    return None;
                }
                texts(days)
            }
            (Kind::Date, ValueKind::Moment(_)) if close => {
                return Some(unfit("a day without a time is needed"));
            }
            (Kind::Time, ValueKind::Time(times)) => texts(times),
            // `Pick-up time 9:30 on Thursday`
            (Kind::Time, ValueKind::Moment(all)) if rule == Rule::Named => {
                texts(all.iter().map(|at| at.time()))
            }
            (Kind::Datetime, ValueKind::Moment(all)) => {
                if all.iter().any(|moment| when::is_skipped(*moment, self.question.zone)) {
                    return Some(unfit("the clocks are put forward over that time, so it does not exist"));
                }
                let days = self.meant(at, &all.iter().map(|moment| moment.date()).collect::<Vec<_>>());
                texts(all.iter().filter(|moment| days.contains(&moment.date())))
            }
            (Kind::Datetime, ValueKind::Date(_)) if close => return Some(unfit("a time is needed as well")),
            (Kind::Datetime, ValueKind::Time(_)) if close => return Some(unfit("a day is needed as well")),
            (Kind::Integer | Kind::Number, ValueKind::Number(readings, measure)) => {
                let about = &self.about[at];
                if about.is_other_currency(measure) {
                    return Some(unfit("it is in another currency"));
                }
                let fits = match measure {
                    Measure::Unit(unit) => about.counts_in(unit),
                    Measure::Count => close || about.counts_in(self.message.low(found.at.end)),
                    _ => close,
                };
                about.measured(known.kind, readings, measure, fits)?.into_iter().map(numeric).collect()
            }
            (kind, ValueKind::Address(of)) if kind == *of => vec![json!(words)],
            _ => return None,
        };
        if values.is_empty() {
            let kind = if known.kind.is_temporal() { "day or time that exists" } else { "number I can read" };
            return Some(unfit(&format!("{} is not a {kind}", quote(words))));
        }
        // Of several readings those count that the field takes.
        let checked: Vec<_> = values.iter().map(|value| field::check(known, value)).collect();
        let good: Vec<Value> = checked.iter().flatten().cloned().collect();
        Some(checked.into_iter().find_map(Result::err).filter(|_| good.is_empty()).map_or(Ok(good), Err))
    }

    /// Returns which days a field takes: of the last and the coming day of a year the coming one, unless the last is nearer. Of a
    /// field that asks what has been it is the last one, and a birthday needs its year.
    fn meant(&self, at: usize, dates: &[Date]) -> Vec<Date> {
        let (today, about) = (self.question.now.date(), &self.about[at]);
        let [last, coming] = dates else { return dates.to_vec() };
        let yearless = (last.month(), last.day()) == (coming.month(), coming.day()) && *coming >= today;
        let near = today.duration_since(*last) < coming.duration_since(today) && *coming != today;
        match (yearless && !about.born, about.been) {
            // What will be next month is hardly meant for what happened, but may be a slip.
            (true, true) if coming.duration_since(today) > SignedDuration::from_hours(40 * 24) => vec![*last],
            (true, false) if !near => vec![*coming],
            _ => dates.to_vec(),
        }
    }
}

fn unfit(why: &str) -> FitResult {
    Err(why.to_owned())
}

/// Returns days or times as they are kept.
fn texts(items: impl IntoIterator<Item: ToString>) -> Vec<Value> {
    items.into_iter().map(|item| json!(item.to_string())).collect()
}

/// Returns a number as it is kept.
fn numeric(number: f64) -> Value {
    number.to_string().parse::<i64>().map_or_else(|_| json!(number), Value::from)
}
