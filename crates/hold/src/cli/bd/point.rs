//! Finding and printing decision points.

use std::collections::HashSet;
use std::fmt::Write as _;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, DecisionId, Owner, OwnerKind, Status, Timestamp};
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::beads;

use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::{FAINT, Ui};
use crate::cli::{show, table};

/// Returns the decision that is named: one round by its id, else the newest on an item.
pub(super) async fn find(client: &dyn Client, project: &str, issue: &str) -> Result<Decision, Failure> {
    if issue.starts_with(DecisionId::PREFIX) {
        return Ok(client.get(issue).await?);
    }
    let query = ListQuery {
        project: Some(project.to_owned()),
        owner: Some(Owner::new(OwnerKind::Item, issue)),
        newest_first: true,
        limit: 1,
        ..ListQuery::default()
    };
    let found = client.list(&query).await?.items.into_iter().next();
    let missing = || Failure::new(Exit::NotFound, format!("there is no decision on {:?}", inert_line(issue)));
    let found = found.ok_or_else(|| missing().hint("see what is pending: bd decision list"))?;
    Ok(client.get(&found.id.to_string()).await?)
}

/// Lists decisions on items, oldest first: the pending ones, or all.
pub(super) async fn list(
    client: &dyn Client,
    project: Option<&str>,
    all: bool,
) -> Result<Vec<Decision>, Failure> {
    let mut query = ListQuery {
        project: project.map(str::to_owned),
        statuses: if all { Vec::new() } else { vec![Status::Pending] },
        limit: 500,
        ..ListQuery::default()
    };
    let mut found = Vec::new();
    loop {
        let page = client.list(&query).await?;
        let on_item =
            |decision: &Decision| decision.owner.as_ref().is_some_and(|owner| owner.kind == OwnerKind::Item);
        found.extend(page.items.into_iter().filter(on_item));
        query.cursor = page.next;
        if query.cursor.is_none() {
            return Ok(found);
        }
    }
}

/// Returns a decision and the rounds before it, the first one first.
pub(super) async fn rounds(client: &dyn Client, newest: Decision) -> Result<Vec<Decision>, Failure> {
    let mut rounds = vec![newest];
    while let Some(prior) = rounds.last().and_then(|decision| decision.prior) {
        match client.get(&prior.to_string()).await {
            Ok(decision) => rounds.push(decision),
            // It may have been pruned; what is left is still worth showing.
            Err(Error::NotFound(_)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    rounds.reverse();
    Ok(rounds)
}

/// Returns the first free name for a decision below an item.
pub(super) async fn below(client: &dyn Client, project: &str, parent: &str) -> Result<String, Failure> {
    const MOST: usize = 100;
    let taken: HashSet<String> = client.items(Some(project)).await?.into_iter().map(|item| item.id).collect();
    let mut names = (1..=MOST).map(|n| format!("{parent}.decision-{n}"));
    let free = names.find(|name| !taken.contains(name));
    free.ok_or_else(|| Failure::error(format!("too many decisions under parent {}", inert_line(parent))))
}

/// Prints one decision point.
pub(super) fn print(decision: &Decision, json: bool, now: Timestamp, ui: &mut Ui) -> Result<(), Failure> {
    if json {
        return ui.json(&beads::view(decision));
    }
    let mut text = show::body(decision, now);
    if decision.status == Status::Pending {
        // Only an item names its decision; one of a job goes by its own id.
        let item = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Item);
        let name = item.map_or_else(|| decision.id.to_string(), |owner| inert_line(&owner.id));
        let how = format!("hold answer {name} --option ID");
        let _ = write!(text, "\n\n{FAINT}{}{FAINT:#}", ui.spoken(&how));
    }
    ui.line(text)
}

/// Prints decision points as a table.
pub(super) fn print_list(found: &[Decision], now: Timestamp, ui: &mut Ui) -> Result<(), Failure> {
    let row = |decision: &Decision| {
        let issue = decision.owner.as_ref().map(|owner| inert_line(&owner.id)).unwrap_or_default();
        let round = format!("{}/{}", decision.iteration, decision.max_iterations);
        vec![
            issue,
            decision.id.to_string(),
            decision.status.to_string(),
            table::age(decision.created_at, now),
            round,
            inert_line(decision.summary()).chars().take(500).collect(),
        ]
    };
    ui.line(table::render(
        &["ISSUE", "ID", "STATUS", "AGE", "ROUND", "PROMPT"],
        found.iter().map(row).collect(),
    ))
}
