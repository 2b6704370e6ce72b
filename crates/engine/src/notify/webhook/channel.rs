//! Sends webhooks.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::Lane;
use holdpoint_protocols::humanlayer;
use url::Url;

use super::{Body, Settings};
use crate::error::{Error, Result};
use crate::notify::channel::{Channel, DeliveryError};
use crate::notify::channel_settings::as_duration;
use crate::notify::notice::Notice;
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::post::{RequestProof, RequestTarget, post};
use crate::notify::probe::Probe;
use crate::notify::{http, secret};

/// Sends notices to one address.
struct Webhook {
    name: String,
    http: reqwest::Client,
    url: Url,
    proof: RequestProof,
    allow_private: bool,
    body: Body,
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Webhook(…)")
    }
}

#[async_trait]
impl Channel for Webhook {
    async fn send(&self, notice: &Notice) -> std::result::Result<(), DeliveryError> {
        let body = match self.body {
            Body::Decision => notice.body(),
            Body::Humanlayer => match humanlayer::webhook(&notice.decision) {
                Some(body) => body,
                // It is not a call of HumanLayer's, or not completed: its receivers have no message for that.
                None => return Ok(()),
            },
        };
        post(self.address(), Some(&self.proof), notice.id, notice.at, body.to_string()).await
    }

    async fn probe(&self, probe: &Probe<'_>) -> Option<std::result::Result<(), DeliveryError>> {
        if self.name != probe.name {
            return None;
        }
        Some(post(self.address(), Some(&self.proof), probe.id, probe.at, probe.body().to_string()).await)
    }
}

impl Webhook {
    fn address(&self) -> RequestTarget<'_> {
        RequestTarget { http: &self.http, url: &self.url, allow_private: self.allow_private }
    }
}

impl Settings {
    fn open(&self) -> std::result::Result<Webhook, String> {
        let secret = secret::read("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
        let proof = RequestProof::signature(secret.reveal())?;
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        Ok(Webhook {
            name: self.name.clone(),
            http,
            url: self.url()?,
            proof,
            allow_private: self.allow_private,
            body: self.body,
        })
    }
}

pub(in crate::notify) fn open(settings: &Settings) -> Result<Outlet> {
    let channel =
        settings.open().map_err(|why| Error::Settings(format!("webhook {:?}: {why}", settings.name)))?;
    Ok(Outlet {
        lane: Lane::Webhook,
        target: Some(settings.name.clone()),
        timeout: as_duration(settings.timeout),
        way: ChannelKind::Once(Arc::new(channel)),
    })
}
