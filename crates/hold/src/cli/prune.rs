//! `hold prune`

use holdpoint_core::{Actor, Command, Span, Timestamp};
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;

/// Delete decisions that were settled long ago
///
/// The log keeps their hashes, so it can still be verified.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Delete what was settled longer ago than this
    #[arg(long, default_value = "90d", value_name = "DURATION")]
    older_than: Span,
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// Only print how many
    #[arg(long)]
    dry_run: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let role = if arguments.dry_run { Role::Reader } else { Role::Writer };
    let engine = context.own_store("prune", role).await?;
    let now = engine.now().await?;
    let before = Timestamp::from_millis(now.as_millis() - arguments.older_than.as_millis());
    let project = arguments.project.as_deref();
    if arguments.dry_run {
        let old = engine.store().settled_before(before, project, usize::MAX >> 1).await?;
        ui.line(format!("{} decisions were settled before {before}", old.len()))?;
        return Ok(Exit::Done);
    }
    let mut removed = 0;
    loop {
        let old = engine.store().settled_before(before, project, 256).await?;
        if old.is_empty() {
            break;
        }
        let mut progress = 0;
        for id in old {
            let outcome = engine.submit(Actor::claimed(context.user(), "cli"), Command::Prune { id }).await?;
            progress += usize::from(!outcome.replayed);
        }
        removed += progress;
        if progress == 0 {
            break;
        }
    }
    ui.line(format!("Deleted {removed} decisions settled before {before}"))?;
    Ok(Exit::Done)
}
