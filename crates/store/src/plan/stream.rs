//! The names of streams. Decisions use their ascending row numbers, so that the index over streams stays local.

use holdpoint_core::{Event, Numbering, Owner, OwnerKind, Thread, run};

const DECISION: &str = "decision/";

/// Returns the stream that an event belongs to.
pub(super) fn of(event: &Event, numbering: Numbering) -> String {
    match event {
        Event::Created(decision) => of_decision(numbering.number(decision.id)),
        Event::Voted(voted) => of_decision(numbering.number(voted.id)),
        Event::Revised(revised) => of_decision(numbering.number(revised.id)),
        Event::Escalated(escalated) => of_decision(numbering.number(escalated.id)),
        Event::Remarked(remarked) => of_decision(numbering.number(remarked.id)),
        Event::VotesCleared { id, .. }
        | Event::Drafted { id, .. }
        | Event::Taken { id, .. }
        | Event::Snoozed { id, .. }
        | Event::Resolved { id, .. }
        | Event::Refined { id, .. }
        | Event::Expired { id, .. }
        | Event::Cancelled { id, .. }
        | Event::Superseded { id, .. }
        | Event::Consumed { id, .. }
        | Event::Reported { id, .. }
        | Event::Removed { id, .. } => of_decision(numbering.number(*id)),
        Event::ItemCreated { id, project, .. } | Event::ItemDeleted { id, project, .. } => {
            of_item(project, id)
        }
        Event::ThreadCreated(thread) => of_thread(&thread.project, &thread.id),
        Event::ThreadPosted(posted) => of_thread(&posted.project, &posted.id),
        Event::ThreadAsked { id, project, .. }
        | Event::ThreadReplied { id, project, .. }
        | Event::ThreadRemoved { id, project, .. } => of_thread(project, id),
        Event::ProjectUpdated { project, .. } => of_project(project),
        Event::RuleUsed { id, .. } => of_rule(id),
        Event::TokenCreated(created) => of_token(&created.id),
        Event::TokenRevoked { id, .. } => of_token(id),
        Event::PersonUpdated(updated) => of_person(&updated.id),
        Event::SignedIn { id, .. } | Event::PersonRemoved { id, .. } => of_person(id),
        Event::AuthUpdated { .. } => AUTH.to_owned(),
        Event::GroupUpdated { .. }
        | Event::GroupRemoved { .. }
        | Event::AbsenceAdded(_)
        | Event::AbsenceEnded { .. } => ROSTER.to_owned(),
        Event::LogAccepted { .. } | Event::KeyRotated { .. } | Event::KeyRevoked { .. } => LOG.to_owned(),
        other if let Some((_, project)) = other.rule() => of_rules(project),
        other => match other.run() {
            Some((id, project)) => of_owner(project, &run::owner(id)),
            // All other events are about jobs and crews.
            None => other.job().map(|(project, owner)| of_owner(project, &owner)).unwrap_or_default(),
        },
    }
}

/// Returns the stream of the decision in a row.
pub(crate) fn of_decision(number: i64) -> String {
    format!("{DECISION}{number}")
}

/// Returns the row number of the decision that a stream belongs to, if any.
pub(crate) fn number_of(stream: &str) -> Option<i64> {
    stream.strip_prefix(DECISION).and_then(|number| number.parse().ok())
}

pub(super) fn of_item(project: &str, id: &str) -> String {
    format!("item/{}/{id}", escaped(project))
}

pub(super) fn of_project(name: &str) -> String {
    format!("project/{name}")
}

/// Returns the stream of a project's standing rules.
pub(crate) fn of_rules(project: &str) -> String {
    format!("rules/{project}")
}

/// Returns the stream of a limited rule's uses: its version is the number of uses.
pub(crate) fn of_rule(id: &str) -> String {
    format!("rule/{id}")
}

/// The stream of the groups of people.
pub(crate) const ROSTER: &str = "roster";
/// The stream of the setting that demands credentials.
pub(super) const AUTH: &str = "auth";
/// The stream of acceptances and keys of the log itself.
pub(crate) const LOG: &str = "log";

pub(crate) fn of_token(id: &str) -> String {
    format!("token/{id}")
}

pub(crate) fn of_person(name: &str) -> String {
    format!("person/{name}")
}

/// Returns whether a stream is about a token or a person.
pub(crate) fn is_credential(stream: &str) -> bool {
    stream.starts_with("token/") || stream.starts_with("person/")
}

/// Returns whether a stream is about a job or a crew.
pub(crate) fn is_job(stream: &str) -> bool {
    stream.starts_with("job/") || stream.starts_with("crew/")
}

fn of_thread(project: &str, id: &str) -> String {
    of_owner(project, &Owner::new(OwnerKind::Thread, id))
}

/// Returns the stream of a thread's messages.
pub(crate) fn of_messages(thread: &Thread) -> String {
    of_thread(&thread.project, &thread.id)
}

/// Returns the stream of a job, crew or other owner.
pub(crate) fn of_owner(project: &str, owner: &Owner) -> String {
    format!("{}/{}/{}", owner.kind.name(), escaped(project), owner.id)
}

/// Escapes slashes in a project's name, so that two projects cannot share a stream.
fn escaped(project: &str) -> String {
    project.replace('%', "%25").replace('/', "%2F")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_things_share_a_stream() {
        assert_ne!(of_item("a/b", "c"), of_item("a", "b/c"));
        assert_ne!(of_item("a%2Fb", "c"), of_item("a/b", "c"));
        assert_eq!(number_of(&of_decision(42)), Some(42));
        assert_eq!(number_of("item/a/decision/1"), None);
    }
}
