//! The port of channels, and why a notice did not arrive.

use std::fmt;

use async_trait::async_trait;
use holdpoint_core::{Person, Span};

use super::gathering::GatheredNotices;
use super::notice::Notice;
use super::probe::Probe;

/// A way to tell someone.
#[async_trait]
pub trait Channel: Send + Sync + fmt::Debug {
    /// Sends a notice. One that was sent before may come again, with the same id.
    async fn send(&self, notice: &Notice) -> std::result::Result<(), DeliveryError>;

    /// Sends several notices to one person together.
    async fn gather(&self, _: &GatheredNotices) -> std::result::Result<(), DeliveryError> {
        Err(DeliveryError::never("gathers no notices"))
    }

    /// Sends a person a message that only shows that messages arrive.
    async fn test(&self, _: &Person) -> std::result::Result<(), DeliveryError> {
        Err(DeliveryError::never("has no test message"))
    }

    /// Sends a program such a message, if the settings call it by this name here.
    async fn probe(&self, _: &Probe<'_>) -> Option<std::result::Result<(), DeliveryError>> {
        None
    }
}

/// Why a notice did not arrive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryError {
    /// It may arrive later.
    Later {
        /// What went wrong.
        why: String,
        /// How long the receiver wants to be left alone.
        after: Option<Span>,
    },
    /// It never will.
    Never {
        /// What went wrong.
        why: String,
    },
}

impl DeliveryError {
    pub(crate) fn later(why: impl Into<String>) -> Self {
        Self::Later { why: why.into(), after: None }
    }

    pub(crate) fn never(why: impl Into<String>) -> Self {
        Self::Never { why: why.into() }
    }

    /// Says what went wrong.
    #[cfg(feature = "notify")]
    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Later { why, .. } | Self::Never { why } => why,
        }
    }
}
