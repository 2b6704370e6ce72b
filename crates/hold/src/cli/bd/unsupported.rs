//! Commands and flags that other tools by this name accept and this one does not: each is refused with a hint at what
//! to do instead.

use std::ffi::OsString;

use crate::cli::failure::{Exit, Failure};

/// The arguments of a refused command.
#[derive(Debug, clap::Args)]
pub(super) struct Refused {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    rest: Vec<OsString>,
}

/// Refused commands on decisions.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Verb {
    #[command(hide = true)]
    Remind(Refused),
    #[command(hide = true)]
    StopCheck(Refused),
    #[command(hide = true)]
    Captain(Refused),
    #[command(hide = true)]
    Mode(Refused),
}

/// Refused commands on anything else.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Noun {
    #[command(hide = true)]
    Ready(Refused),
    #[command(hide = true)]
    List(Refused),
    #[command(hide = true)]
    Blocked(Refused),
    #[command(hide = true)]
    Show(Refused),
    #[command(hide = true)]
    Create(Refused),
    #[command(hide = true)]
    Close(Refused),
    #[command(hide = true)]
    Update(Refused),
    #[command(hide = true)]
    Gate(Refused),
    #[command(hide = true)]
    Human(Refused),
    #[command(hide = true)]
    Watch(Refused),
}

impl Verb {
    pub(super) fn refusal(&self) -> Failure {
        let (name, why, hint) = match self {
            Self::Remind(_) => (
                "remind",
                "no reminders are needed: a decision stays at the top of every inbox until it is settled",
                "tell people as soon as it is asked (hooks, mail, webhooks): see docs/notices.md; what was not \
                 delivered is sent again with: hold outbox resend",
            ),
            Self::StopCheck(_) => (
                "stop-check",
                "the hooks of the agent's client keep it from stopping",
                "install them: hold hook install claude",
            ),
            Self::Captain(_) => {
                ("captain", "there is one inbox for everybody who answers", "open it: hold inbox")
            }
            Self::Mode(_) => (
                "mode",
                "there is no mode: agents ask, and people answer, at any time",
                "see what is pending: hold bd decision list",
            ),
        };
        refusal(&format!("decision {name}"), why, hint)
    }
}

impl Noun {
    pub(super) fn refusal(&self) -> Failure {
        const ITEMS: &str = "an issue tracker manages the items; Holdpoint has the decisions on them";
        let list = "which items are blocked: hold item list";
        let (name, why, hint) = match self {
            Self::Ready(_) => ("ready", ITEMS, list),
            Self::List(_) => ("list", ITEMS, list),
            Self::Blocked(_) => ("blocked", ITEMS, list),
            Self::Show(_) => ("show", ITEMS, "an item and the decisions on it: hold item show ISSUE"),
            Self::Create(_) => {
                ("create", ITEMS, "ask on an item, known or not: hold bd decision create ISSUE")
            }
            Self::Close(_) => ("close", ITEMS, "cancel its decision: hold bd decision cancel ISSUE"),
            Self::Update(_) => ("update", ITEMS, "an item is blocked while a decision on it is pending"),
            Self::Gate(_) => (
                "gate",
                "what an item waits for is a decision",
                "ask: hold bd decision create ISSUE --prompt TEXT --option yes --option no",
            ),
            Self::Human(_) => {
                ("human", "what people are asked is a decision", "see what is pending: hold bd decision list")
            }
            Self::Watch(_) => {
                ("watch", "a wait is for one decision, by name", "wait for it: hold bd decision await ISSUE")
            }
        };
        refusal(name, why, hint)
    }
}

fn refusal(name: &str, why: &str, hint: &str) -> Failure {
    Failure::new(Exit::Usage, format!("there is no `bd {name}`: {why}")).hint(hint)
}

pub(super) fn predecessor(_: &str) -> Result<String, String> {
    Err("rounds follow each other by guidance (respond --guidance); name an earlier decision in --context"
        .into())
}

pub(super) fn priority(_: &str) -> Result<String, String> {
    Err("use --urgency high, medium or low".into())
}

pub(super) fn waiter(_: &str) -> Result<String, String> {
    Err("use --requested-by NAME for the agent to wake; anybody may await".into())
}

pub(super) fn reason(_: &str) -> Result<String, String> {
    Err("use --text: it goes with the option as the person's words".into())
}

/// Refuses a flag of `watch`.
pub(super) fn watch(urgent_only: bool, notify: bool, headless: bool) -> Result<(), Failure> {
    let (name, why) = match (urgent_only, notify, headless) {
        (true, ..) => ("urgent-only", "the most urgent come first by themselves"),
        (_, true, _) => ("notify", "notices are set up once for every decision: see docs/notices.md"),
        (.., true) => ("headless", "without a terminal, follow the log: hold log --follow --json"),
        _ => return Ok(()),
    };
    Err(Failure::new(Exit::Usage, format!("--{name} is not supported: {why}")))
}
