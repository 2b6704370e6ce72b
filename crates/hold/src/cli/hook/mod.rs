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

/// Install, uninstall and run hooks of coding agents
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Add the hooks to an agent's settings; shows the changes first
    Install(Install),
    /// Remove the hooks from an agent's settings; shows the changes first
    Uninstall(Uninstall),
    /// Handle a hook of Claude Code: reads its JSON on standard input, and replies on standard output
    Claude(answer::Arguments),
    /// Handle a hook of Codex, or its `notify`
    Codex(answer::Arguments),
    /// Handle a hook of Gemini CLI
    Gemini(answer::Arguments),
    /// Handle a call from the plugin for opencode
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
    /// The agent
    #[arg(value_enum)]
    agent: Agent,
    /// Use this folder's settings: .claude/settings.local.json (not committed; the default for Claude Code),
    /// .codex/hooks.json, .gemini/settings.json or .opencode/plugin/holdpoint.js
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Use your own settings, for all folders; the default for Codex, Gemini CLI and opencode
    #[arg(long)]
    user: bool,
    /// Do not ask for confirmation
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
    /// How long a hook may hold
    #[arg(long, default_value = "1h")]
    timeout: Span,
    /// Create an idle decision when a session stops
    #[arg(long)]
    idle: bool,
    /// For unattended runs: end the session at a question, to be resumed when it is answered
    #[arg(long)]
    defer: bool,
    /// Ask about each use of matching tools, in every mode of the agent; repeatable
    #[arg(long, value_name = "PATTERN")]
    guard: Vec<String>,
    /// What to do if Holdpoint cannot be reached
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
    /// Let the agent ask in its terminal
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
