//! Threads, as agents of different parties send them: who takes part, what is said, and what that does.
//!
//! [`Opening`] and [`Spoken`] read what is sent, in all the shapes that are about; [`actions`] says what a message does to
//! the decisions of its thread; [`asked`] and [`replied`] word what Holdpoint has to say.

mod actions;
mod part;
mod send;
mod show;
mod spoken;

pub use actions::{Back, Forms, Room, actions, finds, forms, looks_back};
pub use part::{Part, recognise};
pub use send::{asked, replied};
pub use show::{Shown, show, show_message};
pub use spoken::{Opening, Spoken};

use holdpoint_core::thread::{Participant, Thread};

use super::family::{Capability, family};

/// Returns those who listen when someone speaks.
fn others<'a>(thread: &'a Thread, speaker: &'a str) -> impl Iterator<Item = &'a Participant> {
    thread.actors.iter().filter(move |actor| actor.id != speaker)
}

/// Returns whether someone said that they understand a capability, under any of its addresses.
fn declares(actor: &Participant, capability: Capability) -> bool {
    actor
        .capabilities
        .iter()
        .any(|address| family(address).is_some_and(|family| family.capability == capability))
}

/// Returns who should understand and does not, where nobody does. If nobody else is named in the thread, Holdpoint
/// takes what is said and answers in kind: then the speaker must understand it, if they declared capabilities at all.
fn deaf(thread: &Thread, speaker: &str, capability: Capability) -> Option<Vec<String>> {
    let mut listening = others(thread, speaker).peekable();
    if listening.peek().is_none() {
        let only = thread.actor(speaker).filter(|actor| !actor.capabilities.is_empty())?;
        return (!declares(only, capability)).then(|| vec![only.id.clone()]);
    }
    listening.map(|actor| (!declares(actor, capability)).then(|| actor.id.clone())).collect()
}
