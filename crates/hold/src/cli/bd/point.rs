//! Finding and printing decision points.

use std::collections::VecDeque;
use std::fmt::Write as _;

use holdpoint_core::text::{inert_line, shell_word};
use holdpoint_core::{Decision, DecisionId, Owner, OwnerKind, Status, Timestamp};
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::beads;

use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::{FAINT, Ui};
use crate::cli::{show, table};
use crate::view_model::decision_point::{blocking, of_item, to_settle};

/// Finds a decision by its id or an unambiguous prefix, or by its item; see [`of_item`].
pub(super) async fn find(client: &dyn Client, project: &str, name: &str) -> Result<Decision, Failure> {
    if name.starts_with(DecisionId::PREFIX) {
        return Ok(client.get(name).await?);
    }
    if let Some(found) = of_item(client, project, name).await? {
        return Ok(client.get(&found.id.to_string()).await?);
    }
    match client.get(name).await {
        Err(Error::NotFound(_)) => Err(missing(client, project, name).await?),
        found => Ok(found?),
    }
}

/// Like [`find`], for a command that settles the decision; see [`to_settle`].
pub(super) async fn find_to_settle(
    client: &dyn Client,
    project: &str,
    name: &str,
    ended: &[Status],
) -> Result<Decision, Failure> {
    if !name.starts_with(DecisionId::PREFIX)
        && let Some(found) = to_settle(client, project, name, ended).await?
    {
        return Ok(client.get(&found.id.to_string()).await?);
    }
    find(client, project, name).await
}

/// Returns how to settle what an item waits for besides a decision that is settled already.
pub(super) async fn hint_of_others(
    client: &dyn Client,
    project: &str,
    name: &str,
    settled: &Decision,
) -> Option<String> {
    if settled.status == Status::Pending || name.starts_with(DecisionId::PREFIX) {
        return None;
    }
    let others = blocking(client, project, name).await.ok()?;
    let other = others.first().filter(|other| other.id != settled.id)?;
    Some(format!("{} waits for {} now: hold answer {} --option ID", inert_line(name), other.id, other.id))
}

/// Returns the error that there is no decision on an item, with a hint if another project has one.
async fn missing(client: &dyn Client, project: &str, name: &str) -> Result<Failure, Failure> {
    let elsewhere = ListQuery {
        owner: Some(Owner::new(OwnerKind::Item, name)),
        on_items: true,
        newest_first: true,
        limit: 1,
        ..ListQuery::default()
    };
    let there = client.list(&elsewhere).await?.items.pop();
    let item = inert_line(name);
    Ok(match there.filter(|one| one.project != project) {
        Some(one) => {
            let (here, there) = (inert_line(project), inert_line(&one.project));
            let why = format!("there is no decision on {item:?} in project {here:?}, but one in {there:?}");
            Failure::new(Exit::NotFound, why).hint(format!("see it: hold show {}", one.id))
        }
        None => Failure::new(Exit::NotFound, format!("there is no decision on {item:?}"))
            .hint("see what is pending: hold list"),
    })
}

/// Lists decisions that block items, oldest first: the pending ones, or all.
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
        found.extend(page.items.into_iter().filter(|decision| beads::issue(decision).is_some()));
        query.cursor = page.next;
        if query.cursor.is_none() {
            return Ok(found);
        }
    }
}

/// Returns all rounds of a decision, first to last; any of them may be named.
pub(super) async fn rounds(client: &dyn Client, named: Decision) -> Result<Vec<Decision>, Failure> {
    let mut rounds = VecDeque::from([named]);
    while let Some(prior) = rounds.front().and_then(|first| first.prior) {
        match there(client, prior).await? {
            Some(decision) => rounds.push_front(decision),
            None => break,
        }
    }
    while let Some(next) = rounds.back().and_then(|last| last.next) {
        match there(client, next).await? {
            Some(decision) => rounds.push_back(decision),
            None => break,
        }
    }
    Ok(rounds.into())
}

/// Returns a round, or none if it was pruned: the rest is still worth showing.
async fn there(client: &dyn Client, id: DecisionId) -> Result<Option<Decision>, Failure> {
    match client.get(&id.to_string()).await {
        Ok(decision) => Ok(Some(decision)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A decision point as text.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointView<'a> {
    pub(super) decision: &'a Decision,
    pub(super) owner_name: Option<&'a str>,
    /// The change that a verdict is about.
    pub(super) diff: Option<&'a str>,
    /// The project whose items are named without it.
    pub(super) here: &'a str,
    pub(super) now: Timestamp,
}

impl PointView<'_> {
    /// Returns the card, and how it is answered.
    pub(super) fn text(self, ui: &Ui) -> String {
        let Self { decision, owner_name, diff, here, now } = self;
        let mut text = show::body(decision, owner_name, diff, now);
        if let Some(parent) = beads::issue(decision).and_then(beads::parent) {
            let _ = write!(text, "\n\nParent: {}", inert_line(parent));
        }
        if decision.status == Status::Pending {
            // Only an item of this project can name its decision; a job's decision is named by its own id.
            let item = decision.owner.as_ref().filter(|owner| owner.kind == OwnerKind::Item);
            let item = item.filter(|_| decision.project == here);
            let name =
                item.map_or_else(|| decision.id.to_string(), |owner| shell_word(&inert_line(&owner.id)));
            let how = format!("hold answer {name} --option ID");
            let _ = write!(text, "\n\n{FAINT}{}{FAINT:#}", ui.spoken(&how));
        }
        text
    }
}

/// Prints decision points as a table, with a project column if any is not in `here`.
pub(super) fn print_list(found: &[Decision], here: &str, now: Timestamp, ui: &mut Ui) -> Result<(), Failure> {
    let is_elsewhere = found.iter().any(|decision| decision.project != here);
    let row = |decision: &Decision| {
        let issue = beads::issue(decision).map(inert_line).unwrap_or_default();
        let round = format!("{}/{}", decision.iteration, decision.max_iterations);
        let mut cells = vec![
            issue,
            decision.id.to_string(),
            decision.status.to_string(),
            table::age(decision.created_at, now),
            round,
            inert_line(decision.summary()).chars().take(500).collect(),
        ];
        if is_elsewhere {
            cells.insert(1, inert_line(&decision.project));
        }
        cells
    };
    let mut heads = vec!["ISSUE", "ID", "STATUS", "AGE", "ROUND", "PROMPT"];
    if is_elsewhere {
        heads.insert(1, "PROJECT");
    }
    ui.line(table::render(&heads, found.iter().map(row).collect()))
}
