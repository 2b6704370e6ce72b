//! `hold aitp thread show`

use holdpoint_core::text::inert_line;
use holdpoint_engine::Role;
use serde_json::Value;

use super::{message_line, whole};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::{ACCENT, Ui};

/// Show a thread and its messages
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The thread
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: &Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let thread = client.thread(&whole(&arguments.id)).await?;
    if arguments.json {
        ui.json(&thread)?;
        return Ok(Exit::Done);
    }
    let text = |value: &Value| value.as_str().map(inert_line).unwrap_or_default();
    let actors = thread.metadata.get("actors").and_then(Value::as_array);
    let names: Vec<String> = actors.into_iter().flatten().map(|actor| text(&actor["id"])).collect();
    let by = thread.metadata.get("created_by").map(text).unwrap_or_default();
    ui.line(format!("{ACCENT}{}{ACCENT:#}  opened by {by}  {}", thread.id, names.join(", ")))?;
    let now = client.now().await?;
    for message in &thread.messages {
        ui.line("")?;
        ui.line(message_line(message, now))?;
    }
    Ok(Exit::Done)
}
