//! What a message on a channel can say and carry, whichever channel it is: which options one tap can take, and how a decision
//! and its outcome are worded in a few lines.

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

pub use asked::{Asked, Room, length, shortened};
pub use tap::{Button, Controls, Step, handle, read_handle};

/// How much of a decision its messages show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Show {
    /// What it is called, and who asks.
    #[default]
    Title,
    /// That, and the question.
    Prompt,
    /// That, and the subject.
    All,
}

/// What a tap stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Act {
    /// An option of a field.
    Option {
        /// The field's id.
        field: String,
        /// The option's id.
        option: String,
    },
    /// An out.
    Out(String),
    /// The form that takes the whole answer; it answers nothing itself.
    Form,
}

impl Act {
    /// Returns it as the answer to a decision; nothing if that does not offer it.
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

    /// Returns whether it is what a settled decision was answered with.
    pub fn is_answer_of(&self, decision: &Decision) -> bool {
        let (Some(input), Some(answer)) = (self.answer(decision), &decision.answer) else { return false };
        answer.values == input.values && answer.out == input.out
    }
}

/// Something that one tap can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// What the person reads: inert, on one line.
    pub label: String,
    /// What it stands for.
    pub act: Act,
    /// Whether it is a no.
    pub refuses: bool,
    /// Whether it takes the consent of someone who has seen what they consent to.
    pub consents: bool,
}

impl Control {
    pub(crate) fn takes_words(&self, decision: &Decision) -> bool {
        let input = self.act.answer(decision);
        input.is_none_or(|input| needs_words(decision, &input.values, input.out.as_deref()))
    }
}

/// Lists what can be taken without words. A verdict and a form of several fields offer only what declines them, if anything;
/// everything else is for the card.
pub fn controls(decision: &Decision) -> Vec<Control> {
    let mut controls = options_and_outs(decision);
    controls.retain(|control| !control.takes_words(decision));
    controls
}

/// Lists what can be taken only with words, among what [`controls`] looks at.
pub fn with_words(decision: &Decision) -> Vec<Control> {
    let mut controls = options_and_outs(decision);
    controls.retain(|control| control.takes_words(decision));
    controls
}

fn options_and_outs(decision: &Decision) -> Vec<Control> {
    if decision.status != Status::Pending || decision.source == Source::Verdict {
        return Vec::new();
    }
    // These take people who are signed in.
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
            act: Act::Option { field: field.id.clone(), option: option.id.clone() },
            refuses: option.refuses,
            consents: decision.needs_consent() && !option.refuses,
        }));
    }
    controls.extend(decision.outs.iter().map(|out| Control {
        label: asked::label(out),
        act: Act::Out(out.id.clone()),
        refuses: true,
        consents: false,
    }));
    controls
}

/// Returns whether the controls are all that can be answered, so that nothing is hidden by showing only them.
pub fn are_all(decision: &Decision, controls: &[Control]) -> bool {
    let options: usize = decision.fields.iter().map(|field| field.options.len().max(1)).sum();
    let custom = decision.fields.iter().any(|field| field.custom || field.options_from.is_some());
    !custom && controls.len() == options + decision.outs.len()
}

/// Lists the controls that buttons show whole and nobody takes for another, given how long a label may be, and how long that of a
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

/// Lists what a notice offers to who has not seen the subject, on so many buttons with labels of so many characters: all answers of
/// a plain question if they fit, and where consent is asked only what declines. Some of several answers would push the others out
/// of sight.
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

/// Returns what the agent wrote, below a line of ours, inert, with nothing in it to tap, and in so many bytes.
pub fn text(decision: &Decision, show: Show, most: usize) -> String {
    const MORE: &str = "… (open it to see all)";
    const LONGEST_LINE: usize = 100;
    let called = match (&decision.title, &decision.prompt) {
        // Of a question without a title, no more is told than a title would say.
        (None, Some(prompt)) if show < Show::Prompt => {
            cut(&inert_line(prompt.trim().lines().next().unwrap_or_default()), LONGEST_LINE)
        }
        _ => inert_line(decision.summary()),
    };
    let mut parts = vec![format!("{} asks: {called}", asker(decision))];
    if show >= Show::Prompt && decision.title.is_some() {
        parts.extend(decision.prompt.as_deref().map(inert));
    }
    if show >= Show::All
        && let Some(subject) = present::subject(decision)
    {
        parts.push(format!("{}:\n{}", subject.title, inert(&subject.text())));
    }
    // A long question pushes nothing of this out of sight.
    let remarks = if show >= Show::Prompt { remarks(decision) } else { Vec::new() };
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

/// Says what programs of the settings remark on a decision that waits, in a line each: their words, inert and bounded.
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

/// Says how far a decision that waits has come, as the card does, in a line each: who of several has voted, and what happened while
/// nobody answered. Inert and bounded.
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

/// Names the project of a decision.
pub fn project(decision: &Decision) -> String {
    cut(&inert_line(&decision.project), 60)
}

/// Says who asks.
pub fn asker(decision: &Decision) -> String {
    decision.asker().map_or_else(|| "Someone".into(), |asker| cut(&inert_line(&asker.to_string()), 80))
}

/// Says in a few words how a decision was settled.
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

/// Returns the start of a text, with an ellipsis where something is left out.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
    }
}

/// Returns text in which programs find no address, name or number to turn into something that can be tapped: an invisible
/// joiner stands where one would be recognised.
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
