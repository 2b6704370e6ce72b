//! Filling in a decision field by field, asking only what is visible.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Values, field, form};
use serde_json::json;

use super::failure::Failure;
use super::ui::Ui;
use super::{choice, input};

/// Asks for every visible field; nothing if the person stopped.
pub(crate) fn fill(decision: &Decision, ui: &mut Ui) -> Result<Option<AnswerInput>, Failure> {
    if !decision.outs.is_empty() {
        let outs: Vec<String> = decision.outs.iter().map(|out| inert_line(&out.id)).collect();
        ui.note(format!("Instead of answering: {}", outs.join(", ")));
    }
    let mut values = Values::new();
    let mut skipped = Vec::new();
    while let Some(asked) = form::next_unanswered(&decision.fields, &values, &skipped) {
        match ask(asked, decision, &values, ui)? {
            Reply::Value(value) => {
                values.insert(asked.id.clone(), value);
            }
            Reply::Skip => skipped.push(asked.id.clone()),
            Reply::Out(out) => return Ok(Some(AnswerInput { out: Some(out), ..AnswerInput::default() })),
            Reply::Stop => return Ok(None),
        }
    }
    let message = message(ui)?;
    Ok(Some(AnswerInput { values, message, ..AnswerInput::default() }))
}

/// Asks for words to go with an answer.
pub(crate) fn message(ui: &mut Ui) -> Result<Option<String>, Failure> {
    ui.prompt("Message (Enter for none): ");
    Ok(input::line()?.filter(|line| !line.trim().is_empty()))
}

enum Reply {
    Value(serde_json::Value),
    Skip,
    Out(String),
    Stop,
}

fn ask(asked: &Field, decision: &Decision, values: &Values, ui: &mut Ui) -> Result<Reply, Failure> {
    ui.note(format!("\n{}", inert_line(&asked.label)));
    for (at, option) in asked.options.iter().enumerate() {
        let label = if option.label == option.id {
            String::new()
        } else {
            format!("  {}", inert_line(&option.label))
        };
        ui.note(format!("{:>3}. {}{label}", at + 1, inert_line(&option.id)));
    }
    loop {
        let kind = match (asked.kind.picks(), asked.custom) {
            (true, true) => "number, id, or your own words after a colon".to_owned(),
            (true, false) => "number or id".to_owned(),
            (false, _) => asked.kind.name().to_owned(),
        };
        let skip = if asked.required { "" } else { ", Enter to leave out" };
        ui.prompt(format!("{} [{kind}{skip}]: ", inert_line(&asked.id)));
        let Some(line) = input::line()? else { return Ok(Reply::Stop) };
        let line = line.trim();
        if line.is_empty() {
            if asked.required {
                continue;
            }
            return Ok(Reply::Skip);
        }
        if values.is_empty() && decision.outs.iter().any(|out| out.id == line) && asked.option(line).is_none()
        {
            return Ok(Reply::Out(line.to_owned()));
        }
        let typed = match line.strip_prefix(':').map(str::trim) {
            Some(words) if asked.custom => Ok(if asked.kind == holdpoint_core::Kind::Choices {
                json!([{ "text": words }])
            } else {
                json!({ "text": words })
            }),
            _ => choice::value_of(asked, line),
        };
        match typed.and_then(|value| field::check(asked, &value)) {
            Ok(value) => return Ok(Reply::Value(value)),
            Err(why) => ui.note(format!("  {why}")),
        }
    }
}
