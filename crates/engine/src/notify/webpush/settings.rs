//! Web Push in the settings.

use std::collections::BTreeMap;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_protocols::channel::DetailLevel;
use holdpoint_store::Route;
use serde::Deserialize;

use crate::notify::address;
use crate::notify::channel_settings::{check_common, followed_routes};

/// Web Push in the settings.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The contact for operators of push services: `mailto:` and an address, or an `https://` page.
    pub contact: String,
    /// Who is notified of decisions without assignees.
    #[serde(default)]
    pub tell: Vec<String>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How much a notification shows.
    #[serde(default)]
    pub show: DetailLevel,
    /// How much it shows in some projects.
    #[serde(default)]
    pub show_in: BTreeMap<String, DetailLevel>,
    /// Whether a push service may have a private address, and be spoken to without TLS.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one notification may take.
    #[serde(default = "crate::notify::channel_settings::ten_seconds")]
    pub timeout: Span,
}

impl Settings {
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        let mail = self.contact.strip_prefix("mailto:").is_some_and(|mail| mail.contains('@'));
        let page = self.contact.starts_with("https://") && address::read(&self.contact).is_ok();
        let plain = self.contact.len() <= 200 && self.contact.chars().all(|c| c.is_ascii_graphic());
        if !(plain && (mail || page)) {
            return Err("contact must be mailto:NAME@HOST or an https:// page".into());
        }
        check_common(&[Occasion::Create], self.timeout)
    }

    pub(in crate::notify) fn routes(&self) -> Vec<Route> {
        followed_routes(Lane::Webpush, &self.tell, &self.projects)
    }
}
