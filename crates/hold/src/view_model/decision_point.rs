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
        None => last_blocking(client, project, item, &[]).await,
    }
}

/// Returns the decision that an item's name stands for when it is to be answered or cancelled: as in [`of_item`], but
/// never one that only comes next. A repeated command must not settle another question than it did the first time.
/// `ended` are the statuses in which a command like this leaves a decision.
///
/// # Errors
/// Fails if it is unclear which decision is meant.
pub(crate) async fn to_settle(
    client: &dyn Client,
    project: &str,
    item: &str,
    ended: &[Status],
) -> Result<Option<Decision>, Error> {
    let own = ListQuery {
        project: Some(project.to_owned()),
        owner: Some(Owner::new(OwnerKind::Item, item)),
        on_items: true,
        newest_first: true,
        limit: 8,
        ..ListQuery::default()
    };
    let several = |candidates| Error::Ambiguous { prefix: item.to_owned(), candidates, more: false };
    let mut pending = client.list(&ListQuery { statuses: vec![Status::Pending], ..own.clone() }).await?.items;
    if pending.len() > 1 {
        return Err(several(pending));
    }
    if let Some(only) = pending.pop() {
        return Ok(Some(only));
    }
    if let Some(last) = client.list(&ListQuery { limit: 1, ..own }).await?.items.pop() {
        return Ok(Some(last));
    }
    let mut blocking = blocking(client, project, item).await?;
    let last = last_blocking(client, project, item, ended).await?;
    match (blocking.pop(), last) {
        (Some(only), None) if blocking.is_empty() => Ok(Some(only)),
        (None, Some(last)) => Ok(Some(last)),
        (None, None) => last_blocking(client, project, item, &[]).await,
        (Some(one), last) => {
            blocking.push(one);
            Err(several(last.into_iter().chain(blocking).collect()))
        }
    }
}

/// Returns the newest decision that blocked an item, in one of some statuses, or in any; among the last few thousand.
async fn last_blocking(
    client: &dyn Client,
    project: &str,
    item: &str,
    statuses: &[Status],
) -> Result<Option<Decision>, Error> {
    const PAGES: usize = 5;
    let mut query = ListQuery {
        project: Some(project.to_owned()),
        statuses: statuses.to_vec(),
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
