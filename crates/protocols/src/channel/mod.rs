//! What messages on any channel can show and carry: which options one tap can choose, and short texts about a decision
//! and its outcome.

use std::collections::HashMap;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::decision::{Remark, chosen, needs_words};
use holdpoint_core::field::picking;
use holdpoint_core::json::Values;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Kind, Source, Status};
use serde::{Deserialize, Serialize};

use crate::present;

mod asked;
mod tap;

pub use asked::{ChannelLimits, QuestionText, length, shortened};
pub use tap::{Button, Controls, FirstTap, TapStep, handle, read_handle};

/// How much of a decision its messages show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DetailLevel {
    /// The title, and the asker.
    #[default]
    Title,
    /// Also the question.
    Prompt,
    /// Also the subject.
    All,
}

/// The action of a tap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TapAction {
    /// An option of a field.
    Option {
        /// The field's id.
        field: String,
        /// The option's id.
        option: String,
    },
    /// An out.
    Out(String),
    /// The form for the whole answer; it answers nothing itself.
    Form,
}

impl TapAction {
    /// Returns the label of the option or out; nothing if a decision does not offer it.
    pub fn label(&self, decision: &Decision) -> Option<String> {
        let option = match self {
            Self::Option { field, option } => decision.field(field)?.option(option)?,
            Self::Out(out) => decision.outs.iter().find(|known| known.id == *out)?,
            Self::Form => return None,
        };
        Some(asked::label(option))
    }

    /// Returns it as the answer to a decision; none if the decision does not offer it.
    pub fn answer(&self, decision: &Decision) -> Option<AnswerInput> {
        match self {
            Self::Option { field, option } => {
                let field = decision.field(field)?;
                let value = picking(field, &field.option(option)?.id);
                let values = Values::from_iter([(field.id.clone(), value)]);
                Some(AnswerInput { values, ..AnswerInput::default() })
            }
            Self::Out(out) => {
                let out = decision.outs.iter().find(|known| known.id == *out)?;
                Some(AnswerInput { out: Some(out.id.clone()), ..AnswerInput::default() })
            }
            Self::Form => None,
        }
    }

    /// Returns whether a settled decision was answered with it.
    pub fn is_answer_of(&self, decision: &Decision) -> bool {
        let (Some(input), Some(answer)) = (self.answer(decision), &decision.answer) else { return false };
        answer.values == input.values && answer.out == input.out
    }
}

/// A button for one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// The label: on one line, with control characters made harmless.
    pub label: String,
    /// Its action.
    pub act: TapAction,
    /// Whether it is a no.
    pub refuses: bool,
    /// Whether it gives a consent, for which a person must have seen the subject.
    pub consents: bool,
}

impl Control {
    pub(crate) fn takes_words(&self, decision: &Decision) -> bool {
        let input = self.act.answer(decision);
        input.is_none_or(|input| needs_words(decision, &input.values, input.out.as_deref()))
    }
}

/// Lists the answers that need no text. A verdict and a form of several fields offer only those that decline, if any;
/// everything else is for the card.
pub fn controls(decision: &Decision) -> Vec<Control> {
    let mut controls = options_and_outs(decision);
    controls.retain(|control| !control.takes_words(decision));
    controls
}

/// Lists the answers that need a text, among those that [`controls`] considers.
pub fn with_words(decision: &Decision) -> Vec<Control> {
    let mut controls = options_and_outs(decision);
    controls.retain(|control| control.takes_words(decision));
    controls
}

fn options_and_outs(decision: &Decision) -> Vec<Control> {
    if decision.status != Status::Pending || decision.source == Source::Verdict {
        return Vec::new();
    }
    // Only people who are signed in may answer these.
    if decision.needs.is_some() || decision.needs_person {
        return Vec::new();
    }
    let mut controls = Vec::new();
    if let [field] = decision.fields.as_slice()
        && matches!(field.kind, Kind::Choice | Kind::Confirm)
        && field.visible_if.is_none()
    {
        let plain = field.options.iter().filter(|option| option.variants.is_empty());
        controls.extend(plain.map(|option| Control {
            label: asked::label(option),
            act: TapAction::Option { field: field.id.clone(), option: option.id.clone() },
            refuses: option.refuses,
            consents: decision.needs_consent() && !option.refuses,
        }));
    }
    controls.extend(decision.outs.iter().map(|out| Control {
        label: asked::label(out),
        act: TapAction::Out(out.id.clone()),
        refuses: true,
        consents: false,
    }));
    controls
}

/// Returns whether the controls are all possible answers, so that nothing is hidden by showing only them.
pub fn are_all(decision: &Decision, controls: &[Control]) -> bool {
    let options: usize = decision.fields.iter().map(|field| field.options.len().max(1)).sum();
    let custom = decision.fields.iter().any(|field| field.custom || field.options_from.is_some());
    !custom && controls.len() == options + decision.outs.len()
}

/// Lists the controls whose labels fit on buttons and are distinct, given the limits for a label and for that of a
/// consent. The others are for the card.
pub fn legible(controls: Vec<Control>, label: usize, sure: usize) -> Vec<Control> {
    let mut alike: HashMap<String, usize> = HashMap::new();
    for control in &controls {
        *alike.entry(control.label.to_lowercase()).or_default() += 1;
    }
    let is_legible = |control: &Control| {
        let most = if control.consents { sure } else { label };
        length(&control.label) <= most && alike.get(&control.label.to_lowercase()) == Some(&1)
    };
    controls.into_iter().filter(is_legible).collect()
}

/// Lists the controls of a notice for a person who has not seen the subject, for this many buttons with labels of this
/// length: all answers of a plain question if they fit, and only those that decline if consent is asked. Showing some
/// of several answers would hide the others.
pub fn unseen(decision: &Decision, most: usize, declining: usize, label: usize) -> Vec<Control> {
    let all = controls(decision);
    let count = all.len();
    let shown = legible(all, label, label);
    if decision.needs_consent() {
        return shown.into_iter().filter(|control| !control.consents).take(declining).collect();
    }
    let whole = shown.len() == count && count <= most && are_all(decision, &shown);
    if whole { shown } else { Vec::new() }
}

/// Returns the agent's text, below a line of ours, harmless, with nothing in it to tap, and limited to this many bytes.
pub fn text(decision: &Decision, show: DetailLevel, most: usize) -> String {
    const MORE: &str = "… (open it to see all)";
    const LONGEST_LINE: usize = 100;
    let called = match (&decision.title, &decision.prompt) {
        // For a question without a title, no more is shown than of a title.
        (None, Some(prompt)) if show < DetailLevel::Prompt => {
            cut(&inert_line(prompt.trim().lines().next().unwrap_or_default()), LONGEST_LINE)
        }
        _ => inert_line(decision.summary()),
    };
    let mut parts = vec![format!("{} asks: {called}", asker(decision))];
    if show >= DetailLevel::Prompt && decision.title.is_some() {
        parts.extend(decision.prompt.as_deref().map(inert));
    }
    if show >= DetailLevel::All
        && let Some(subject) = present::subject(decision)
    {
        parts.push(format!("{}:\n{}", subject.title, inert(&subject.text())));
    }
    // This comes after a long question was cut, so that it always fits.
    let remarks = if show >= DetailLevel::Prompt { remarks(decision) } else { Vec::new() };
    let mut below = String::new();
    for line in progress(decision).into_iter().chain(remarks) {
        let line = format!("\n\n{}", defused(&line));
        if below.len() + line.len() <= most / 4 * 3 {
            below.push_str(&line);
        }
    }
    let most = most.saturating_sub(below.len());
    let text = defused(&parts.join("\n\n"));
    if text.len() <= most {
        return text + &below;
    }
    let mut end = most.saturating_sub(MORE.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{MORE}{below}", &text[..end])
}

/// Lists the remarks of programs on a pending decision, one per line, harmless and limited in length.
pub fn remarks(decision: &Decision) -> Vec<String> {
    const MOST: usize = 3;
    const LONGEST: usize = 160;
    if decision.status != Status::Pending {
        return Vec::new();
    }
    let line = |Remark { by, text, .. }: &Remark| {
        let (by, text) = (cut(&inert_line(by), 40), cut(&inert_line(text), LONGEST));
        format!("{by} remarks (a program, unchecked): {text}")
    };
    let mut lines: Vec<String> = decision.remarks.iter().take(MOST).map(line).collect();
    let more = decision.remarks.len() - lines.len();
    lines.extend((more > 0).then(|| format!("The card has {more} more.")));
    lines
}

/// Lists the progress of a pending decision, as on the card, one per line: the votes so far, and the escalation steps.
/// Harmless and limited in length.
pub fn progress(decision: &Decision) -> Vec<String> {
    const LONGEST: usize = 160;
    if decision.status != Status::Pending {
        return Vec::new();
    }
    let votes = decision.progress().map(|progress| format!("Votes: {progress}."));
    let escalation = decision.escalation.as_ref();
    let happened = escalation.and_then(|escalation| escalation.happened(decision.created_at));
    let happened = happened.map(|what| format!("Nobody had answered: {what}."));
    votes.into_iter().chain(happened).map(|line| cut(&inert_line(&line), LONGEST)).collect()
}

/// Returns the name of a decision's project.
pub fn project(decision: &Decision) -> String {
    cut(&inert_line(&decision.project), 60)
}

/// Returns the name of the asker.
pub fn asker(decision: &Decision) -> String {
    decision.asker().map_or_else(|| "Someone".into(), |asker| cut(&inert_line(&asker.to_string()), 80))
}

/// Describes briefly how a decision was settled.
pub fn outcome(decision: &Decision) -> String {
    let by = decision.answer.as_ref().map(|answer| cut(&inert_line(&answer.by), 60));
    let by = by.unwrap_or_else(|| "someone".into());
    match decision.status {
        Status::Pending => "Waiting".into(),
        Status::Answered => format!("Answered by {by}: {}", picked(decision)),
        Status::Refined => format!("Sent back by {by} with guidance"),
        Status::TimedOut if decision.answer.is_some() => format!("Deadline passed: {}", picked(decision)),
        Status::TimedOut => "Deadline passed without an answer".into(),
        Status::Cancelled => "Cancelled".into(),
        Status::Superseded => "Replaced by a newer question".into(),
    }
}

/// Returns the text for decisions that came too fast for a message each: how many of them are still pending.
pub fn many(waiting: usize) -> String {
    match waiting {
        0 => "The decisions that came with these are settled.".into(),
        1 => "And 1 more decision is waiting for you.".into(),
        many => format!("And {many} more decisions are waiting for you."),
    }
}

fn picked(decision: &Decision) -> String {
    let labels: Vec<String> =
        chosen(decision).iter().map(|chosen| inert_line(&chosen.option.label)).collect();
    let words = if labels.is_empty() {
        decision.answer.as_ref().map(holdpoint_core::decision::Answer::brief).unwrap_or_default()
    } else {
        labels.join(", ")
    };
    cut(&words, 200)
}

/// Returns the start of a text, with an ellipsis if something is left out.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

/// Returns a text in which programs find no address, name or number to turn into a link: an invisible joiner is
/// inserted where one would be recognised.
pub fn defused(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        if matches!(before, '.' | ':' | '@' | '#') && !c.is_whitespace() {
            out.push('\u{2060}');
        }
        out.push(c);
        before = c;
    }
    out
}

#[cfg(test)]
pub(crate) mod tests;
