//! Who may see and do what. Pure: it is given the caller, the command and the decision, and says yes or why not.
//!
//! [`admit`] is asked in the transaction that decides, before anything else, so that no door can forget it.

use crate::actor::{Actor, Auth, Role};
use crate::command::Command;
use crate::credential;
use crate::decision::New;
use crate::job;
use crate::people;
use crate::permission::Permission;
use crate::refusal::Refusal;
use crate::rule;
use crate::run::{self, Run};
use crate::text::inert_line;
use crate::thread::Thread;
use crate::{Decision, OwnerKind, Source};

/// Returns whether a caller may look at a decision. `projects` are those of the credential; all if empty.
pub fn may_read(decision: &Decision, actor: &Actor, projects: &[String]) -> bool {
    may_write_project(actor, projects, &decision.project)
        && (reads_project(actor) || is_own(decision, actor) || is_assigned(decision, actor))
}

/// Returns whether a caller reads all decisions of its projects, drafts aside: an agent only if it may answer them.
pub fn reads_project(actor: &Actor) -> bool {
    actor.role != Some(Role::Agent) || actor.has(Permission::Answer)
}

/// Returns whether a caller may do anything at all in a project.
pub fn may_write_project(actor: &Actor, projects: &[String], project: &str) -> bool {
    actor.role.is_none() || projects.is_empty() || projects.iter().any(|name| name == project)
}

impl Decision {
    /// Removes what no door shows: the credential it was asked with, and the callback, whose address may be one.
    pub fn conceal(&mut self) {
        self.asked_with = None;
        self.callback = None;
    }

    /// Returns whether it has what no door shows.
    fn conceals(&self) -> bool {
        self.asked_with.is_some() || self.callback.is_some()
    }

    /// Removes what is for people alone: what programs remark, what a rule says, and by which accounts and messages people
    /// answered.
    pub fn keep_from_programs(&mut self) {
        self.remarks.clear();
        if self.rule.is_some() {
            self.subject = None;
        }
        if let Some(answer) = &mut self.answer {
            answer.channel = None;
        }
        self.votes.iter_mut().for_each(|vote| vote.channel = None);
    }

    /// Returns whether there is any of that.
    fn keeps_from_programs(&self) -> bool {
        !self.remarks.is_empty()
            || self.rule.is_some()
            || self.answer.as_ref().is_some_and(|answer| answer.channel.is_some())
            || self.votes.iter().any(|vote| vote.channel.is_some())
    }
}

/// Returns the decision as a caller may see it: what is concealed nobody sees, a draft no agent. Remarks are for people: no
/// program learns from them how to ask. So is by which account of theirs somebody answered.
#[must_use]
pub fn visible_to(mut decision: Decision, actor: &Actor) -> Decision {
    decision.conceal();
    if actor.role == Some(Role::Agent) {
        decision.draft.clear();
    }
    if actor.is_program() {
        decision.keep_from_programs();
    }
    decision
}

/// Returns whether that leaves nothing out.
pub fn shows_whole(decision: &Decision, actor: &Actor) -> bool {
    !decision.conceals()
        && (actor.role != Some(Role::Agent) || decision.draft.is_empty())
        && !(actor.is_program() && decision.keeps_from_programs())
}

/// Returns whether a caller may look at a run and work on it: an agent if it began the run or its task, or is its job's.
pub fn may_work_on(run: &Run, actor: &Actor, projects: &[String]) -> bool {
    may_write_project(actor, projects, &run.project)
        && (actor.role != Some(Role::Agent)
            || run.created_by == actor.by
            || run.task.created_by == actor.by
            // The agent of a job works on what the job attempts.
            || run.job.as_ref() == Some(&actor.by))
}

/// Returns whether a caller may look into a thread and speak there: an agent if it opened it or is named in it.
pub fn may_join(thread: &Thread, actor: &Actor, projects: &[String]) -> bool {
    let named = |by: &str| thread.actor(by).is_some() || thread.actor(&format!("{AGENT}{by}")).is_some();
    let opened = || actor.credential.is_some() && actor.credential == thread.created_with;
    may_write_project(actor, projects, &thread.project)
        && (actor.role != Some(Role::Agent) || opened() || named(&actor.by))
}

/// Refuses an actor that may not join the thread that a command names. What a caller may not see is not found.
pub fn admit_to_thread(
    actor: &Actor,
    projects: &[String],
    command: &Command,
    thread: Option<&Thread>,
) -> Result<(), Refusal> {
    let about_it = match command {
        Command::Create(_) | Command::Post(_) | Command::EndOwner { .. } => thread,
        // Opened again under the same key: whether it is the same is asked where it is decided.
        _ => None,
    };
    match about_it.filter(|thread| !may_join(thread, actor, projects)) {
        Some(thread) => Err(Refusal::NotFound { what: "thread", id: thread.id.clone() }),
        None => Ok(()),
    }
}

/// Refuses what the caller's role, projects and name do not allow. `decision` is the one that the command names.
///
/// What a caller may not see is not found.
pub fn admit(
    actor: &Actor,
    projects: &[String],
    command: &Command,
    decision: Option<&Decision>,
) -> Result<(), Refusal> {
    admit_acting(actor, projects, command, decision, |_| false)
}

/// Does the same where it is known whether the caller acts for somebody who was asked and is away.
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
        // Whose these are is checked where they are decided; a deadline is nobody's.
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
        // Whether the password or the link was right is known where they are checked.
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
            // Otherwise an admin of one project could make one of all.
            if actor.role.is_some() && !projects.is_empty() {
                return forbid("only an admin of all projects manages tokens, people and authentication");
            }
            Ok(())
        }
    }
}

/// Refuses an actor that may not start anything that runs programs as the server: jobs, runs and imports.
pub fn may_start(actor: &Actor, projects: &[String]) -> Result<(), Refusal> {
    match actor.role {
        None => Ok(()),
        Some(Role::Admin) if projects.is_empty() => Ok(()),
        Some(_) if actor.has(Permission::Jobs) => Ok(()),
        Some(_) => forbid(
            "starting jobs, runs and imports takes an admin of all projects, or a token that one has made with the permission \
             jobs (hold token create --allow jobs)",
        ),
    }
}

/// Refuses an actor that has a role other than admin. Local callers have no role.
pub fn administers(actor: &Actor, what: &str) -> Result<(), Refusal> {
    match actor.role {
        None | Some(Role::Admin) => Ok(()),
        Some(Role::Agent | Role::Person) => Err(Refusal::Forbidden(format!("only an admin manages {what}"))),
    }
}

/// Returns whether a caller asked this, by its credential and never by its name.
fn is_own(decision: &Decision, actor: &Actor) -> bool {
    actor.credential.is_some() && actor.credential == decision.asked_with
}

fn is_assigned(decision: &Decision, actor: &Actor) -> bool {
    decision.assignees.iter().any(|who| who.strip_prefix(AGENT) == Some(&actor.by))
}

const AGENT: &str = "agent:";

/// Where people are named, others only look; an admin may step in.
fn is_asked(decision: &Decision, actor: &Actor) -> Result<(), Refusal> {
    // Whose votes count is checked where they are cast.
    if decision.is_for_anyone() || decision.needs.as_ref().is_some_and(|needs| !needs.from.is_empty()) {
        return Ok(());
    }
    let mut people = decision.assignees.iter().filter(|who| !who.starts_with(AGENT)).peekable();
    if actor.role == Some(Role::Person) && people.peek().is_some() && !people.any(|who| *who == actor.by) {
        return forbid("others were asked: only they, or an admin, settle this");
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

/// An agent speaks for itself: it cannot say that a job is dead, nor act on a job that does not have its name.
pub(crate) fn may_ask(actor: &Actor, new: &New) -> Result<(), Refusal> {
    if actor.role != Some(Role::Agent) {
        return Ok(());
    }
    // That its own session has nothing to do, it may say.
    let own_session = new.owner.as_ref().is_none_or(|owner| owner.kind == OwnerKind::Thread);
    if let Some(source @ (Source::Gate | Source::Idle | Source::Dead | Source::Error | Source::Verdict)) =
        new.source.filter(|source| !(own_session && *source == Source::Idle))
    {
        let name = source.name();
        return Err(Refusal::Forbidden(format!(
            "an agent does not ask with source {name}: its supervisor does"
        )));
    }
    match &new.owner {
        Some(owner)
            if matches!(owner.kind, OwnerKind::Job | OwnerKind::Crew | OwnerKind::Run)
                && owner.id != actor.by =>
        {
            let (owner, by) = (inert_line(&owner.to_string()), inert_line(&actor.by));
            Err(Refusal::Forbidden(format!(
                "{owner:?} is not for the agent {by:?}: its token must bear that name"
            )))
        }
        _ => Ok(()),
    }
}

fn forbid(why: &str) -> Result<(), Refusal> {
    Err(Refusal::Forbidden(why.into()))
}
