//! Commands of oddjobs that are not supported: each is refused with a hint at what to do instead.

use std::ffi::OsString;

use crate::cli::failure::{Exit, Failure};

/// The arguments of a refused command.
#[derive(Debug, clap::Args)]
pub(super) struct Refused {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<OsString>,
}

/// Refused commands on anything but jobs and decisions.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Noun {
    #[command(hide = true)]
    Run(Refused),
    #[command(hide = true)]
    Agent(Refused),
    #[command(hide = true)]
    Crew(Refused),
    #[command(hide = true)]
    Project(Refused),
    #[command(hide = true)]
    Daemon(Refused),
}

impl Noun {
    pub(super) fn refusal(&self) -> Failure {
        let (name, why, hint) = match self {
            Self::Run(_) => (
                "run",
                "a job is started from the file of its runbook",
                "start it: hold job start RUNBOOK --var NAME=VALUE",
            ),
            Self::Agent(_) => (
                "agent",
                "an agent belongs to the job that started it",
                "see which run: hold job list; watch one, or type to it: hold job attach JOB",
            ),
            Self::Crew(_) => (
                "crew",
                "a crew is an agent that was started without a job",
                "start one: hold job start RUNBOOK --agent NAME; see what they wait for: hold list",
            ),
            Self::Project(_) => (
                "project",
                "a project exists once something is asked or started in it",
                "see what runs, by project: hold oj status; all of them: hold project list",
            ),
            Self::Daemon(_) => (
                "daemon",
                "the server supervises jobs",
                "start it: hold serve; stop it like any program: its jobs continue when it is started again",
            ),
        };
        Failure::new(Exit::Usage, format!("there is no `oj {name}`: {why}")).hint(hint)
    }
}
