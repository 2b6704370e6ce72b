//! The inbox line by line: for screen readers, pipes and simple terminals. It never moves the cursor, and reports
//! changes. It has the same cards and keys as the screen, each key followed by Enter.

mod answer;
mod flow;
mod input;
mod pick;
mod read_out;

use std::collections::HashSet;
use std::sync::Arc;

use holdpoint_core::{DecisionId, Search};
use holdpoint_engine::{Client, Home};
use tokio::sync::mpsc::unbounded_channel;

use super::row::Row;
use super::work::{InboxFilter, Worker};
use crate::cli::failure::Failure;
use crate::cli::ui::Ui;
use answer::{ReadOutOutcome, decide};
pub(crate) use flow::OpenOrder;
use input::{LineInput, PlainInbox};

/// Shows the inbox until the person leaves it, or nothing is left in it.
pub(crate) async fn run(
    client: Arc<dyn Client>,
    narrowed: InboxFilter,
    home: Home,
    by: Option<String>,
    flow: OpenOrder,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let place = client.head().await?;
    let (sender, news) = unbounded_channel();
    let worker = Worker { client, narrowed, home, news: sender, names: Arc::default() };
    let listing = worker.list().await?;
    tokio::spawn(worker.clone().follow(Some(place)));
    let mut inbox = PlainInbox::new(worker, news, by, flow, ui);
    inbox.take_in(listing);
    match flow {
        OpenOrder::Listed => listed(&mut inbox).await,
        OpenOrder::Next => next(&mut inbox).await,
    }
}

/// Reads out the decisions until each has been read out once.
async fn next(inbox: &mut PlainInbox<'_>) -> Result<(), Failure> {
    let mut passed: HashSet<DecisionId> = HashSet::new();
    let (mut answered, mut skipped) = (0, 0);
    if inbox.rows.is_empty() {
        inbox.ui.line(count(0, inbox.more))?;
    }
    while let Some(id) = inbox.rows.iter().map(|row| row.id).find(|id| !passed.contains(id)) {
        let left = inbox.rows.iter().filter(|row| !passed.contains(&row.id)).count();
        passed.insert(id);
        let more = if inbox.more { " or more" } else { "" };
        inbox.ui.line(format!("\n{left}{more} pending."))?;
        match decide(inbox, id).await? {
            ReadOutOutcome::Answered => answered += 1,
            ReadOutOutcome::Left => skipped += 1,
            ReadOutOutcome::Gone => {}
            ReadOutOutcome::Quit => break,
        }
        // Decisions that came meanwhile may be more pressing than those read before.
        let listing = inbox.worker.list().await?;
        inbox.take_in(listing);
    }
    inbox.ui.line(format!("Done. {answered} answered, {skipped} skipped."))
}

/// Lists the decisions, and opens them by number.
async fn listed(inbox: &mut PlainInbox<'_>) -> Result<(), Failure> {
    list(inbox)?;
    loop {
        let typed = match inbox.line("inbox> ", None).await? {
            LineInput::Line(typed) => typed,
            LineInput::End => return Ok(()),
        };
        match typed.trim() {
            "" => {}
            "q" => return Ok(()),
            "?" => inbox.ui.line(inbox.flow.help())?,
            "l" => list(inbox)?,
            text if text.starts_with('/') => {
                inbox.sought = Search::of(&text[1..]);
                if inbox.more && !inbox.sought.is_empty() {
                    inbox.find_more().await?;
                }
                list(inbox)?;
            }
            text => {
                if let Some(id) = numbered(inbox, text) {
                    decide(inbox, id).await?;
                } else {
                    let words = holdpoint_core::text::inert_line(text);
                    inbox.ui.line(format!("No number {words:?} in the list; ? for help"))?;
                }
            }
        }
    }
}

fn numbered(inbox: &PlainInbox<'_>, text: &str) -> Option<DecisionId> {
    let number: usize = text.parse().ok()?;
    inbox.numbers.get(number.checked_sub(1)?).copied()
}

/// Prints the pending decisions with numbers.
fn list(inbox: &mut PlainInbox<'_>) -> Result<(), Failure> {
    let fitting: Vec<Row> =
        inbox.rows.iter().filter(|row| row.fits(&inbox.sought, inbox.now)).cloned().collect();
    inbox.numbers = fitting.iter().map(|row| row.id).collect();
    inbox.ui.line(match (fitting.len(), inbox.sought.is_empty()) {
        (0, false) => "No matches.".to_owned(),
        (fit, _) => count(fit, inbox.more),
    })?;
    for (at, row) in fitting.iter().enumerate() {
        let line = read_out::row(row, at + 1, inbox.now);
        inbox.ui.line(line)?;
    }
    Ok(())
}

/// Describes how many are pending.
fn count(count: usize, more: bool) -> String {
    let more = if more { " or more" } else { "" };
    match count {
        0 => "Nothing is waiting for you.".to_owned(),
        count => format!("{count}{more} pending."),
    }
}
