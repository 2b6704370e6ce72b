//! The inbox line by line: for screen readers, pipes and simple terminals. It never moves the cursor, and says what
//! changed. The same cards, the same keys, each followed by Enter.

mod answer;
mod desk;

use std::sync::Arc;

use holdpoint_core::DecisionId;
use holdpoint_engine::{Client, Home};
use tokio::sync::mpsc::unbounded_channel;

use super::row::Row;
use super::work::{self, Narrowed, Worker};
use crate::cli::{Failure, Ui};
use crate::shown::words;
use desk::{Came, Desk};

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
    let listing = work::list(&*client, &narrowed).await?;
    let (sender, news) = unbounded_channel();
    let worker = Worker { client, narrowed, home, news: sender };
    tokio::spawn(worker.clone().follow(Some(place)));
    let mut desk = Desk::new(worker, news, by, ui);
    desk.take_in(listing);
    list(&mut desk)?;
    loop {
        let typed = match desk.line("inbox> ", None).await? {
            Came::Line(typed) => typed,
            Came::End => return Ok(()),
        };
        match typed.trim() {
            "" => {}
            "q" => return Ok(()),
            "?" => desk.ui.line(HELP)?,
            "l" => list(&mut desk)?,
            text if text.starts_with('/') => {
                text[1..].trim().to_lowercase().clone_into(&mut desk.sought);
                list(&mut desk)?;
            }
            text => {
                if let Some(id) = numbered(&desk, text) {
                    answer::decide(&mut desk, id).await?;
                } else {
                    let words = holdpoint_core::text::inert_line(text);
                    desk.ui.line(format!("{words:?} is no number of the list; ? helps"))?;
                }
            }
        }
    }
}

fn numbered(desk: &Desk<'_>, text: &str) -> Option<DecisionId> {
    let number: usize = text.parse().ok()?;
    desk.numbers.get(number.checked_sub(1)?).copied()
}

/// Says what waits, and gives it numbers.
fn list(desk: &mut Desk<'_>) -> Result<(), Failure> {
    let fitting: Vec<Row> = desk.rows.iter().filter(|row| row.fits(&desk.sought)).cloned().collect();
    desk.numbers = fitting.iter().map(|row| row.id).collect();
    let more = if desk.more { " or more" } else { "" };
    desk.ui.line(match (fitting.len(), desk.sought.is_empty()) {
        (0, true) => "Nothing waits for you.".to_owned(),
        (0, false) => "Nothing that waits fits.".to_owned(),
        (1, _) => "1 decision waits.".to_owned(),
        (count, _) => format!("{count}{more} decisions wait."),
    })?;
    for (at, row) in fitting.iter().enumerate() {
        let line = said(row, at + 1, desk.now);
        desk.ui.line(line)?;
    }
    Ok(())
}

/// Says a row in one line.
fn said(row: &Row, number: usize, now: holdpoint_core::Timestamp) -> String {
    let tags = if row.tags.is_empty() { String::new() } else { format!(", {}", row.tags.join(", ")) };
    let age = words::span(now.since(row.created_at).as_millis().max(0));
    let due = row.deadline.map(|at| format!(" Due in {}.", words::span(at.since(now).as_millis().max(0))));
    let asker = if row.asker.is_empty() { String::new() } else { format!(" From {}.", row.asker) };
    format!(
        "{number}. {}{tags}: {}{asker} Asked {age} ago.{}",
        words::source(row.source),
        words::sentence(&row.title),
        due.unwrap_or_default()
    )
}
