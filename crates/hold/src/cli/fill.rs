//! Filling in a decision field by field, asking only what is visible.

use holdpoint_core::decision::{AnswerInput, needs_words};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Source, Values, field, form};
use serde_json::Value;

use super::failure::Failure;
use super::ui::Ui;
use super::{choice, input};
use crate::view_model::form_values::prefilled;

/// Asks for every visible field; none if the person stopped.
pub(crate) fn fill(decision: &Decision, ui: &mut Ui) -> Result<Option<AnswerInput>, Failure> {
    fill_rest(FormFiller::new(decision), ui)
}

/// Asks for every visible field without a value; none if the person stopped.
pub(crate) fn fill_rest(mut filling: FormFiller<'_>, ui: &mut Ui) -> Result<Option<AnswerInput>, Failure> {
    if let Some(outs) = filling.outs() {
        ui.note(outs);
    }
    while let Some(asked) = filling.asked() {
        ui.note(question(asked));
        loop {
            ui.prompt(filling.prompt(asked));
            let Some(line) = input::line()? else { return Ok(None) };
            match filling.take(asked, &line) {
                LineResult::Next => break,
                LineResult::Again(why) if why.is_empty() => {}
                LineResult::Again(why) => ui.note(format!("  {why}")),
                LineResult::Out(out) => {
                    return Ok(Some(AnswerInput { out: Some(out), ..AnswerInput::default() }));
                }
            }
        }
    }
    let message = message(ui)?;
    Ok(Some(AnswerInput { values: filling.given(), message, ..AnswerInput::default() }))
}

/// What to type to clear a field that has a value.
const LEAVE_OUT: &str = "-";

/// The prompt for an optional message.
pub(crate) const MESSAGE: &str = "Message (Enter for none): ";

/// The prompt for a message without which the answer means nothing.
pub(crate) const REVISION: &str = "What should be different? ";

/// Asks for a message to go with an answer.
pub(crate) fn message(ui: &mut Ui) -> Result<Option<String>, Failure> {
    ui.prompt(MESSAGE);
    Ok(input::line()?.filter(|line| !line.trim().is_empty()))
}

/// Asks for a message if the answer needs one and has none.
pub(crate) fn needed_words(decision: &Decision, input: &mut AnswerInput, ui: &mut Ui) -> Result<(), Failure> {
    let pending = decision.status == holdpoint_core::Status::Pending;
    if pending && input.message.is_none() && needs_words(decision, &input.values, input.out.as_deref()) {
        ui.prompt(REVISION);
        input.message = input::line()?.filter(|line| !line.trim().is_empty());
    }
    Ok(())
}

/// A decision that is being filled in, field by field.
#[derive(Debug)]
pub(crate) struct FormFiller<'a> {
    decision: &'a Decision,
    /// The values typed so far.
    pub(crate) values: Values,
    /// Numbers, in the notation that was typed.
    written: Values,
    skipped: Vec<String>,
}

/// The result of a line.
#[derive(Debug)]
pub(crate) enum LineResult {
    /// The field is done.
    Next,
    /// The field is not done, for this reason.
    Again(String),
    /// An out was chosen.
    Out(String),
}

impl<'a> FormFiller<'a> {
    pub(crate) fn new(decision: &'a Decision) -> Self {
        // Values that a form already holds are not asked for again.
        let draft = if decision.source == Source::Form { decision.draft.clone() } else { Values::new() };
        let values = form::accept_draft(&decision.fields, &draft).values;
        // A commit of the only patch set need not name it.
        let only = |field: &&Field| field.id == "patchset" && field.options.len() == 1;
        let only = decision.field("patchset").filter(|_| decision.source == Source::Verdict).filter(only);
        let skipped = only.map(|field| field.id.clone()).into_iter().collect();
        Self { decision, values, written: Values::new(), skipped }
    }

    /// Takes an option by its number on the card, from 1.
    pub(crate) fn picked(mut self, number: usize) -> Self {
        if let Ok((Some(field), option)) = choice::by_number(self.decision, number)
            && let Ok(value) = choice::value_of(field, &option.id)
        {
            self.values.insert(field.id.clone(), value);
        }
        self
    }

    /// Returns all values that were typed.
    pub(crate) fn given(mut self) -> Values {
        self.values.extend(self.written);
        self.values
    }

    /// Describes what can be done instead of answering.
    pub(crate) fn outs(&self) -> Option<String> {
        let outs: Vec<String> = self.decision.outs.iter().map(|out| inert_line(&out.id)).collect();
        (!outs.is_empty()).then(|| format!("Instead of answering: {}", outs.join(", ")))
    }

    /// Returns the next field to ask for.
    pub(crate) fn asked(&self) -> Option<&'a Field> {
        form::next_unanswered(&self.decision.fields, &self.values, &self.skipped)
    }

    /// Describes what a line may contain.
    pub(crate) fn prompt(&self, asked: &Field) -> String {
        let kind = match (asked.kind.picks(), asked.custom) {
            (true, true) => "number, id, or your own words after a colon".to_owned(),
            (true, false) => "number or id".to_owned(),
            (false, _) => asked.kind.name().to_owned(),
        };
        let (prefilled, skip) = match (prefilled(self.decision, asked), asked.required) {
            (Some(value), required) => {
                let skip = if required { String::new() } else { format!(", {LEAVE_OUT} to leave out") };
                (format!(", Enter for {}", inert_line(&brief(value))), skip)
            }
            (None, true) => (String::new(), String::new()),
            (None, false) => (String::new(), ", Enter to leave out".to_owned()),
        };
        format!("{} [{kind}{prefilled}{skip}]: ", inert_line(&asked.id))
    }

    /// Handles a line typed for a field.
    pub(crate) fn take(&mut self, asked: &Field, line: &str) -> LineResult {
        let line = line.trim();
        let prefilled = prefilled(self.decision, asked);
        if let Some(value) = prefilled.filter(|_| line.is_empty()) {
            self.values.insert(asked.id.clone(), value.clone());
            return LineResult::Next;
        }
        if line.is_empty() || (line == LEAVE_OUT && prefilled.is_some()) {
            if asked.required {
                return LineResult::Again(String::new());
            }
            self.skipped.push(asked.id.clone());
            return LineResult::Next;
        }
        let is_out = self.decision.outs.iter().any(|out| out.id == line);
        if self.values.is_empty() && is_out && asked.option(line).is_none() {
            return LineResult::Out(line.to_owned());
        }
        let typed = choice::value_of(asked, line);
        match typed.and_then(|value| Ok((field::check(asked, &value)?, value))) {
            Ok((value, typed)) => {
                if value.is_number() {
                    self.written.insert(asked.id.clone(), typed);
                }
                self.values.insert(asked.id.clone(), value);
                LineResult::Next
            }
            Err(why) => LineResult::Again(why),
        }
    }
}

/// Formats a field's question.
pub(crate) fn question(asked: &Field) -> String {
    const SHOWN: usize = 200;
    let mut lines = vec![format!("\n{}", inert_line(&asked.label))];
    for (at, option) in asked.options.iter().enumerate().take(SHOWN) {
        let label = if option.label == option.id {
            String::new()
        } else {
            format!("  {}", inert_line(&option.label))
        };
        lines.push(format!("{:>3}. {}{label}", at + 1, inert_line(&option.id)));
    }
    if asked.options.len() > SHOWN {
        lines.push(format!("  … {} options in all; the start of a label finds one", asked.options.len()));
    }
    lines.join("\n")
}

fn brief(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text =
        field::has_custom_text(value).or(value.as_str()).map_or_else(|| value.to_string(), str::to_owned);
    let cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}
