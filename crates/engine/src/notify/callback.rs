//! Callbacks: a request to the address that an asker gave, once its decision is settled. Only addresses that the
//! settings list are accepted, and a secret of the settings is sent only to the addresses of its own entry.

#[cfg(feature = "notify")]
pub(super) mod channel;

use std::fmt;
use std::path::PathBuf;

use holdpoint_core::decision::Callback;
use holdpoint_core::{Refusal, Span};
use serde::Deserialize;
use url::Url;

use super::channel_settings::check_timeout;
use super::{address, secret};

/// An entry of the settings that allows callbacks.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The name of the entry; its secret is used for a request that gives this name as `auth`.
    pub name: String,
    /// Callbacks may go to this address and to all below it.
    url: String,
    secret_env: Option<String>,
    secret_file: Option<PathBuf>,
    /// How the secret is used.
    #[serde(default)]
    secret_as: SecretUse,
    /// The projects whose decisions are covered; all if empty.
    #[serde(default)]
    projects: Vec<String>,
    /// Whether it may be a private address.
    #[serde(default)]
    allow_private: bool,
    /// How long one request may take.
    #[serde(default = "super::channel_settings::ten_seconds")]
    timeout: Span,
}

/// How a secret is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SecretUse {
    /// It is sent as `Authorization: Bearer …`.
    #[default]
    Bearer,
    /// Requests are signed with it, as webhooks are.
    Signature,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Callback").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Refuses a callback that no entry takes, and says what an operator would have to set.
pub(crate) fn admit(
    entries: &[Settings],
    callback: &mut Callback,
    project: &str,
) -> std::result::Result<(), Refusal> {
    let url = address::read(&callback.url).map_err(|why| Refusal::invalid("callback.url", why))?;
    if url.fragment().is_some() {
        return Err(Refusal::invalid("callback.url", "must have no #: it would not be sent"));
    }
    // The server behind the address may decode these, and leave the path that the entry allows.
    let path = url.path().to_ascii_lowercase();
    if ["%25", "%2e", "%2f", "%5c"].iter().any(|encoded| path.contains(encoded)) {
        let why = "must have no encoded slash, dot or percent sign (%2f, %5c, %2e, %25) in its path";
        return Err(Refusal::invalid("callback.url", why));
    }
    let wrong = |place: &str, why: String| Err(Refusal::invalid(place, why));
    if let Some(name) = &callback.auth {
        let Some(entry) = entries.iter().find(|entry| entry.name == *name) else {
            return wrong("callback.auth", format!("the settings have no [[callback]] named {name:?}"));
        };
        if !entry.has_secret() {
            let why = format!("the [[callback]] named {name:?} has no secret; leave auth out");
            return wrong("callback.auth", why);
        }
    }
    if !entries.iter().any(|entry| entry.takes(&url, callback.auth.as_deref(), project)) {
        let origin = url.origin().ascii_serialization();
        let which = match &callback.auth {
            Some(name) => format!("the [[callback]] named {name:?} does not cover it"),
            None => "no [[callback]] in config.toml matches".to_owned(),
        };
        let why = format!(
            "is not allowed in project {project:?}: {which}. An operator can add [[callback]] with url = \
             \"{origin}/…\" to config.toml"
        );
        return wrong("callback.url", why);
    }
    callback.url = url.into();
    Ok(())
}

impl Settings {
    /// Returns whether the entry covers an address, for requests that give its name or none.
    fn takes(&self, url: &Url, auth: Option<&str>, project: &str) -> bool {
        let named = auth.is_none_or(|name| *name == self.name);
        let here = self.projects.is_empty() || self.projects.iter().any(|one| one == project);
        named && here && self.url().is_ok_and(|top| is_below(&top, url))
    }

    fn has_secret(&self) -> bool {
        self.secret_env.is_some() || self.secret_file.is_some()
    }

    fn url(&self) -> std::result::Result<Url, String> {
        address::read(&self.url)
    }

    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        let url = address::setting("url", &self.url, self.allow_private)?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err("url must have no ? and no #: callbacks go to all addresses below it".into());
        }
        if self.has_secret() {
            secret::check("secret", self.secret_env.as_deref(), self.secret_file.as_deref())?;
            if self.secret_as == SecretUse::Bearer && url.scheme() == "http" && !self.allow_private {
                return Err(
                    "url must start with https://, because the secret itself is sent; secret_as = \"signature\" \
                            signs with it instead"
                        .into(),
                );
            }
        }
        check_timeout(self.timeout)
    }
}

/// Returns whether an address is the same as another or below it. Both are normalised, so no `..` leads out again.
fn is_below(top: &Url, url: &Url) -> bool {
    let folder = top.path().trim_end_matches('/');
    let below = url.path().strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    top.origin() == url.origin() && below
}
