//! The inbox line by line: for screen readers, pipes and simple terminals. It never moves the cursor, and says what
//! changed. The same cards, the same keys, each followed by Enter.

mod answer;
mod input;

use std::sync::Arc;

use holdpoint_core::{DecisionId, Search};
use holdpoint_engine::{Client, Home};
use tokio::sync::mpsc::unbounded_channel;

use super::row::Row;
use super::work::{Narrowed, Worker};
use crate::cli::{Failure, Ui};
use crate::shown::{span, words};
use input::{Came, PlainInbox};

const HELP: &str = "\
A number opens a decision. / and words search, / alone shows all. l lists what waits. q quits.
On a decision: a number picks an option, f fills in field by field, g requests changes, p tells what the agent says,
s the subject, d the earlier rounds, all in full; c reads the decision again, u goes back.";

/// Shows the inbox until the person leaves it.
pub(crate) async fn run(
    client: Arc<dyn Client>,
    narrowed: Narrowed,
    home: Home,
    by: Option<String>,
    ui: &mut Ui,
) -> Result<(), Failure> {
    let place = client.head().await?;
    let (sender, news) = unbounded_channel();
    let worker = Worker { client, narrowed, home, news: sender, names: Arc::default() };
    let listing = worker.list().await?;
    tokio::spawn(worker.clone().follow(Some(place)));
    let mut inbox = PlainInbox::new(worker, news, by, ui);
    inbox.take_in(listing);
    list(&mut inbox)?;
    loop {
        let typed = match inbox.line("inbox> ", None).await? {
            Came::Line(typed) => typed,
            Came::End => return Ok(()),
        };
        match typed.trim() {
            "" => {}
            "q" => return Ok(()),
            "?" => inbox.ui.line(HELP)?,
            "l" => list(&mut inbox)?,
            text if text.starts_with('/') => {
                inbox.sought = Search::of(&text[1..]);
                if inbox.more && !inbox.sought.is_empty() {
                    inbox.find_more().await?;
                }
                list(&mut inbox)?;
            }
            text => {
                if let Some(id) = numbered(&inbox, text) {
                    answer::decide(&mut inbox, id).await?;
                } else {
                    let words = holdpoint_core::text::inert_line(text);
                    inbox.ui.line(format!("{words:?} is not a number in the list; ? helps"))?;
                }
            }
        }
    }
}

fn numbered(inbox: &PlainInbox<'_>, text: &str) -> Option<DecisionId> {
    let number: usize = text.parse().ok()?;
    inbox.numbers.get(number.checked_sub(1)?).copied()
}

/// Says what waits, and gives it numbers.
fn list(inbox: &mut PlainInbox<'_>) -> Result<(), Failure> {
    let fitting: Vec<Row> =
        inbox.rows.iter().filter(|row| row.fits(&inbox.sought, inbox.now)).cloned().collect();
    inbox.numbers = fitting.iter().map(|row| row.id).collect();
    let more = if inbox.more { " or more" } else { "" };
    inbox.ui.line(match (fitting.len(), inbox.sought.is_empty()) {
        (0, true) => "Nothing is waiting for you.".to_owned(),
        (0, false) => "No pending decision matches.".to_owned(),
        (1, _) => "1 pending decision.".to_owned(),
        (count, _) => format!("{count}{more} pending decisions."),
    })?;
    for (at, row) in fitting.iter().enumerate() {
        let line = said(row, at + 1, inbox.now);
        inbox.ui.line(line)?;
    }
    Ok(())
}

/// Says a row in one line.
fn said(row: &Row, number: usize, now: holdpoint_core::Timestamp) -> String {
    let tags = if row.tags.is_empty() { String::new() } else { format!(", {}", row.tags.join(", ")) };
    let age = span::words(now.since(row.created_at).as_millis());
    let due = row.deadline.map(|at| format!(" Due in {}.", span::left(at.since(now).as_millis())));
    let asker = if row.asker.is_empty() { String::new() } else { format!(" From {}.", row.asker) };
    format!(
        "{number}. {}{tags}: {}{asker} Asked {age} ago.{}",
        words::source(row.source),
        words::sentence(&row.title),
        due.unwrap_or_default()
    )
}
