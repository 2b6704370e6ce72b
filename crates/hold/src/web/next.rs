//! One card after another: the next decision in the order of the list.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::DecisionId;
use holdpoint_engine::Client as _;

use super::decision::View;
use super::error::Reply;
use super::filter::Filter;
use super::form::{FLOW, Form};
use super::form_values::FormValues;
use super::inbox;
use super::page::see_other;
use super::visitor::Visitor;
use crate::http::app::App;

/// The parameters about the previous answer's outcome that are passed on to the next page.
const TOLD: [&str; 3] = ["done", "also", "left"];

/// The parameter with the decisions to skip, because the page holds answers to them that are not sent yet.
const SKIP: &str = "skip";

/// Shows the first card, or the one after or before another; redirects to the list if there is none.
pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = uri.query().unwrap_or_default();
    let (asked, filter) = (Form::parse(query), Filter::read(query));
    let found = inbox::ranked(&app, &visitor, &filter, Some(&visitor.caller.actor.by), 0).await?;
    let skipped: Vec<DecisionId> = asked.get(SKIP).split(' ').filter_map(|id| id.parse().ok()).collect();
    let ids: Vec<DecisionId> = found.items.iter().map(|group| group.decision.id).collect();
    let is_open = |id: &&DecisionId| !skipped.contains(*id);
    let place = |name: &str| {
        let id = asked.get(name).parse::<DecisionId>().ok()?;
        // A decision grouped under another is at that one's position.
        found
            .items
            .iter()
            .position(|group| group.decision.id == id || group.others.iter().any(|other| other.id == id))
    };
    let chosen = match (place("after"), place("before")) {
        // With decisions to skip, the order wraps around: those passed over come again after the last.
        (Some(at), _) if skipped.is_empty() => ids.get(at + 1),
        (Some(at), _) => ids[at + 1..].iter().chain(&ids[..at]).find(is_open),
        (_, Some(at)) => ids[..at].iter().rev().find(is_open),
        (None, None) => ids.iter().find(is_open),
    };
    let Some(chosen) = chosen else {
        let mut told = form_urlencoded::Serializer::new(filter.query());
        let kept = TOLD.into_iter().filter(|name| !asked.get(name).is_empty());
        told.extend_pairs(kept.map(|name| (name, asked.get(name))));
        return Ok(see_other(&format!("/?{}", told.finish())));
    };
    let decision = visitor.client(&app).get(&chosen.to_string()).await?;
    let (filled, back) = (FormValues::of_decision(&decision), filter.query());
    let amp = if back.is_empty() { "" } else { "&" };
    let address = Some(format!("/d/{chosen}?{back}{amp}{FLOW}=true"));
    let notice = inbox::previous_outcome(&app, &visitor, &asked).await;
    let view = View { notice, back: &back, flows: true, address, ..View::new(&decision, &filled) };
    view.send(&app, &visitor, StatusCode::OK).await
}
