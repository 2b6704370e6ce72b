//! A callback: where the asker wants to be notified that its decision is settled.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::refusal::FieldError;
use crate::text::{check_length, check_name, quote};

/// Where to report that a decision is settled. The address may be a credential, so it is never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Callback {
    /// The address that gets a POST; the settings must list its origin.
    pub url: String,
    /// The `[[callback]]` of the settings whose secret goes with it; none goes if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth: Option<String>,
    /// What is sent.
    #[serde(default)]
    pub body: CallbackBody,
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback").field("host", &self.host()).finish_non_exhaustive()
    }
}

/// What a callback sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CallbackBody {
    /// What a webhook sends: the event and the decision.
    #[default]
    Webhook,
    /// The answer as the only member, `data`, of an object.
    Data,
    /// The answer alone.
    Answer,
}

impl CallbackBody {
    /// All bodies.
    pub const ALL: [Self; 3] = [Self::Webhook, Self::Data, Self::Answer];

    /// Returns the name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Data => "data",
            Self::Answer => "answer",
        }
    }

    /// Finds a body by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|body| body.name() == name)
    }
}

const LONGEST_URL: usize = 2_048;

impl Callback {
    /// Returns host and port as the address has them: enough to say where the request goes, and not secret.
    pub fn host(&self) -> &str {
        let after = self.url.split_once("://").map_or("", |(_, rest)| rest);
        let authority = after.split(['/', '?', '#', '\\']).next().unwrap_or_default();
        authority.rsplit('@').next().unwrap_or_default()
    }

    /// Checks what can be checked without the settings.
    pub(super) fn check(&self, faults: &mut Vec<FieldError>) {
        if let Err(why) = check_length(&self.url, LONGEST_URL) {
            faults.push(FieldError::new("callback.url", why));
        } else if self.url.chars().any(|c| c.is_control() || c.is_whitespace()) {
            faults.push(FieldError::new("callback.url", "must have no spaces and no control characters"));
        } else if self.host().is_empty() {
            let why = "must start with https:// or http:// and name a host";
            faults.push(FieldError::new("callback.url", why));
        }
        let wrong = self.auth.as_deref().and_then(|name| check_name(name).err().map(|why| (name, why)));
        faults.extend(
            wrong.map(|(name, why)| FieldError::new("callback.auth", format!("{} {why}", quote(name)))),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_all_that_is_told_of_an_address() {
        for (url, host) in [
            ("https://example.org/restate/awakeables/sign_1/resolve", "example.org"),
            ("http://127.0.0.1:8080?token=x", "127.0.0.1:8080"),
            ("https://ana:secret@example.org#x", "example.org"),
            ("https://[::1]:9/x", "[::1]:9"),
            ("example.org/x", ""),
            ("https:///x", ""),
        ] {
            let callback = Callback { url: url.into(), auth: None, body: CallbackBody::default() };
            assert_eq!(callback.host(), host, "{url}");
            assert!(!format!("{callback:?}").contains("secret"), "{url}");
        }
    }
}
