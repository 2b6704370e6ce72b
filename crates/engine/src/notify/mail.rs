//! Mail: one message to each recipient, with a link that opens the decision and lets them answer.

#[cfg(feature = "notify")]
pub(super) mod channel;
#[cfg(feature = "notify")]
mod digest;
#[cfg(feature = "notify")]
mod headers;

use std::fmt;
use std::path::PathBuf;

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_store::{Route, Target};
use serde::Deserialize;
use url::Url;

use super::channel_settings::check_common;
use super::secret;

/// Mail in the settings.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `smtp://HOST[:PORT]` with STARTTLS, or `smtps://HOST[:PORT]`.
    server: String,
    /// The From header.
    pub from: String,
    /// The name to sign in to the server with, if it asks.
    user: Option<String>,
    password_env: Option<String>,
    password_file: Option<PathBuf>,
    /// On which occasions.
    #[serde(default = "create")]
    pub occasions: Vec<Occasion>,
    /// Whether messages may go unencrypted; on loopback they always may.
    #[serde(default)]
    pub allow_plain: bool,
    /// How long one message may take.
    #[serde(default = "twenty_seconds")]
    pub timeout: Span,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail").field("from", &self.from).finish_non_exhaustive()
    }
}

fn create() -> Vec<Occasion> {
    vec![Occasion::Create]
}

fn twenty_seconds() -> Span {
    Span::from_secs(20)
}

impl Settings {
    /// Returns which outbox rows are written.
    pub(super) fn routes(&self) -> Vec<Route> {
        let route = |occasion: &Occasion| Route::new(*occasion, Lane::Mail, Target::EachAssignee);
        self.occasions.iter().map(route).collect()
    }

    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        self.server()?;
        #[cfg(feature = "notify")]
        self.from()?;
        let (variable, file) = (self.password_env.as_deref(), self.password_file.as_deref());
        if self.user.is_some() {
            secret::check("password", variable, file)?;
        } else if variable.is_some() || file.is_some() {
            return Err("a password needs a user".into());
        }
        check_common(&self.occasions, self.timeout)
    }

    /// Returns scheme, host and port.
    fn server(&self) -> std::result::Result<(Url, String, u16), String> {
        let url = Url::parse(&self.server).map_err(|why| format!("server: {why}"))?;
        let usual = match url.scheme() {
            "smtp" => 587,
            "smtps" => 465,
            _ => return Err("server must start with smtp:// or smtps://".into()),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(
                "server must hold no name or password; set user, and password_env or password_file".into()
            );
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or("server names no host")?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = url.port().unwrap_or(usual);
        Ok((url, host, port))
    }
}
