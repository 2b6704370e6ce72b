//! The speaker in a thread: the name used there, and whether it is the sender's own.

use super::{Participant, SELF, Side, Thread};
use crate::actor::{Actor, Role};
use crate::refusal::{FieldError, Refusal};
use crate::text::{check_name, quote};

/// Returns the speaker's name: the claimed one, else the actor's own.
pub(super) fn speaker(thread: &Thread, actor: &Actor, claimed: Option<&str>) -> String {
    claimed.map_or_else(|| own_name(thread, actor), str::to_owned)
}

/// Refuses a name that is invalid, that is Holdpoint's, or that belongs to another participant.
pub(super) fn check(thread: &Thread, actor: &Actor, claimed: Option<&str>) -> Result<(), Refusal> {
    let name = speaker(thread, actor, claimed);
    let unfit = check_name(&name).err();
    let ours = || is_self(&name).then(|| "is Holdpoint's own name; choose another name".to_owned());
    if let Some(why) = unfit.or_else(ours) {
        return Err(Refusal::Invalid(vec![FieldError::new("actor", format!("{} {why}", quote(&name)))]));
    }
    // Where senders are not checked, a name is only a label, and is shown beside the real sender.
    if !actor.auth.is_checked() || name == actor.by || name == own_name(thread, actor) {
        return Ok(());
    }
    let (by, own) = (quote(&actor.by), quote(&own_name(thread, actor)));
    Err(Refusal::Forbidden(format!(
        "{by} cannot speak as {} here; leave the actor out, or say {own}",
        quote(&name)
    )))
}

/// Returns whether a name is Holdpoint's own, or would be read as it.
pub(super) fn is_self(name: &str) -> bool {
    name.eq_ignore_ascii_case(SELF)
}

/// Returns an actor's own name: theirs if it is among the participants, else, for the actor who opened the thread, the
/// first participant.
pub(super) fn own_name(thread: &Thread, actor: &Actor) -> String {
    let opened = opened_by(thread, actor);
    let first = || thread.actors.first().filter(|_| opened);
    named(thread, actor).or_else(first).map_or_else(|| actor.by.clone(), |participant| participant.id.clone())
}

fn named<'a>(thread: &'a Thread, actor: &Actor) -> Option<&'a Participant> {
    let as_agent = || {
        let agent = actor.role == Some(Role::Agent);
        thread.actor(&format!("agent:{}", actor.by)).filter(|_| agent)
    };
    thread.actor(&actor.by).or_else(as_agent)
}

pub(super) fn opened_by(thread: &Thread, actor: &Actor) -> bool {
    match &actor.credential {
        Some(_) => actor.credential == thread.created_with,
        None => thread.created_with.is_none() && thread.created_by == actor.by,
    }
}

/// Returns the side of a message: only the creator of the thread speaks as the user, whatever the message claims. Where
/// senders are not checked, the creator is the first participant.
pub(super) fn side(thread: &Thread, actor: &Actor, said: Option<Side>, speaker: &str) -> Side {
    let user = match (&actor.credential, thread.actors.first()) {
        (None, Some(first)) => first.id == speaker,
        _ => opened_by(thread, actor),
    };
    match said {
        Some(Side::Assistant) if actor.credential.is_none() => Side::Assistant,
        _ if user => Side::User,
        _ => Side::Assistant,
    }
}
