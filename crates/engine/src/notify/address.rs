//! Addresses given by the settings and by askers.

use std::net::IpAddr;

use url::Url;

use super::private;

/// Parses an address for requests.
pub(crate) fn read(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|why| format!("is not an address: {why}"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("must start with https:// or http:// and name a host".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not contain a user name or password; use a secret of the settings".into());
    }
    Ok(url)
}

/// Parses an address of the settings, which `what` names; a private one only if the settings allow it.
pub(super) fn setting(what: &str, text: &str, allow_private: bool) -> Result<Url, String> {
    let url = read(text).map_err(|why| format!("{what} {why}"))?;
    if !allow_private {
        private::check_all(literal(&url).into_iter()).map_err(|why| format!("{what}: {why}"))?;
    }
    Ok(url)
}

/// Returns the IP address that an address has instead of a name.
pub(crate) fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_start_matches('[').trim_end_matches(']').parse().ok()
}
