//! Who may give which command.

use super::{AGENT, administers, forbid, is_own, may_join, may_read, may_write_project};
use crate::actor::{Actor, Auth, Role};
use crate::command::Command;
use crate::decision::New;
use crate::refusal::Refusal;
use crate::text::inert_line;
use crate::thread::Thread;
use crate::{Decision, OwnerKind, Source, credential, job, people, rule, run};

/// Refuses what the caller's role, projects and name do not allow. `decision` is the one that the command names.
///
/// A decision that the caller may not see is reported as not found.
pub fn admit(
    actor: &Actor,
    projects: &[String],
    command: &Command,
    decision: Option<&Decision>,
) -> Result<(), Refusal> {
    admit_acting(actor, projects, command, decision, |_| false)
}

/// Like [`admit`], when it is known whether the caller acts for an assigned person who is absent.
pub fn admit_acting(
    actor: &Actor,
    projects: &[String],
    command: &Command,
    decision: Option<&Decision>,
    stands_in: impl Fn(&Decision) -> bool,
) -> Result<(), Refusal> {
    let is_asked = |decision: &Decision| match is_asked(decision, actor) {
        Err(_) if stands_in(decision) => Ok(()),
        other => other,
    };
    let hidden = decision.filter(|decision| !may_read(decision, actor, projects));
    if let Some(decision) = hidden {
        return Err(Refusal::NotFound { what: "decision", id: decision.id.to_string() });
    }
    match command {
        Command::Create(new) => {
            in_project(actor, projects, new.project())?;
            may_ask(actor, new)
        }
        Command::Answer { .. } | Command::Attend { .. } | Command::Draft { .. } => {
            decision.map_or(Ok(()), is_asked)
        }
        Command::Cancel { .. } => match decision {
            Some(decision) if !is_own(decision, actor) && actor.role == Some(Role::Person) => {
                is_asked(decision)
            }
            _ => Ok(()),
        },
        // Ownership is checked where these are decided; a deadline belongs to no caller.
        Command::Revise { .. }
        | Command::Consume { .. }
        | Command::Expire { .. }
        | Command::Escalate { .. }
        | Command::Remark { .. }
        | Command::ClearVotes { .. } => Ok(()),
        Command::Absence { person, .. } => people::may_say_absent(actor, projects, person),
        Command::Prune { .. } => administers(actor, "what is pruned"),
        Command::CreateItem { project, .. } => in_project(actor, projects, project),
        Command::CreateThread(new) => in_project(actor, projects, new.project()),
        Command::Post(post) => in_project(actor, projects, &post.project),
        Command::EndOwner { project, .. } => {
            in_project(actor, projects, project)?;
            administers(actor, "what is deleted")
        }
        Command::Job { project, command, .. } => {
            in_project(actor, projects, project)?;
            job::admit(actor, projects, command)
        }
        Command::UpdateProject { name, .. } => {
            in_project(actor, projects, name)?;
            administers(actor, "a project's settings")
        }
        Command::Rule { project, .. } => {
            in_project(actor, projects, project)?;
            rule::may_manage(actor)
        }
        Command::Policy { project, .. } => {
            in_project(actor, projects, project)?;
            administers(actor, "a project's policies")
        }
        Command::Run { project, command, .. } => {
            in_project(actor, projects, project)?;
            run::admit(actor, projects, command)
        }
        // The password or the link has been checked before this command is sent.
        Command::SignIn { .. } | Command::LinkAccount { .. } if actor.auth == Auth::System => Ok(()),
        Command::SetNotify { name, .. } => credential::may_set_notify(actor, projects, name),
        Command::SignIn { .. }
        | Command::LinkAccount { .. }
        | Command::CreateToken { .. }
        | Command::RevokeToken { .. }
        | Command::PutPerson { .. }
        | Command::RemovePerson { .. }
        | Command::SetAuth { .. }
        | Command::Group { .. }
        | Command::Log(_) => {
            administers(actor, "tokens, people and authentication")?;
            // Otherwise an admin of one project could create an admin of all projects.
            if actor.role.is_some() && !projects.is_empty() {
                return forbid("only an admin of all projects manages tokens, people and authentication");
            }
            Ok(())
        }
    }
}

/// Refuses an actor that may not join the thread that a command names. A thread it may not see is reported as not
/// found.
pub fn admit_to_thread(
    actor: &Actor,
    projects: &[String],
    command: &Command,
    thread: Option<&Thread>,
) -> Result<(), Refusal> {
    let about_it = match command {
        Command::Create(_) | Command::Post(_) | Command::EndOwner { .. } => thread,
        // Opening a thread again under the same key: whether it is the same thread is checked where that is decided.
        _ => None,
    };
    match about_it.filter(|thread| !may_join(thread, actor, projects)) {
        Some(thread) => Err(Refusal::NotFound { what: "thread", id: thread.id.clone() }),
        None => Ok(()),
    }
}

/// Where people are assigned, others may only read; an admin may step in.
fn is_asked(decision: &Decision, actor: &Actor) -> Result<(), Refusal> {
    // Whose votes count is checked when they are cast.
    if decision.is_for_anyone() || decision.needs.as_ref().is_some_and(|needs| !needs.from.is_empty()) {
        return Ok(());
    }
    let mut people = decision.assignees.iter().filter(|who| !who.starts_with(AGENT)).peekable();
    if actor.role == Some(Role::Person) && people.peek().is_some() && !people.any(|who| *who == actor.by) {
        return forbid("only the people who were asked, or an admin, can settle this");
    }
    Ok(())
}

fn in_project(actor: &Actor, projects: &[String], project: &str) -> Result<(), Refusal> {
    if may_write_project(actor, projects, project) {
        Ok(())
    } else {
        Err(Refusal::Forbidden(format!("this credential is not for project {:?}", inert_line(project))))
    }
}

/// Limits what an agent may ask: it cannot report a job as dead, nor act on a job that does not have its name.
pub(crate) fn may_ask(actor: &Actor, new: &New) -> Result<(), Refusal> {
    if actor.role != Some(Role::Agent) {
        return Ok(());
    }
    // An agent may report that its own session is idle.
    let own_session = new.owner.as_ref().is_none_or(|owner| owner.kind == OwnerKind::Thread);
    if let Some(source @ (Source::Gate | Source::Idle | Source::Dead | Source::Error | Source::Verdict)) =
        new.source.filter(|source| !(own_session && *source == Source::Idle))
    {
        let name = source.name();
        return Err(Refusal::Forbidden(format!(
            "an agent cannot ask with source {name}; its supervisor does"
        )));
    }
    match &new.owner {
        Some(owner)
            if matches!(owner.kind, OwnerKind::Job | OwnerKind::Crew | OwnerKind::Run)
                && owner.id != actor.by =>
        {
            let (owner, by) = (inert_line(&owner.to_string()), inert_line(&actor.by));
            Err(Refusal::Forbidden(format!(
                "use a token with the name of {owner:?}: {by:?} is another agent"
            )))
        }
        _ => Ok(()),
    }
}
