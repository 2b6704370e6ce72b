//! `[forms.model]`: where a language model is, and how much it may take.

use std::net::IpAddr;

use holdpoint_core::Span;
use serde::Deserialize;
use url::Url;

/// A language model in the settings. Its key is in the environment and nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The address of the server, up to and including `/v1`.
    pub url: String,
    /// The name of the model.
    pub name: String,
    /// The variable that holds the key, if one is needed.
    pub key_env: Option<String>,
    /// How long one turn may take, all tries together.
    #[serde(default = "twenty_seconds")]
    pub timeout: Span,
    /// How many tokens one turn may take, all tries together.
    #[serde(default = "some_tokens")]
    pub tokens: u32,
    /// How often a turn is tried.
    #[serde(default = "three")]
    pub tries: u32,
}

fn twenty_seconds() -> Span {
    Span::from_secs(20)
}

fn some_tokens() -> u32 {
    16_000
}

fn three() -> u32 {
    3
}

impl Settings {
    /// Returns what is wrong with the settings.
    pub(crate) fn check(&self) -> Result<(), String> {
        let url = self.address().map_err(|why| format!("forms.model.url {why}"))?;
        if self.name.trim().is_empty() {
            return Err("forms.model.name names no model".into());
        }
        if self.key_env.as_ref().is_some_and(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err("forms.model.key_env is not the name of a variable".into());
        }
        if self.key_env.is_some() && url.scheme() == "http" && !is_here(&url) {
            return Err("forms.model: a key is sent only over https, or to this machine".into());
        }
        if !(1..=10).contains(&self.tries) {
            return Err("forms.model.tries must be from 1 to 10".into());
        }
        if !(1..=600_000).contains(&self.timeout.as_millis()) {
            return Err("forms.model.timeout must be longer than zero, and at most 10m".into());
        }
        if self.tokens < 500 {
            return Err("forms.model.tokens must be at least 500".into());
        }
        Ok(())
    }

    /// Returns the address for requests.
    pub(super) fn address(&self) -> Result<Url, String> {
        let base = self.url.trim().trim_end_matches('/').trim_end_matches("/chat/completions");
        let url = Url::parse(&format!("{base}/chat/completions"))
            .map_err(|why| format!("is not an address: {why}"))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("must begin with https:// or http://".into());
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err("must hold no name, password or query; the key comes from key_env".into());
        }
        Ok(url)
    }
}

fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str) -> Settings {
        let text = format!("url = {url:?}\nname = \"m\"");
        toml::from_str(&text).unwrap()
    }

    #[test]
    fn addresses() {
        for (url, whole) in [
            ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
            ("https://models.example.org/v1/", "https://models.example.org/v1/chat/completions"),
            (
                "https://models.example.org/v1/chat/completions",
                "https://models.example.org/v1/chat/completions",
            ),
        ] {
            assert_eq!(settings(url).address().unwrap().as_str(), whole);
        }
        for url in ["", "ftp://x/v1", "https://me:secret@x/v1", "https://x/v1?key=1"] {
            let why = settings(url).check().unwrap_err();
            assert!(why.starts_with("forms.model.url") && !why.contains("secret"), "{url}: {why}");
        }
    }

    #[test]
    fn keys_stay_off_the_wire() {
        let with_key = |url: &str| Settings { key_env: Some("K".into()), ..settings(url) }.check();
        assert!(with_key("http://127.0.0.1:8080/v1").is_ok() && with_key("http://[::1]/v1").is_ok());
        assert!(with_key("https://models.example.org/v1").is_ok());
        assert!(with_key("http://models.example.org/v1").unwrap_err().contains("only over https"));
        let key: Result<Settings, _> = toml::from_str("url = \"https://x\"\nname = \"m\"\nkey = \"k\"");
        assert!(key.unwrap_err().to_string().contains("unknown field `key`"));
        assert!(Settings { tries: 0, ..settings("https://x") }.check().is_err());
        assert!(Settings { tokens: 1, ..settings("https://x") }.check().is_err());
    }
}
