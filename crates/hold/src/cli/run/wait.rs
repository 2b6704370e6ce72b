//! `hold run wait`: holds until the verdict on a run has been carried out.

use std::time::Duration;

use holdpoint_core::Span;
use holdpoint_core::run::{Standing, Verdict};
use holdpoint_core::text::inert_line;
use holdpoint_engine::run::ShownRun;

use super::RunClient;
use crate::cli::failure::{Exit, Failure};
use crate::cli::holding::Interrupt;
use crate::cli::ui::Ui;
use crate::view_model::run::{run_name, standing};

/// Hold until the verdict on a run was carried out, and print it
///
/// Exits 0 after commit, checkpoint or rollback, 8 after retry or abandon, 6 if nobody is asked any more, 5 on
/// timeout.
#[derive(Debug, clap::Args)]
pub(super) struct Wait {
    /// The run: its id, or a prefix or suffix of at least 4 characters
    #[arg(env = "HOLD_RUN")]
    run: String,
    /// Give up after this long, e.g. 5m
    #[arg(long)]
    timeout: Option<Span>,
    /// Exit 8 unless this was the verdict; repeatable
    #[arg(long, value_name = "VERDICT")]
    expect: Vec<String>,
    /// After a retry, hold on the next attempt instead of exiting
    #[arg(long)]
    follow: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn wait(verb: &Wait, runs: &RunClient, ui: &mut Ui) -> Result<Exit, Failure> {
    for name in &verb.expect {
        if Verdict::from_name(name).is_none() {
            let names: Vec<&str> = Verdict::ALL.iter().map(|verdict| verdict.name()).collect();
            let name = holdpoint_core::text::quote(name);
            return Err(Failure::usage(format!(
                "{name} is not a verdict; expect one of: {}",
                names.join(", ")
            )));
        }
    }
    let mut interrupt = Interrupt::listen()?;
    let timeout = verb.timeout.map(|span| Duration::from_millis(span.as_millis().unsigned_abs()));
    let give_up = timeout.map(|timeout| tokio::time::Instant::now() + timeout);
    let mut id = verb.run.clone();
    let run = loop {
        let left = give_up.map(|at| at.saturating_duration_since(tokio::time::Instant::now()));
        let run = tokio::select! {
            run = runs.client.wait_run(&id, left) => run?,
            () = interrupt.interrupted() => {
                ui.note(format!("Stopped holding; resume with: hold run wait {id}"));
                return Ok(Exit::StillPending);
            }
        };
        let next = run.verdict.as_ref().and_then(|verdict| verdict.next).filter(|_| verb.follow);
        let Some(next) = next else { break run };
        ui.note(format!("{}\nHolding on the next attempt.", standing(&run)));
        id = next.to_string();
    };
    if verb.json {
        ui.json(&run)?;
    } else {
        say(&run, ui)?;
    }
    Ok(exit(&run, &verb.expect))
}

fn say(run: &ShownRun, ui: &mut Ui) -> Result<(), Failure> {
    let Some(verdict) = &run.verdict else {
        ui.note(format!("Run {}: {}", run_name(run.id), standing(run)));
        return Ok(());
    };
    ui.line(verdict.verdict.name())?;
    ui.note(standing(run));
    for note in &verdict.notes {
        ui.note(inert_line(note));
    }
    if let Some(next) = verdict.next {
        ui.note(format!("The next attempt is run {}.", run_name(next)));
    }
    Ok(())
}

/// Returns the exit code of a run's end: as with a decision, a no is not a success.
fn exit(run: &ShownRun, expected: &[String]) -> Exit {
    let Some(verdict) = run.verdict.as_ref().map(|verdict| verdict.verdict) else {
        return match run.standing {
            Standing::Withdrawn { .. } | Standing::Unanswered { .. } => Exit::NoAnswer,
            _ => Exit::StillPending,
        };
    };
    let refuses = matches!(verdict, Verdict::Retry | Verdict::Abandon);
    let wanted =
        if expected.is_empty() { !refuses } else { expected.iter().any(|name| name == verdict.name()) };
    if wanted { Exit::Done } else { Exit::NotExpected }
}
