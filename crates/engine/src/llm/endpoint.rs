//! A language model behind an endpoint for chat completions.
//!
//! Each turn has a budget of time and tokens for all its tries. Malformed output is returned to the model with the
//! reason; a turn that fails is read by the built-in reader. A server that fails repeatedly is not asked for a while,
//! so that people do not wait for it at every turn.

use std::error::Error as _;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use holdpoint_core::text::inert_line;
use holdpoint_protocols::action::model::{self, Format};
use holdpoint_protocols::action::{Briefing, ReaderResult, reader};
use reqwest::{StatusCode, header};
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::{Reader, Settings};
use crate::error::{Error, Result};

/// How much of a reply is read.
const LONGEST: usize = 1 << 20;
/// How many tokens one answer may have.
const ANSWER: u32 = 2000;
/// How many turns in a row may fail for lack of an answer before the server is not asked for a while.
const MAX_FAILURES: u32 = 2;
/// Parameters that some servers refuse.
const PARAMETERS: [&str; 2] = ["temperature", "max_tokens"];
const PAUSE: Duration = Duration::from_secs(30);
/// How long to wait before a request is sent again.
const BREATH: Duration = Duration::from_millis(200);

/// A model that can be asked.
pub(super) struct Endpoint {
    http: reqwest::Client,
    url: Url,
    key: Option<header::HeaderValue>,
    settings: Settings,
    /// How the format of the answer is requested: a format that the server refused is not requested again.
    format: AtomicU8,
    /// Whether an answer was something other than the JSON that its schema asks for.
    strays: AtomicBool,
    /// Parameters that the server refused, and that are left out from then on.
    refused: Mutex<Vec<&'static str>>,
    health: Mutex<Health>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Health {
    failures: u32,
    quiet_until: Option<Instant>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint").field("settings", &self.settings).finish_non_exhaustive()
    }
}

/// Why a turn failed.
#[derive(Debug)]
enum TurnError {
    /// The server did not answer, or not with a reply.
    Silent(String),
    /// It answered, but the answer was unusable.
    Unusable(String),
}

/// The result of one request.
enum EndpointReply {
    Said(Value),
    /// The server does not accept the request in this form.
    Declined(String),
    /// It may succeed later.
    Later(String),
    /// It will not succeed.
    Never(String),
}

#[async_trait]
impl Reader for Endpoint {
    async fn read(&self, briefing: &Briefing<'_>) -> ReaderResult {
        let own = || ReaderResult::from(super::aside(|| reader::read(briefing.question)));
        // Input from a control needs no interpretation, and a model would only take time.
        if self.is_quiet() || model::is_plain(briefing) {
            return own();
        }
        let limit = Duration::from_millis(self.settings.timeout.as_millis().unsigned_abs());
        let outcome = match tokio::time::timeout(limit, self.ask(briefing)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(TurnError::Silent(format!("it took longer than {}", self.settings.timeout))),
        };
        match outcome {
            Ok(understood) => {
                self.note(None);
                understood
            }
            Err(trouble) => {
                let (why, silent) = match trouble {
                    TurnError::Silent(why) => (why, true),
                    TurnError::Unusable(why) => (why, false),
                };
                tracing::warn!("The language model failed, and the built-in reader was used instead: {why}");
                self.note(Some(silent));
                own()
            }
        }
    }
}

impl Endpoint {
    /// Prepares the client.
    pub(super) fn open(settings: &Settings) -> Result<Self> {
        let wrong = |why: String| Error::Settings(format!("forms.model: {why}"));
        let url = settings.address().map_err(wrong)?;
        let key = settings.key_env.as_deref().map(|name| key(name).map_err(wrong)).transpose()?;
        // The first caller chooses; there is only one choice.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .user_agent(concat!("holdpoint/", env!("CARGO_PKG_VERSION")))
            // A redirect would take the key and the person's words elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|why| wrong(why.to_string()))?;
        let (format, strays) = (AtomicU8::new(0), AtomicBool::new(false));
        let (refused, health) = (Mutex::default(), Mutex::default());
        Ok(Self { http, url, key, settings: settings.clone(), format, strays, refused, health })
    }

    /// Asks one question within the time of a turn. Returns the requested format of the answer, and whether it was
    /// followed.
    pub(super) async fn try_once(
        &self,
        briefing: &Briefing<'_>,
    ) -> std::result::Result<(Format, bool), String> {
        let limit = Duration::from_millis(self.settings.timeout.as_millis().unsigned_abs());
        match tokio::time::timeout(limit, self.ask(briefing)).await {
            Ok(Ok(_)) => Ok((self.format(), !self.strays.load(Ordering::Relaxed))),
            Ok(Err(TurnError::Silent(why) | TurnError::Unusable(why))) => Err(why),
            Err(_) => Err(format!("it took longer than {}", self.settings.timeout)),
        }
    }

    async fn ask(&self, briefing: &Briefing<'_>) -> std::result::Result<ReaderResult, TurnError> {
        let mut left = self.settings.tokens;
        let mut body = model::request(briefing, &self.settings.name, self.format(), ANSWER);
        let (mut tries, mut last) = (0, TurnError::Unusable("it was not asked".into()));
        while tries < self.settings.tries {
            let asked = estimate(&body.to_string());
            if asked + 100 > left {
                let spent = self.settings.tokens - left;
                return Err(TurnError::Unusable(format!(
                    "{spent} of {} tokens are spent, and the next try needs {asked}",
                    self.settings.tokens
                )));
            }
            body["max_tokens"] = Value::from((left - asked).min(ANSWER));
            self.leave_out(&mut body);
            let reply = match self.send(&body).await {
                EndpointReply::Said(reply) => reply,
                EndpointReply::Declined(why) => {
                    // Another form of the request is not another try, because the model has not been asked.
                    if !self.is_parameter(&why) && !self.asks_more_simply() {
                        return Err(TurnError::Silent(why));
                    }
                    body = model::request(briefing, &self.settings.name, self.format(), ANSWER);
                    continue;
                }
                EndpointReply::Later(why) => {
                    tries += 1;
                    last = TurnError::Silent(why);
                    if tries < self.settings.tries {
                        tokio::time::sleep(BREATH * tries).await;
                    }
                    continue;
                }
                EndpointReply::Never(why) => return Err(TurnError::Silent(why)),
            };
            tries += 1;
            let content = model::content(&reply);
            left = left.saturating_sub(
                spent(&reply).unwrap_or_else(|| asked + estimate(content.as_deref().unwrap_or_default())),
            );
            if !content.as_ref().is_ok_and(|text| model::is_bare(text)) {
                self.strays.store(true, Ordering::Relaxed);
            }
            let read = content.as_ref().map_err(Clone::clone).and_then(|text| model::read(text, briefing));
            match read {
                Ok(understood) => return Ok(understood),
                Err(why) => {
                    tracing::debug!("The language model is told that its answer cannot be used: {why}");
                    body = model::again(body, content.as_deref().unwrap_or_default(), &why);
                    last = TurnError::Unusable(why);
                }
            }
        }
        Err(last)
    }

    /// Has the model write free text, within the time and tokens of a turn.
    #[cfg(feature = "notify")]
    pub(super) async fn speak(&self, messages: &Value) -> std::result::Result<String, String> {
        let limit = Duration::from_millis(self.settings.timeout.as_millis().unsigned_abs());
        match tokio::time::timeout(limit, self.try_to_speak(messages)).await {
            Ok(said) => said,
            Err(_) => Err(format!("it took longer than {}", self.settings.timeout)),
        }
    }

    #[cfg(feature = "notify")]
    async fn try_to_speak(&self, messages: &Value) -> std::result::Result<String, String> {
        let asked = estimate(&messages.to_string());
        if asked + 100 > self.settings.tokens {
            return Err(format!("{asked} tokens are more than the {} it may take", self.settings.tokens));
        }
        let most = (self.settings.tokens - asked).min(ANSWER);
        let (mut tries, mut last) = (0, "it was not asked".to_owned());
        while tries < self.settings.tries {
            let name = &self.settings.name;
            let mut body = serde_json::json!({"model": name, "messages": messages, "temperature": 0, "max_tokens": most});
            self.leave_out(&mut body);
            match self.send(&body).await {
                EndpointReply::Said(reply) => return model::content(&reply),
                // Without the refused parameter it is a different request, not another try.
                EndpointReply::Declined(why) if self.is_parameter(&why) => {}
                EndpointReply::Declined(why) | EndpointReply::Never(why) => return Err(why),
                EndpointReply::Later(why) => {
                    tries += 1;
                    last = why;
                    if tries < self.settings.tries {
                        tokio::time::sleep(BREATH * tries).await;
                    }
                }
            }
        }
        Err(last)
    }

    async fn send(&self, body: &Value) -> EndpointReply {
        let mut request = self.http.post(self.url.clone()).json(body);
        if let Some(key) = &self.key {
            request = request.header(header::AUTHORIZATION, key.clone());
        }
        let mut response = match request.send().await {
            Ok(response) => response,
            Err(error) => return EndpointReply::Later(unreached(&error)),
        };
        let status = response.status();
        let mut bytes = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if bytes.len() + chunk.len() <= LONGEST => bytes.extend_from_slice(&chunk),
                Ok(Some(_)) => return EndpointReply::Later(format!("it sent more than {LONGEST} bytes")),
                Ok(None) => break,
                Err(error) => return EndpointReply::Later(unreached(&error)),
            }
        }
        if !status.is_success() {
            let text: String = inert_line(&String::from_utf8_lossy(&bytes)).chars().take(200).collect();
            let why = format!("it answered {status}: {text}");
            return match status {
                StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY | StatusCode::NOT_IMPLEMENTED => {
                    EndpointReply::Declined(why)
                }
                StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => EndpointReply::Later(why),
                status if status.is_server_error() => EndpointReply::Later(why),
                _ => EndpointReply::Never(why),
            };
        }
        match serde_json::from_slice(&bytes) {
            Ok(reply) => EndpointReply::Said(reply),
            Err(why) => EndpointReply::Later(format!("its reply is not JSON: {why}")),
        }
    }

    fn format(&self) -> Format {
        match self.format.load(Ordering::Relaxed) {
            0 => Format::Schema,
            1 => Format::Object,
            _ => Format::Words,
        }
    }

    /// Requests a simpler format from now on. Returns whether there was one.
    fn asks_more_simply(&self) -> bool {
        let next = |format: u8| (format < 2).then_some(format + 1);
        self.format.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).is_ok()
    }

    /// Notes a parameter that a refusal names. Returns whether it was one that was sent.
    fn is_parameter(&self, why: &str) -> bool {
        let mut refused = self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let named = PARAMETERS.iter().find(|name| why.contains(**name) && !refused.contains(name));
        refused.extend(named);
        named.is_some()
    }

    fn leave_out(&self, body: &mut Value) {
        let refused = self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(body) = body.as_object_mut() {
            body.retain(|key, _| !refused.iter().any(|name| name == key));
        }
    }

    fn is_quiet(&self) -> bool {
        let health = self.health.lock().map_or_else(|poisoned| *poisoned.into_inner(), |health| *health);
        health.quiet_until.is_some_and(|until| Instant::now() < until)
    }

    /// Notes the result of a turn: success, or failure and whether it was for lack of an answer.
    fn note(&self, failed: Option<bool>) {
        let mut health = self.health.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if failed != Some(true) {
            *health = Health::default();
            return;
        }
        health.failures += 1;
        if health.failures >= MAX_FAILURES {
            tracing::warn!("The language model is not asked again for {} s", PAUSE.as_secs());
            *health = Health { failures: MAX_FAILURES - 1, quiet_until: Some(Instant::now() + PAUSE) };
        }
    }
}

fn key(name: &str) -> std::result::Result<header::HeaderValue, String> {
    let key =
        std::env::var(name).map_err(|_| format!("key_env: the variable {name} is not set, or not UTF-8"))?;
    let mut value = header::HeaderValue::from_str(&format!("Bearer {}", key.trim()))
        .map_err(|_| format!("key_env: what {name} holds cannot be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Returns the estimated number of tokens of a text, rather too many than too few.
fn estimate(text: &str) -> u32 {
    u32::try_from(text.len() / 3).unwrap_or(u32::MAX)
}

fn spent(reply: &Value) -> Option<u32> {
    reply["usage"]["total_tokens"].as_u64().and_then(|tokens| u32::try_from(tokens).ok())
}

fn unreached(error: &reqwest::Error) -> String {
    let mut why = error.source();
    let mut words = error.to_string();
    while let Some(deeper) = why {
        words = deeper.to_string();
        why = deeper.source();
    }
    format!("it could not be reached: {}", inert_line(&words))
}
