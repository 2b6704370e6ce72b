//! Settings: what `config.toml` in the data folder may say. Commands come from here and from nowhere else.

use std::collections::BTreeMap;
use std::path::Path;

use holdpoint_core::{Occasion, Span};
use serde::Deserialize;

use crate::error::{Error, Result};
use crate::{llm, notify, rules};

/// Everything that can be set.
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
    pub webhook: Vec<notify::webhook::Settings>,
    /// Where askers may be told that their decision is settled.
    pub callback: Vec<notify::callback::Settings>,
    /// How people who are asked get mail.
    pub mail: Option<notify::mail::Settings>,
    /// How people who are asked get push messages.
    pub ntfy: Option<notify::ntfy::Settings>,
    /// How people who are asked get messages from a bot, and answer there.
    pub telegram: Option<notify::telegram::Settings>,
    /// How people who are asked get messages in Slack, and answer there.
    pub slack: Option<notify::slack::Settings>,
    /// How people who are asked are notified in their browsers, and answer there.
    pub webpush: Option<notify::webpush::Settings>,
    /// Programs that look at what is asked and leave a remark for people.
    pub opinion: Vec<notify::opinion::Settings>,
    /// How messages of other parties are taken.
    pub aitp: Aitp,
    /// On what runs may work.
    pub runs: Runs,
    /// How jobs are run.
    pub jobs: Jobs,
    /// How standing rules are held in check.
    pub rules: rules::Settings,
    /// How decision points on work items are asked.
    pub bd: Bd,
    /// Who is known to be on call.
    pub people: People,
}

/// Who is known to be on call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct People {
    /// A line for `sh` that prints who is on call, a name a line: they are `group:oncall`. The server runs it each minute.
    pub on_call: Option<String>,
}

/// How decision points on work items are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bd {
    /// How long until the default is taken, where no timeout is given; 24 hours if not set.
    pub timeout: Option<Span>,
}

/// How jobs are run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Jobs {
    /// The words before a command that run it under the account of agents: `["sudo", "-u", "agent", "--"]`. Agents run
    /// under the server's own if there are none.
    #[serde(rename = "as")]
    pub account: Vec<String>,
    /// Folders in which jobs may be started over HTTP, with runbooks that lie there; on the server's own machine any may.
    pub folders: Vec<std::path::PathBuf>,
}

/// On what runs may work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Runs {
    /// Folders with the repositories on which callers that may start runs may start one over HTTP. A repository has
    /// hooks, which are programs; on any other only someone on the server's own machine may.
    pub repositories: Vec<std::path::PathBuf>,
}

/// How messages of other parties are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Aitp {
    /// Whether a form may be fetched from a private address.
    pub allow_private: bool,
    /// By which keys the parties of payments sign, by their names, each as `ed25519:` and base64 or base58. Where any
    /// are given, what is asked in a thread is taken only if its signatures hold.
    pub keys: std::collections::BTreeMap<String, String>,
}

/// How forms are filled in conversation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Forms {
    /// How long a conversation may lie idle before it is cancelled.
    pub idle: Span,
    /// A language model that reads what people say; the built-in reader does if there is none.
    pub model: Option<llm::Settings>,
    /// Commands that look something up for forms on the web page and at the terminal, by the tool's name.
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
    /// Under which names it answers, besides those of loopback.
    pub hosts: Vec<String>,
    /// Pages of which other origins may talk to it.
    pub origins: Vec<String>,
    /// Where people reach it, for links in notices; where it listens if not set.
    pub public_url: Option<String>,
    /// How many bytes a request may have.
    pub body_limit: usize,
    /// How many requests may be under way at once, those that hold included.
    pub at_once: usize,
    /// How many requests a second one address may send; loopback is not counted. 0 is no limit.
    pub per_second: u32,
    /// How many requests a second may come from loopback; 0 is no limit.
    pub local_per_second: u32,
    /// How long a caller may take to send the head of a request, or its body, and how long it may take nothing of an
    /// answer.
    pub timeout: Span,
    /// Proxies whose `X-Forwarded-For` is believed: addresses, or networks such as `10.0.0.0/8`.
    pub trusted_proxies: Vec<String>,
    /// How long the inboxes hold an answer back so that it can be undone; at most 30 seconds.
    pub undo: Span,
}

/// The longest that an answer may be held back.
const LONGEST_UNDO: Span = Span::from_secs(30);

/// What one credential may use: a token, or a person who signed in. The local token and a server that asks nobody know
/// no credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Requests a second; 0 is no limit.
    pub per_second: u32,
    /// Bytes of requests and answers that are on their way at once. Also for each address where no credential is known.
    pub in_flight_bytes: usize,
    /// Megabytes of requests in an hour, whatever becomes of them; 0 is no limit.
    pub megabytes_per_hour: u32,
    /// Decisions that it asked and that are pending.
    pub pending: u64,
    /// Bytes that these have together.
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

/// Commands that are run when something happens; each gets JSON on its standard input.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hooks {
    /// When a decision waits for someone.
    pub on_decision_create: Option<HookCommand>,
    /// When someone answered, guided or cancelled.
    pub on_decision_respond: Option<HookCommand>,
    /// When a deadline passed.
    pub on_decision_timeout: Option<HookCommand>,
    /// When nobody has answered for a while, and a step of an escalation is taken.
    pub on_decision_escalate: Option<HookCommand>,
    /// When one of several people has voted, and others are still needed.
    pub on_decision_vote: Option<HookCommand>,
    /// Whether a desktop notice is shown where no `on_decision_create` is set.
    pub desktop: bool,
    /// How long a command may take.
    pub timeout: Span,
}

impl Default for Hooks {
    fn default() -> Self {
        Self {
            on_decision_create: None,
            on_decision_respond: None,
            on_decision_timeout: None,
            on_decision_escalate: None,
            on_decision_vote: None,
            desktop: true,
            timeout: Span::from_secs(10),
        }
    }
}

impl Hooks {
    /// Returns the command for an occasion.
    pub fn command(&self, occasion: Occasion) -> Option<&HookCommand> {
        match occasion {
            Occasion::Create => self.on_decision_create.as_ref(),
            Occasion::Respond => self.on_decision_respond.as_ref(),
            Occasion::Timeout => self.on_decision_timeout.as_ref(),
            Occasion::Escalate => self.on_decision_escalate.as_ref(),
            Occasion::Vote => self.on_decision_vote.as_ref(),
        }
    }
}

/// A command: a line for `sh`, or a program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum HookCommand {
    /// A line for `sh -c`.
    Shell(String),
    /// A program and its arguments, run as they are.
    Program(Vec<String>),
}

impl HookCommand {
    /// Returns whether there is nothing to run.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Shell(line) => line.trim().is_empty(),
            Self::Program(words) => words.first().is_none_or(String::is_empty),
        }
    }
}

impl Settings {
    /// Reads the settings; a file that is not there sets nothing.
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
            return Err("hooks.timeout must be longer than nothing".into());
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
        notify::KINDS.iter().try_for_each(|kind| (kind.check)(self))
    }
}

/// Says what is wrong, on which line and with which key, without the line itself: it may hold a secret that was put
/// there by mistake.
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
            ("url = \"https://a:TOPSECRET@example.org\"\nsecret_env = \"X\"".into(), "no name or password"),
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
