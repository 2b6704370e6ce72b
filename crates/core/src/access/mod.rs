//! Who may see and do what. Pure: takes the caller, the command and the decision, and allows or gives a reason.
//!
//! [`admit`] runs in the transaction that decides, before anything else, so that no entry point can skip it.

mod admit;

use crate::actor::{Actor, Role};
use crate::permission::Permission;
use crate::refusal::Refusal;
use crate::{Decision, Run, Thread};

pub use admit::{admit, admit_acting, admit_to_thread};

pub(crate) use admit::may_ask;

/// Returns whether a caller may read a decision. `projects` are those of the credential; all if empty.
pub fn may_read(decision: &Decision, actor: &Actor, projects: &[String]) -> bool {
    may_write_project(actor, projects, &decision.project)
        && (reads_project(actor) || is_own(decision, actor) || is_assigned(decision, actor))
}

/// Returns whether a caller reads all decisions of its projects, except drafts: an agent only if it may answer them.
pub fn reads_project(actor: &Actor) -> bool {
    actor.role != Some(Role::Agent) || actor.has(Permission::Answer)
}

/// Returns whether a caller may do anything at all in a project.
pub fn may_write_project(actor: &Actor, projects: &[String], project: &str) -> bool {
    actor.role.is_none() || projects.is_empty() || projects.iter().any(|name| name == project)
}

impl Decision {
    /// Removes what no interface shows: the credential it was asked with, and the callback, whose address may be a
    /// secret.
    pub fn conceal(&mut self) {
        self.asked_with = None;
        self.callback = None;
    }

    /// Returns whether the decision has anything that [`Decision::conceal`] removes.
    fn conceals(&self) -> bool {
        self.asked_with.is_some() || self.callback.is_some()
    }

    /// Removes what only people may see: remarks of programs, the subject of a question about a rule, and the accounts
    /// and messages by
    /// which people answered.
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

    /// Returns whether there is anything that [`Decision::keep_from_programs`] removes.
    fn keeps_from_programs(&self) -> bool {
        !self.remarks.is_empty()
            || self.rule.is_some()
            || self.answer.as_ref().is_some_and(|answer| answer.channel.is_some())
            || self.votes.iter().any(|vote| vote.channel.is_some())
    }
}

/// Returns the decision as a caller may see it. Concealed parts are shown to no caller, a draft to no agent. Remarks
/// are for people, so that no program learns from them how to ask; so are the accounts by which people answered.
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

/// Returns whether [`visible_to`] would leave nothing out.
pub fn shows_whole(decision: &Decision, actor: &Actor) -> bool {
    !decision.conceals()
        && (actor.role != Some(Role::Agent) || decision.draft.is_empty())
        && !(actor.is_program() && decision.keeps_from_programs())
}

/// Returns the part of a decision that all who may read it see: what an agent sees.
#[must_use]
pub fn common_part(mut decision: Decision) -> Decision {
    decision.conceal();
    decision.draft.clear();
    decision.keep_from_programs();
    decision
}

/// Returns whether all who may read a decision see the same of it.
pub fn is_common(decision: &Decision) -> bool {
    decision.draft.is_empty() && !decision.keeps_from_programs()
}

/// Returns whether [`visible_to`] would leave a caller nothing but the [`common_part`].
pub fn sees_common_part(decision: &Decision, actor: &Actor) -> bool {
    (actor.role == Some(Role::Agent) || decision.draft.is_empty())
        && (actor.is_program() || !decision.keeps_from_programs())
}

/// Returns whether a caller may read a run and work on it: an agent if it began the run or its task, or is its job's.
pub fn may_work_on(run: &Run, actor: &Actor, projects: &[String]) -> bool {
    may_write_project(actor, projects, &run.project)
        && (actor.role != Some(Role::Agent)
            || run.created_by == actor.by
            || run.task.created_by == actor.by
            // The agent of a job works on what the job attempts.
            || run.job.as_ref() == Some(&actor.by))
}

/// Returns whether a caller may read a thread and post there: an agent if it opened it or is named in it.
pub fn may_join(thread: &Thread, actor: &Actor, projects: &[String]) -> bool {
    let named = |by: &str| thread.actor(by).is_some() || thread.actor(&format!("{AGENT}{by}")).is_some();
    let opened = || actor.credential.is_some() && actor.credential == thread.created_with;
    may_write_project(actor, projects, &thread.project)
        && (actor.role != Some(Role::Agent) || opened() || named(&actor.by))
}

/// Refuses an actor that may not start anything that makes the server run programs: jobs, runs and imports.
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

/// Returns whether a caller asked this decision, judged by its credential and never by its name.
fn is_own(decision: &Decision, actor: &Actor) -> bool {
    actor.credential.is_some() && actor.credential == decision.asked_with
}

fn is_assigned(decision: &Decision, actor: &Actor) -> bool {
    decision.assignees.iter().any(|who| who.strip_prefix(AGENT) == Some(&actor.by))
}

const AGENT: &str = "agent:";

fn forbid(why: &str) -> Result<(), Refusal> {
    Err(Refusal::Forbidden(why.into()))
}
