//! Tokens, people, sessions and used links in the shared store.

mod inspect;
mod load;
pub(super) mod read;
mod save;
pub(super) mod session;

pub(super) use inspect::inspect;
pub(super) use load::{CredentialNeeds, load};
pub(super) use save::save;
