//! The change that a run proposes, or that it would take back.

use holdpoint_core::run::{PatchSet, Reverts};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Run};
use holdpoint_engine::run::{RunPart, ShownRun};
use maud::{Markup, html};

use super::{RunPageParams, about, diff, short, views};
use crate::api::App;
use crate::web::visitor::Visitor;

/// A change, with its text.
pub(super) struct Change<'a> {
    /// What is proposed, if anything is.
    pub(super) patchset: Option<&'a PatchSet>,
    /// What would be reverted, where nothing is proposed.
    undoes: Option<&'a Reverts>,
    /// The change in git's words, or why there is none.
    text: Result<String, String>,
}

impl<'a> Change<'a> {
    /// Reads what is asked for.
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
                    h2 #diff { "What would be reverted" }
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
