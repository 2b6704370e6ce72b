//! The inbox line by line: for screen readers, pipes and simple terminals. It never moves the cursor, and says what
//! changed. The same cards, the same keys, each followed by Enter.

mod answer;
mod input;
mod pick;

use std::collections::HashSet;
use std::sync::Arc;

use holdpoint_core::{DecisionId, Search};
use holdpoint_engine::{Client, Home};
use tokio::sync::mpsc::unbounded_channel;

use super::row::Row;
use super::work::{Narrowed, Worker};
use crate::cli::{Failure, Ui};
use crate::shown::{span, words};
use answer::{Became, decide};
use input::{Came, PlainInbox};

/// How one comes from a decision to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// What waits is listed; a number opens one.
    Listed,
    /// One after the other, what presses most first.
    Next,
}

impl Flow {
    fn help(self) -> &'static str {
        match self {
            Self::Listed => {
                "\
A number opens a decision. / and words search, / alone shows all. l lists what waits. q quits.
On a decision: a number picks an option, f fills in field by field, g requests changes, p tells what the agent says,
s the subject, d the earlier rounds, all in full, i ids and digests; ] and [ turn from file to file; c reads the decision again, u goes back."
            }
            Self::Next => {
                "\
A number picks an option, f fills in field by field, g requests changes, p tells what the agent says, s the subject,
d the earlier rounds, all in full, i ids and digests; ] and [ turn from file to file; c reads the decision again, n goes on to the next
and leaves this one pending, q quits."
            }
        }
    }
}

/// Shows the inbox until the person leaves it, or nothing is left in it.
pub(crate) async fn run(
    client: Arc<dyn Client>,
    narrowed: Narrowed,
    home: Home,
    by: Option<String>,
    flow: Flow,
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
        Flow::Listed => listed(&mut inbox).await,
        Flow::Next => next(&mut inbox).await,
    }
}

/// Reads out one after the other until each has been read out once.
async fn next(inbox: &mut PlainInbox<'_>) -> Result<(), Failure> {
    let mut passed: HashSet<DecisionId> = HashSet::new();
    let (mut answered, mut skipped) = (0, 0);
    inbox.ui.line(count(inbox.rows.len(), inbox.more))?;
    while let Some(id) = inbox.rows.iter().map(|row| row.id).find(|id| !passed.contains(id)) {
        let left = inbox.rows.iter().filter(|row| !passed.contains(&row.id)).count();
        passed.insert(id);
        let more = if inbox.more { " or more" } else { "" };
        inbox.ui.line(format!("\n{left}{more} to go."))?;
        match decide(inbox, id).await? {
            Became::Answered => answered += 1,
            Became::Left => skipped += 1,
            Became::Gone => {}
            Became::Quit => break,
        }
        // What came meanwhile may press more than what was read before.
        let listing = inbox.worker.list().await?;
        inbox.take_in(listing);
    }
    inbox.ui.line(format!("Done. {answered} answered, {skipped} skipped."))
}

/// Lists what waits, and opens what is called by its number.
async fn listed(inbox: &mut PlainInbox<'_>) -> Result<(), Failure> {
    list(inbox)?;
    loop {
        let typed = match inbox.line("inbox> ", None).await? {
            Came::Line(typed) => typed,
            Came::End => return Ok(()),
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
    inbox.ui.line(match (fitting.len(), inbox.sought.is_empty()) {
        (0, false) => "No pending decision matches.".to_owned(),
        (fit, _) => count(fit, inbox.more),
    })?;
    for (at, row) in fitting.iter().enumerate() {
        let line = said(row, at + 1, inbox.now);
        inbox.ui.line(line)?;
    }
    Ok(())
}

/// Says how many wait.
fn count(count: usize, more: bool) -> String {
    let more = if more { " or more" } else { "" };
    match count {
        0 => "Nothing is waiting for you.".to_owned(),
        1 => "1 pending decision.".to_owned(),
        count => format!("{count}{more} pending decisions."),
    }
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
