//! Webhooks: signed HTTP requests to programs elsewhere, in the form of Standard Webhooks.

#[cfg(feature = "notify")]
pub(super) mod channel;

use std::fmt;
use std::path::PathBuf;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::Route;
use serde::Deserialize;
use url::Url;

use super::channel_settings::check_common;
use super::{address, secret};

/// A webhook in the settings.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its name in the outbox and in messages.
    pub name: String,
    /// Its address. It may contain a secret, so it is never shown.
    url: String,
    secret_env: Option<String>,
    secret_file: Option<PathBuf>,
    /// On which occasions.
    #[serde(default = "all")]
    pub occasions: Vec<Occasion>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// Whether it may go to a private address.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one request may take.
    #[serde(default = "super::channel_settings::ten_seconds")]
    pub timeout: Span,
    /// What is sent.
    #[serde(default)]
    pub body: Body,
}

/// What a webhook sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The event and the decision.
    #[default]
    Decision,
    /// What `HumanLayer` sends once a call is completed, for decisions that its SDKs asked for.
    Humanlayer,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("name", &self.name).finish_non_exhaustive()
    }
}

fn all() -> Vec<Occasion> {
    vec![Occasion::Create, Occasion::Respond, Occasion::Timeout]
}

impl Settings {
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        self.url()?;
        secret::check("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
        check_common(&self.occasions, self.timeout)
    }

    fn url(&self) -> std::result::Result<Url, String> {
        address::setting("url", &self.url, self.allow_private)
    }

    /// Returns which outbox rows are written.
    pub(super) fn routes(&self) -> Vec<Route> {
        let route = |occasion: &Occasion| Route {
            projects: self.projects.clone(),
            ..Route::new(*occasion, Lane::Webhook, self.name.as_str())
        };
        // A late notice of a question would contain its answer, which has its own notice.
        let tells = |occasion: &&Occasion| match self.body {
            Body::Decision => true,
            Body::Humanlayer => matches!(occasion, Occasion::Respond | Occasion::Timeout),
        };
        self.occasions.iter().filter(tells).map(route).collect()
    }
}
