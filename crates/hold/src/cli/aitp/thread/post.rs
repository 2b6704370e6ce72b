//! `hold aitp thread post`

use std::time::Duration;

use holdpoint_engine::Role;
use holdpoint_engine::thread::MessagesQuery;
use serde_json::{Value, json};

use super::{message_line, whole};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::input;
use crate::cli::ui::Ui;

/// Post a message to a thread
///
/// An AITP message creates a decision, answers one, or reports its outcome. If that is impossible, the reply says
/// why in plain words, and is printed too.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The thread
    id: String,
    /// An AITP message or plain text: a file, or - for standard input
    file: Option<String>,
    /// Plain text or an AITP message; repeatable
    #[arg(long, value_name = "TEXT")]
    text: Vec<String>,
    /// The speaker's name in the thread
    #[arg(long = "as", value_name = "ACTOR")]
    actor: Option<String>,
    /// Post only once with this key, however often this is run
    #[arg(long, value_name = "IDEMPOTENCY")]
    key: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let id = whole(&arguments.id);
    let mut parts = arguments.text;
    if let Some(path) = &arguments.file {
        parts.push(input::text(path)?.trim_end().to_owned());
    }
    let mut body = json!({ "content": parts });
    if let Some(actor) = arguments.actor {
        body["metadata"] = json!({ "actor": Value::from(actor) });
    }
    let posted = client.post(&id, body, arguments.key).await;
    for failure in client.finish().await {
        ui.warn(failure);
    }
    let posted = posted?;
    let query = MessagesQuery { after: Some(posted.id.clone()), limit: 1, ..MessagesQuery::default() };
    let next = client.messages(&id, &query, Duration::ZERO).await?;
    // The next message may also be another decision's outcome; only a direct reply has no decision.
    let returned = next.into_iter().find(|next| next.is_ours() && next.decisions().is_empty());
    if arguments.json {
        ui.json(&posted)?;
    } else {
        ui.line(message_line(&posted, client.now().await?))?;
    }
    if let Some(returned) = returned {
        for line in &returned.content {
            ui.warn(holdpoint_core::text::inert_line(line));
        }
    }
    Ok(Exit::Done)
}
