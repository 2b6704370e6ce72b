//! The host names that the server answers to, and the origins that may call it.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};

use super::problem::HandlerError;

/// The host names that the server answers to, and the origins of other pages that may call it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hosts {
    /// Names besides those of loopback.
    pub(crate) names: Vec<String>,
    /// Origins of other pages.
    pub(crate) origins: Vec<String>,
}

impl Hosts {
    /// Refuses requests that another page makes through the person's browser, whether by DNS rebinding or from its
    /// own origin.
    pub(crate) fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), HandlerError> {
        if headers.get_all(header::HOST).iter().count() > 1 {
            return Err(HandlerError::new(400, "many_hosts", "the request names more than one host"));
        }
        // The authority in the request line takes precedence over the header.
        let host = uri
            .authority()
            .map(Authority::as_str)
            .or_else(|| headers.get(header::HOST).and_then(|host| host.to_str().ok()));
        let host = host.ok_or_else(|| HandlerError::new(400, "no_host", "the request names no host"))?;
        if !self.names_host(host) {
            return Err(HandlerError::new(
                421,
                "foreign_host",
                format!("this server does not answer as {host:?}"),
            )
            .hint("name the host in config.toml: [server] hosts = [\"…\"]"));
        }
        let elsewhere = |site: &HeaderValue| site == "cross-site" || site == "same-site";
        let is_cross_site =
            headers.get("sec-fetch-site").is_some_and(elsewhere) && !is_navigation(method, headers);
        if self.admits_origin(host, headers, is_cross_site) {
            return Ok(());
        }
        Err(if is_cross_site {
            HandlerError::new(403, "cross_site", "requests from other sites are refused")
        } else {
            HandlerError::new(403, "foreign_origin", "requests from this origin are refused")
        })
    }

    /// Returns whether a request's origin is allowed. A request without an origin is, unless it comes from another
    /// site.
    fn admits_origin(&self, host: &str, headers: &HeaderMap, is_cross_site: bool) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return !is_cross_site };
        let same = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_some_and(|(_, of)| of.eq_ignore_ascii_case(host));
        same || self.names_origin(origin)
    }

    pub(crate) fn names_origin(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|known| origin.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
    }

    fn names_host(&self, host: &str) -> bool {
        let name = without_port(host);
        let loopback = name.eq_ignore_ascii_case("localhost")
            || name
                .trim_matches(['[', ']'])
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.to_canonical().is_loopback());
        loopback
            || self
                .names
                .iter()
                .any(|known| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(host))
    }
}

/// Returns whether a person followed a link, which only reads.
fn is_navigation(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::GET && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_answered() {
        let hosts = Hosts { names: vec!["hold.example".into()], origins: vec![] };
        for host in
            ["127.0.0.1:4653", "localhost", "LOCALHOST:1", "[::1]:80", "127.9.9.9", "hold.example:443"]
        {
            assert!(hosts.names_host(host), "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil",
            "",
            "10.0.0.1",
            "[::2]:1",
            "hold.example.evil",
        ] {
            assert!(!hosts.names_host(host), "{host}");
        }
    }
}
