//! Decides every command.

use std::borrow::Cow;

use crate::refusal::Refusal;
use crate::{
    Actor, Command, Event, Project, ProjectChange, Ruling, State, Timestamp, credential, decision, job, log,
    people, rule, run, text, thread,
};

/// Decides a command, and changes nothing.
///
/// An overdue decision counts as timed out, whether or not that has been recorded: no answer is accepted after the
/// deadline. [`Command::Expire`] records it.
pub fn decide(state: &State, actor: &Actor, command: &Command, now: Timestamp) -> Result<Ruling, Refusal> {
    let state = match command {
        // These act on the recorded state, because they record the timeout or remove the decision.
        Command::Expire { .. } | Command::Prune { .. } => Cow::Borrowed(state),
        _ => state.as_of(now),
    };
    let state = state.as_ref();
    let mut ruling = rule(state, actor, command, now)?;
    thread::follow(state, command, &mut ruling);
    Ok(ruling)
}

fn rule(state: &State, actor: &Actor, command: &Command, now: Timestamp) -> Result<Ruling, Refusal> {
    match command {
        Command::Create(new) => decision::create(state, actor, new, now),
        Command::Revise { revision, .. } => decision::revise(state, actor, revision, now),
        Command::Draft { input, .. } => decision::draft(state, actor, input),
        Command::Attend { attention, .. } => decision::attend(state, actor, *attention, now),
        Command::Remark { remark, .. } => decision::remark(state, actor, remark, now),
        Command::Answer { input, .. } => decision::answer(state, actor, input, now),
        Command::Cancel { reason, .. } => decision::cancel(state, actor, reason.as_deref()),
        Command::Consume { subject, required, .. } => {
            decision::consume(state, actor, subject, *required, now)
        }
        Command::Expire { .. } => decision::expire(state, now),
        Command::Escalate { .. } => decision::escalate(state, actor, now),
        Command::ClearVotes { person, .. } => decision::clear_votes(state, actor, person),
        Command::Prune { .. } => decision::prune(state, actor),
        Command::EndOwner { project, owner, deleted } => {
            decision::end_owner(state, actor, project, owner, *deleted)
        }
        Command::CreateItem { project, id, title } => {
            create_item(state, actor, project, id, title.as_deref())
        }
        Command::CreateThread(new) => thread::create(state, actor, new, now),
        Command::Post(post) => thread::post(state, actor, post, now),
        Command::UpdateProject { name, change } => update_project(state, actor, name, change),
        Command::Rule { project, command } => rule::decide(state, actor, project, command, now),
        Command::Policy { project, command } => people::decide_policy(state, actor, project, command, now),
        Command::Group { name, change } => people::decide_group(state, actor, name, change),
        Command::Absence { person, command } => people::decide_absence(state, actor, person, command, now),
        Command::Job { project, owner, command } => job::decide(state, actor, project, owner, command, now),
        Command::Run { project, id, command } => run::decide(state, actor, project, *id, command, now),
        Command::CreateToken { .. }
        | Command::RevokeToken { .. }
        | Command::PutPerson { .. }
        | Command::LinkAccount { .. }
        | Command::SetNotify { .. }
        | Command::RemovePerson { .. }
        | Command::SignIn { .. }
        | Command::SetAuth { .. } => credential::decide(state, actor, command),
        Command::Log(command) => log::decide(actor, command),
    }
}

fn create_item(
    state: &State,
    actor: &Actor,
    project: &str,
    id: &str,
    title: Option<&str>,
) -> Result<Ruling, Refusal> {
    text::check_name(id)
        .map_err(|why| Refusal::invalid("item", format!("{:?} {why}", text::inert_line(id))))?;
    text::check_name(project).map_err(|why| Refusal::invalid("project", why))?;
    text::check_length(title.unwrap_or_default(), text::MAX_LABEL)
        .map_err(|why| Refusal::invalid("title", why))?;
    if state.knows_item(id) {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::ItemCreated {
        id: id.to_owned(),
        project: project.to_owned(),
        title: title.map(str::to_owned),
        by: actor.by.clone(),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}

fn update_project(
    state: &State,
    actor: &Actor,
    name: &str,
    change: &ProjectChange,
) -> Result<Ruling, Refusal> {
    text::check_name(name)
        .map_err(|why| Refusal::invalid("project", format!("{:?} {why}", text::inert_line(name))))?;
    if *change == ProjectChange::default() {
        return Err(Refusal::invalid("project", "say what to change: min_timeout, verdicts or both"));
    }
    if change.min_timeout.is_some_and(|span| span.as_millis() < 0) {
        return Err(Refusal::invalid("min_timeout", "must not be negative"));
    }
    let Project { min_timeout, verdicts, .. } = state.project.changed(change);
    if state.project.min_timeout == min_timeout && state.project.verdicts == verdicts {
        return Ok(Ruling { replayed: true, ..Ruling::default() });
    }
    let event = Event::ProjectUpdated {
        id: name.to_owned(),
        project: name.to_owned(),
        min_timeout,
        verdicts,
        by: actor.by.clone(),
    };
    Ok(Ruling { events: vec![event], ..Ruling::default() })
}
