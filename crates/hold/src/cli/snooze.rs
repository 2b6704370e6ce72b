//! `hold snooze`

use holdpoint_core::decision::Attention;
use holdpoint_core::{Span, Timestamp};
use holdpoint_engine::Role;

use super::context::Context;
use super::failure::{Exit, Failure};
use super::ui::Ui;
use crate::view_model::span;

/// Hide a decision from your list for a while
///
/// Others still see it, and that you snoozed it. It comes back early if the asker revises it, and ten minutes
/// before its deadline.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The decision: its id or an unambiguous prefix
    id: String,
    /// How long, at most 30d
    #[arg(default_value = "1h")]
    span: Span,
    /// Until when, instead of how long
    #[arg(long, value_name = "TIME", conflicts_with = "span")]
    until: Option<Timestamp>,
    /// Show it in your list again
    #[arg(long, conflicts_with_all = ["span", "until"])]
    end: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(arguments: Arguments, context: &Context, ui: &mut Ui) -> Result<Exit, Failure> {
    let client = context.client(Role::Writer).await?;
    let decision = client.get(&arguments.id).await?;
    let (before, now) = (decision.snoozed.clone(), client.now().await?);
    let attention = if arguments.end {
        Attention::Wake
    } else {
        let later = now.checked_add(arguments.span);
        let until = arguments.until.or(later).ok_or_else(|| Failure::usage("the span is too long"))?;
        Attention::Snooze { until }
    };
    let decision = client.attend(decision.id, attention).await?;
    let until = decision.snoozed.iter().find(|(who, until)| before.get(*who) != Some(*until));
    match until {
        _ if arguments.json => ui.json(&decision)?,
        Some((_, until)) => {
            let span = span::spelled_out(until.since(now).as_millis());
            let early = arguments.span.as_millis() - until.since(now).as_millis() > 60_000;
            let why =
                if early && arguments.until.is_none() { ", ten minutes before its deadline" } else { "" };
            ui.line(format!("Snoozed {} for {span}{why}", decision.id))?;
        }
        None => ui.line(format!("Unsnoozed {}", decision.id))?,
    }
    Ok(Exit::Done)
}
