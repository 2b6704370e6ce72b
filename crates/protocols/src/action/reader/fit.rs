//! Whether a value that was found is one that a field takes, and as what it is kept.

use holdpoint_core::text::quote;
use holdpoint_core::{Kind, field};
use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};
use serde_json::{Value, json};

use super::date::{self, short};
use super::figures::{clock, is_short, is_skipped};
use super::found::{numeric, texts};
use super::units::DAYS;
use super::{Fit, Found, Measure, Mention, Message, Rule, Scan, UNITS, What, is_among, listed, time_unit};

impl Scan<'_> {
    /// Fits a value into a field, by its place in the form; rule 4 has nothing that speaks for the field but the kind of the value.
    pub(super) fn fit(&self, at: usize, found: &Found, rule: Rule) -> Option<Fit> {
        let close = rule != Rule::Only;
        let unfit = |why: &str| Some(Err(why.to_owned()));
        let (known, said, words) = (self.field(at), &self.names.said[at], self.message.words(&found.at));
        let today = self.question.now.date();
        let led = |name: &Mention| self.message.past(name.at.end, ": = is on by") == found.at.start;
        let led = || self.names.mentions.iter().any(|name| name.field == at && led(name));
        let picked = |id: &String| field::picking(known, id);
        let values: Vec<Value> = match (known.kind, &found.what) {
            (Kind::Choices | Kind::Products, What::Options(field, ids)) if *field == at => {
                let each = ids.iter().filter_map(|id| picked(id).as_array().cloned());
                vec![each.flatten().collect()]
            }
            (_, What::Options(of, ids)) if *of == at => ids.iter().map(picked).collect(),
            (Kind::Date, What::Date(dates)) => {
                let (gone, old) = (|day: &Date| *day < today, |day: &Date| day.year() + 5 < today.year());
                let been = if said.been { self.been(found, dates) } else { Vec::new() };
                // A birthday has a year.
                let full = words.split(|c: char| !c.is_ascii_digit()).any(|run| run.len() == 4)
                    || words.matches(['.', '/']).count() == 2;
                let whole = !said.born || full && !been.is_empty() && been.len() == dates.len();
                // `24/7` is no day, a day of long ago is meant only where one is asked for, and in a report what is to come is not.
                let other = if said.been {
                    been.is_empty() || !whole
                } else {
                    dates.iter().all(old) || self.reports && !dates.is_empty() && dates.iter().all(gone)
                };
                if !close && (other || is_short(words)) {
                    return None;
                }
                if !whole {
                    return unfit("a day that has been is needed, with its year");
                }
                texts(if been.is_empty() { dates } else { &been })
            }
            // `30.11` is a day where one is asked.
            (Kind::Date, What::Number(_, Measure::Count))
                if is_short(words) && !said.been && (rule == Rule::Answer || led()) =>
            {
                texts(short(self.message, found.at.start, today))
            }
            (Kind::Date, What::Moment(_)) if close => return unfit("a day without a time is needed"),
            (Kind::Time, What::Time(times)) => texts(times),
            // `Pick-up time 9:30 on Thursday`
            (Kind::Time, What::Moment(all)) if rule == Rule::Named => texts(all.iter().map(|at| at.time())),
            (Kind::Time, What::Number(..)) if close => texts([clock(words)?]),
            (Kind::Datetime, What::Moment(all))
                if all.iter().any(|at| is_skipped(*at, self.question.zone)) =>
            {
                return unfit("the clocks are put forward over that time, so it does not exist");
            }
            (Kind::Datetime, What::Moment(moments)) => texts(moments),
            (Kind::Datetime, What::Date(_) | What::Time(_)) if close => match (self.half(at), &found.what) {
                ((_, Some(time)), What::Date(days)) => texts(days.iter().map(|day| day.to_datetime(time))),
                ((Some(day), _), What::Time(times)) => texts(times.iter().map(|time| day.to_datetime(*time))),
                (_, What::Date(days)) if !days.is_empty() => return unfit("a time is needed as well"),
                (_, What::Date(_)) => Vec::new(),
                _ => return unfit("a day is needed as well"),
            },
            (Kind::Integer | Kind::Number, What::Number(readings, measure)) => {
                if !close && self.rate(found.at.end).is_some_and(|of| !said.means(&self.message.tokens[of])) {
                    return None;
                }
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
                    Measure::Count => {
                        close
                            || same()
                            || self.rate(found.at.end).is_some_and(|of| said.means(&self.message.tokens[of]))
                            || said.counts && (is_option() || alone())
                    }
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

    /// Returns the day and the time of a field, as far as they are known or were just read.
    fn half(&self, at: usize) -> (Option<Date>, Option<Time>) {
        let id = &self.field(at).id;
        let known = self.reading.value(id).or_else(|| self.question.known.get(id));
        let Some(known) = known.and_then(Value::as_str).filter(|known| !known.is_empty()) else {
            return (None, None);
        };
        let whole = known.parse::<DateTime>().ok().filter(|_| known.contains('T'));
        let said = Message::new(known);
        let (day, time) =
            (date::read(&said, 0, self.question.now.date()), date::time(&said, 0, &self.question));
        match (whole, day, time) {
            (Some(whole), ..) => (Some(whole.date()), Some(whole.time())),
            (_, Some((_, What::Date(days))), _) => (days.first().copied().filter(|_| days.len() == 1), None),
            (.., Some((_, What::Time(times)))) => (None, times.first().copied().filter(|_| times.len() == 1)),
            _ => (None, None),
        }
    }

    /// Returns which dates have been, for a field that asks what was: `on Monday` is the last one, `3 May` the last one too.
    fn been(&self, found: &Found, dates: &[Date]) -> Vec<Date> {
        let today = self.question.now.date();
        // `I'll be at home on Monday` is still to come.
        let comes = self
            .message
            .sentence(found.at.start)
            .any(|at| self.message.is(at, "will i'll we'll he'll she'll it'll they'll going"));
        let weekday = is_among(self.message.low(found.at.start), DAYS) && found.at.len() == 1 && !comes;
        let back = |date: &Date| if weekday && *date > today { date.saturating_sub(7.days()) } else { *date };
        dates.iter().map(back).filter(|date| *date <= today).collect()
    }

    /// Returns where it stands what a number is said per: `20 per guest`, `3 a week`.
    pub(super) fn rate(&self, end: usize) -> Option<usize> {
        let timed = time_unit(self.message.low(end + 1)).is_some();
        let per = self.message.is(end, "per /") || timed && self.message.is(end, "a an each every");
        (per && end + 1 < self.message.tokens.len()).then_some(end + 1)
    }
}
