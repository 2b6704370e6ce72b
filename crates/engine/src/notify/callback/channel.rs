//! Sends callbacks.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::decision::{Callback, CallbackBody, is_refusal};
use holdpoint_core::{Decision, Lane};
use serde_json::{Value, json};

use super::{SecretUse, Settings};
use crate::error::{Error, Result};
use crate::notify::channel::{Channel, DeliveryError};
use crate::notify::channel_settings::as_duration;
use crate::notify::notice::Notice;
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::post::{RequestProof, RequestTarget, post};
use crate::notify::probe::Probe;
use crate::notify::{address, http, secret};

/// An entry of the settings, ready for sending.
#[derive(Debug)]
struct CallbackEntry {
    settings: Settings,
    http: reqwest::Client,
    proof: Option<RequestProof>,
}

/// All entries of one host, which has its own space in the outbox.
#[derive(Debug)]
struct Host(Vec<CallbackEntry>);

#[async_trait]
impl Channel for Host {
    async fn send(&self, notice: &Notice) -> std::result::Result<(), DeliveryError> {
        let Some(callback) = &notice.callback else {
            return Err(DeliveryError::never("the decision has no callback"));
        };
        let url = address::read(&callback.url).map_err(DeliveryError::never)?;
        let (auth, project) = (callback.auth.as_deref(), notice.decision.project.as_str());
        // The settings may have changed since it was asked.
        let Some(entry) = self.0.iter().find(|entry| entry.settings.takes(&url, auth, project)) else {
            return Err(DeliveryError::never("no [[callback]] in config.toml matches its address now"));
        };
        let proof = entry.proof.as_ref().filter(|_| auth.is_some());
        if auth.is_some() && proof.is_none() {
            return Err(DeliveryError::never("its [[callback]] no longer has a secret"));
        }
        let body = match callback.body {
            CallbackBody::Webhook => notice.body(),
            CallbackBody::Data => json!({ "data": answer(&notice.decision) }),
            CallbackBody::Answer => answer(&notice.decision),
        };
        let to = RequestTarget { http: &entry.http, url: &url, allow_private: entry.settings.allow_private };
        post(to, proof, notice.id, notice.at, body.to_string()).await
    }

    async fn probe(&self, probe: &Probe<'_>) -> Option<std::result::Result<(), DeliveryError>> {
        let entry = self.0.iter().find(|entry| entry.settings.name == probe.name)?;
        let sent = async {
            let url = entry.settings.url().map_err(DeliveryError::never)?;
            let to =
                RequestTarget { http: &entry.http, url: &url, allow_private: entry.settings.allow_private };
            post(to, entry.proof.as_ref(), probe.id, probe.at, probe.body().to_string()).await
        };
        Some(sent.await)
    }
}

/// Describes how a decision ended, with or without an answer: all keys are present, null if empty.
fn answer(decision: &Decision) -> Value {
    let answer = decision.answer.as_ref();
    json!({
        "id": decision.id,
        "status": decision.status,
        "refused": is_refusal(decision),
        "values": answer.map(|answer| &answer.values),
        "out": answer.and_then(|answer| answer.out.as_ref()),
        "message": answer.and_then(|answer| answer.message.as_ref()),
        "by": answer.map(|answer| &answer.by),
        "auth": answer.map(|answer| answer.auth),
        "at": decision.settled_at,
        "reason": decision.reason,
        "superseded_by": decision.superseded_by,
        "metadata": decision.metadata,
    })
}

impl Settings {
    fn open(&self) -> std::result::Result<CallbackEntry, String> {
        let proof = if self.has_secret() {
            let secret = secret::read("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
            Some(match self.secret_as {
                SecretUse::Bearer => RequestProof::bearer(secret.reveal())?,
                SecretUse::Signature => RequestProof::signature(secret.reveal())?,
            })
        } else {
            None
        };
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        Ok(CallbackEntry { settings: self.clone(), http, proof })
    }
}

pub(in crate::notify) fn open(entries: &[Settings]) -> Result<Vec<Outlet>> {
    let mut hosts: BTreeMap<String, Vec<CallbackEntry>> = BTreeMap::new();
    for entry in entries {
        let wrong = |why| Error::Settings(format!("callback {:?}: {why}", entry.name));
        let url = entry.url().map_err(wrong)?;
        let host = Callback { url: url.into(), auth: None, body: CallbackBody::default() };
        hosts.entry(host.host().to_owned()).or_default().push(entry.open().map_err(wrong)?);
    }
    let outlet = |(host, entries): (String, Vec<CallbackEntry>)| {
        let timeout = entries.iter().map(|entry| as_duration(entry.settings.timeout)).max();
        Outlet {
            lane: Lane::Callback,
            target: Some(host),
            timeout: timeout.unwrap_or_default(),
            way: ChannelKind::Once(Arc::new(Host(entries))),
        }
    };
    Ok(hosts.into_iter().map(outlet).collect())
}
