//! Webhooks: signed HTTP requests to programs elsewhere, in the form of Standard Webhooks.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::Route;
use reqwest::Url;
use serde::Deserialize;

use super::http::{self, literal};
use super::post::{Address, Proof, post};
use super::{
    Channel, Kind, Notice, Outlet, Trouble, Way, as_duration, check_common, check_named, private, secret,
};
use crate::error::{Error, Result};
use crate::settings;

pub(crate) const KIND: Kind = Kind { check, routes, open };

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
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook").field("name", &self.name).finish_non_exhaustive()
    }
}

fn all() -> Vec<Occasion> {
    vec![Occasion::Create, Occasion::Respond, Occasion::Timeout]
}

/// Sends notices to one address.
struct Webhook {
    http: reqwest::Client,
    url: Url,
    proof: Proof,
    allow_private: bool,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Webhook(…)")
    }
}

#[async_trait]
impl Channel for Webhook {
    async fn send(&self, notice: &Notice) -> std::result::Result<(), Trouble> {
        let to = Address { http: &self.http, url: &self.url, allow_private: self.allow_private };
        post(to, Some(&self.proof), notice.id, notice.at, notice.body().to_string()).await
    }
}

fn check(settings: &settings::Settings) -> std::result::Result<(), String> {
    check_named("webhook", &settings.webhook, |entry| &entry.name, Settings::check)
}

impl Settings {
    fn check(&self) -> std::result::Result<(), String> {
        let url = self.url()?;
        if !self.allow_private {
            private::check_all(literal(&url).into_iter()).map_err(|why| format!("url: {why}"))?;
        }
        secret::check("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
        check_common(&self.occasions, self.timeout)
    }

    fn url(&self) -> std::result::Result<Url, String> {
        http::address(&self.url).map_err(|why| format!("url {why}"))
    }

    fn open(&self) -> std::result::Result<Webhook, String> {
        let secret = secret::read("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
        let proof = Proof::signature(secret.reveal())?;
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        Ok(Webhook { http, url: self.url()?, proof, allow_private: self.allow_private })
    }
}

fn routes(settings: &settings::Settings) -> Vec<Route> {
    let of = |webhook: &Settings| {
        let (name, projects) = (webhook.name.clone(), webhook.projects.clone());
        let route = move |occasion: &Occasion| Route {
            projects: projects.clone(),
            ..Route::new(*occasion, Lane::Webhook, name.as_str())
        };
        webhook.occasions.iter().map(route).collect::<Vec<_>>()
    };
    settings.webhook.iter().flat_map(of).collect()
}

fn open(settings: &settings::Settings) -> Result<Vec<Outlet>> {
    let open = |webhook: &Settings| {
        let channel =
            webhook.open().map_err(|why| Error::Settings(format!("webhook {:?}: {why}", webhook.name)))?;
        Ok(Outlet {
            lane: Lane::Webhook,
            target: Some(webhook.name.clone()),
            timeout: as_duration(webhook.timeout),
            way: Way::Once(Arc::new(channel)),
        })
    };
    settings.webhook.iter().map(open).collect()
}
