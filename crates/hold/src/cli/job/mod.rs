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
use holdpoint_engine::Role;
use holdpoint_engine::store::JobQuery;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Supervised agents that work in steps, and ask when they cannot continue alone
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
}

impl Arguments {
    /// Prints JSON where the verb can.
    pub(crate) fn print_json(&mut self) {
        match &mut self.verb {
            Verb::Start(verb) => verb.json = true,
            Verb::List(verb) => verb.json = true,
            Verb::Show(verb) => verb.json = true,
            Verb::Resume(verb) => verb.json = true,
            Verb::Cancel(verb) => verb.named.json = true,
            Verb::Suspend(verb) => verb.json = true,
            Verb::Wait(verb) => verb.json = true,
            Verb::Logs(_) | Verb::Attach(_) | Verb::Delete(_) | Verb::Check(_) => {}
        }
    }
}

impl Arguments {
    /// Narrows what a verb acts on to a project: a name means a job of that project, or nothing.
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
            Verb::Start(_) | Verb::List(_) | Verb::Check(_) => return Ok(()),
        };
        let query = JobQuery { project: Some(project.to_owned()), limit: 1_000, ..JobQuery::default() };
        let jobs = context.client(Role::Reader).await?.jobs(&query).await?;
        *typed = meant(&jobs, typed.trim(), project)?;
        Ok(())
    }
}

/// Returns the id of the job of a project that an id, a name, or a unique start of an id means.
fn meant(jobs: &[Job], typed: &str, project: &str) -> Result<String, Failure> {
    let starts = |job: &&Job| {
        let short = job.id.split_once('-').map_or("", |(_, short)| short);
        !typed.is_empty() && (job.id.starts_with(typed) || short.starts_with(typed))
    };
    let named = || jobs.iter().filter(|job| job.name == typed);
    let running = named().any(|job| job.ended_at.is_none());
    let mut found: Vec<&Job> = jobs.iter().filter(|job| job.id == typed).collect();
    if found.is_empty() {
        found = named().filter(|job| !running || job.ended_at.is_none()).collect();
    }
    if found.is_empty() {
        found = jobs.iter().filter(starts).collect();
        // A job that others are steps of is meant before those.
        if found.iter().any(|job| job.parent.is_none()) {
            found.retain(|job| job.parent.is_none());
        }
    }
    match found.as_slice() {
        [only] => Ok(only.id.clone()),
        [] => Err(Failure::new(
            Exit::NotFound,
            format!("there is no job {} in project {}", quote(typed), quote(project)),
        )
        .hint("see all of them: hold job list")),
        several => {
            let ids: Vec<String> =
                several.iter().map(|job| format!("{} ({})", job.id, job.standing())).collect();
            Err(Failure::new(
                Exit::NotFound,
                format!("{} names several jobs: {}", quote(typed), ids.join(", ")),
            ))
        }
    }
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
    }
}
