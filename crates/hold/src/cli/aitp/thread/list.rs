//! `hold aitp thread list`

use holdpoint_core::Timestamp;
use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use holdpoint_engine::thread::View;
use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::table;
use crate::cli::ui::Ui;

/// List threads, newest first
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Limit to this project
    #[arg(long)]
    project: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: &Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let threads = client.threads(arguments.project.as_deref(), arguments.limit.into()).await?;
    if arguments.json {
        ui.json(&threads)?;
        return Ok(Exit::Done);
    }
    if threads.is_empty() {
        ui.note("There are no threads.");
        return Ok(Exit::Done);
    }
    let now = client.now().await?;
    let row = |thread: &View| {
        let text = |value: &Value| value.as_str().map(inert_line).unwrap_or_default();
        let actors = thread.metadata.get("actors").and_then(Value::as_array);
        let names: Vec<String> = actors.into_iter().flatten().map(|actor| text(&actor["id"])).collect();
        let opened = Timestamp::from_millis(thread.created_at.saturating_mul(1_000));
        let project = thread.metadata.get("project").map(text).unwrap_or_default();
        vec![thread.id.clone(), project, table::age(opened, now), names.join(", ")]
    };
    ui.line(table::render(&["thread", "project", "age", "who"], threads.iter().map(row).collect()))?;
    Ok(Exit::Done)
}
