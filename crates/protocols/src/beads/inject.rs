//! Settled decisions for an agent: as text for its context, or as JSON.
//!
//! The text goes into a block that the agent's harness marks as coming from the system. Text of people or agents is
//! quoted in it: it can neither close the block nor look like a line of ours.

use holdpoint_core::text::{inert, inert_line, start};
use holdpoint_core::{Decision, DecisionId, Status};
use serde::Serialize;

use super::reply::{Reply, reply};
use super::view::view;

/// The output of `check --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Whether there are any.
    pub has_responses: bool,
    /// The settled decisions, in the order given.
    pub responses: Vec<Response>,
}

/// One settled decision: all keys are present, null if empty.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "named as in the decision point they come from")]
pub struct Response {
    pub id: DecisionId,
    pub status: Status,
    pub issue_id: Option<String>,
    pub prompt: String,
    pub selected: Option<String>,
    pub selected_label: Option<String>,
    pub text: Option<String>,
    pub responded_by: Option<String>,
}

/// Returns the settled ones among some decisions as JSON.
pub fn check<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Check {
    let responses: Vec<Response> = settled(decisions).map(response).collect();
    Check { has_responses: !responses.is_empty(), responses }
}

/// Returns a text about the settled ones among some decisions; empty if there are none.
pub fn inject<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> String {
    let told: Vec<String> = settled(decisions).map(describe).collect();
    let opening = match told.len() {
        0 => return String::new(),
        1 => "A decision that this work waited for is settled:".to_owned(),
        count => format!("{count} decisions that this work waited for are settled:"),
    };
    let told = told.join("\n");
    format!("<system-reminder>\n{opening}\n\n{told}\nGo on with the work accordingly.\n</system-reminder>\n")
}

fn settled<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> impl Iterator<Item = &'a Decision> {
    decisions.into_iter().filter(|decision| decision.status != Status::Pending)
}

fn response(decision: &Decision) -> Response {
    let point = view(decision);
    Response {
        id: point.id,
        status: point.status,
        issue_id: point.issue_id,
        prompt: point.prompt,
        selected: point.selected_option,
        selected_label: reply(decision).selected.map(|option| option.label.clone()),
        text: point.response_text,
        responded_by: point.responded_by,
    }
}

fn describe(decision: &Decision) -> String {
    /// The prompt is shown only to recall the question.
    const PROMPT: usize = 300;
    let Reply { selected, text, by } = reply(decision);
    let mut lines = vec![match &decision.owner {
        Some(owner) => format!("Decision {} for {}", decision.id, line(&owner.to_string())),
        None => format!("Decision {}", decision.id),
    }];
    let prompt = line(&view(decision).prompt);
    let short = start(&prompt, PROMPT);
    lines.push(format!("  Prompt: {short}{}", if short.len() < prompt.len() { "…" } else { "" }));
    if let Some(outcome) = outcome(decision) {
        lines.push(format!("  Outcome: {outcome}"));
    }
    if let Some(option) = selected {
        lines.push(format!("  Selected: {} ({})", line(&option.id), line(&option.label)));
    }
    if let Some(text) = text {
        lines.push(format!("  Text:{}", quoted(&text)));
    }
    if let Some(by) = by {
        lines.push(format!("  By: {}", line(by)));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Returns the outcome, unless a person simply answered.
fn outcome(decision: &Decision) -> Option<String> {
    match (decision.status, &decision.answer) {
        (Status::Pending | Status::Answered, _) => None,
        (Status::TimedOut, Some(_)) => {
            Some("nobody answered in time, so what was declared for that was taken".into())
        }
        (Status::TimedOut, None) => Some("nobody answered in time; there is no answer".into()),
        (Status::Cancelled, _) => Some("cancelled; there is no answer".into()),
        (Status::Refined, _) => Some(match decision.next {
            Some(next) => {
                format!("guidance instead of an answer; the next round is decision {next}")
            }
            None => "guidance instead of an answer".into(),
        }),
        (Status::Superseded, _) => Some(match decision.superseded_by {
            Some(newer) => format!("replaced by decision {newer}"),
            None => "replaced by a newer decision".into(),
        }),
    }
}

/// Quotes foreign text; further lines are indented, so that none of them can pass for one of ours.
fn quoted(text: &str) -> String {
    let text = without_tags(&inert(text.trim()));
    if text.contains('\n') {
        format!("\n    > {}", text.replace('\n', "\n    > "))
    } else {
        format!(" {text}")
    }
}

fn line(text: &str) -> String {
    without_tags(&inert_line(text))
}

/// Breaks every tag that opens or closes our block, however it is spaced or spelt.
fn without_tags(text: &str) -> String {
    /// A tag's name starts right after its bracket; searching further would only cost time.
    const NEAR: usize = 48;
    let names_block = |rest: &str| {
        let letters = rest.chars().take(NEAR).filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
        letters.take("systemreminder".len()).eq("systemreminder".chars())
    };
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '<' if names_block(&text[at + 1..]) => out.push_str("&lt;"),
            c => out.push(c),
        }
    }
    out
}
