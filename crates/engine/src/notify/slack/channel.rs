//! The app: sends messages and changes them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Decision, Lane, Person, Status};
use holdpoint_protocols::channel::{Controls, DetailLevel, outcome};
use holdpoint_protocols::slack;
use holdpoint_store::TrackedMessage;
use serde_json::{Value, json};

use super::Settings;
use super::api::{Api, DeliveryResult};
use crate::auth::Links;
use crate::error::{Error, Result};
use crate::notify::channel::DeliveryError;
use crate::notify::channel_settings::as_duration;
use crate::notify::messenger::{self, CombinedDecisions, Messenger, SentMessage, is_same_ask};
use crate::notify::notice::{Notice, SignedLink};
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::rate_limit::{BETWEEN, RateLimiter};
use crate::notify::secret;
use crate::notify::shown::Shown;

/// An app in a workspace.
pub(crate) struct Slack {
    pub(super) api: Api,
    pub(super) shown: Shown,
    pub(super) pace: RateLimiter,
}

impl fmt::Debug for Slack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slack(…)")
    }
}

#[async_trait]
impl Messenger for Slack {
    async fn destination(&self, person: &Person) -> DeliveryResult<Option<String>> {
        Ok(person.accounts.get(Lane::Slack.name()).cloned())
    }

    fn controls(&self, notice: &Notice, links: Option<&Links>) -> DeliveryResult<String> {
        messenger::proven(
            slack::controls(&notice.decision, self.shown.of(&notice.decision), String::new()),
            notice,
            links,
        )
    }

    fn shows_remarks(&self, decision: &Decision) -> bool {
        self.shown.of(decision) >= DetailLevel::Prompt
    }

    async fn send_message(&self, notice: &Notice, sent: &TrackedMessage) -> DeliveryResult<SentMessage> {
        let mut message = self.message(notice, sent);
        // With this the message is found again if its arrival was not reported.
        message["metadata"] =
            json!({ "event_type": "holdpoint_decision", "event_payload": { "id": sent.id.to_string() } });
        self.post(&sent.place, message).await.map(SentMessage::from)
    }

    async fn follow(&self, notice: &Notice, sent: &TrackedMessage) -> DeliveryResult<()> {
        if let Some(id) = sent.message.as_deref().filter(|_| is_same_ask(notice, sent)) {
            let message = self.message(notice, sent);
            if let Some(words) = messenger::votes(&notice.decision) {
                return self.change(sent, message, &words).await;
            }
            return self.update(id, message).await;
        }
        let words = match notice.decision.status {
            Status::Pending => "The question has changed. The card shows the new one.".into(),
            _ => outcome(&notice.decision),
        };
        self.change(sent, self.message(notice, sent), &words).await
    }

    async fn withdraw(&self, sent: &TrackedMessage) -> DeliveryResult<()> {
        let words = "This decision is no longer waiting for you.";
        self.change(sent, json!({ "text": words, "blocks": slack::text_blocks(words) }), words).await
    }

    async fn find(&self, sent: &TrackedMessage) -> DeliveryResult<Option<String>> {
        let channel = self.api.direct(&sent.place).await?;
        let query = [("channel", channel.as_str()), ("limit", "100"), ("include_all_metadata", "true")];
        let history = self.api.get("conversations.history", &query).await?;
        let id = json!(sent.id.to_string());
        let messages = history["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let found = messages.iter().find(|message| message["metadata"]["event_payload"]["id"] == id);
        Ok(found.and_then(|message| message["ts"].as_str()).map(|ts| format!("{channel}/{ts}")))
    }

    fn pace(&self) -> &RateLimiter {
        &self.pace
    }

    async fn gather(
        &self,
        place: &str,
        message: Option<&str>,
        crowd: &CombinedDecisions<'_>,
    ) -> DeliveryResult<String> {
        let (text, blocks) = slack::gathered(crowd.waiting, crowd.inbox);
        let body = json!({ "text": text, "blocks": blocks });
        match message {
            None => self.post(place, body).await,
            Some(message) => self.update(message, body).await.map(|()| message.to_owned()),
        }
    }

    async fn test(&self, place: &str) -> DeliveryResult<()> {
        let words = "This is a test: messages from Holdpoint arrive here.";
        self.pace.first(place).await;
        self.post(place, json!({ "text": words, "blocks": slack::text_blocks(words) })).await.map(drop)
    }
}

impl Slack {
    fn message(&self, notice: &Notice, sent: &TrackedMessage) -> Value {
        let link = notice.link.as_ref().map(SignedLink::reveal);
        let card = link.or(notice.url.as_deref());
        let none = || Controls { nonce: String::new(), buttons: Vec::new() };
        let controls = serde_json::from_str(&sent.controls).unwrap_or_else(|_| none());
        let blocks =
            slack::blocks(&notice.decision, self.shown.of(&notice.decision), card, sent.id, &controls);
        json!({ "text": slack::notification(&notice.decision), "blocks": blocks })
    }

    /// Sends a message to a person, and returns its id.
    async fn post(&self, place: &str, mut message: Value) -> DeliveryResult<String> {
        let channel = self.api.direct(place).await?;
        message["channel"] = json!(channel);
        let told = self.api.call("chat.postMessage", &quiet(message)).await?;
        let ts = told["ts"].as_str().ok_or_else(|| DeliveryError::later("Slack named no message"))?;
        Ok(format!("{}/{ts}", told["channel"].as_str().unwrap_or(&channel)))
    }

    /// Changes a message; one that cannot be changed any more gets a short reply.
    async fn change(&self, sent: &TrackedMessage, message: Value, words: &str) -> DeliveryResult<()> {
        let Some(id) = sent.message.as_deref() else { return Ok(()) };
        match self.update(id, message).await {
            Err(DeliveryError::Never { .. }) => {
                let thread = id.split_once('/').map(|(_, ts)| ts);
                let reply = json!({ "text": slack::escaped(words), "blocks": slack::text_blocks(words), "thread_ts": thread });
                self.pace.turn(&sent.place).await;
                self.post(&sent.place, reply).await.map(drop)
            }
            done => done,
        }
    }

    pub(super) async fn update(&self, id: &str, mut message: Value) -> DeliveryResult<()> {
        let (channel, ts) =
            id.split_once('/').ok_or_else(|| DeliveryError::never("the message has no channel"))?;
        message["channel"] = json!(channel);
        message["ts"] = json!(ts);
        self.api.call("chat.update", &quiet(message)).await.map(drop)
    }
}

/// Keeps Slack from interpreting a message: no names, no markup, no previews.
pub(super) fn quiet(mut message: Value) -> Value {
    for (name, value) in [
        ("parse", json!("none")),
        ("link_names", json!(false)),
        ("mrkdwn", json!(false)),
        ("unfurl_links", json!(false)),
        ("unfurl_media", json!(false)),
    ] {
        message[name] = value;
    }
    message
}

impl Settings {
    fn open(&self, projects: &BTreeMap<String, DetailLevel>) -> std::result::Result<Slack, String> {
        let bot = secret::read("bot_token", self.bot_token_env.as_deref(), self.bot_token_file.as_deref())?;
        let app = secret::read("app_token", self.app_token_env.as_deref(), self.app_token_file.as_deref())?;
        for (name, token, start) in [("bot_token", &bot, "xoxb-"), ("app_token", &app, "xapp-")] {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
            if !token.reveal().starts_with(start) || !token.reveal().chars().all(plain) {
                return Err(format!("the {name} is not one that starts with {start}"));
            }
        }
        let api = Api::new(self.server()?, bot, app, as_duration(self.timeout), self.allow_private)?;
        Ok(Slack { api, shown: Shown::new(self.show, projects), pace: RateLimiter::of_messengers() })
    }
}

/// Makes the app that the settings name, and the channel that it is.
pub(in crate::notify) fn open(
    settings: &Settings,
    projects: &BTreeMap<String, DetailLevel>,
) -> Result<(Arc<Slack>, Outlet)> {
    let app = Arc::new(settings.open(projects).map_err(|why| Error::Settings(format!("slack: {why}")))?);
    let way = ChannelKind::Followed(Arc::clone(&app) as Arc<dyn Messenger>);
    // Messages to one person wait for each other.
    let timeout = as_duration(settings.timeout) * 3 + BETWEEN * 8;
    Ok((app, Outlet { lane: Lane::Slack, target: None, timeout, way }))
}
