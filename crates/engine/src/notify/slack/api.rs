//! Calls to Slack's Web API.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use holdpoint_core::Span;
use reqwest::{RequestBuilder, header};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use url::Url;

use super::super::address::literal;
use super::super::channel::DeliveryError;
use super::super::http::{self, unreached};
use super::super::secret::SecretValue;
use super::super::{private, reply};

pub(super) type DeliveryResult<T> = std::result::Result<T, DeliveryError>;

/// How much of an answer is read.
const MOST_BYTES: usize = 4 << 20;
/// Errors of the message itself, which are final. A token, a scope or an outage is for someone to fix.
const FINAL: [&str; 20] = [
    "as_user_not_supported",
    "cannot_dm_bot",
    "cant_update_message",
    "channel_not_found",
    "edit_window_closed",
    "expired_trigger_id",
    "exchanged_trigger_id",
    "hash_conflict",
    "invalid_blocks",
    "invalid_blocks_format",
    "invalid_arguments",
    "is_archived",
    "is_inactive",
    "message_not_found",
    "msg_blocks_too_long",
    "msg_too_long",
    "not_in_channel",
    "user_disabled",
    "user_not_found",
    "users_not_found",
];

/// The Web API, with the tokens of an app.
pub(super) struct Api {
    http: reqwest::Client,
    server: Url,
    bot: SecretValue,
    app: SecretValue,
    allow_private: bool,
    /// The workspace that the bot belongs to.
    team: OnceCell<String>,
    /// The direct-message channel of each account.
    direct: Mutex<HashMap<String, String>>,
}

impl Api {
    pub(super) fn new(
        server: Url,
        bot: SecretValue,
        app: SecretValue,
        timeout: Duration,
        allow_private: bool,
    ) -> Result<Self, String> {
        let http = http::client(timeout, allow_private)?;
        let (team, direct) = (OnceCell::new(), Mutex::default());
        Ok(Self { http, server, bot, app, allow_private, team, direct })
    }

    /// Calls a method as the bot.
    pub(super) async fn call(&self, method: &str, body: &Value) -> DeliveryResult<Value> {
        let request = self.http.post(self.url(method)).bearer_auth(self.bot.reveal()).json(body);
        self.send(request).await
    }

    /// Reads something as the bot.
    pub(super) async fn get(&self, method: &str, query: &[(&str, &str)]) -> DeliveryResult<Value> {
        let request = self.http.get(self.url(method)).bearer_auth(self.bot.reveal()).query(query);
        self.send(request).await
    }

    /// Returns the workspace that the bot belongs to.
    pub(super) async fn team(&self) -> DeliveryResult<&str> {
        let ask = async || {
            let known = self.call("auth.test", &json!({})).await?;
            let team = known["team_id"].as_str().map(str::to_owned);
            team.ok_or_else(|| DeliveryError::later("Slack named no workspace"))
        };
        self.team.get_or_try_init(ask).await.map(String::as_str)
    }

    /// Returns the direct-message channel of an account.
    pub(super) async fn direct(&self, account: &str) -> DeliveryResult<String> {
        let known = self.direct.lock().unwrap_or_else(PoisonError::into_inner).get(account).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let (team, user) = account.split_once('/').unwrap_or_default();
        if team != self.team().await? {
            return Err(DeliveryError::never("the account is one of another workspace"));
        }
        let opened = self.call("conversations.open", &json!({ "users": user })).await?;
        let channel = opened["channel"]["id"].as_str();
        let channel = channel.ok_or_else(|| DeliveryError::never("Slack named no channel"))?.to_owned();
        let mut direct = self.direct.lock().unwrap_or_else(PoisonError::into_inner);
        direct.insert(account.to_owned(), channel.clone());
        Ok(channel)
    }

    /// Returns the address of the socket, which is valid once, for some seconds.
    pub(super) async fn socket_url(&self) -> DeliveryResult<Url> {
        let request = self.http.post(self.url("apps.connections.open")).bearer_auth(self.app.reveal());
        let opened = self.send(request).await?;
        let wrong = || DeliveryError::later("Slack named no address to listen at");
        let url = opened["url"].as_str().ok_or_else(wrong)?;
        // A websocket begins as an HTTP request.
        let plain = match (url.strip_prefix("wss://"), url.strip_prefix("ws://")) {
            (Some(rest), _) => format!("https://{rest}"),
            (None, Some(rest)) if self.server.scheme() == "http" => format!("http://{rest}"),
            _ => return Err(wrong()),
        };
        let url = Url::parse(&plain).map_err(|_| wrong())?;
        self.check(&url)?;
        Ok(url)
    }

    /// Returns the client, for a request that is upgraded.
    pub(super) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    fn url(&self, method: &str) -> String {
        format!("{}/{method}", self.server.as_str().trim_end_matches('/'))
    }

    /// Refuses a private address: names are checked when they are resolved, but literal addresses are not resolved.
    fn check(&self, url: &Url) -> DeliveryResult<()> {
        if self.allow_private {
            return Ok(());
        }
        private::check_all(literal(url).into_iter()).map_err(|why| DeliveryError::never(why.to_string()))
    }

    async fn send(&self, request: RequestBuilder) -> DeliveryResult<Value> {
        self.check(&self.server)?;
        let mut response = request.send().await.map_err(|error| unreached(&error))?;
        let status = response.status().as_u16();
        let after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let after = after.and_then(|value| value.trim().parse::<u32>().ok());
        let after = after.map(|seconds| Span::from_secs(seconds.into()));
        let mut bytes = Vec::new();
        while bytes.len() < MOST_BYTES
            && let Some(chunk) = response.chunk().await.map_err(|error| unreached(&error))?
        {
            bytes.extend_from_slice(&chunk);
        }
        let said: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        if said["ok"] == true && status == 200 {
            return Ok(said);
        }
        let error = said["error"].as_str().unwrap_or("something unreadable");
        let why = format!(
            "Slack answered {status}: {}",
            reply::loggable(error, &[self.bot.reveal(), self.app.reveal()])
        );
        if FINAL.contains(&error) {
            return Err(DeliveryError::never(why));
        }
        Err(DeliveryError::Later { why, after })
    }
}
