//! Who asks, and how surely that is known: tokens, passwords, sessions, signed links and the local token.
//!
//! What a caller may do is decided in core, in the transaction; here it is only found out who calls. No secret
//! leaves this folder except where it is shown once, and none is in an error, an event or `Debug` output.

#[cfg(feature = "notify")]
mod account;
mod agent;
mod caller;
mod csrf;
pub mod door;
mod kept;
mod link;
pub mod local;
mod mac;
mod password;
mod person;
mod reading;
mod seal;
mod secret;
mod session;
mod take;
mod token;
mod token_cache;

#[cfg(feature = "notify")]
pub use account::AccountCode;
#[cfg(feature = "notify")]
pub(crate) use account::account_holder;
pub use caller::Caller;
pub use csrf::CsrfToken;
pub use kept::Agent;
pub use link::{Link, LinkError, Links, Opened};
pub use password::{MIN_LENGTH as MIN_PASSWORD, Password};
pub use person::NewPerson;
pub use seal::Seal;
pub use secret::Secret;
pub(crate) use secret::random;
pub use session::{Presented, SignedIn};
pub use take::Taken;
#[cfg(feature = "notify")]
pub(crate) use take::{replay, unseen_answer};
pub use token::{CreatedToken, NewToken};
pub use token_cache::Credential;
pub(crate) use token_cache::TokenCache;
