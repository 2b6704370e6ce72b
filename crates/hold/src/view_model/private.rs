//! Private decisions: forms that people fill in for themselves.

use holdpoint_core::{Decision, OwnerKind, Source, Status};
use holdpoint_engine::{Client, Error, ListQuery};

/// How many are read at once when many are filtered out.
const PAGE: usize = 1000;

/// Lists decisions without private ones, unless the query is for a source or an owner. Decisions that are filtered
/// out do not count towards the limit. Also returns whether there are more.
pub(crate) async fn list(
    client: &dyn Client,
    mut query: ListQuery,
    fits: impl Fn(&Decision) -> bool,
) -> Result<(Vec<Decision>, bool), Error> {
    let looked_for = query.source.is_some() || query.owner.is_some();
    let is_shown = |decision: &Decision| {
        (looked_for || decision.status != Status::Pending || !is_private(decision)) && fits(decision)
    };
    let wanted = query.limit;
    let mut found = Vec::new();
    loop {
        let mut page = client.list(&query).await?;
        page.items.retain(is_shown);
        // Decisions are large: a first page is not copied.
        if found.is_empty() {
            found = page.items;
        } else {
            found.extend(page.items);
        }
        (query.cursor, query.limit) = (page.next, PAGE);
        if query.cursor.is_none() || found.len() >= wanted {
            let more = query.cursor.is_some() || found.len() > wanted;
            found.truncate(wanted);
            return Ok((found, more));
        }
    }
}

/// Returns whether a decision is a conversation that was not requested of anybody: it concerns the person who talks,
/// and belongs in no other inbox.
pub(crate) fn is_private(decision: &Decision) -> bool {
    let chat = decision.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Chat);
    chat && decision.source == Source::Form
        && decision.requested_by.is_none()
        && decision.assignees.is_empty()
}
