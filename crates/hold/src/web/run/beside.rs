//! What a verdict is given on, on the page where it is given: what was found, and the change.

use holdpoint_core::{Decision, OwnerKind, Status};
use holdpoint_engine::Runs as _;
use maud::{Markup, html};

use super::{Change, RunPageParams, counts};
use crate::api::App;
use crate::web::visitor::Visitor;

/// Shows what a verdict is given on, as long as it is asked for. A person who may not see the run sees the question
/// alone.
pub(in crate::web) async fn beside(app: &App, visitor: &Visitor, decision: &Decision) -> Option<Markup> {
    let owner = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Run);
    let owner = owner.filter(|_| decision.status == Status::Pending)?;
    let run = app.engine.find_run(&visitor.caller, &owner.id).await.ok()?;
    let log = visitor.client(app).run_log(&owner.id).await.ok()?;
    let params = RunPageParams::read("", &run);
    let change = Change::of(app, visitor, &run, &params).await;
    Some(html! {
        (counts(&run))
        (change.markup(&run, &params, &log.items, visitor, Some(decision)))
    })
}
