//! A channel that is open, and which outbox rows go by it.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::Lane;

use super::channel::Channel;
#[cfg(feature = "notify")]
use super::messenger::Messenger;

/// A channel and what it takes.
#[derive(Clone, Debug)]
pub(crate) struct Outlet {
    pub(crate) lane: Lane,
    /// Which target; any of the lane if none.
    pub(crate) target: Option<String>,
    /// How long one sending may take.
    pub(crate) timeout: Duration,
    pub(crate) way: ChannelKind,
}

/// How a channel works.
#[derive(Clone, Debug)]
pub(crate) enum ChannelKind {
    /// What was sent is out of its hands.
    Once(Arc<dyn Channel>),
    /// What was sent is kept up to date.
    #[cfg(feature = "notify")]
    Followed(Arc<dyn Messenger>),
}
