//! Finding what jobs and crews wait for, and explaining why it could not be resolved.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Job, Owner, OwnerKind, Refusal, Status};
use holdpoint_engine::{Client, Error, ListQuery};
use holdpoint_protocols::oddjobs;

use crate::cli::failure::{Exit, Failure};

/// Lists the pending decisions of jobs, crews and jobs' runs, newest first.
pub(super) async fn pending(client: &dyn Client, project: Option<&str>) -> Result<Vec<Decision>, Failure> {
    let mut query = ListQuery {
        project: project.map(str::to_owned),
        statuses: vec![Status::Pending],
        newest_first: true,
        limit: 500,
        ..ListQuery::default()
    };
    let mut found = Vec::new();
    loop {
        let page = client.list(&query).await?;
        for decision in page.items {
            if is_of_job(client, &decision).await {
                found.push(decision);
            }
        }
        query.cursor = page.next;
        if query.cursor.is_none() {
            return Ok(found);
        }
    }
}

/// Returns whether a job or a crew waits for a decision, or a job for the verdict on its run.
async fn is_of_job(client: &dyn Client, decision: &Decision) -> bool {
    match &decision.owner {
        Some(owner) if owner.kind == OwnerKind::Run => {
            client.run(&owner.id).await.is_ok_and(|shown| shown.run.job.is_some())
        }
        owner => owner.as_ref().is_some_and(Owner::supersedes),
    }
}

/// Returns the owner: the running job or crew with this name or id, or else an owner of that name. A caller that may
/// not see jobs can still name one.
pub(super) async fn owner(client: &dyn Client, kind: OwnerKind, name: String) -> Owner {
    let is_meant = |job: &Job| job.status.is_active() && (job.id == name || job.name == name);
    let running = client.job(&name).await.ok().filter(is_meant).map(|job| job.owner());
    running.filter(|owner| owner.kind == kind).unwrap_or_else(|| Owner::new(kind, name))
}

/// Finds a decision by id or prefix, in a project if one is named; the errors have the wording of `oj`.
pub(super) async fn find(
    client: &dyn Client,
    typed: &str,
    project: Option<&str>,
) -> Result<Decision, Failure> {
    let missing = || {
        let message = format!("decision not found: {}", inert_line(typed));
        Failure::new(Exit::NotFound, message).hint("see what is pending: hold list")
    };
    match client.get(typed).await {
        Ok(decision) if project.is_some_and(|project| project != decision.project) => Err(missing()),
        Ok(decision) => Ok(decision),
        Err(Error::NotFound(_)) => Err(missing()),
        Err(other) => Err(other.into()),
    }
}

/// Words an invalid choice like `oj`.
pub(super) fn unfit(typed: &str, decision: &Decision, unfit: oddjobs::ResolveError) -> Failure {
    match unfit {
        oddjobs::ResolveError::Settled(refusal) => settled(typed, &refusal),
        other => {
            Failure::error(other.to_string()).hint(format!("see the options: hold show {}", decision.id))
        }
    }
}

/// Words a refusal like `oj`.
pub(super) fn refused(typed: &str, error: Error) -> Failure {
    match error {
        Error::Refused(refusal @ Refusal::Settled(_)) => settled(typed, &refusal),
        other => other.into(),
    }
}

fn settled(typed: &str, refusal: &Refusal) -> Failure {
    let outcome = refusal.to_string();
    let mut failure =
        Failure::new(Exit::Conflict, format!("decision {} is already resolved", inert_line(typed)));
    failure.hints = vec![outcome];
    failure
}
