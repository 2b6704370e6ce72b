//! The browsers of a person, which only that person turns on and off.

use std::fmt;

use holdpoint_core::text::inert_line;
use holdpoint_core::{Auth, Lane, Person, Refusal, Timestamp, json};
use holdpoint_protocols::channel::cut;
use holdpoint_store::{Happened, PushSubscription};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Settings;
use super::channel::WebPush;
use super::encrypt::BrowserKeys;
use super::endpoint::{self, AllowedServices};
use super::vapid::VapidKey;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;

/// How many browsers a person may have.
const MOST: usize = 10;
/// How many characters of a browser's name are kept.
const NAME: usize = 60;

/// What a browser needs to turn notifications on, and where they are on.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushState {
    /// The public key by which browsers know who may notify them: `applicationServerKey`, in base64url.
    pub public_key: String,
    /// The browsers of the caller, in the order in which they came.
    pub browsers: Vec<PushBrowser>,
}

/// A browser in which a person is notified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PushBrowser {
    /// Names it: the first 16 digits of the SHA-256 of its endpoint.
    pub id: String,
    /// What the person knows it by.
    pub browser: String,
    /// Since when.
    pub created_at: Timestamp,
}

/// A subscription as a browser gives it out, and what the browser is called.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscription {
    /// Where messages to the browser go.
    pub endpoint: String,
    /// The keys for encryption.
    pub keys: PushKeys,
    /// What the person knows the browser by, as in `Firefox on Linux`.
    #[serde(default)]
    pub browser: String,
}

/// The keys of a subscription, in base64url.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PushKeys {
    /// The public key.
    pub p256dh: String,
    /// The shared secret.
    pub auth: String,
}

impl fmt::Debug for NewPushSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewPushSubscription").field("browser", &self.browser).finish_non_exhaustive()
    }
}

impl fmt::Debug for PushKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushKeys(…)")
    }
}

impl From<PushSubscription> for PushBrowser {
    fn from(known: PushSubscription) -> Self {
        Self { id: known.id, browser: known.browser, created_at: known.created_at }
    }
}

impl Engine {
    /// Returns what a browser needs to turn notifications on, and in which of the caller's browsers they are.
    pub async fn push_state(&self, caller: &Caller) -> Result<PushState> {
        self.webpush()?;
        let person = self.signed_in(caller).await?;
        let public_key = VapidKey::of(self.store.as_ref()).await?.public;
        let browsers = self.store.subscriptions(Some(&person.name)).await?;
        Ok(PushState { public_key, browsers: browsers.into_iter().map(Into::into).collect() })
    }

    /// Turns notifications on in a browser of the caller's.
    pub async fn subscribe(&self, caller: &Caller, new: NewPushSubscription) -> Result<PushBrowser> {
        let settings = self.webpush()?;
        let person = self.signed_in(caller).await?;
        let reach = if settings.allow_private { AllowedServices::Any } else { AllowedServices::Public };
        endpoint::read(&new.endpoint, reach).map_err(|why| Refusal::invalid("endpoint", why))?;
        BrowserKeys::read(&new.keys.p256dh, &new.keys.auth).map_err(|why| Refusal::invalid("keys", why))?;
        let browser = cut(inert_line(&new.browser).trim(), NAME);
        let subscription = PushSubscription {
            id: id_of(&new.endpoint),
            person: person.name.clone(),
            endpoint: new.endpoint,
            p256dh: new.keys.p256dh,
            auth: new.keys.auth,
            browser: if browser.is_empty() { "A browser".into() } else { browser },
            created_at: self.now().await?,
        };
        if !self.store.put_subscription(&subscription, MOST).await? {
            let why = format!("{} has {MOST} browsers already, or this one is somebody else's", person.name);
            return Err(Refusal::invalid("endpoint", why).into());
        }
        let words = format!("on in {}", subscription.browser);
        self.log_channel(Lane::Webpush, &person.name, None, Happened::Linked, &words).await;
        Ok(subscription.into())
    }

    /// Turns notifications off in a browser of the caller's.
    pub async fn unsubscribe(&self, caller: &Caller, id: &str) -> Result<()> {
        let browser = self.own_browser(caller, id).await?;
        self.forget_browser(&browser, "off").await
    }

    /// Sends a browser of the caller's a message that only shows that messages arrive.
    pub async fn test_push(&self, caller: &Caller, id: &str) -> Result<()> {
        self.webpush()?;
        let browser = self.own_browser(caller, id).await?;
        let Some(sender) = WebPush::of(self)? else { return Ok(()) };
        let sent = sender.test_one(&browser).await;
        let (what, words) = match &sent {
            Ok(()) => (Happened::Sent, "a test"),
            Err(trouble) => (Happened::Failed, trouble.why()),
        };
        self.log_channel(Lane::Webpush, &browser.person, None, what, words).await;
        let wrong =
            |why: &str| Refusal::invalid("browser", format!("the test message did not arrive: {why}"));
        sent.map_err(|trouble| wrong(trouble.why()).into())
    }

    /// Turns notifications off in all browsers of a person.
    pub(crate) async fn forget_browsers_of(&self, person: &str) -> Result<()> {
        for browser in self.store.subscriptions(Some(person)).await? {
            self.forget_browser(&browser, "off").await?;
        }
        Ok(())
    }

    pub(super) async fn forget_browser(&self, browser: &PushSubscription, why: &str) -> Result<()> {
        if self.store.forget_subscription(&browser.id).await? {
            let words = format!("{}: {why}", browser.browser);
            self.log_channel(Lane::Webpush, &browser.person, None, Happened::Unlinked, &words).await;
        }
        Ok(())
    }

    async fn own_browser(&self, caller: &Caller, id: &str) -> Result<PushSubscription> {
        let person = self.signed_in(caller).await?;
        let own = self.store.subscriptions(Some(&person.name)).await?;
        let missing = || Refusal::NotFound { what: "browser", id: id.to_owned() };
        Ok(own.into_iter().find(|browser| browser.id == id).ok_or_else(missing)?)
    }

    fn webpush(&self) -> Result<&Settings> {
        let missing = || Refusal::invalid("channel", "config.toml has no [webpush] section");
        Ok(self.settings.webpush.as_ref().ok_or_else(missing)?)
    }

    /// Returns the person who is signed in. The holder of a token is not at a browser.
    pub(super) async fn signed_in(&self, caller: &Caller) -> Result<Person> {
        let who = &caller.actor;
        let at_page = who.auth == Auth::Session && !who.is_program();
        let known = if at_page { self.store.person(&who.by).await? } else { None };
        let own = known
            .map(|known| known.person)
            .filter(|person| who.credential.as_deref() == Some(Person::credential(&person.name).as_str()));
        let unknown = || Refusal::Forbidden("this is for a person who is signed in, in their browser".into());
        Ok(own.ok_or_else(unknown)?)
    }
}

/// Returns the id of a browser: the browser itself can compute it, but it does not reveal the endpoint.
fn id_of(endpoint: &str) -> String {
    json::hex(&Sha256::digest(endpoint)[..8])
}
