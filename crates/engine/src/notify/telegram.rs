//! Telegram: a message to each person who linked an account, with buttons, which changes with the decision.

#[cfg(feature = "notify")]
mod channel;
#[cfg(feature = "notify")]
mod listen;

use std::fmt;
use std::path::PathBuf;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_protocols::channel::Show;
use holdpoint_store::{Route, Target};
use serde::Deserialize;
use url::Url;

use super::address::literal;
use super::{Kind, check_common, private, secret};

pub(crate) const KIND: Kind = Kind {
    check: |settings| {
        settings.telegram.as_ref().map_or(Ok(()), Settings::check).map_err(|why| format!("telegram: {why}"))
    },
    routes: |settings| settings.telegram.as_ref().map(Settings::routes).unwrap_or_default(),
    #[cfg(feature = "notify")]
    open: channel::open,
    #[cfg(not(feature = "notify"))]
    open: super::not_here,
};

/// Telegram in the settings.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The address of the Bot API.
    #[serde(default = "public_server")]
    server: String,
    token_env: Option<String>,
    token_file: Option<PathBuf>,
    /// Who is told of what is assigned to nobody.
    #[serde(default)]
    pub tell: Vec<String>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How much a message shows.
    #[serde(default)]
    pub show: Show,
    /// Whether the server may have a private address.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one message may take.
    #[serde(default = "ten_seconds")]
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

fn ten_seconds() -> Span {
    Span::from_secs(10)
}

impl Settings {
    fn check(&self) -> std::result::Result<(), String> {
        let url = self.url()?;
        if !self.allow_private {
            private::check_all(literal(&url).into_iter()).map_err(|why| format!("server: {why}"))?;
        }
        secret::check("token", self.token_env.as_deref(), self.token_file.as_deref())?;
        check_common(&[Occasion::Create], self.timeout)
    }

    fn url(&self) -> std::result::Result<Url, String> {
        let url = Url::parse(&self.server).map_err(|why| format!("server: {why}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("server must start with https:// or http:// and name a host".into());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("server must hold no name or password".into());
        }
        Ok(url)
    }

    fn routes(&self) -> Vec<Route> {
        let told = Target::EachAssigneeOr(self.tell.clone());
        let route = |target| Route {
            projects: self.projects.clone(),
            ..Route::new(Occasion::Create, Lane::Telegram, target)
        };
        [told, Target::Messages].map(route).into()
    }
}
