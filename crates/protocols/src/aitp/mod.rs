//! AITP, by which agents of different parties talk: decisions (02), data requests (03), payments (01), wallets (04, 05).
//!
//! [`validate`] judges a message in two layers. The first agrees with the published schemas on every message, with
//! rules written as tables of our own in `rules/`. The second says what no schema can: ids that stand twice, quotes
//! that have expired, links that are not safe. What is read once is read by [`Message`], which keeps what it does not
//! know.

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
pub use message::{Body, Message, Read};
pub use signature::{Keys, check_signatures};
pub use validate::{Verdict, validate, validate_bytes};
