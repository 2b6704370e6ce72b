//! The evidence about a run: a box for each piece, with the command, its result, its duration and its last lines.

use holdpoint_core::Run;
use holdpoint_core::run::{Evidence, about, current, ended, failed_before, failures, is_run_again};
use holdpoint_core::text::{inert, inert_line};
use maud::{Markup, html};

use crate::view_model::span;
use crate::web::{long, words};

/// How many lines a box shows; all of them are one click away.
const LAST: usize = 3;

/// Renders all evidence of a run, as recorded.
pub(super) fn all(run: &Run) -> Markup {
    strip(run, &run.evidence.iter().collect::<Vec<_>>(), TITLE)
}

/// Renders the evidence that counts: of a gate that was run several times, the last result.
pub(super) fn counting(run: &Run) -> Markup {
    strip(run, &current(run).collect::<Vec<_>>(), TITLE)
}

/// The heading of the evidence.
const TITLE: &str = "Evidence";

pub(super) fn strip(run: &Run, shown: &[&Evidence], title: &str) -> Markup {
    let number =
        |evidence: &Evidence| run.evidence.iter().position(|one| one.id == evidence.id).unwrap_or(0) + 1;
    html! {
        @if !shown.is_empty() {
            section aria-labelledby="found" {
                h2 #found { (title) }
                ul .findings { @for evidence in shown { (finding(run, number(evidence), evidence)) } }
            }
        }
    }
}

fn finding(run: &Run, number: usize, evidence: &Evidence) -> Markup {
    let again = is_run_again(run, evidence);
    let tone = match evidence.exit_code {
        _ if again => "tag",
        Some(0) => "tag good",
        _ => "tag bad",
    };
    let what = words::short(evidence.command.as_deref().unwrap_or(&evidence.tool), 120);
    let said = evidence.summary.as_deref().map(inert).unwrap_or_default();
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let last = lines[lines.len().saturating_sub(LAST)..].join("\n");
    let is_cut = lines.len() > LAST;
    html! {
        li {
            p .what { (inert_line(&evidence.kind)) ": " code { (what) } " " span class=(tone) { (ended(evidence)) } }
            p .hint {
                @if let Some(took) = evidence.took_ms { (span::elapsed(took)) " " }
                @if let Some(about) = about(run, evidence) { "(" (about) ")" }
                (failed_before(failures(run, evidence)))
                @if evidence.verdict.is_some() { ", after the verdict" }
                @if again { ", run again since" }
            }
            @if is_cut {
                details .fold {
                    summary { pre .last dir="ltr" { (long::text(&last)) } }
                    pre .log dir="ltr" tabindex="0" role="region" aria-label={ "What " (what) " said" } { (long::text(&said)) }
                }
            } @else if !last.is_empty() {
                pre .last dir="ltr" { (long::text(&last)) }
            }
            @if let Some(log) = evidence.log.as_ref().filter(|log| log.size > said.len() as u64) {
                p .hint { a href={ "/runs/" (run.id) "/output/" (number) } { "All of the log (" (log.size) " bytes)" } }
            }
        }
    }
}
