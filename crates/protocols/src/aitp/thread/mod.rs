//! Threads, as agents of different parties send them: who takes part, what is said, and what that does.
//!
//! [`Opening`] and [`Spoken`] read what is sent, in all the shapes that are about; [`deeds`] says what a message does to
//! the decisions of its thread; [`asked`] and [`replied`] word what Holdpoint has to say.

mod deeds;
mod part;
mod send;
mod show;
mod spoken;

pub use deeds::{Forms, Room, deeds, forms};
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

/// Returns who listens and does not understand, where nobody does; nothing if nobody else is named in the thread.
fn deaf(thread: &Thread, speaker: &str, capability: Capability) -> Option<Vec<String>> {
    let mut listening = others(thread, speaker).peekable();
    listening.peek()?;
    let names: Option<Vec<String>> =
        listening.map(|actor| (!declares(actor, capability)).then(|| actor.id.clone())).collect();
    names
}
