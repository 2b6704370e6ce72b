//! ntfy: a push message to the topic of each person who is asked, which changes with the decision.

#[cfg(feature = "notify")]
pub(super) mod channel;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_protocols::channel::DetailLevel;
use holdpoint_store::Route;
use serde::Deserialize;
use url::Url;

use super::channel_settings::{check_common, followed_routes};
use super::{address, secret};

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
    /// The topic of each person. Anyone who knows a topic can read it, so it is never shown.
    topics: BTreeMap<String, String>,
    /// Who is notified of decisions without assignees.
    #[serde(default)]
    pub tell: Vec<String>,
    /// In which projects; all if empty.
    #[serde(default)]
    pub projects: Vec<String>,
    /// How much a message shows.
    #[serde(default)]
    pub show: DetailLevel,
    /// Whether the server may have a private address.
    #[serde(default)]
    pub allow_private: bool,
    /// How long one message may take.
    #[serde(default = "super::channel_settings::ten_seconds")]
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

impl Settings {
    /// Returns whether a person has a topic.
    pub(super) fn reaches(&self, person: &str) -> bool {
        self.topics.contains_key(person)
    }

    /// Returns who has a topic.
    #[cfg(feature = "notify")]
    pub(super) fn people(&self) -> Vec<String> {
        self.topics.keys().cloned().collect()
    }

    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        self.server()?;
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
                return Err(format!("give {other:?} and {person:?} separate topics: they share one"));
            }
        }
        if let Some(nobody) = self.tell.iter().find(|name| !self.topics.contains_key(*name)) {
            return Err(format!("tell names {nobody:?}, who has no topic"));
        }
        check_common(&[Occasion::Create], self.timeout)
    }

    fn server(&self) -> std::result::Result<Url, String> {
        address::setting("server", &self.server, self.allow_private)
    }

    pub(super) fn routes(&self) -> Vec<Route> {
        followed_routes(Lane::Ntfy, &self.tell, &self.projects)
    }
}
