//! Finding and printing decision points.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Owner, OwnerKind, Status, Timestamp};
use holdpoint_engine::{Client, ListQuery};
use holdpoint_protocols::beads;

use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;
use crate::cli::{show, table};

/// Returns the newest decision on an item.
pub(super) async fn newest(client: &dyn Client, project: &str, issue: &str) -> Result<Decision, Failure> {
    let query = ListQuery {
        project: Some(project.to_owned()),
        owner: Some(Owner::new(OwnerKind::Item, issue)),
        newest_first: true,
        limit: 1,
        ..ListQuery::default()
    };
    let found = client.list(&query).await?.items.into_iter().next();
    let missing = || Failure::new(Exit::NotFound, format!("there is no decision on {:?}", inert_line(issue)));
    found.ok_or_else(|| missing().hint("see what is pending: bd decision list"))
}

/// Lists everything that is pending on items, oldest first.
pub(super) async fn pending(client: &dyn Client, project: Option<&str>) -> Result<Vec<Decision>, Failure> {
    let mut query = ListQuery {
        project: project.map(str::to_owned),
        statuses: vec![Status::Pending],
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

/// Prints one decision point.
pub(super) fn print(decision: &Decision, json: bool, now: Timestamp, ui: &mut Ui) -> Result<(), Failure> {
    if json { ui.json(&beads::view(decision)) } else { ui.line(show::card(decision, now)) }
}

/// Prints decision points as a table.
pub(super) fn print_list(pending: &[Decision], now: Timestamp, ui: &mut Ui) -> Result<(), Failure> {
    let row = |decision: &Decision| {
        let issue = decision.owner.as_ref().map(|owner| inert_line(&owner.id)).unwrap_or_default();
        let round = format!("{}/{}", decision.iteration, decision.max_iterations);
        vec![
            issue,
            table::age(decision.created_at, now),
            round,
            inert_line(decision.summary()).chars().take(500).collect(),
        ]
    };
    ui.line(table::render(&["ISSUE", "AGE", "ROUND", "PROMPT"], pending.iter().map(row).collect()))
}
