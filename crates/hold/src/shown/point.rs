//! Decision points on work items, the same for every command and tool: asking on an item, and resolving an item's
//! name to a decision.

use std::collections::HashSet;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Owner, OwnerKind, Project, Refusal, Status};
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::beads;

/// Returns the decision that an item stands for: the pending one on it, or else a pending one that blocks it, such as
/// a job's, or else the last one settled on it, or else the last one that blocked it.
///
/// # Errors
/// Fails if several decisions block the item, because it is unclear which one is meant.
pub(crate) async fn of_item(
    client: &dyn Client,
    project: &str,
    item: &str,
) -> Result<Option<Decision>, Error> {
    let own = ListQuery {
        project: Some(project.to_owned()),
        owner: Some(Owner::new(OwnerKind::Item, item)),
        on_items: true,
        newest_first: true,
        limit: 1,
        ..ListQuery::default()
    };
    let pending = ListQuery { statuses: vec![Status::Pending], ..own.clone() };
    if let Some(pending) = client.list(&pending).await?.items.pop() {
        return Ok(Some(pending));
    }
    let mut blocking = blocking(client, project, item).await?;
    if blocking.len() > 1 {
        return Err(Error::Ambiguous { prefix: item.to_owned(), candidates: blocking, more: false });
    }
    if let Some(only) = blocking.pop() {
        return Ok(Some(only));
    }
    match client.list(&own).await?.items.pop() {
        Some(settled) => Ok(Some(settled)),
        None => last_blocking(client, project, item).await,
    }
}

/// Returns the newest decision that blocked an item, settled or not; among the last few thousand.
async fn last_blocking(client: &dyn Client, project: &str, item: &str) -> Result<Option<Decision>, Error> {
    const PAGES: usize = 5;
    let mut query = ListQuery {
        project: Some(project.to_owned()),
        newest_first: true,
        limit: 1_000,
        ..ListQuery::default()
    };
    for _ in 0..PAGES {
        let page = client.list(&query).await?;
        if let Some(found) = page.items.into_iter().find(|decision| blocks(decision, item)) {
            return Ok(Some(found));
        }
        query.cursor = page.next;
        if query.cursor.is_none() {
            break;
        }
    }
    Ok(None)
}

/// Returns whether a decision that is not on the item itself blocks it.
fn blocks(decision: &Decision, item: &str) -> bool {
    !decision.is_of_item(item) && decision.blocked_items().any(|blocked| blocked == item)
}

/// Asks for a decision on an item. Below a parent it gets the first free name there, and both items become known.
pub(crate) async fn create(client: &dyn Client, mut given: beads::Create) -> Result<Decision, Error> {
    let project = given.project.clone().unwrap_or_else(|| Project::DEFAULT.to_owned());
    if let Some(parent) = &given.parent {
        given.issue = free_below(client, &project, parent).await?;
    }
    let new = beads::create(&given)?;
    if let Some(parent) = &given.parent {
        client.create_item(&project, parent, None).await?;
    }
    Ok(client.create(new, None).await?.decision)
}

async fn free_below(client: &dyn Client, project: &str, parent: &str) -> Result<String, Error> {
    const MOST: usize = 100;
    let taken: HashSet<String> = client.items(Some(project)).await?.into_iter().map(|item| item.id).collect();
    let mut names = (1..=MOST).map(|number| beads::below(parent, number));
    let free = names.find(|name| !taken.contains(name));
    free.ok_or_else(|| {
        let why = format!("too many decisions under parent {}", inert_line(parent));
        Refusal::invalid("parent", why).into()
    })
}

/// Lists the pending decisions elsewhere that an item waits for, oldest first: for example those of a job that works
/// on it.
pub(crate) async fn blocking(client: &dyn Client, project: &str, item: &str) -> Result<Vec<Decision>, Error> {
    let mut query = ListQuery {
        project: Some(project.to_owned()),
        statuses: vec![Status::Pending],
        limit: 1000,
        ..ListQuery::default()
    };
    let mut found = Vec::new();
    loop {
        let page = client.list(&query).await?;
        found.extend(page.items.into_iter().filter(|decision| blocks(decision, item)));
        query.cursor = page.next;
        if query.cursor.is_none() {
            return Ok(found);
        }
    }
}
