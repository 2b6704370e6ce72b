//! The bot: sends messages, changes them, and receives the actions of people.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::{Decision, Lane, Person, Priority, Span, Status};
use holdpoint_protocols::channel::{Controls, DetailLevel, outcome};
use holdpoint_protocols::telegram::{self, TelegramAction};
use holdpoint_store::TrackedMessage;
use serde_json::{Value, json};
use url::Url;

use super::Settings;
use crate::auth::Links;
use crate::error::{Error, Result};
use crate::notify::channel::DeliveryError;
use crate::notify::channel_settings::as_duration;
use crate::notify::excerpt::excerpt;
use crate::notify::http::{self, unreached};
use crate::notify::messenger::{self, CombinedDecisions, Messenger, SentMessage, is_same_ask};
use crate::notify::notice::{Notice, SignedLink};
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::rate_limit::{BETWEEN, RateLimiter};
use crate::notify::reply;
use crate::notify::secret::{self, SecretValue};
use crate::notify::shown::Shown;

/// How much of an answer is read.
const MOST_BYTES: usize = 4 << 20;

type DeliveryResult<T> = std::result::Result<T, DeliveryError>;

/// A bot.
pub(crate) struct Telegram {
    http: reqwest::Client,
    server: Url,
    token: SecretValue,
    shown: Shown,
    pace: RateLimiter,
}

impl fmt::Debug for Telegram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Telegram(…)")
    }
}

#[async_trait]
impl Messenger for Telegram {
    async fn destination(&self, person: &Person) -> DeliveryResult<Option<String>> {
        Ok(person.accounts.get(Lane::Telegram.name()).cloned())
    }

    fn controls(&self, notice: &Notice, links: Option<&Links>) -> DeliveryResult<String> {
        messenger::proven(
            telegram::controls(&notice.decision, self.shown.of(&notice.decision), String::new()),
            notice,
            links,
        )
    }

    fn shows_remarks(&self, decision: &Decision) -> bool {
        self.shown.of(decision) >= DetailLevel::Prompt
    }

    async fn send_message(&self, notice: &Notice, sent: &TrackedMessage) -> DeliveryResult<SentMessage> {
        let mut message = self.message(notice, sent);
        message["disable_notification"] = json!(notice.decision.priority == Priority::Low);
        self.post(&message).await.map(SentMessage::from)
    }

    async fn follow(&self, notice: &Notice, sent: &TrackedMessage) -> DeliveryResult<()> {
        if is_same_ask(notice, sent) {
            let message = self.message(notice, sent);
            return match messenger::votes(&notice.decision) {
                Some(words) => self.change(sent, message, &words).await,
                None => self.edit_of(sent, message).await,
            };
        }
        let words = match notice.decision.status {
            Status::Pending => "The question has changed. The card shows the new one.".into(),
            _ => outcome(&notice.decision),
        };
        self.change(sent, self.message(notice, sent), &words).await
    }

    async fn withdraw(&self, sent: &TrackedMessage) -> DeliveryResult<()> {
        let words = "This decision is no longer waiting for you.";
        self.change(sent, json!({ "chat_id": sent.place, "text": words }), words).await
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
        let mut body = json!({
            "chat_id": place,
            "text": telegram::gathered(crowd.waiting, crowd.inbox),
            "parse_mode": "HTML",
            "link_preview_options": { "is_disabled": true },
        });
        let Some(id) = message else { return self.post(&body).await };
        body["message_id"] = json!(id.parse::<i64>().ok());
        self.edit(&body).await.map(|()| id.to_owned())
    }

    async fn test(&self, place: &str) -> DeliveryResult<()> {
        self.say(place, "This is a test: messages from Holdpoint arrive here.", None).await
    }
}

impl Telegram {
    /// Waits for actions of people, at most this long, from a position on.
    pub(super) async fn poll_updates(
        &self,
        from: i64,
        wait: Duration,
    ) -> DeliveryResult<Vec<TelegramAction>> {
        let body = json!({
            "offset": from, "timeout": wait.as_secs(), "allowed_updates": ["message", "callback_query"],
        });
        let updates = self.call_within("getUpdates", &body, Some(wait + Duration::from_secs(10))).await?;
        let updates = updates.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(updates.iter().filter_map(telegram::read_update).collect())
    }

    /// Sends a text, optionally in reply to a message.
    pub(super) async fn say(&self, place: &str, words: &str, reply_to: Option<&str>) -> DeliveryResult<()> {
        self.ask(place, words, reply_to, None).await
    }

    /// Sends a text with buttons.
    pub(super) async fn ask(
        &self,
        place: &str,
        words: &str,
        reply_to: Option<&str>,
        keyboard: Option<&Value>,
    ) -> DeliveryResult<()> {
        let mut message = json!({
            "chat_id": place, "text": excerpt(words, 1_000), "link_preview_options": { "is_disabled": true },
        });
        if let Some(reply_to) = reply_to.and_then(|id| id.parse::<i64>().ok()) {
            message["reply_parameters"] =
                json!({ "message_id": reply_to, "allow_sending_without_reply": true });
        }
        if let Some(keyboard) = keyboard {
            message["reply_markup"] = keyboard.clone();
        }
        self.pace.first(place).await;
        self.call("sendMessage", &message).await.map(drop)
    }

    /// Replaces a message of the bot with a text without buttons.
    pub(super) async fn replace(&self, place: &str, message: &str, words: &str) -> DeliveryResult<()> {
        let message = message.parse::<i64>().ok();
        let body = json!({ "chat_id": place, "message_id": message, "text": excerpt(words, 1_000) });
        self.pace.first(place).await;
        self.call("editMessageText", &body).await.map(drop)
    }

    /// Tells the person who tapped the result.
    pub(super) async fn answer_tap(&self, id: &str, words: &str) -> DeliveryResult<()> {
        let body = json!({ "callback_query_id": id, "text": excerpt(words, 190), "show_alert": true });
        self.call("answerCallbackQuery", &body).await.map(drop)
    }

    /// Gives a message other buttons.
    pub(super) async fn set_keyboard(&self, sent: &TrackedMessage, keyboard: &Value) -> DeliveryResult<()> {
        let id = sent.message.as_deref().and_then(|id| id.parse::<i64>().ok());
        let body = json!({ "chat_id": sent.place, "message_id": id, "reply_markup": keyboard });
        match self.call("editMessageReplyMarkup", &body).await {
            Err(DeliveryError::Never { why }) if why.contains("not modified") => Ok(()),
            done => done.map(drop),
        }
    }

    fn message(&self, notice: &Notice, sent: &TrackedMessage) -> Value {
        let link = notice.link.as_ref().map(SignedLink::reveal);
        let text =
            telegram::text(&notice.decision, self.shown.of(&notice.decision), link.or(notice.url.as_deref()));
        let none = || Controls { nonce: String::new(), buttons: Vec::new() };
        let controls = serde_json::from_str(&sent.controls).unwrap_or_else(|_| none());
        json!({
            "chat_id": sent.place,
            "text": text,
            "parse_mode": "HTML",
            "link_preview_options": { "is_disabled": true },
            "reply_markup": telegram::keyboard(sent.id, &controls),
        })
    }

    /// Changes a message; one that cannot be changed any more gets a short reply.
    async fn change(&self, sent: &TrackedMessage, message: Value, words: &str) -> DeliveryResult<()> {
        match self.edit_of(sent, message).await {
            Err(DeliveryError::Never { .. }) => self.say(&sent.place, words, sent.message.as_deref()).await,
            done => done,
        }
    }

    async fn edit_of(&self, sent: &TrackedMessage, mut message: Value) -> DeliveryResult<()> {
        message["message_id"] = json!(sent.message.as_deref().and_then(|id| id.parse::<i64>().ok()));
        self.edit(&message).await
    }

    async fn edit(&self, message: &Value) -> DeliveryResult<()> {
        match self.call("editMessageText", message).await {
            Err(DeliveryError::Never { why }) if why.contains("not modified") => Ok(()),
            done => done.map(drop),
        }
    }

    /// Sends a message, and returns its id.
    async fn post(&self, message: &Value) -> DeliveryResult<String> {
        let told = self.call("sendMessage", message).await?;
        let id = told["message_id"].as_i64();
        id.map(|id| id.to_string()).ok_or_else(|| DeliveryError::never("Telegram named no message id"))
    }

    async fn call(&self, method: &str, body: &Value) -> DeliveryResult<Value> {
        self.call_within(method, body, None).await
    }

    async fn call_within(
        &self,
        method: &str,
        body: &Value,
        within: Option<Duration>,
    ) -> DeliveryResult<Value> {
        let server = self.server.as_str().trim_end_matches('/');
        let url = format!("{server}/bot{}/{method}", self.token.reveal());
        let mut request = self.http.post(url).json(body);
        if let Some(within) = within {
            request = request.timeout(within);
        }
        let mut response = request.send().await.map_err(|error| unreached(&error))?;
        let status = response.status().as_u16();
        let mut bytes = Vec::new();
        while bytes.len() < MOST_BYTES
            && let Some(chunk) = response.chunk().await.map_err(|error| unreached(&error))?
        {
            bytes.extend_from_slice(&chunk);
        }
        let mut said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if said["ok"] == true {
            return Ok(said["result"].take());
        }
        let code = said["error_code"].as_u64().unwrap_or(status.into());
        let words = said["description"].as_str().unwrap_or_default();
        let why = format!("Telegram answered {code}: {}", reply::loggable(words, &[self.token.reveal()]));
        let after = said["parameters"]["retry_after"].as_i64().map(Span::from_secs);
        match code {
            // The chat is gone, or the message is wrong; a wrong token is for the operator to fix.
            400 | 403 => Err(DeliveryError::never(why)),
            _ => Err(DeliveryError::Later { why, after }),
        }
    }
}

impl Settings {
    fn open(&self, projects: &BTreeMap<String, DetailLevel>) -> std::result::Result<Telegram, String> {
        let token = secret::read("token", self.token_env.as_deref(), self.token_file.as_deref())?;
        let plain = |c: char| c.is_ascii_alphanumeric() || ":-_".contains(c);
        if !token.reveal().chars().all(plain) {
            return Err("the token is not one of a bot, like 123456:ABC-def".into());
        }
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        let (server, pace) = (self.server()?, RateLimiter::of_messengers());
        Ok(Telegram { http, server, token, shown: Shown::new(self.show, projects), pace })
    }
}

/// Makes the bot that the settings name, and the channel that it is.
pub(in crate::notify) fn open(
    settings: &Settings,
    projects: &BTreeMap<String, DetailLevel>,
) -> Result<(Arc<Telegram>, Outlet)> {
    let bot = Arc::new(settings.open(projects).map_err(|why| Error::Settings(format!("telegram: {why}")))?);
    let way = ChannelKind::Followed(Arc::clone(&bot) as Arc<dyn Messenger>);
    // Messages to one chat wait for each other.
    let timeout = as_duration(settings.timeout) * 2 + BETWEEN * 8;
    Ok((bot, Outlet { lane: Lane::Telegram, target: None, timeout, way }))
}
