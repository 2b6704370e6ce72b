//! Tokens, people, sessions and used links in the embedded store.

mod inspect;
mod load;
pub(super) mod read;
mod save;
pub(super) mod session;

pub(super) use inspect::inspect;
pub(super) use load::{auth_required, authors, needs};
pub(super) use save::save;
