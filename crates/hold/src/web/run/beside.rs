//! What a verdict is about, on the card that asks for it: the evidence, and the change.

use holdpoint_core::{Decision, OwnerKind, Run, Status};
use holdpoint_engine::Runs as _;
use maud::{Markup, html};

use super::change::Change;
use super::evidence;
use super::params::RunPageParams;
use crate::http::app::App;
use crate::view_model::run::branch_name;
use crate::view_model::verdict_commit::committed;
use crate::web::visitor::Visitor;

/// The rendered evidence and change.
#[derive(Debug)]
pub(in crate::web) struct ShownChange {
    pub(in crate::web) markup: Markup,
    /// The number of the patch set that is shown; 0 if none is proposed.
    pub(in crate::web) patchset: usize,
    /// Who began the run.
    pub(in crate::web) begun_by: String,
    /// Where a commit would go.
    pub(in crate::web) commit: Option<String>,
}

/// Renders what a verdict is about while it is pending: the chosen patch set, or else the last. None for a person who
/// may not see the run.
pub(in crate::web) async fn evidence_and_change(
    app: &App,
    visitor: &Visitor,
    decision: &Decision,
    chosen: &str,
) -> Option<ShownChange> {
    if decision.status != Status::Pending {
        return None;
    }
    let run = of(app, visitor, decision).await?;
    let log = visitor.client(app).run_log(&run.id.to_string()).await.ok()?;
    let mut params = RunPageParams::read("", &run);
    if let Some(number) = chosen.parse().ok().filter(|number| (1..=run.patchsets.len()).contains(number)) {
        params.patchset = number;
    }
    let change = Change::of(app, visitor, &run, &params).await;
    let markup = html! {
        (evidence::counting(&run))
        (change.markup(&run, &params, &log.items, visitor, Some(decision)))
    };
    let commit = (params.patchset > 0).then(|| commits_to(&run, &params));
    Some(ShownChange { markup, patchset: params.patchset, begun_by: run.created_by, commit })
}

/// Describes where the patch set would be committed, and on which base. Its subject line is the title of the card.
fn commits_to(run: &Run, params: &RunPageParams) -> String {
    let branch = branch_name(&run.branch);
    let parent = run.base.get(..7).unwrap_or(&run.base);
    let which =
        if run.patchsets.len() > 1 { format!(" patch set {}", params.patchset) } else { String::new() };
    format!("Commits{which} to {branch} (parent {parent})")
}

/// Renders the result of a verdict: where its commit is, and what was found about the run since.
pub(in crate::web) async fn afterwards(app: &App, visitor: &Visitor, decision: &Decision) -> Option<Markup> {
    if decision.status == Status::Pending {
        return None;
    }
    let run = of(app, visitor, decision).await?;
    let later: Vec<_> =
        run.evidence.iter().filter(|evidence| evidence.verdict == Some(decision.id)).collect();
    let committed = committed(&run).filter(|_| run.decision == Some(decision.id));
    Some(html! {
        @if let Some(words) = committed { p .banner.good dir="auto" { (words) } }
        (evidence::strip(&run, &later, "Found after the verdict"))
    })
}

async fn of(app: &App, visitor: &Visitor, decision: &Decision) -> Option<Run> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run)?;
    app.engine.find_run(&visitor.caller, &owner.id).await.ok()
}
