//! The change that a run proposes or would revert.

use holdpoint_core::run::{ObjectId, PatchSet, Reverts};
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Run};
use holdpoint_engine::run::{RunPart, ShownRun};
use maud::{Markup, html};

use super::diff;
use super::params::RunPageParams;
use crate::http::app::App;
use crate::view_model::run::short;
use crate::web::visitor::Visitor;

/// A change with its text.
pub(super) struct Change<'a> {
    /// The proposed patch set, if there is one.
    pub(super) patchset: Option<&'a PatchSet>,
    /// What would be reverted, if nothing is proposed.
    undoes: Option<&'a Reverts>,
    /// The diff, or why there is none.
    text: Result<String, String>,
}

impl<'a> Change<'a> {
    /// Reads the change that the parameters select.
    pub(super) async fn of(app: &App, visitor: &Visitor, run: &'a Run, params: &RunPageParams) -> Self {
        let patchset = params.patchset.checked_sub(1).and_then(|at| run.patchsets.get(at));
        let undoes = run.reverts.as_ref().filter(|_| run.patchsets.is_empty());
        let part = match params.against {
            Some(from) => RunPart::Between { from, to: params.patchset },
            None => RunPart::Patch(params.patchset),
        };
        let text = if patchset.is_some() || undoes.is_some() {
            let read = app.engine.run_part(&visitor.caller, run, part).await;
            read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(|error| error.to_string())
        } else {
            Ok(String::new())
        };
        Self { patchset, undoes, text }
    }

    pub(super) fn markup(
        &self,
        run: &Run,
        params: &RunPageParams,
        attempts: &[ShownRun],
        visitor: &Visitor,
        pending: Option<&Decision>,
    ) -> Markup {
        let lines = |pending| match &self.text {
            Ok(text) => diff::changes(text, run, self.patchset, params, visitor, pending),
            Err(why) => html! { p .banner.bad { (inert_line(why)) } },
        };
        html! {
            @if let Some(patchset) = self.patchset {
                section aria-labelledby="diff" {
                    h2 #diff { "Patch set " (patchset.number()) }
                    div data-part="about" { (about(run, patchset, params, attempts)) }
                    (lines(pending))
                }
            } @else if let Some(undoes) = self.undoes {
                section aria-labelledby="diff" {
                    h2 #diff { "Changes to revert" }
                    p .hint { "Commit " code { (short(&undoes.commit)) } ", reversed: this is what a rollback does." }
                    (views(run, params))
                    (lines(None))
                }
            } @else {
                p .hint { "No change is proposed." }
            }
        }
    }
}

fn about(run: &Run, patchset: &PatchSet, params: &RunPageParams, attempts: &[ShownRun]) -> Markup {
    let with = |change: &dyn Fn(&mut RunPageParams)| {
        let mut other = RunPageParams { say: None, ..*params };
        change(&mut other);
        other.address(run)
    };
    let others = others(run, params, attempts);
    html! {
        @if params.patchset < run.patchsets.len() {
            p .banner { "A newer patch set exists: "
                a href=(with(&|it| (it.patchset, it.page, it.against) = (run.patchsets.len(), 1, None))) {
                    "show patch set " (run.patchsets.len()) } }
        }
        @if let Some(rationale) = &patchset.rationale { p .pre dir="auto" { (inert(rationale)) } }
        div .ways {
            @if run.patchsets.len() > 1 {
                p { "Patch sets: " @for number in 1..=run.patchsets.len() {
                    a href=(with(&|it| (it.patchset, it.page, it.against) = (number, 1, None)))
                        aria-current=[(number == params.patchset).then_some("true")] { (number) } " "
                } }
            }
            @if !others.is_empty() {
                p { "Show against: "
                    a href=(with(&|it| (it.page, it.against) = (1, None))) aria-current=[params.against.is_none().then_some("true")] { "its base" }
                    @for (other, words) in &others {
                        " · " a href=(with(&|it| (it.page, it.against) = (1, Some(*other))))
                            aria-current=[(params.against == Some(*other)).then_some("true")] { (words) }
                    }
                }
            }
            (views(run, params))
        }
    }
}

/// Renders the links to the two views of a change.
fn views(run: &Run, params: &RunPageParams) -> Markup {
    let with = |split: bool| RunPageParams { split, say: None, ..*params }.address(run);
    html! {
        p {
            a href=(with(false)) aria-current=[(!params.split).then_some("true")] { "Unified" } " · "
            a href=(with(true)) aria-current=[params.split.then_some("true")] { "Side by side" }
        }
    }
}

/// Returns the patch sets to compare with: the previous one, and the last of each earlier attempt.
fn others(run: &Run, params: &RunPageParams, attempts: &[ShownRun]) -> Vec<((ObjectId, usize), String)> {
    /// How many earlier attempts are offered.
    const OFFERED: usize = 10;
    let before = params.patchset.checked_sub(1).filter(|before| *before > 0);
    let mut others: Vec<_> =
        before.map(|number| ((run.id, number), format!("patch set {number}"))).into_iter().collect();
    let earlier =
        attempts.iter().enumerate().filter(|(_, other)| other.id < run.id && !other.patchsets.is_empty());
    let earlier: Vec<_> = earlier
        .map(|(at, other)| ((other.id, other.patchsets.len()), format!("attempt {}", at + 1)))
        .collect();
    others.extend(earlier.into_iter().rev().take(OFFERED));
    others
}
