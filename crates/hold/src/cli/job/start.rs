//! `hold job start`

use std::collections::BTreeMap;
use std::path::PathBuf;

use holdpoint_engine::Role;
use holdpoint_engine::jobs::StartJob;
use holdpoint_protocols::runbook;

use super::check;
use crate::api::shown_job;
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Start a job of a runbook, or one of its agents alone
///
/// Prints the job's id. A server supervises it. It runs in this folder unless --cwd names another.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The runbook: a .hcl, .toml or .json file
    file: PathBuf,
    /// The job in the runbook; not needed if there is only one
    #[arg(long, conflicts_with = "agent")]
    job: Option<String>,
    /// Start this agent without a job
    #[arg(long)]
    agent: Option<String>,
    /// A value for a variable; repeatable
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = pair)]
    vars: Vec<(String, String)>,
    /// A name for the job
    #[arg(long)]
    name: Option<String>,
    /// The work item it is about
    #[arg(long)]
    item: Option<String>,
    /// The project
    #[arg(long)]
    project: Option<String>,
    /// The folder it runs in
    #[arg(long, value_name = "FOLDER")]
    cwd: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("use NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let (text, format) = check::load(&arguments.file)?;
    runbook::read(&text, format).map_err(|mistakes| check::wrong(&arguments.file, &mistakes))?;
    if !context.has_server() {
        return Err(Failure::error("no server is running here to supervise jobs")
            .hint("start one, in another terminal or as a service: hold serve")
            .hint("or name one that runs elsewhere in HOLD_URL"));
    }
    let cwd = arguments.cwd.unwrap_or_else(|| PathBuf::from("."));
    let cwd =
        cwd.canonicalize().map_err(|why| Failure::error(format!("cannot find {}: {why}", cwd.display())))?;
    let mut vars = BTreeMap::new();
    for (name, value) in arguments.vars {
        if vars.insert(name.clone(), value).is_some() {
            return Err(Failure::error(format!("--var {name} is given twice")));
        }
    }
    let start = StartJob {
        runbook: text,
        file: arguments.file.canonicalize().ok().map(|file| file.display().to_string()),
        format: arguments.file.extension().unwrap_or_default().to_string_lossy().into_owned(),
        job: arguments.job,
        agent: arguments.agent,
        name: arguments.name,
        vars,
        cwd: cwd.display().to_string(),
        item: arguments.item,
        project: Some(context.project(arguments.project.as_deref())),
    };
    let job = context.client(Role::Writer).await?.start_job(start).await?;
    if arguments.json {
        ui.json(&shown_job(&job))?;
    } else {
        ui.line(&job.id)?;
        ui.note(format!("See its progress: hold job show {}", job.id));
    }
    Ok(Exit::Done)
}
