//! `hold job`

mod attach;
mod check;
mod list;
mod logs;
mod show;
mod start;
mod steer;
mod wait;

use holdpoint_core::Job;
use holdpoint_core::text::quote;
use holdpoint_engine::store::JobQuery;
use holdpoint_engine::{Client, Role};

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Start and steer jobs: supervised agents that work in steps and ask a person
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Start(start::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    Logs(logs::Arguments),
    Attach(attach::Arguments),
    Resume(steer::Resume),
    Cancel(steer::Cancel),
    Suspend(steer::Named),
    Delete(steer::Deleted),
    Wait(wait::Arguments),
    Check(check::Arguments),
    /// Known elsewhere; says what to do instead
    #[command(hide = true)]
    Prune {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
        _rest: Vec<std::ffi::OsString>,
    },
}

impl Arguments {
    /// Makes a command print JSON if it can.
    pub(crate) fn print_json(&mut self) {
        match &mut self.verb {
            Verb::Start(verb) => verb.json = true,
            Verb::List(verb) => verb.json = true,
            Verb::Show(verb) => verb.json = true,
            Verb::Resume(verb) => verb.json = true,
            Verb::Cancel(verb) => verb.named.json = true,
            Verb::Suspend(verb) => verb.json = true,
            Verb::Wait(verb) => verb.json = true,
            Verb::Logs(_) | Verb::Attach(_) | Verb::Delete(_) | Verb::Check(_) | Verb::Prune { .. } => {}
        }
    }
}

impl Arguments {
    /// Limits a command to the jobs of a project.
    pub(crate) async fn narrow(&mut self, project: &str, context: &Context) -> Result<(), Failure> {
        let typed = match &mut self.verb {
            Verb::Show(verb) => &mut verb.id,
            Verb::Logs(verb) => &mut verb.id,
            Verb::Attach(verb) => &mut verb.id,
            Verb::Wait(verb) => &mut verb.id,
            Verb::Suspend(verb) => &mut verb.id,
            Verb::Cancel(verb) => &mut verb.named.id,
            Verb::Delete(verb) => &mut verb.id,
            Verb::Resume(verb) => {
                verb.within = Some(project.to_owned());
                let Some(id) = &mut verb.id else { return Ok(()) };
                id
            }
            Verb::Start(_) | Verb::List(_) | Verb::Check(_) | Verb::Prune { .. } => return Ok(()),
        };
        *typed = meant(&*context.client(Role::Reader).await?, typed, project).await?;
        Ok(())
    }
}

/// Returns the id of a job in a project: the job with this name there, or else the one with this id, if it is there.
async fn meant(client: &dyn Client, typed: &str, project: &str) -> Result<String, Failure> {
    let query = JobQuery { project: Some(project.to_owned()), limit: 1_000, ..JobQuery::default() };
    let named: Vec<Job> =
        client.jobs(&query).await?.into_iter().filter(|job| job.name == typed.trim()).collect();
    let running: Vec<&Job> = named.iter().filter(|job| job.ended_at.is_none()).collect();
    let found = match (named.as_slice(), running.as_slice()) {
        ([only], _) => Some(only.clone()),
        (_, [only]) => Some((*only).clone()),
        ([_, _, ..], _) => {
            let what = format!("{} names several jobs in project {}", quote(typed), quote(project));
            return Err(Failure::new(Exit::NotFound, what).hint("name it by its id: hold job list"));
        }
        // It does not matter what the name means elsewhere, or that it is ambiguous there.
        _ => client.job(typed).await.ok(),
    };
    found.filter(|job| job.project == project).map(|job| job.id).ok_or_else(|| {
        let what = format!("there is no job {} in project {}", quote(typed), quote(project));
        Failure::new(Exit::NotFound, what).hint("see all of them: hold job list")
    })
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    match arguments.verb {
        Verb::Start(arguments) => start::run(arguments, context, ui).await,
        Verb::List(arguments) => list::run(arguments, context, ui).await,
        Verb::Show(arguments) => show::run(arguments, context, ui).await,
        Verb::Logs(arguments) => logs::run(arguments, context, ui).await,
        Verb::Attach(arguments) => attach::run(arguments, context, ui).await,
        Verb::Resume(arguments) => steer::resume(arguments, context, ui).await,
        Verb::Cancel(arguments) => steer::cancel(arguments, context, ui).await,
        Verb::Suspend(arguments) => steer::suspend(arguments, context, ui).await,
        Verb::Delete(arguments) => steer::delete(arguments, context, ui).await,
        Verb::Wait(arguments) => wait::run(arguments, context, ui).await,
        Verb::Check(arguments) => check::run(&arguments, ui),
        Verb::Prune { .. } => {
            let why = "there is no `job prune`: delete ended jobs one by one";
            Err(Failure::new(Exit::Usage, why)
                .hint("list them with hold job list --status all, then: hold job delete JOB"))
        }
    }
}
