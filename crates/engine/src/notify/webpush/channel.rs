//! Sends notifications to the browsers of a person.
//!
//! The id of a message lists the browsers that have it, so that those that could not be reached are tried again without
//! sending it to the others twice.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use holdpoint_core::{Decision, DecisionId, Lane, Person, Status, Timestamp};
use holdpoint_protocols::channel::{DetailLevel, outcome};
use holdpoint_protocols::webpush::{self, Kind, Push};
use holdpoint_store::{Happened, PushSubscription, TrackedMessage};
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use super::Settings;
use super::encrypt::BrowserKeys;
use super::endpoint::{self, AllowedServices};
use super::vapid::VapidKey;
use crate::auth::random;
use crate::clock::Clock;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::notify::channel::DeliveryError;
use crate::notify::channel_settings::as_duration;
use crate::notify::http::{self, refused, unreached};
use crate::notify::messenger::{CombinedDecisions, Messenger, SentMessage, is_same_ask};
use crate::notify::notice::Notice;
use crate::notify::outlet::{ChannelKind, Outlet};
use crate::notify::rate_limit::{BETWEEN, RateLimiter};

/// How long a push service keeps a message for an offline browser, at least and at most, in seconds.
const KEPT: (i64, i64) = (60, 28 * 24 * 60 * 60);

type DeliveryResult<T> = std::result::Result<T, DeliveryError>;

/// Sends to the push services of the browsers.
pub(super) struct WebPush {
    engine: Engine,
    settings: Settings,
    http: reqwest::Client,
    key: OnceCell<VapidKey>,
    pace: RateLimiter,
}

impl fmt::Debug for WebPush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebPush(…)")
    }
}

/// A message and its urgency.
struct Message {
    push: Push,
    urgency: &'static str,
    keep_secs: i64,
    about: Option<DecisionId>,
}

impl Message {
    fn quiet(push: Push, about: Option<DecisionId>) -> Self {
        Self { push, urgency: "normal", keep_secs: KEPT.1, about }
    }

    fn settled(sent: &TrackedMessage, words: &str) -> Self {
        Self::quiet(webpush::settled(&sent.decision.to_string(), words), Some(sent.decision))
    }

    /// Returns a topic by which an undelivered message is replaced by the next about the same decision; it reveals
    /// nothing.
    fn topic(&self) -> String {
        // An update is for readers of the question: it must not replace a question that has not been seen.
        let kind = if self.push.kind == Kind::Update { "update " } else { "" };
        let named = format!("holdpoint push {kind}topic\n{}", self.push.id);
        URL_SAFE_NO_PAD.encode(&Sha256::digest(named)[..24])
    }
}

/// What became of a message to one browser.
enum PushOutcome {
    Arrived,
    /// The browser has ended its subscription, and is forgotten.
    Gone,
}

/// The results of sending to several browsers.
#[derive(Default)]
struct BrowserResults {
    ids: Vec<String>,
    later: Option<DeliveryError>,
    never: Option<DeliveryError>,
}

impl BrowserResults {
    /// Returns an error if no browser was reached.
    fn any(&self) -> DeliveryResult<()> {
        if !self.ids.is_empty() {
            return Ok(());
        }
        let gone = || DeliveryError::never("none of their browsers takes notifications any more");
        Err(self.later.clone().or_else(|| self.never.clone()).unwrap_or_else(gone))
    }
}

#[async_trait]
impl Messenger for WebPush {
    async fn destination(&self, person: &Person) -> DeliveryResult<Option<String>> {
        let browsers = self.browsers(&person.name).await?;
        Ok((!browsers.is_empty()).then(|| person.name.clone()))
    }

    fn shows_remarks(&self, decision: &Decision) -> bool {
        self.shown(decision) >= DetailLevel::Prompt
    }

    fn tells_in_parts(&self) -> bool {
        true
    }

    async fn send_message(&self, notice: &Notice, sent: &TrackedMessage) -> DeliveryResult<SentMessage> {
        let mut have: Vec<String> = reached_before(sent).map(str::to_owned).collect();
        let mut browsers = self.browsers(&sent.place).await?;
        browsers.retain(|browser| !have.contains(&browser.id));
        let reached = self.send(&browsers, &self.asking(&notice.decision, notice.at)).await;
        if have.is_empty() {
            reached.any()?;
        }
        have.extend(reached.ids);
        Ok(SentMessage { message: have.join(" "), rest: reached.later })
    }

    async fn follow(&self, notice: &Notice, sent: &TrackedMessage) -> DeliveryResult<()> {
        let message = if is_same_ask(notice, sent) {
            let push = webpush::update(&notice.decision, self.shown(&notice.decision));
            Message { push, urgency: "low", ..self.asking(&notice.decision, notice.at) }
        } else if notice.decision.status == Status::Pending {
            self.asking(&notice.decision, notice.at)
        } else {
            Message::settled(sent, &outcome(&notice.decision))
        };
        self.change(sent, &message).await
    }

    async fn withdraw(&self, sent: &TrackedMessage) -> DeliveryResult<()> {
        self.change(sent, &Message::settled(sent, "No longer asked")).await
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
        let id = match message {
            Some(id) => id.to_owned(),
            None => format!("many-{:016x}", u64::from_le_bytes(random()?)),
        };
        let message = Message::quiet(webpush::many(&id, crowd.waiting), None);
        self.send_to_all(place, &message).await.map(|()| id)
    }

    async fn test(&self, place: &str) -> DeliveryResult<()> {
        self.send_to_all(place, &Message::quiet(webpush::test(), None)).await
    }
}

impl WebPush {
    /// Makes the sender; none if it is not in the settings.
    pub(super) fn of(engine: &Engine) -> Result<Option<Self>> {
        let Some(settings) = engine.settings.webpush.clone() else { return Ok(None) };
        let http = http::client(as_duration(settings.timeout), settings.allow_private);
        let http = http.map_err(|why| Error::Settings(format!("webpush: {why}")))?;
        let (engine, key, pace) = (engine.clone(), OnceCell::new(), RateLimiter::default());
        Ok(Some(Self { engine, settings, http, key, pace }))
    }

    /// Sends a message to one browser that only shows that messages arrive.
    pub(super) async fn test_one(&self, browser: &PushSubscription) -> DeliveryResult<()> {
        let message = Message::quiet(webpush::test(), None);
        self.send(std::slice::from_ref(browser), &message).await.any()
    }

    fn asking(&self, decision: &Decision, now: Timestamp) -> Message {
        let left = decision.deadline.map(|deadline| deadline.since(now).as_millis() / 1_000);
        Message {
            push: webpush::ask(decision, self.shown(decision)),
            urgency: webpush::urgency(decision),
            keep_secs: left.unwrap_or(KEPT.1).clamp(KEPT.0, KEPT.1),
            about: Some(decision.id),
        }
    }

    /// Returns how much of a decision a notification shows.
    fn shown(&self, decision: &Decision) -> DetailLevel {
        let (own, all) = (&self.settings.show_in, &self.engine.settings.show_in);
        let of_project = own.get(&decision.project).or_else(|| all.get(&decision.project));
        *of_project.unwrap_or(&self.settings.show)
    }

    async fn browsers(&self, person: &str) -> DeliveryResult<Vec<PushSubscription>> {
        Ok(self.engine.store.subscriptions(Some(person)).await?)
    }

    /// Sends to the browsers that already have a message.
    async fn change(&self, sent: &TrackedMessage, message: &Message) -> DeliveryResult<()> {
        let mut browsers = self.browsers(&sent.place).await?;
        browsers.retain(|browser| reached_before(sent).any(|id| id == browser.id));
        let reached = self.send(&browsers, message).await;
        reached.later.or(reached.never).map_or(Ok(()), Err)
    }

    /// Sends to all browsers of a person; it succeeds if one of them is reached.
    async fn send_to_all(&self, place: &str, message: &Message) -> DeliveryResult<()> {
        self.send(&self.browsers(place).await?, message).await.any()
    }

    async fn send(&self, browsers: &[PushSubscription], message: &Message) -> BrowserResults {
        let sent = join_all(browsers.iter().map(|browser| self.send_one(browser, message))).await;
        let mut reached = BrowserResults::default();
        for (browser, sent) in browsers.iter().zip(sent) {
            match sent {
                Ok(PushOutcome::Arrived) => reached.ids.push(browser.id.clone()),
                Ok(PushOutcome::Gone) => {}
                Err(trouble @ DeliveryError::Later { .. }) => reached.later = Some(trouble),
                Err(trouble) => {
                    let why = format!("{}: {}", browser.browser, trouble.why());
                    self.engine
                        .log_channel(Lane::Webpush, &browser.person, message.about, Happened::Failed, &why)
                        .await;
                    reached.never = Some(trouble);
                }
            }
        }
        reached
    }

    async fn send_one(&self, browser: &PushSubscription, message: &Message) -> DeliveryResult<PushOutcome> {
        let reach = if self.settings.allow_private { AllowedServices::Any } else { AllowedServices::Public };
        // It was checked when it was stored, but others may write to the store.
        let url = endpoint::read(&browser.endpoint, reach);
        let url = url.map_err(|why| DeliveryError::never(format!("the endpoint {why}")))?;
        let keys = BrowserKeys::read(&browser.p256dh, &browser.auth).map_err(DeliveryError::never)?;
        let body = keys.encrypt(message.push.payload().as_bytes());
        let body = body.map_err(|_| DeliveryError::never("cannot be encrypted for the browser"))?;
        let now = Clock::System.now();
        let key = self.key.get_or_try_init(|| VapidKey::of(self.engine.store.as_ref())).await?;
        let authorization = key.authorization(&url, &self.settings.contact, now)?;
        let request = self
            .http
            .post(url)
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_TYPE, "application/octet-stream")
            .header(CONTENT_ENCODING, "aes128gcm")
            .header("ttl", message.keep_secs)
            .header("urgency", message.urgency)
            .header("topic", message.topic())
            .body(body);
        let response = request.send().await.map_err(|error| unreached(&error))?;
        match response.status() {
            status if status.is_success() => Ok(PushOutcome::Arrived),
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                self.engine.forget_browser(browser, "takes no notifications any more").await?;
                Ok(PushOutcome::Gone)
            }
            // A faulty message stays faulty; permission to send is for the operator to fix.
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => {
                Err(DeliveryError::never(refused(response, now, &[&browser.endpoint]).await.why().to_owned()))
            }
            _ => Err(refused(response, now, &[&browser.endpoint]).await),
        }
    }
}

/// Lists the browsers that have a message.
fn reached_before(sent: &TrackedMessage) -> impl Iterator<Item = &str> {
    sent.message.as_deref().unwrap_or_default().split_whitespace()
}

pub(in crate::notify) fn open(engine: &Engine) -> Result<Vec<Outlet>> {
    let Some(messenger) = WebPush::of(engine)? else { return Ok(Vec::new()) };
    // One row may send a message and change it at once; messages that stand for many wait for each other.
    let timeout = as_duration(messenger.settings.timeout) * 2 + BETWEEN * 8;
    Ok(vec![Outlet {
        lane: Lane::Webpush,
        target: None,
        timeout,
        way: ChannelKind::Followed(Arc::new(messenger)),
    }])
}
