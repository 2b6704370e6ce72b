//! Checks of credential names, owners, projects and email addresses.

use super::{KnownCredentials, LOCAL};
use crate::actor::Role;
use crate::refusal::Refusal;
use crate::text::{check_name, inert_line, quote};

/// How many projects one credential may name.
const MOST_PROJECTS: usize = 100;
/// The maximum length of an email address in bytes.
const MAX_EMAIL: usize = 254;

/// Refuses names that would make an answer seem to come from somewhere else.
pub(super) fn check_credential_name(name: &str) -> Result<(), Refusal> {
    let wrong = |why: &str| Refusal::invalid("name", format!("{:?} {why}", inert_line(name)));
    check_name(name).map_err(|why| wrong(&why))?;
    let taken =
        ["agent:", "group:", "person:", "system:", LOCAL].into_iter().find(|start| name.starts_with(start));
    match taken {
        Some(start) => Err(wrong(&format!("must not start with {start:?}"))),
        None => Ok(()),
    }
}

/// Refuses an agent the name of a person, and a person that of an agent: answers show names.
pub(super) fn check_namesakes(known: &KnownCredentials, name: &str, role: Role) -> Result<(), Refusal> {
    let is_agent = role == Role::Agent;
    let other = known.namesakes.iter().find(|taken| (**taken == Role::Agent) != is_agent);
    match other {
        Some(other) => {
            let whose = if *other == Role::Agent { "an agent's" } else { "a person's" };
            Err(Refusal::invalid("name", format!("{:?} is {whose} name; take another", inert_line(name))))
        }
        None => Ok(()),
    }
}

/// Requires that the owner of a token is a known person.
pub(super) fn check_owner(known: &KnownCredentials, owner: Option<&str>) -> Result<(), Refusal> {
    match owner {
        Some(name) if known.person.as_ref().is_none_or(|person| person.name != name) => {
            let why = format!("unknown person {}; add them first", quote(name));
            Err(Refusal::invalid("owner", why))
        }
        _ => Ok(()),
    }
}

/// Checks project names, and sorts and deduplicates them.
pub(super) fn check_projects(projects: &[String]) -> Result<Vec<String>, Refusal> {
    for project in projects {
        let wrong = |why| Refusal::invalid("projects", format!("{:?} {why}", inert_line(project)));
        check_name(project).map_err(wrong)?;
    }
    if projects.len() > MOST_PROJECTS {
        return Err(Refusal::invalid("projects", format!("at most {MOST_PROJECTS} can be named")));
    }
    let mut projects = projects.to_vec();
    projects.sort_unstable();
    projects.dedup();
    Ok(projects)
}

/// Checks that an address is well-formed; only mail that arrives proves that it exists.
pub(super) fn check_email(email: &str) -> Result<String, Refusal> {
    let email = email.trim();
    let fits = email.len() <= MAX_EMAIL
        && email
            .split_once('@')
            .is_some_and(|(to, at)| !to.is_empty() && !at.is_empty() && !at.contains('@'))
        && !email.starts_with('-')
        && !email
            .chars()
            .any(|c| c.is_whitespace() || crate::text::is_active(c) || "<>,;:\"\\()[]".contains(c));
    if fits {
        Ok(email.to_owned())
    } else {
        Err(Refusal::invalid(
            "email",
            format!("{:?} is not an address like name@example.org", inert_line(email)),
        ))
    }
}
