//! Earlier rounds: what was asked, what the person said to it, and what the asker changed.

use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, DecisionId};
use maud::{Markup, html};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::stopped::Stopped;
use super::words;
use crate::api::App;

/// More rounds than this are not shown.
const MOST: usize = 10;
/// Longer texts are not compared.
const COMPARED: usize = 200_000;
/// More lines than this are not shown of a comparison.
const LINES: usize = 400;

/// A round that led to this one.
#[derive(Debug)]
pub(super) struct Round {
    id: DecisionId,
    iteration: u32,
    guidance: String,
    by: String,
    /// What the round after it changed.
    changes: Vec<(ChangeTag, String)>,
}

/// Finds the rounds before a decision, the latest first.
pub(super) async fn before(
    app: &App,
    caller: &holdpoint_engine::auth::Caller,
    decision: &Decision,
) -> Result<Vec<Round>, Stopped> {
    let mut found = Vec::new();
    let mut later = text(decision);
    let mut prior = decision.prior;
    while let Some(id) = prior.filter(|_| found.len() < MOST) {
        let Some(round) = app.engine.decision_for(caller, id).await? else { break };
        let earlier = text(&round);
        let answer = round.answer.as_ref();
        found.push(Round {
            id,
            iteration: round.iteration,
            guidance: answer.and_then(|answer| answer.message.clone()).unwrap_or_default(),
            by: answer.map(|answer| answer.by.clone()).unwrap_or_default(),
            changes: compare(&earlier, &later),
        });
        prior = round.prior;
        later = earlier;
    }
    Ok(found)
}

/// Shows earlier rounds.
pub(super) fn earlier(rounds: &[Round]) -> Markup {
    html! {
        @if !rounds.is_empty() {
            section .rounds aria-labelledby="rounds-title" {
                h2 #rounds-title { "Earlier rounds" }
                @for (at, round) in rounds.iter().enumerate() {
                    details open[at == 0] {
                        summary { "Round " (round.iteration) " — what changed after it" }
                        p { bdi { (inert_line(&round.by)) } " asked for: " span .pre dir="auto" { (inert(&round.guidance)) } }
                        (changes(&round.changes))
                        p { a href={ "/d/" (round.id) } { "Open round " (round.iteration) } }
                    }
                }
            }
        }
    }
}

fn changes(changes: &[(ChangeTag, String)]) -> Markup {
    html! {
        @if changes.iter().all(|(tag, _)| *tag == ChangeTag::Equal) {
            p .hint { "Nothing was changed yet." }
        } @else {
            div .diff dir="auto" tabindex="0" role="group" aria-label="What changed" {
                @for (tag, line) in changes.iter().take(LINES) {
                    @match tag {
                        ChangeTag::Insert => ins { span .quiet { "added: " } (line) },
                        ChangeTag::Delete => del { span .quiet { "removed: " } (line) },
                        ChangeTag::Equal => span .same { (line) },
                    }
                }
                @if changes.len() > LINES { span .same { "…" } }
            }
        }
    }
}

/// Compares two texts line by line; of what stayed only what is near a change is kept.
fn compare(before: &str, after: &str) -> Vec<(ChangeTag, String)> {
    const NEAR: usize = 2;
    if before.len() > COMPARED || after.len() > COMPARED {
        return vec![(ChangeTag::Insert, "(too long to compare)".into())];
    }
    let timeout = std::time::Duration::from_millis(200);
    let diff = TextDiff::configure().timeout(timeout).diff_lines(before, after);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(NEAR) {
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            lines.push((change.tag(), change.value().trim_end_matches('\n').to_owned()));
        }
    }
    lines
}

/// Writes what a decision asks as lines that can be compared.
fn text(decision: &Decision) -> String {
    let mut lines = Vec::new();
    for words in [&decision.title, &decision.prompt].into_iter().flatten() {
        lines.push(inert(words));
    }
    for field in &decision.fields {
        lines.push(inert_line(&field.label));
        for option in field.all_options().filter(|option| !option.id.starts_with('_')).take(LINES) {
            let more = option
                .description
                .as_deref()
                .map(|more| format!(": {}", inert_line(more)))
                .unwrap_or_default();
            lines.push(format!("• {}{more}", words::short(&option.label, 500)));
        }
    }
    lines.extend(decision.subject.as_ref().map(subject_text));
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// Writes a subject so that a person can read it, whole.
pub(super) fn subject_text(subject: &Value) -> String {
    match subject {
        Value::String(text) => inert(text),
        other => inert(&serde_json::to_string_pretty(other).unwrap_or_default()),
    }
}

/// Shows a subject in full: a list of named parts as such, anything else as it is.
pub(super) fn subject(subject: &Value) -> Markup {
    let parts = match subject {
        Value::Object(parts) if !parts.is_empty() && parts.len() <= LINES => parts,
        other => return code(&subject_text(other)),
    };
    html! {
        dl .parts {
            @for (name, value) in parts {
                dt dir="auto" { (inert_line(name)) }
                dd { (code(&subject_text(value))) }
            }
        }
    }
}

/// Shows a text as it is; one that is a patch with its lines told apart.
fn code(text: &str) -> Markup {
    let patch = text.lines().take(40).any(|line| line.starts_with("@@ ") || line.starts_with("--- "));
    html! {
        pre .code tabindex="0" dir="auto" aria-label="In full" {
            @if patch && text.len() < COMPARED {
                @for line in text.lines() {
                    @if line.starts_with('+') { ins { (line) "\n" } }
                    @else if line.starts_with('-') { del { (line) "\n" } }
                    @else { (line) "\n" }
                }
            } @else { (text) }
        }
    }
}
