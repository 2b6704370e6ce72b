//! Publishes to ntfy.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Decision, Lane, Person, Timestamp};
use holdpoint_protocols::channel::{DetailLevel, TapAction};
use holdpoint_protocols::ntfy;
use holdpoint_store::TrackedMessage;
use reqwest::StatusCode;
use serde_json::Value;
use url::Url;

use super::Settings;
use crate::auth::random;
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::notify::channel::DeliveryError;
use crate::notify::channel_settings::as_duration;
use crate::notify::http::{self, refused, unreached};
use crate::notify::messenger::{CombinedDecisions, Messenger, SentMessage, is_same_ask};
use crate::notify::notice::Notice;
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::rate_limit::{BETWEEN, RateLimiter};
use crate::notify::secret::{self, SecretValue};
use crate::notify::shown::Shown;

/// Publishes to one server.
struct Ntfy {
    http: reqwest::Client,
    url: Url,
    token: Option<SecretValue>,
    topics: BTreeMap<String, String>,
    shown: Shown,
    pace: RateLimiter,
}

impl fmt::Debug for Ntfy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ntfy(…)")
    }
}

#[async_trait]
impl Messenger for Ntfy {
    async fn destination(&self, person: &Person) -> std::result::Result<Option<String>, DeliveryError> {
        Ok(self.topics.get(&person.name).cloned())
    }

    fn acts(&self, decision: &Decision) -> Vec<TapAction> {
        ntfy::controls(decision).into_iter().map(|control| control.act).collect()
    }

    fn shows_remarks(&self, decision: &Decision) -> bool {
        self.shown.of(decision) >= DetailLevel::Prompt
    }

    async fn send_message(
        &self,
        notice: &Notice,
        sent: &TrackedMessage,
    ) -> std::result::Result<SentMessage, DeliveryError> {
        self.follow(notice, sent).await?;
        Ok(ntfy::sequence(&notice.decision.id.to_string()).into())
    }

    async fn follow(&self, notice: &Notice, sent: &TrackedMessage) -> std::result::Result<(), DeliveryError> {
        // What the topic may not settle, a tap on its message does not either: there the card asks to sign in.
        let link = notice.link.as_ref().filter(|_| !notice.decision.needs_consent());
        let card = link.map(|link| link.reveal().to_owned()).or_else(|| notice.url.clone());
        let acts = notice.acts.iter().map(|link| link.reveal().to_owned()).collect();
        let addresses = ntfy::Addresses { card, acts };
        let mut message =
            ntfy::message(&sent.place, &notice.decision, self.shown.of(&notice.decision), &addresses);
        if sent.message.is_some() && is_same_ask(notice, sent) {
            message["priority"] = ntfy::SILENT.into();
        }
        self.publish(&message, notice.at).await
    }

    async fn withdraw(&self, sent: &TrackedMessage) -> std::result::Result<(), DeliveryError> {
        self.publish(&ntfy::withdrawn(&sent.place, &sent.decision.to_string()), sent.at).await
    }

    fn pace(&self) -> &RateLimiter {
        &self.pace
    }

    async fn gather(
        &self,
        place: &str,
        message: Option<&str>,
        crowd: &CombinedDecisions<'_>,
    ) -> std::result::Result<String, DeliveryError> {
        let id = match message {
            Some(id) => id.to_owned(),
            None => format!("hold-many-{:016x}", u64::from_le_bytes(random()?)),
        };
        let mut many = ntfy::many(place, &id, crowd.waiting, crowd.inbox);
        if message.is_some() {
            many["priority"] = ntfy::SILENT.into();
        }
        self.publish(&many, Clock::System.now()).await.map(|()| id)
    }

    async fn test(&self, place: &str) -> std::result::Result<(), DeliveryError> {
        self.publish(&ntfy::test(place), Clock::System.now()).await
    }
}

impl Ntfy {
    async fn publish(&self, message: &Value, at: Timestamp) -> std::result::Result<(), DeliveryError> {
        let mut request = self.http.post(self.url.clone()).body(message.to_string());
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.reveal());
        }
        match request.send().await {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => {
                // A faulty message stays faulty; a credential is for the operator to fix.
                let wrong = matches!(
                    response.status(),
                    StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::GONE
                );
                let token = self.token.as_ref().map(SecretValue::reveal).unwrap_or_default();
                let topic = message["topic"].as_str().unwrap_or_default();
                match refused(response, at, &[token, topic]).await {
                    DeliveryError::Later { why, .. } if wrong => Err(DeliveryError::never(why)),
                    trouble => Err(trouble),
                }
            }
            Err(error) => Err(unreached(&error)),
        }
    }
}

impl Settings {
    fn open(&self, projects: &BTreeMap<String, DetailLevel>) -> std::result::Result<Ntfy, String> {
        let token = match (&self.token_env, &self.token_file) {
            (None, None) => None,
            (variable, file) => Some(secret::read("token", variable.as_deref(), file.as_deref())?),
        };
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        let (url, topics) = (self.server()?, self.topics.clone());
        Ok(Ntfy {
            http,
            url,
            token,
            topics,
            shown: Shown::new(self.show, projects),
            pace: RateLimiter::default(),
        })
    }
}

pub(in crate::notify) fn open(
    settings: &Settings,
    projects: &BTreeMap<String, DetailLevel>,
) -> Result<Outlet> {
    let messenger = settings.open(projects).map_err(|why| Error::Settings(format!("ntfy: {why}")))?;
    // One row may be a message that goes out and changes at once; messages that stand for many wait for each other.
    let timeout = as_duration(settings.timeout) * 2 + BETWEEN * 8;
    Ok(Outlet { lane: Lane::Ntfy, target: None, timeout, way: ChannelKind::Followed(Arc::new(messenger)) })
}
