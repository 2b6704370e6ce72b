//! Webhooks: signed HTTP requests to programs elsewhere, in the form of Standard Webhooks.

#[cfg(feature = "notify")]
mod channel;

use std::fmt;
use std::path::PathBuf;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::Route;
use serde::Deserialize;
use url::Url;

use super::{Kind, address, check_common, check_named, secret};
use crate::settings;

pub(crate) const KIND: Kind = Kind {
    check,
    routes,
    #[cfg(feature = "notify")]
    open: |engine| channel::open(&engine.settings),
    #[cfg(not(feature = "notify"))]
    open: super::not_here,
};

/// A webhook in the settings.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Names it in the outbox and in messages.
    pub name: String,
    /// Where it goes. It may hold a secret, so it is shown nowhere.
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
    #[serde(default = "super::ten_seconds")]
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

fn check(settings: &settings::Settings) -> std::result::Result<(), String> {
    check_named("webhook", &settings.webhook, |entry| &entry.name, Settings::check)
}

impl Settings {
    fn check(&self) -> std::result::Result<(), String> {
        self.url()?;
        secret::check("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
        check_common(&self.occasions, self.timeout)
    }

    fn url(&self) -> std::result::Result<Url, String> {
        address::setting("url", &self.url, self.allow_private)
    }
}

fn routes(settings: &settings::Settings) -> Vec<Route> {
    let of = |webhook: &Settings| {
        let (name, projects) = (webhook.name.clone(), webhook.projects.clone());
        let route = move |occasion: &Occasion| Route {
            projects: projects.clone(),
            ..Route::new(*occasion, Lane::Webhook, name.as_str())
        };
        // Sent late, what is told of an ask would tell of its answer, and that is told already.
        let tells = |occasion: &&Occasion| match webhook.body {
            Body::Decision => true,
            Body::Humanlayer => matches!(occasion, Occasion::Respond | Occasion::Timeout),
        };
        webhook.occasions.iter().filter(tells).map(route).collect::<Vec<_>>()
    };
    settings.webhook.iter().flat_map(of).collect()
}
