//! Threads, in the form in which agents of different parties send them: participants, messages, and their effects.
//!
//! [`ThreadOpening`] and [`MessageBody`] read what is sent, in all common forms; [`actions`] returns the effects of a message on
//! the decisions of its thread; [`question_parts`] and [`replied`] write Holdpoint's own messages.

mod actions;
mod part;
mod send;
mod show;
mod spoken;

pub use actions::{DecisionScope, Forms, MessageContext, actions, finds, forms, looks_back};
pub use part::{Part, recognise};
pub use send::{question_parts, replied};
pub use show::{ReadablePart, show, show_message};
pub use spoken::{MessageBody, ThreadOpening};

use holdpoint_core::thread::{Participant, Thread};

use super::family::{Capability, family};

/// Returns the participants other than the speaker.
fn others<'a>(thread: &'a Thread, speaker: &'a str) -> impl Iterator<Item = &'a Participant> {
    thread.actors.iter().filter(move |actor| actor.id != speaker)
}

/// Returns whether a participant has declared a capability, under any of its addresses.
fn declares(actor: &Participant, capability: Capability) -> bool {
    actor
        .capabilities
        .iter()
        .any(|address| family(address).is_some_and(|family| family.capability == capability))
}

/// Returns the participants that should understand a capability, if none does. If there is no other participant,
/// Holdpoint takes the message and replies in the same protocol: then the speaker must understand it, if they declared
/// any capabilities.
fn not_understood_by(thread: &Thread, speaker: &str, capability: Capability) -> Option<Vec<String>> {
    let mut listening = others(thread, speaker).peekable();
    if listening.peek().is_none() {
        let only = thread.actor(speaker).filter(|actor| !actor.capabilities.is_empty())?;
        return (!declares(only, capability)).then(|| vec![only.id.clone()]);
    }
    listening.map(|actor| (!declares(actor, capability)).then(|| actor.id.clone())).collect()
}
