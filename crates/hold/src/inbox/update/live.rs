//! External changes: new decisions, others that are settled or changed, and time.

use std::collections::HashSet;

use holdpoint_core::{Decision, DecisionId, Status, Timestamp};

use crate::inbox::events::{DecisionEvent, InboxEffect, PendingList};
use crate::inbox::model::{Model, Screen, Tone};
use crate::view_model::wording;

/// The events that change the list.
const CHANGES: [&str; 12] = [
    "created",
    "taken",
    "snoozed",
    "revised",
    "voted",
    "remarked",
    "resolved",
    "refined",
    "expired",
    "cancelled",
    "superseded",
    "removed",
];

pub(super) fn happened(model: &mut Model, happenings: &[DecisionEvent]) -> Vec<InboxEffect> {
    model.lost = None;
    let mut effects = Vec::new();
    let changes: Vec<&DecisionEvent> =
        happenings.iter().filter(|one| CHANGES.contains(&one.what.as_str())).collect();
    // A draft only affects the list.
    let drafted = matches!(model.screen, Screen::List) && happenings.iter().any(|one| one.what == "drafted");
    if !changes.is_empty() || drafted {
        effects.push(InboxEffect::List);
    }
    if let Screen::Card(card) = &model.screen
        && changes.iter().any(|one| one.id == card.decision.id && one.what != "created")
    {
        effects.push(InboxEffect::Look(card.decision.id));
    }
    effects
}

/// Updates the list. The selection stays, so nothing moves under the person's hands.
pub(super) fn listed(model: &mut Model, listing: PendingList) -> Vec<InboxEffect> {
    model.lost = None;
    if let Some(now) = listing.now {
        model.now = now;
    }
    let list = &mut model.list;
    let selected = list.selected;
    let known: HashSet<DecisionId> = list.rows.iter().map(|row| row.id).collect();
    let (first, place) = (!list.loaded, list.selected_index());
    let mut rows = listing.rows;
    let read: HashSet<DecisionId> = rows.iter().map(|row| row.id).collect();
    let before = std::mem::take(&mut list.rows);
    if listing.more && !list.search.text().trim().is_empty() {
        // Further search results stay until the search has been repeated.
        rows.extend(before.into_iter().skip(list.read).filter(|row| !read.contains(&row.id)));
    }
    list.read = read.len();
    list.rows = rows;
    list.more = listing.more;
    list.loaded = true;
    // The card beside the list may be outdated too.
    list.glancing = None;
    let there: HashSet<DecisionId> = list.rows.iter().map(|row| row.id).collect();
    list.marked.retain(|id| there.contains(id));
    list.find(model.now);
    if let Some(place) = place.filter(|_| !list.rows.iter().any(|row| Some(row.id) == selected)) {
        list.select(place);
    }
    // Another decision took the place of the selected one.
    if list.selected != selected && matches!(model.screen, Screen::List) {
        model.arrival.renew();
    }
    let list = &model.list;
    let fresh: Vec<&str> =
        list.rows.iter().filter(|row| !known.contains(&row.id)).map(|row| row.headline.as_str()).collect();
    let text = match fresh.as_slice() {
        [] => return super::list::beyond(model),
        [one] => format!("New: {one}"),
        several => format!("{} new decisions", several.len()),
    };
    // A failure must not be overwritten by routine news.
    if !first && model.notice.as_ref().is_none_or(|notice| notice.tone == Tone::Plain) {
        model.say(Tone::Plain, text);
    }
    super::list::beyond(model)
}

/// Updates the open decision. If its question has changed, or it is settled, it can no longer be answered as it was.
pub(super) fn current(model: &mut Model, id: DecisionId, decision: Option<Decision>) -> Vec<InboxEffect> {
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    if card.decision.id != id {
        return Vec::new();
    }
    match decision {
        None => card.blocked = Some("This was withdrawn. Nothing was sent.".into()),
        Some(now) if now.status != Status::Pending => card.blocked = Some(wording::settled_meanwhile(&now)),
        Some(now) if now.digest != card.decision.digest => {
            card.blocked = Some(
                "The agent changed this. Nothing was sent; your text is kept. r shows the new version."
                    .into(),
            );
            card.fresh = Some(Box::new(now));
        }
        // Votes and remarks are shown as they are now.
        Some(now) => {
            card.decision.votes = now.votes;
            card.decision.remarks = now.remarks;
        }
    }
    Vec::new()
}

/// Advances the time and checks what is due.
pub(super) fn time(model: &mut Model, now: Timestamp) -> Vec<InboxEffect> {
    let before = std::mem::replace(&mut model.now, now);
    let passed = |deadline: Option<Timestamp>| deadline.is_some_and(|at| before < at && at <= now);
    let mut effects = model.outgoing.send_due(now);
    if model.list.rows.iter().any(|row| passed(row.deadline)) {
        effects.push(InboxEffect::List);
    }
    if let Screen::Card(card) = &model.screen
        && passed(card.decision.deadline)
    {
        effects.push(InboxEffect::Look(card.decision.id));
    }
    effects
}
