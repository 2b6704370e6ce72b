//! ntfy: a push message to the topic of each person who is asked, which changes with the decision.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use holdpoint_core::{Decision, Lane, Occasion, Person, Span, Timestamp};
use holdpoint_protocols::channel::{Act, Show};
use holdpoint_protocols::ntfy;
use holdpoint_store::{Route, Sent};
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::Value;

use super::http::{self, literal, refused, unreached};
use super::messenger::{self, Messenger};
use super::secret::{self, Sealed};
use super::{Kind, Notice, Outlet, Trouble, Way, as_duration, check_common, private};
use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::settings;

pub(crate) const KIND: Kind = Kind {
    check: |settings| {
        settings.ntfy.as_ref().map_or(Ok(()), Settings::check).map_err(|why| format!("ntfy: {why}"))
    },
    routes: |settings| settings.ntfy.as_ref().map(Settings::routes).unwrap_or_default(),
    open,
};

/// How long a topic may be.
const MOST_TOPIC: usize = 64;

/// ntfy in the settings.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The server's address.
    #[serde(default = "public_server")]
    server: String,
    token_env: Option<String>,
    token_file: Option<PathBuf>,
    /// The topic of each person. Who knows a topic reads it, so it is shown nowhere.
    topics: BTreeMap<String, String>,
    /// Who is told of what is assigned to nobody.
    #[serde(default)]
    pub tell: Vec<String>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How much a message shows.
    #[serde(default)]
    pub show: Show,
    /// Whether the server may have a private address.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one message may take.
    #[serde(default = "super::ten_seconds")]
    pub timeout: Span,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let people: Vec<&String> = self.topics.keys().collect();
        f.debug_struct("Ntfy").field("people", &people).finish_non_exhaustive()
    }
}

fn public_server() -> String {
    "https://ntfy.sh".into()
}

/// Publishes to one server.
struct Ntfy {
    http: reqwest::Client,
    url: Url,
    token: Option<Sealed>,
    topics: BTreeMap<String, String>,
    show: Show,
    allow_private: bool,
}

impl fmt::Debug for Ntfy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ntfy(…)")
    }
}

#[async_trait]
impl Messenger for Ntfy {
    fn place(&self, person: &Person) -> Option<String> {
        self.topics.get(&person.name).cloned()
    }

    fn acts(&self, decision: &Decision) -> Vec<Act> {
        ntfy::controls(decision).into_iter().map(|control| control.act).collect()
    }

    async fn tell(&self, notice: &Notice, sent: &Sent) -> std::result::Result<String, Trouble> {
        self.follow(notice, sent).await?;
        Ok(ntfy::sequence(&notice.decision.id.to_string()))
    }

    async fn follow(&self, notice: &Notice, sent: &Sent) -> std::result::Result<(), Trouble> {
        // What the topic may not settle, a tap on its message does not either: there the card asks to sign in.
        let link = notice.link.as_ref().filter(|_| !notice.decision.needs_consent());
        let card = link.map(|link| link.reveal().to_owned()).or_else(|| notice.url.clone());
        let acts = notice.acts.iter().map(|link| link.reveal().to_owned()).collect();
        let addresses = ntfy::Addresses { card, acts };
        self.publish(&ntfy::message(&sent.place, &notice.decision, self.show, &addresses), notice.at).await
    }

    async fn withdraw(&self, sent: &Sent) -> std::result::Result<(), Trouble> {
        self.publish(&ntfy::withdrawn(&sent.place, &sent.decision.to_string()), sent.at).await
    }

    async fn test(&self, place: &str) -> std::result::Result<(), Trouble> {
        self.publish(&ntfy::test(place), Clock::System.now()).await
    }
}

impl Ntfy {
    async fn publish(&self, message: &Value, at: Timestamp) -> std::result::Result<(), Trouble> {
        // A name is checked when it is looked up; an address is not looked up.
        if !self.allow_private {
            private::check_all(literal(&self.url).into_iter())
                .map_err(|why| Trouble::never(why.to_string()))?;
        }
        let mut request = self.http.post(self.url.clone()).body(message.to_string());
        if let Some(token) = &self.token {
            request = request.bearer_auth(token.reveal());
        }
        match request.send().await {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => {
                // What is wrong with the message itself will be so later too; a credential is for the operator to fix.
                let wrong = matches!(
                    response.status(),
                    StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::GONE
                );
                match refused(response, at).await {
                    Trouble::Later { why, .. } if wrong => Err(Trouble::never(why)),
                    trouble => Err(trouble),
                }
            }
            Err(error) => Err(unreached(&error)),
        }
    }
}

impl Settings {
    /// Returns who has a topic.
    pub(super) fn people(&self) -> Vec<String> {
        self.topics.keys().cloned().collect()
    }

    fn check(&self) -> std::result::Result<(), String> {
        let url = self.url()?;
        if !self.allow_private {
            private::check_all(literal(&url).into_iter()).map_err(|why| format!("server: {why}"))?;
        }
        if self.token_env.is_some() || self.token_file.is_some() {
            secret::check("token", self.token_env.as_deref(), self.token_file.as_deref())?;
        }
        if self.topics.is_empty() {
            return Err("topics names nobody; give each person a topic of their own".into());
        }
        let mut met = BTreeMap::new();
        for (person, topic) in &self.topics {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            if topic.is_empty() || topic.len() > MOST_TOPIC || !topic.chars().all(plain) {
                return Err(format!(
                    "the topic of {person:?} must be 1 to {MOST_TOPIC} letters, digits, - or _"
                ));
            }
            if let Some(other) = met.insert(topic, person) {
                return Err(format!("{other:?} and {person:?} have one topic; each needs their own"));
            }
        }
        if let Some(nobody) = self.tell.iter().find(|name| !self.topics.contains_key(*name)) {
            return Err(format!("tell names {nobody:?}, who has no topic"));
        }
        check_common(&[Occasion::Create], self.timeout)
    }

    fn url(&self) -> std::result::Result<Url, String> {
        http::address(&self.server).map_err(|why| format!("server {why}"))
    }

    fn routes(&self) -> Vec<Route> {
        messenger::routes(Lane::Ntfy, &self.tell, &self.projects)
    }

    fn open(&self) -> std::result::Result<Ntfy, String> {
        let token = match (&self.token_env, &self.token_file) {
            (None, None) => None,
            (variable, file) => Some(secret::read("token", variable.as_deref(), file.as_deref())?),
        };
        let http = http::client(as_duration(self.timeout), self.allow_private)?;
        let (url, topics) = (self.url()?, self.topics.clone());
        Ok(Ntfy { http, url, token, topics, show: self.show, allow_private: self.allow_private })
    }
}

fn open(settings: &settings::Settings) -> Result<Vec<Outlet>> {
    let Some(ntfy) = &settings.ntfy else { return Ok(Vec::new()) };
    let messenger = ntfy.open().map_err(|why| Error::Settings(format!("ntfy: {why}")))?;
    // One row may be a message that goes out and changes at once.
    let timeout = as_duration(ntfy.timeout) * 2;
    Ok(vec![Outlet { lane: Lane::Ntfy, target: None, timeout, way: Way::Followed(Arc::new(messenger)) }])
}
