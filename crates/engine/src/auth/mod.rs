//! Who the caller is, and how surely that is known: tokens, passwords, sessions, signed links and the local token.
//!
//! What a caller may do is decided in core, in the transaction; here the caller is only identified. No secret leaves
//! this folder except where it is shown once, and none is in an error, an event or `Debug` output.

#[cfg(feature = "notify")]
mod account;
mod agent;
mod agent_credentials;
mod answer_link;
mod caller;
mod credential;
mod csrf;
pub mod door;
mod link;
mod link_error;
pub mod local;
mod mac;
mod password;
mod person;
mod reading;
mod seal;
mod secret;
mod sent_to;
mod session;
mod token;
mod token_cache;

#[cfg(feature = "notify")]
pub use account::AccountCode;
#[cfg(feature = "notify")]
pub(crate) use account::account_holder;
pub use agent_credentials::{AgentProfile, credentials_of};
pub use answer_link::LinkAnswer;
#[cfg(feature = "notify")]
pub(crate) use answer_link::{replay, unseen_answer};
pub use caller::Caller;
pub use credential::Credential;
pub use csrf::CsrfToken;
pub use link::{Link, Links, OpenedLink};
pub use link_error::LinkError;
pub use password::{MIN_LENGTH as MIN_PASSWORD, Password};
pub use person::NewPerson;
pub use seal::Seal;
pub use secret::Secret;
pub(crate) use secret::random;
pub use session::{PresentedSession, SignedIn};
pub use token::{CreatedToken, NewToken};
pub(crate) use token_cache::TokenCache;
