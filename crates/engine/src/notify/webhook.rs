//! Webhooks: signed HTTP requests to programs elsewhere, in the form of Standard Webhooks.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::Route;
use reqwest::{Url, header};
use serde::Deserialize;
use sha2::Sha256;

use super::http::{self, literal, refused, unreached};
use super::{Channel, Kind, Notice, Outlet, Trouble, Way, as_duration, check_common, private, secret};
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
    #[serde(default = "ten_seconds")]
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

fn ten_seconds() -> Span {
    Span::from_secs(10)
}

/// Sends notices to one address.
struct Webhook {
    http: reqwest::Client,
    url: Url,
    key: Vec<u8>,
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
        // A name is checked when it is looked up; an address is not looked up.
        if !self.allow_private {
            private::check_all(literal(&self.url).into_iter())
                .map_err(|why| Trouble::never(why.to_string()))?;
        }
        let (id, body) = (notice.id.to_string(), notice.body().to_string());
        let seconds = (notice.at.as_millis() / 1000).to_string();
        let signature = sign(&self.key, &id, &seconds, &body).map_err(Trouble::never)?;
        let request = self.http.post(self.url.clone()).header(header::CONTENT_TYPE, "application/json");
        let request = request.header("webhook-id", id).header("webhook-timestamp", seconds);
        let response = request.header("webhook-signature", signature).body(body).send().await;
        match response {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(refused(response, notice.at).await),
            Err(error) => Err(unreached(&error)),
        }
    }
}

/// Returns `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`.
fn sign(key: &[u8], id: &str, seconds: &str, body: &str) -> std::result::Result<String, String> {
    let mac =
        <Hmac<Sha256> as hmac::Mac>::new_from_slice(key).map_err(|why| format!("cannot sign: {why}"))?;
    let mac = mac.chain_update(format!("{id}.{seconds}.")).chain_update(body);
    Ok(format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
}

fn check(settings: &settings::Settings) -> std::result::Result<(), String> {
    let mut met = std::collections::HashSet::new();
    for webhook in &settings.webhook {
        let name = &webhook.name;
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
            return Err(format!("webhook.name {name:?} must be 1 to 64 letters, digits, - _ or ."));
        }
        if !met.insert(name) {
            return Err(format!("two webhooks are named {name:?}"));
        }
        webhook.check().map_err(|why| format!("webhook {name:?}: {why}"))?;
    }
    Ok(())
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
        let url = Url::parse(&self.url).map_err(|why| format!("url: {why}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("url must start with https:// or http:// and name a host".into());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("url must hold no name or password: requests are signed instead".into());
        }
        Ok(url)
    }

    fn open(&self) -> std::result::Result<Webhook, String> {
        let secret = secret::read("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
        let key = key(secret.reveal())?;
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        Ok(Webhook { http, url: self.url()?, key, allow_private: self.allow_private })
    }
}

/// Returns the key that a secret stands for: what `whsec_` codes in base64, else its own bytes.
fn key(secret: &str) -> std::result::Result<Vec<u8>, String> {
    const SHORTEST: usize = 24;
    let key = match secret.strip_prefix("whsec_") {
        Some(coded) => STANDARD.decode(coded).map_err(|_| "the secret after whsec_ is not base64")?,
        None => secret.as_bytes().to_vec(),
    };
    if key.len() < SHORTEST {
        return Err(format!("the secret has {} bytes; at least {SHORTEST} are needed", key.len()));
    }
    Ok(key)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_standard_webhooks() {
        let key = key("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = sign(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", r#"{"test": 2432232314}"#);
        assert_eq!(signature.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(super::key("whsec_!!").unwrap_err().contains("base64"));
        assert!(!super::key("short-secret").unwrap_err().contains("short-secret"));
    }
}
