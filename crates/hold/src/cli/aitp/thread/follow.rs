//! `hold aitp thread follow`

use std::time::Duration;

use holdpoint_core::Span;
use holdpoint_engine::Role;
use holdpoint_engine::thread::MessagesQuery;

use super::{message_line, whole};
use crate::cli::context::Context;
use crate::cli::failure::{Exit, Failure};
use crate::cli::ui::Ui;

/// Follow the messages of a thread, until Ctrl-C
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The thread
    id: String,
    /// Start after this message
    #[arg(long, value_name = "MESSAGE")]
    after: Option<String>,
    /// Give up after this long without a message, e.g. 5m
    #[arg(long)]
    timeout: Option<Span>,
    /// Exit after this many messages; after one if no number is given
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Print one JSON message per line
    #[arg(long)]
    json: bool,
}

const PAGE: usize = 500;
const LONG: Duration = Duration::from_secs(3_600);

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Reader).await?;
    let id = whole(&arguments.id);
    let mut query = MessagesQuery { after: arguments.after, limit: PAGE, ..MessagesQuery::default() };
    let timeout = |span: Span| Duration::from_millis(span.as_millis().unsigned_abs());
    let give_up = |from: tokio::time::Instant| arguments.timeout.map(|span| from + timeout(span));
    let mut deadline = give_up(tokio::time::Instant::now());
    let mut left = arguments.count;
    loop {
        let now = tokio::time::Instant::now();
        let wait = deadline.map_or(LONG, |at| at.saturating_duration_since(now)).min(LONG);
        let messages = tokio::select! {
            messages = client.messages(&id, &query, wait) => messages?,
            _ = tokio::signal::ctrl_c() => return Ok(Exit::Done),
        };
        let time = client.now().await?;
        for message in &messages {
            if left == Some(0) {
                return Ok(Exit::Done);
            }
            if arguments.json {
                ui.json_line(message)?;
            } else {
                ui.line(message_line(message, time))?;
            }
            left = left.map(|left| left - 1);
        }
        if ui.is_unread() || left == Some(0) {
            return Ok(Exit::Done);
        }
        if let Some(last) = messages.last() {
            query.after = Some(last.id.clone());
            deadline = give_up(tokio::time::Instant::now());
        } else if deadline.is_some_and(|at| tokio::time::Instant::now() >= at) {
            return Ok(Exit::StillPending);
        }
    }
}
