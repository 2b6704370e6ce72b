//! Web Push: a notification in each browser where a person turned them on, removed when the decision is settled.

#[cfg(feature = "notify")]
mod browsers;
#[cfg(feature = "notify")]
pub(super) mod channel;
#[cfg(feature = "notify")]
mod encrypt;
#[cfg(feature = "notify")]
mod endpoint;
pub(crate) mod settings;
#[cfg(feature = "notify")]
mod take;
#[cfg(feature = "notify")]
mod vapid;

#[cfg(feature = "notify")]
pub use browsers::{NewPushSubscription, PushBrowser, PushKeys, PushState};
pub use settings::Settings;
#[cfg(feature = "notify")]
pub use take::NoticeAnswer;
