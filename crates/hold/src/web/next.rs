//! One card after the other: the decision that comes next in the order of the list.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri};
use holdpoint_core::DecisionId;
use holdpoint_engine::Client as _;

use super::decision::{FLOW, View};
use super::error::Reply;
use super::filled::Filled;
use super::filter::Filter;
use super::form::Form;
use super::inbox;
use super::page::see_other;
use super::visitor::Visitor;
use crate::api::App;

/// What is passed on to the page that follows an answer, which says what became of it.
const TOLD: [&str; 3] = ["done", "also", "left"];

/// Where a card leads when one goes from card to card.
#[derive(Debug)]
pub(super) struct Neighbours {
    pub(super) next: String,
    pub(super) previous: String,
}

impl Neighbours {
    /// Returns the addresses of the cards beside one, in a list that is narrowed so.
    pub(super) fn of(id: DecisionId, filter: &str) -> Self {
        let amp = if filter.is_empty() { "" } else { "&" };
        Self {
            next: format!("/next?{filter}{amp}after={id}"),
            previous: format!("/next?{filter}{amp}before={id}"),
        }
    }
}

/// Names those that a page has an answer for already, which is not sent yet.
const SKIP: &str = "skip";

/// Shows the first card, or the one after or before another; leads to the list if there is none.
pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, uri: Uri) -> Reply {
    let query = uri.query().unwrap_or_default();
    let (asked, filter) = (Form::parse(query), Filter::read(query));
    let found = inbox::ranked(&app, &visitor, &filter, Some(&visitor.caller.actor.by), 0).await?;
    let skipped: Vec<DecisionId> = asked.get(SKIP).split(' ').filter_map(|id| id.parse().ok()).collect();
    let ids: Vec<DecisionId> = found.items.iter().map(|group| group.decision.id).collect();
    let is_open = |id: &&DecisionId| !skipped.contains(*id);
    let place = |name: &str| {
        let id = asked.get(name).parse::<DecisionId>().ok()?;
        // One that is grouped under another stands where that stands.
        found
            .items
            .iter()
            .position(|group| group.decision.id == id || group.others.iter().any(|other| other.id == id))
    };
    let chosen = match (place("after"), place("before")) {
        // A page that says what it leaves out goes round: what was passed over comes again after the last.
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
    let (filled, back) = (Filled::of_decision(&decision), filter.query());
    let amp = if back.is_empty() { "" } else { "&" };
    let address = Some(format!("/d/{chosen}?{back}{amp}{FLOW}=true"));
    let notice = inbox::told(&app, &visitor, &asked).await;
    let view = View { notice, back: &back, flows: true, address, ..View::new(&decision, &filled) };
    view.send(&app, &visitor, StatusCode::OK).await
}
