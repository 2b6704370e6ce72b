//! Completes and checks a question: the same for creating and for revising.

use super::create::SealedAhead;
use super::{Decision, digest, refusing};
use crate::field::{Effect, definition};
use crate::form;
use crate::json;
use crate::refusal::{FieldError, Refusal};
use crate::text::{MAX_BODY, MAX_PROMPT, MAX_TITLE, check_length, quote};

/// Completes what a decision asks, and marks the options that refuse.
pub(super) fn complete(decision: &mut Decision, faults: &mut Vec<FieldError>) {
    check_words(decision, faults);
    let before = faults.len();
    definition::check_count(&decision.fields, &decision.outs, faults);
    if faults.len() > before {
        // A list that is too long is not checked further.
        return;
    }
    definition::complete(&mut decision.fields, faults);
    form::check_references(&decision.fields, faults);
    check_outs(decision, faults);
    refusing::mark(decision);
    refusing::check(decision, faults);
    check_effects(decision, faults);
    let subject = decision.subject.as_mut().map_or(Ok(()), json::settle);
    faults.extend(subject.err().map(|why| FieldError::new("subject", why)));
}

/// Sets the digests, which may have been computed ahead, and refuses a decision that is too large to store.
pub(super) fn seal(decision: &mut Decision, ahead: Option<Box<SealedAhead>>) -> Result<(), Refusal> {
    if !ahead.is_some_and(|ahead| ahead.seal(decision)) {
        let asked = digest::seal(decision)?;
        if asked <= SMALL && has_little_beside(decision) {
            return Ok(());
        }
    }
    let size = json::size(decision).unwrap_or(usize::MAX);
    if size > MAX_BODY {
        let message = format!("has {size} bytes as JSON; at most {MAX_BODY} are allowed");
        return Err(Refusal::invalid("decision", message));
    }
    Ok(())
}

/// What is asked is so short that its whole decision is not measured, because measuring takes as long as writing it.
const SMALL: usize = MAX_BODY / 4;

/// Returns whether a decision has nothing long besides what is asked.
fn has_little_beside(decision: &Decision) -> bool {
    let Decision { draft, default, origin, metadata, callback, escalation, reports, remarks, .. } = decision;
    let is_empty = draft.is_empty() && metadata.is_empty() && reports.is_empty() && remarks.is_empty();
    is_empty && default.is_none() && origin.is_none() && callback.is_none() && escalation.is_none()
}

/// Checks the outs. They share the numbers and names by which a person picks, so their ids must differ from all
/// options.
fn check_outs(decision: &mut Decision, faults: &mut Vec<FieldError>) {
    definition::complete_options("outs", &mut decision.outs, faults);
    for out in &decision.outs {
        if decision.fields.iter().any(|field| field.option(&out.id).is_some()) {
            let message = format!("{} is already an option; ids must differ", quote(&out.id));
            faults.push(FieldError::new("outs", message));
        }
    }
}

fn check_words(decision: &mut Decision, faults: &mut Vec<FieldError>) {
    for words in [&mut decision.title, &mut decision.prompt] {
        words.take_if(|text| text.trim().is_empty());
    }
    if decision.title.is_none() && decision.prompt.is_none() {
        faults.push(FieldError::new("prompt", "give a prompt or a title: what is asked?"));
    }
    let length = decision.title.as_deref().map_or(0, |title| title.chars().count());
    if length > MAX_TITLE {
        faults.push(FieldError::new(
            "title",
            format!("has {length} characters; at most {MAX_TITLE} are allowed"),
        ));
    }
    let prompt = check_length(decision.prompt.as_deref().unwrap_or_default(), MAX_PROMPT);
    faults.extend(prompt.err().map(|why| FieldError::new("prompt", why)));
}

/// Refuses a "no" that would act as a yes: the agent writes both the label and the effect.
fn check_effects(decision: &Decision, faults: &mut Vec<FieldError>) {
    let options =
        decision.fields.iter().flat_map(|field| field.all_options().map(move |o| (field.id.as_str(), o)));
    let outs = decision.outs.iter().map(|out| ("outs", out));
    for (place, option) in options.filter(|(_, option)| option.refuses).chain(outs) {
        let consents = matches!(
            option.effect,
            Some(
                Effect::Approve
                    | Effect::AcceptClear
                    | Effect::AcceptAuto
                    | Effect::AcceptManual
                    | Effect::Commit
            )
        );
        if consents {
            let message = format!("option {} refuses, so its effect must not consent", quote(&option.id));
            faults.push(FieldError::new(place, message));
        }
    }
}
