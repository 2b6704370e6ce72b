//! AITP, the protocol between agents of different parties: decisions (02), data requests (03), payments (01), wallets
//! (04, 05).
//!
//! [`validate`] checks a message in two layers. The first agrees with the published schemas on every message, with
//! rules written as tables in `rules/`. The second checks what no schema can: duplicate ids, expired quotes, unsafe
//! links. A message is parsed once, into a [`Message`], which keeps unknown members.

pub(crate) mod document;
mod family;
mod finding;
pub mod message;
mod rules;
mod semantic;
mod shape;
mod signature;
pub mod thread;
pub mod translate;
mod validate;

pub use family::{Capability, Family, family};
pub use finding::{Finding, Layer};
pub use message::{Body, Message, ParsedMessage};
pub use signature::{Keys, check_signatures};
pub use validate::{Verdict, validate, validate_bytes};
