//! Notifying people and programs: one small port, one file per channel.
//!
//! A channel gets a [`Notice`] and returns whether it arrived. What is sent, to whom, how often and how long is decided
//! elsewhere: by the outbox row, which was written with the event, and by `drain`, which retries. A `Messenger` also
//! keeps what it sent up to date: `follow` knows which messages there are and what each shows. An answer that a
//! messenger receives is decided like any other.

pub(crate) mod address;
#[cfg(feature = "notify")]
mod answers;
mod audience;
pub mod callback;
mod channel;
mod channel_log;
pub(crate) mod channel_settings;
#[cfg(feature = "notify")]
mod combined_message;
mod command;
#[cfg(feature = "notify")]
mod digest;
mod drain;
mod excerpt;
#[cfg(feature = "notify")]
mod follow;
mod gate;
mod gathering;
#[cfg(feature = "notify")]
mod http;
#[cfg(feature = "notify")]
mod inspect;
pub mod mail;
#[cfg(feature = "notify")]
mod messenger;
mod notice;
mod notices;
pub mod ntfy;
pub mod opinion;
mod outlet;
#[cfg(feature = "notify")]
mod post;
mod preferences;
pub(crate) mod private;
mod probe;
#[cfg(any(feature = "notify", feature = "threads"))]
pub(crate) mod public;
#[cfg(feature = "notify")]
mod rate_limit;
#[cfg(feature = "notify")]
mod reply;
pub(crate) mod routes;
mod secret;
mod send;
#[cfg(feature = "notify")]
mod shown;
pub mod slack;
pub mod telegram;
#[cfg(feature = "notify")]
#[cfg(test)]
mod tests;
#[cfg(feature = "notify")]
mod turns;
pub mod webhook;
pub mod webpush;

pub use audience::{Audience, audience};
pub use channel::{Channel, DeliveryError};
pub use gathering::GatheredNotices;
#[cfg(feature = "notify")]
pub use inspect::{ChannelState, ChannelTested};
pub use notice::{Notice, SignedLink};
pub use notices::OpenChannels;
pub use preferences::NotifyView;
pub use probe::Probe;
