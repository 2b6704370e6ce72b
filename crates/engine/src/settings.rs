//! Settings: the content of `config.toml` in the data folder. Commands come only from here.

use std::collections::BTreeMap;
use std::path::Path;

use holdpoint_core::{Occasion, Span};
use holdpoint_protocols::channel::DetailLevel;
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::hooks::{HookCommand, Hooks};
use crate::llm;
use crate::notify::channel_settings::{check_named, check_one};
use crate::notify::webpush::settings::Settings as WebPush;
use crate::notify::{callback, mail, ntfy, opinion, slack, telegram, webhook};
use crate::rules::settings::Settings as Rules;

/// All settings.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Commands that are run when something happens.
    pub hooks: Hooks,
    /// How a server answers.
    pub server: Server,
    /// What one credential may use.
    pub limits: Limits,
    /// How forms are filled in conversation.
    pub forms: Forms,
    /// Programs elsewhere that are told what happens.
    pub webhook: Vec<webhook::Settings>,
    /// Where askers may be told that their decision is settled.
    pub callback: Vec<callback::Settings>,
    /// How people who are asked get mail.
    pub mail: Option<mail::Settings>,
    /// How people who are asked get push messages.
    pub ntfy: Option<ntfy::Settings>,
    /// How people who are asked get messages from a bot, and answer there.
    pub telegram: Option<telegram::Settings>,
    /// How people who are asked get messages in Slack, and answer there.
    pub slack: Option<slack::Settings>,
    /// How people who are asked are notified in their browsers, and answer there.
    pub webpush: Option<WebPush>,
    /// How much messages about a project's decisions show, on every channel; where it is not named, as the channel says.
    pub show_in: BTreeMap<String, DetailLevel>,
    /// Programs that look at what is asked and leave a remark for people.
    pub opinion: Vec<opinion::Settings>,
    /// How messages of other parties are treated.
    pub aitp: Aitp,
    /// The repositories that runs may use.
    pub runs: Runs,
    /// How jobs are run.
    pub jobs: Jobs,
    /// How standing rules are held in check.
    pub rules: Rules,
    /// How decision points on work items are asked.
    pub bd: Bd,
    /// Who is on call.
    pub people: People,
}

/// Who is on call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct People {
    /// A line for `sh` that prints who is on call, one name per line, as the members of `group:oncall`. The server runs
    /// it each minute.
    pub on_call: Option<String>,
}

/// How decision points on work items are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bd {
    /// How long until the default is chosen, if no timeout is given; 24 hours if not set.
    pub timeout: Option<Span>,
}

/// How jobs are run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Jobs {
    /// The command that runs another under the agents' account: `["sudo", "-u", "agent", "--"]`. If it is empty, agents
    /// run under the server's own account.
    #[serde(rename = "as")]
    pub account: Vec<String>,
    /// Folders in which jobs may be started over HTTP, with runbooks in those folders; on the server's own machine any
    /// folder may be used.
    pub folders: Vec<std::path::PathBuf>,
}

/// The repositories that runs may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Runs {
    /// Folders with the repositories on which callers with the permission may start runs over HTTP. A repository has
    /// hooks, which are programs, so only someone on the server's own machine may use any other repository.
    pub repositories: Vec<std::path::PathBuf>,
}

/// How messages of other parties are handled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Aitp {
    /// Whether a form may be fetched from a private address.
    pub allow_private: bool,
    /// The keys with which the parties of payments sign, by name, each as `ed25519:` and base64 or base58. If any are
    /// given, requests in a thread are accepted only if their signatures are valid.
    pub keys: std::collections::BTreeMap<String, String>,
}

/// How forms are filled in conversation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Forms {
    /// How long a conversation may lie idle before it is cancelled.
    pub idle: Span,
    /// A language model that reads people's messages; the built-in reader if none.
    pub model: Option<llm::Settings>,
    /// Commands that look up data for forms on the web page and at the terminal, by the tool's name.
    pub tools: BTreeMap<String, String>,
}

impl Default for Forms {
    fn default() -> Self {
        Self { idle: Span::from_secs(1800), model: None, tools: BTreeMap::new() }
    }
}

/// How a server answers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// The host names that it accepts, besides those of loopback.
    pub hosts: Vec<String>,
    /// Other origins whose pages may send requests.
    pub origins: Vec<String>,
    /// The address under which people reach it, for links in notices; the address where it listens if not set.
    pub public_url: Option<String>,
    /// How many bytes a request may have.
    pub body_limit: usize,
    /// How many requests may be in progress at once, including those that hold.
    pub at_once: usize,
    /// How many requests per second one address may send; loopback is not counted. 0 is no limit.
    pub per_second: u32,
    /// How many requests per second may come from loopback; 0 is no limit.
    pub local_per_second: u32,
    /// How long a caller may take to send the head of a request, or its body, and how long it may stop reading a
    /// response.
    pub timeout: Span,
    /// Proxies whose `X-Forwarded-For` is trusted: addresses, or networks such as `10.0.0.0/8`.
    pub trusted_proxies: Vec<String>,
    /// How long the inboxes hold an answer back so that it can be undone; at most 30 seconds.
    pub undo: Span,
}

/// The longest that an answer may be held back.
const LONGEST_UNDO: Span = Span::from_secs(30);

/// The limits of one credential: a token, or a person who signed in. The local token, and servers without
/// authentication, have no such limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Requests per second; 0 is no limit.
    pub per_second: u32,
    /// Bytes of requests and responses in transit at once. Also per address, for callers without a credential.
    pub in_flight_bytes: usize,
    /// Megabytes of requests per hour, whatever their outcome; 0 is no limit.
    pub megabytes_per_hour: u32,
    /// The pending decisions that it asked.
    pub pending: u64,
    /// Their total size in bytes.
    pub pending_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            per_second: 1000,
            in_flight_bytes: 64 << 20,
            megabytes_per_hour: 1000,
            pending: 1000,
            pending_bytes: 64 << 20,
        }
    }
}

impl Default for Server {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            public_url: None,
            body_limit: 16 << 20,
            at_once: 20_000,
            per_second: 100,
            local_per_second: 0,
            timeout: Span::from_secs(30),
            trusted_proxies: Vec::new(),
            undo: Span::from_secs(5),
        }
    }
}

impl Settings {
    /// Reads the settings; without a file, everything has its default.
    pub fn load(path: &Path) -> Result<Self> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(Error::Io { what: format!("cannot read {}", path.display()), source }),
        };
        let settings: Self = toml::from_str(&text)
            .map_err(|why| Error::Settings(format!("{}: {}", path.display(), misread(&text, &why))))?;
        settings.check().map_err(|why| Error::Settings(format!("{}: {why}", path.display())))?;
        Ok(settings)
    }

    fn check(&self) -> std::result::Result<(), String> {
        for occasion in Occasion::ALL {
            if self.hooks.command(occasion).is_some_and(HookCommand::is_empty) {
                return Err(format!("hooks.{} names no command", occasion.hook()));
            }
        }
        if self.people.on_call.as_ref().is_some_and(|line| line.trim().is_empty()) {
            return Err("people.on_call names no command".into());
        }
        if self.hooks.timeout.as_millis() <= 0 {
            return Err("hooks.timeout must be longer than zero".into());
        }
        if self.server.undo < Span::from_secs(0) || self.server.undo > LONGEST_UNDO {
            return Err("server.undo must be from 0s to 30s".into());
        }
        if self.jobs.account.first().is_some_and(|program| program.trim().is_empty()) {
            return Err("jobs.as names no command".into());
        }
        if let Some(model) = &self.forms.model {
            model.check()?;
        }
        check_named("webhook", &self.webhook, |entry| &entry.name, webhook::Settings::check)?;
        check_named("callback", &self.callback, |entry| &entry.name, callback::Settings::check)?;
        check_one("mail", self.mail.as_ref(), mail::Settings::check)?;
        check_one("ntfy", self.ntfy.as_ref(), ntfy::Settings::check)?;
        check_one("telegram", self.telegram.as_ref(), telegram::Settings::check)?;
        check_one("slack", self.slack.as_ref(), slack::Settings::check)?;
        check_one("webpush", self.webpush.as_ref(), WebPush::check)?;
        opinion::check(&self.opinion)
    }
}

/// Describes an error with its line and key, but without the line itself, which may contain a secret that was put there
/// by mistake.
fn misread(text: &str, why: &toml::de::Error) -> String {
    let Some(start) = why.span().map(|span| span.start).filter(|start| text.is_char_boundary(*start)) else {
        return why.message().to_owned();
    };
    let number = text[..start].matches('\n').count();
    let key = text.lines().nth(number).and_then(|line| line.split_once('=')).map(|(key, _)| key.trim());
    let plain =
        |key: &&str| !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    match key.filter(plain) {
        Some(key) => format!("line {}, {key}: {}", number + 1, why.message()),
        None => format!("line {}: {}", number + 1, why.message()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> std::result::Result<Settings, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Settings::load(file.path()).map_err(|error| error.to_string())
    }

    #[test]
    fn hooks_are_a_line_or_a_program() {
        let settings = load(
            "[hooks]\non_decision_create = \"cat\"\non_decision_respond = [\"a\", \"b\"]\ntimeout = \"3s\"",
        )
        .unwrap();
        assert_eq!(settings.hooks.command(Occasion::Create), Some(&HookCommand::Shell("cat".into())));
        assert_eq!(
            settings.hooks.command(Occasion::Respond),
            Some(&HookCommand::Program(vec!["a".into(), "b".into()]))
        );
        assert_eq!(settings.hooks.timeout, Span::from_secs(3));
        assert!(load("").unwrap().hooks.desktop);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(load("[hooks]\non_decision_creat = 1").unwrap_err().contains("on_decision_creat"));
        assert!(load("[hooks]\non_decision_create = []").unwrap_err().contains("names no command"));
        assert!(load("[hooks").unwrap_err().contains("line 1"));
        assert!(load("[server]\nundo = \"31s\"").unwrap_err().contains("from 0s to 30s"));
        assert_eq!(load("[server]\nundo = \"0s\"").unwrap().server.undo, Span::from_secs(0));
    }

    #[test]
    fn notices_are_checked_and_secrets_stay_out_of_it() {
        let hook = |more: &str| load(&format!("[[webhook]]\nname = \"w\"\n{more}")).unwrap_err();
        let url = "url = \"https://example.org/TOPSECRET\"\n";
        let good = format!("{url}secret_env = \"X\"\n");
        for (more, words) in [
            (String::new(), "url"),
            (url.to_owned(), "secret_env or secret_file"),
            (format!("{good}secret_file = \"/x\""), "keep one"),
            (format!("{url}secret_file = \"x\""), "absolute path"),
            (format!("{url}secret = \"TOPSECRET\""), "line 4, secret: unknown field `secret`"),
            (format!("{good}occasions = []"), "occasions"),
            (format!("{good}occasions = [\"create\", \"create\"]"), "twice"),
            (format!("{good}occasions = [\"made\"]"), "unknown variant `made`"),
            (format!("{good}timeout = \"2h\""), "timeout"),
            ("url = \"ftp://example.org\"\nsecret_env = \"X\"".into(), "https://"),
            ("url = \"https://a:TOPSECRET@example.org\"\nsecret_env = \"X\"".into(), "user name or password"),
            ("url = \"http://2130706433/\"\nsecret_env = \"X\"".into(), "127.0.0.1 is a private address"),
            ("url = \"http://[::ffff:10.0.0.1]/\"\nsecret_env = \"X\"".into(), "allow_private"),
            (format!("{good}[[webhook]]\nname = \"w\"\n{good}"), "two webhooks"),
        ] {
            let why = hook(&more);
            assert!(why.contains(words) && !why.contains("TOPSECRET"), "{more:?}: {why}");
        }
        let settings = load(&format!("[[webhook]]\nname = \"w\"\n{good}")).unwrap();
        assert!(!format!("{settings:?}").contains("TOPSECRET"));
        let mail = "[mail]\nfrom = \"Hold <h@example.org>\"\n";
        for (more, words) in [
            ("server = \"http://x\"", "smtp://"),
            ("server = \"smtp://a:TOPSECRET@x\"", "no name or password"),
            ("server = \"smtp://x\"\nuser = \"a\"", "password_env or password_file"),
            ("server = \"smtp://x\"\npassword_env = \"A\"", "needs a user"),
            ("server = \"smtp://x\"\npassword = \"TOPSECRET\"", "unknown field `password`"),
        ] {
            let why = load(&format!("{mail}{more}")).unwrap_err();
            assert!(why.contains(words) && !why.contains("TOPSECRET"), "{more:?}: {why}");
        }
        assert!(load("[mail]\nserver = \"smtp://x\"\nfrom = \"a\\nb: c\"").unwrap_err().contains("from"));
        assert!(load(&format!("{mail}server = \"smtp://x\"")).unwrap().mail.is_some());
    }
}
