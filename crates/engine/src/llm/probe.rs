//! Checks whether the configured language model answers, how fast, and in which format.

use std::fmt;
use std::time::Duration;

use holdpoint_core::{Field, Values};
use holdpoint_protocols::action::Briefing;
use holdpoint_protocols::action::model::Format;
use holdpoint_protocols::action::reader::Question;
use jiff::civil::DateTime;
use tokio::time::Instant;

use super::Settings;
use super::endpoint::Endpoint;
use crate::error::Result;

/// The result of one question to the model.
#[derive(Debug)]
pub struct Probe {
    name: String,
    took: Duration,
    /// The requested format of the answer, and whether it was followed.
    outcome: std::result::Result<(Format, bool), String>,
}

impl Probe {
    /// Returns whether its answer was usable.
    pub fn answers(&self) -> bool {
        self.outcome.is_ok()
    }
}

impl fmt::Display for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, took) = (&self.name, self.took.as_millis());
        match &self.outcome {
            Ok((Format::Schema, true)) => write!(f, "{name} answers in {took} ms and keeps to a JSON schema"),
            Ok((Format::Schema, false)) => write!(
                f,
                "{name} answers in {took} ms; it accepts a JSON schema but does not keep to it, so expect worse readings"
            ),
            Ok((Format::Object, _)) => write!(
                f,
                "{name} answers in {took} ms; it refuses JSON schemas, so it is asked for a JSON object"
            ),
            Ok((Format::Words, _)) => {
                write!(f, "{name} answers in {took} ms; it has no JSON mode, so the prompt asks for JSON")
            }
            Err(why) => write!(f, "{name} cannot be used: {why}"),
        }
    }
}

/// Asks the model one small question about a form.
///
/// # Errors
/// If the settings name a key that is not in the environment.
pub async fn probe(settings: &Settings, fields: &[Field]) -> Result<Probe> {
    const NOON: DateTime = DateTime::constant(2026, 1, 1, 12, 0, 0, 0);
    let endpoint = Endpoint::open(settings)?;
    let known = Values::new();
    let question = Question { fields, asked: None, text: "hello", now: NOON, zone: None, known: &known };
    let briefing = Briefing {
        question,
        title: "Probe",
        purpose: None,
        tools: &[],
        values: &known,
        said: "",
        results: &[],
    };
    let start = Instant::now();
    let outcome = endpoint.try_once(&briefing).await;
    Ok(Probe { name: settings.name.clone(), took: start.elapsed(), outcome })
}
