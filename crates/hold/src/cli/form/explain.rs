//! `hold form explain`: what the built-in reader finds in a message, by which rule and in which words.

use holdpoint_core::Values;
use holdpoint_core::text::{inert_line, quote};
use holdpoint_engine::Clock;
use holdpoint_protocols::action::form::Form;
use holdpoint_protocols::action::reader::{self, Question};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Prints the values found, what would be asked back, and why the rest was not taken.
pub(super) fn run(
    form: &Form,
    text: &str,
    asked: Option<&str>,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    let asked = match asked {
        Some(id) => {
            let field = form.fields.iter().find(|field| field.id == id);
            Some(field.ok_or_else(|| {
                Failure::new(Exit::NotFound, format!("the form has no field {}", quote(id)))
            })?)
        }
        None => None,
    };
    let zone = TimeZone::try_system().unwrap_or(TimeZone::UTC);
    let now = jiff::Timestamp::from_millisecond(Clock::System.now().as_millis())
        .map_err(|why| Failure::error(why.to_string()))?;
    let now = zone.to_datetime(now);
    let known = Values::new();
    let reading =
        reader::read(Question { fields: &form.fields, asked, text, now, zone: Some(&zone), known: &known });
    let shown = |value: &Value| inert_line(&value.to_string());
    if json {
        let taken = reading.taken.iter().map(|taken| {
            json!({ "field": taken.field, "value": taken.value, "words": taken.words, "reason": taken.rule.reason() })
        });
        let unsure = reading.unsure.iter().map(|unsure| {
            json!({ "field": unsure.field, "values": unsure.values, "words": unsure.words, "reason": unsure.why })
        });
        let unfit = reading
            .unfit
            .iter()
            .map(|unfit| json!({ "field": unfit.field, "words": unfit.words, "reason": unfit.why }));
        let guards =
            reading.guards.iter().map(|(guard, word)| json!({ "guard": guard.name(), "word": word }));
        ui.json(&json!({
            "taken": taken.collect::<Vec<_>>(), "unsure": unsure.collect::<Vec<_>>(),
            "unfit": unfit.collect::<Vec<_>>(), "left": reading.left, "guards": guards.collect::<Vec<_>>(),
        }))?;
        return Ok(Exit::Done);
    }
    for taken in &reading.taken {
        let (value, words) = (shown(&taken.value), quote(&taken.words));
        ui.line(format!("{} = {value}  ({}, from {words})", taken.field, taken.rule.reason()))?;
    }
    for unsure in &reading.unsure {
        let values: Vec<String> = unsure.values.iter().map(shown).collect();
        let (words, why) = (quote(&unsure.words), inert_line(&unsure.why));
        ui.line(format!("{} ? {}  (asked back: {why}, from {words})", unsure.field, values.join(" or ")))?;
    }
    for unfit in &reading.unfit {
        ui.line(format!(
            "{} ! {}  (refused, from {})",
            unfit.field,
            inert_line(&unfit.why),
            quote(&unfit.words)
        ))?;
    }
    for field in &reading.left {
        ui.line(format!("{field} ?  (mentioned, but no value could be read)"))?;
    }
    for (guard, word) in &reading.guards {
        ui.line(format!("guard: {} ({})", quote(word), guard.name()))?;
    }
    if reading.is_empty() {
        ui.line("No value was found; every field is asked.")?;
    }
    Ok(Exit::Done)
}
