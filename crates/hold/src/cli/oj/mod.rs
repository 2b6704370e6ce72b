//! `hold oj`: jobs, crews and what they wait for, in the vocabulary of oddjobs.

mod decision;
mod escalation;
mod review;
mod status;
mod subject;
mod unsupported;

use clap::ValueEnum;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::job;
use super::ui::{CommandNames, Ui};

/// Steer jobs and crews, with the commands of oddjobs
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Run as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true)]
    folder: Option<std::path::PathBuf>,
    /// Limit to this project
    #[arg(long, global = true)]
    project: Option<String>,
    /// The output format
    #[arg(short, long, global = true, value_enum, default_value = "text")]
    output: Output,
    #[command(subcommand)]
    noun: Noun,
}

#[derive(Debug, clap::Subcommand)]
enum Noun {
    /// List, show and resolve what jobs and crews wait for
    Decision {
        #[command(subcommand)]
        verb: decision::Verb,
    },
    Job(job::Arguments),
    /// Show what is running, and how many decisions are pending
    Status,
    #[command(flatten)]
    Refused(unsupported::Noun),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    Text,
    Json,
}

/// The names of our commands in `oj`.
const OJ: CommandNames = CommandNames {
    name: "oj",
    json: "-o json",
    commands: &[
        ("hold show", "decision show"),
        ("hold answer", "decision resolve"),
        ("hold list --status all", "decision list"),
        ("hold oj status", "status"),
        ("hold list", "decision list"),
        ("hold job", "job"),
    ],
};

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let Arguments { folder, project, output, noun } = arguments;
    ui.speak_as(OJ, project.as_deref());
    if let Some(folder) = folder {
        std::env::set_current_dir(&folder)
            .map_err(|why| Failure::error(format!("cannot work in {}: {why}", folder.display())))?;
    }
    match noun {
        Noun::Decision { verb } => Box::pin(decision::run(verb, project, output, context, ui)).await,
        Noun::Job(mut arguments) => {
            if output == Output::Json {
                arguments.print_json();
            }
            if let Some(project) = &project {
                arguments.narrow(project, context).await?;
            }
            job::run(arguments, context, ui).await
        }
        Noun::Refused(noun) => Err(noun.refusal()),
        Noun::Status => status::run(project.as_deref(), output, context, ui).await,
    }
}
