//! Web Push: a notification in each browser in which a person turned them on, which goes away with the decision.

#[cfg(feature = "notify")]
mod browsers;
#[cfg(feature = "notify")]
mod channel;
#[cfg(feature = "notify")]
mod encrypt;
#[cfg(feature = "notify")]
mod endpoint;
#[cfg(feature = "notify")]
mod take;
#[cfg(feature = "notify")]
mod vapid;

use std::collections::BTreeMap;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_protocols::channel::Show;
use holdpoint_store::Route;
use serde::Deserialize;

#[cfg(feature = "notify")]
pub use browsers::{NewPushSubscription, PushBrowser, PushKeys, PushState};
#[cfg(feature = "notify")]
pub use take::NoticeAnswer;

use super::{Kind, address, check_common, followed_routes};

pub(crate) const KIND: Kind = Kind {
    check: |settings| {
        settings.webpush.as_ref().map_or(Ok(()), Settings::check).map_err(|why| format!("webpush: {why}"))
    },
    routes: |settings| settings.webpush.as_ref().map(Settings::routes).unwrap_or_default(),
    #[cfg(feature = "notify")]
    open: channel::open,
    #[cfg(not(feature = "notify"))]
    open: super::not_here,
};

/// Web Push in the settings.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Whom the operators of push services may write to: `mailto:` and an address, or an `https://` page.
    pub contact: String,
    /// Who is told of what is assigned to nobody.
    #[serde(default)]
    pub tell: Vec<String>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How much a notification shows.
    #[serde(default)]
    pub show: Show,
    /// How much it shows in some projects.
    #[serde(default)]
    pub show_in: BTreeMap<String, Show>,
    /// Whether a push service may have a private address, and be spoken to without TLS.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one notification may take.
    #[serde(default = "super::ten_seconds")]
    pub timeout: Span,
}

impl Settings {
    fn check(&self) -> std::result::Result<(), String> {
        let mail = self.contact.strip_prefix("mailto:").is_some_and(|mail| mail.contains('@'));
        let page = self.contact.starts_with("https://") && address::read(&self.contact).is_ok();
        let plain = self.contact.len() <= 200 && self.contact.chars().all(|c| c.is_ascii_graphic());
        if !(plain && (mail || page)) {
            return Err("contact must be mailto:NAME@HOST or an https:// page".into());
        }
        check_common(&[Occasion::Create], self.timeout)
    }

    fn routes(&self) -> Vec<Route> {
        followed_routes(Lane::Webpush, &self.tell, &self.projects)
    }
}
