//! Fetches a document that another party names: over https, from public addresses, limited in size and time.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::text::inert_line;
use reqwest::header;
use reqwest::redirect::{Attempt, Policy};
use url::Url;

use crate::notify::address::literal;
use crate::notify::private::{self, Private};
use crate::notify::public::PublicOnly;

/// How far a request may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchScope {
    /// To public addresses over https.
    Public,
    /// Also to private addresses, and there without encryption.
    Private,
}

const LONGEST: usize = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(10);
const REDIRECTS: usize = 3;

/// Fetches a text.
///
/// # Errors
/// If the address is not allowed, or the response is of no use.
pub async fn fetch(address: &str, reach: FetchScope) -> Result<String, String> {
    let url = Url::parse(address).map_err(|why| format!("is not an address: {why}"))?;
    check(&url, reach)?;
    // The first caller chooses; there is only one choice.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder()
        .user_agent(concat!("holdpoint/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::custom(move |attempt| follow(attempt, reach)))
        // A proxy would resolve names itself, and connect to addresses that are not allowed here.
        .no_proxy()
        .timeout(TIMEOUT);
    let http = if reach == FetchScope::Public { http.dns_resolver(Arc::new(PublicOnly)) } else { http };
    let http = http.build().map_err(|why| format!("cannot be set up: {why}"))?;
    let mut response = http
        .get(url)
        .header(header::ACCEPT, "application/json")
        .send()
        .await
        .map_err(|why| unreached(&why))?;
    if !response.status().is_success() {
        return Err(format!("answered {}", response.status()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|why| unreached(&why))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST {
            return Err(format!("is longer than {LONGEST} bytes"));
        }
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8".into())
}

/// Checks the address of a URL. Names are checked when they are resolved; literal addresses are not resolved, so they
/// are checked here.
fn check(url: &Url, reach: FetchScope) -> Result<(), String> {
    match (reach, url.scheme()) {
        (_, "https") | (FetchScope::Private, "http") => {}
        _ => return Err("must be an https address".into()),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must hold no name or password".into());
    }
    match reach {
        FetchScope::Public => {
            private::check_all(literal(url).into_iter()).map_err(|Private(address)| refused(address))
        }
        FetchScope::Private => Ok(()),
    }
}

fn follow(attempt: Attempt<'_>, reach: FetchScope) -> reqwest::redirect::Action {
    if attempt.previous().len() > REDIRECTS {
        return attempt.error("redirects too often");
    }
    match check(attempt.url(), reach) {
        Ok(()) => attempt.follow(),
        Err(why) => attempt.error(format!("redirects to an address that {why}")),
    }
}

fn refused(address: std::net::IpAddr) -> String {
    format!(
        "leads to {address}, a private address; to allow it, set allow_private = true under [aitp] in the settings"
    )
}

fn unreached(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "did not answer in time".into();
    }
    let mut why: &dyn std::error::Error = error;
    loop {
        if let Some(Private(address)) = why.downcast_ref::<Private>() {
            return refused(*address);
        }
        match why.source() {
            Some(source) => why = source,
            None => break,
        }
    }
    format!("could not be fetched: {}", inert_line(&why.to_string()))
}
