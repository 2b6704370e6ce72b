//! Telegram: a message to each person who linked an account, with buttons, which changes with the decision.

#[cfg(feature = "notify")]
pub(super) mod channel;
#[cfg(feature = "notify")]
mod listen;
#[cfg(feature = "notify")]
mod strangers;
#[cfg(feature = "notify")]
mod words;

use std::fmt;
use std::path::PathBuf;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_protocols::channel::DetailLevel;
use holdpoint_store::Route;
use serde::Deserialize;
use url::Url;

use super::channel_settings::{check_common, followed_routes};
use super::{address, secret};

/// Telegram in the settings.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The address of the Bot API.
    #[serde(default = "public_server")]
    server: String,
    token_env: Option<String>,
    token_file: Option<PathBuf>,
    /// Who is notified of decisions without assignees.
    #[serde(default)]
    pub tell: Vec<String>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How much a message shows.
    #[serde(default)]
    pub show: DetailLevel,
    /// Whether the server may have a private address.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one message may take.
    #[serde(default = "super::channel_settings::ten_seconds")]
    pub timeout: Span,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Telegram").field("show", &self.show).finish_non_exhaustive()
    }
}

fn public_server() -> String {
    "https://api.telegram.org".into()
}

impl Settings {
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        self.server()?;
        secret::check("token", self.token_env.as_deref(), self.token_file.as_deref())?;
        check_common(&[Occasion::Create], self.timeout)
    }

    fn server(&self) -> std::result::Result<Url, String> {
        address::setting("server", &self.server, self.allow_private)
    }

    pub(super) fn routes(&self) -> Vec<Route> {
        followed_routes(Lane::Telegram, &self.tell, &self.projects)
    }
}
