//! `hold hook`

mod answer;
mod install;
mod plugin;
mod record;
mod uninstall;

use holdpoint_core::Span;
use holdpoint_protocols::claude::Dialect;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Hooks of coding agents: install, uninstall, run
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add the hooks to an agent's settings; shows the difference first
    Install(Install),
    /// Remove the hooks from an agent's settings; shows the difference first
    Uninstall(Uninstall),
    /// Handle a hook of Claude Code: its JSON on standard input, what Claude Code is told on standard output
    Claude(answer::Arguments),
    /// Handle a hook of Codex, or what its `notify` runs
    Codex(answer::Arguments),
    /// Handle a hook of Gemini CLI
    Gemini(answer::Arguments),
    /// Handle what the plugin for opencode passes on
    Opencode(answer::Arguments),
}

/// Which agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Agent {
    /// Claude Code
    Claude,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// opencode
    Opencode,
}

impl Agent {
    fn dialect(self) -> Dialect {
        match self {
            Self::Claude => Dialect::Claude,
            Self::Codex => Dialect::Codex,
            Self::Gemini => Dialect::Gemini,
            Self::Opencode => Dialect::Opencode,
        }
    }
}

/// Which settings.
#[derive(Debug, clap::Args)]
struct Where {
    /// Which agent's
    #[arg(value_enum)]
    agent: Agent,
    /// In this folder's own settings: .claude/settings.local.json, which are not committed, the default for Claude Code; or
    /// .codex/hooks.json, .gemini/settings.json, .opencode/plugin/holdpoint.js
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// In your own settings, for all folders; the default for Codex, Gemini CLI and opencode
    #[arg(long)]
    user: bool,
    /// Do it without asking first
    #[arg(short, long)]
    yes: bool,
}

impl Where {
    /// Returns whether the person's own settings are meant.
    fn is_users(&self) -> bool {
        match self.agent {
            Agent::Claude => self.user,
            Agent::Codex | Agent::Gemini | Agent::Opencode => !self.project,
        }
    }
}

#[derive(Debug, clap::Args)]
struct Install {
    #[command(flatten)]
    place: Where,
    /// How long the agent lets a hook hold
    #[arg(long, default_value = "1h")]
    timeout: Span,
    /// Make an idle decision of a session that stops
    #[arg(long)]
    idle: bool,
    /// For runs that nobody attends: end the session at a question, to be resumed when it is answered
    #[arg(long)]
    defer: bool,
    /// Ask about each use of the tools that this matches, in every mode of the agent; may be given several times
    #[arg(long, value_name = "PATTERN")]
    guard: Vec<String>,
    /// What to do where Holdpoint cannot be reached: refuse the call, or let the agent ask in its terminal
    #[arg(long, value_enum, default_value_t = OnFailure::Deny)]
    on_failure: OnFailure,
}

#[derive(Debug, clap::Args)]
struct Uninstall {
    #[command(flatten)]
    place: Where,
}

/// What a hook does where nobody can be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum OnFailure {
    /// Refuse the call
    #[default]
    Deny,
    /// Say nothing, so that the agent asks in its terminal
    Ask,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Install(install) if install.place.agent == Agent::Opencode => {
            plugin::install(&install, context, ui)
        }
        Verb::Install(install) => install::run(&install, context, ui),
        Verb::Uninstall(uninstall) if uninstall.place.agent == Agent::Opencode => {
            plugin::uninstall(&uninstall, context, ui)
        }
        Verb::Uninstall(uninstall) => uninstall::run(&uninstall, context, ui),
        Verb::Claude(arguments) => answer::run(Dialect::Claude, arguments, context, ui).await,
        Verb::Codex(arguments) => answer::run(Dialect::Codex, arguments, context, ui).await,
        Verb::Gemini(arguments) => answer::run(Dialect::Gemini, arguments, context, ui).await,
        Verb::Opencode(arguments) => answer::run(Dialect::Opencode, arguments, context, ui).await,
    }
}
