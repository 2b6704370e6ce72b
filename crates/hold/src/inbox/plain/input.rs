//! Waiting for a line, and saying what happens meanwhile.

use std::collections::HashSet;

use holdpoint_core::{DecisionId, Search, Status, Timestamp};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::Flow;
use crate::cli::{Failure, Ui, is_interactive};
use crate::inbox::news::{Listing, News};
use crate::inbox::row::Row;
use crate::inbox::work::{self, Worker};
use crate::shown::{reading, words};

/// Where the person sits.
pub(super) struct PlainInbox<'a> {
    pub(super) worker: Worker,
    news: UnboundedReceiver<News>,
    lines: UnboundedReceiver<Option<String>>,
    pub(super) by: Option<String>,
    pub(super) flow: Flow,
    pub(super) ui: &'a mut Ui,
    pub(super) rows: Vec<Row>,
    pub(super) more: bool,
    pub(super) now: Timestamp,
    /// What is sought.
    pub(super) sought: Search,
    /// What the numbers stand for that were said last.
    pub(super) numbers: Vec<DecisionId>,
    ended: bool,
}

/// What a wait came to.
#[derive(Debug)]
pub(super) enum Came {
    Line(String),
    /// There are no more lines.
    End,
}

/// A decision that is being looked at, and whether it still is what it was.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) id: DecisionId,
    pub(super) digest: String,
    /// Why nothing can be sent any more.
    pub(super) blocked: Option<String>,
}

impl<'a> PlainInbox<'a> {
    pub(super) fn new(
        worker: Worker,
        news: UnboundedReceiver<News>,
        by: Option<String>,
        flow: Flow,
        ui: &'a mut Ui,
    ) -> Self {
        let (sender, lines) = unbounded_channel();
        // Reading blocks, so it has a thread of its own, which ends with the process.
        std::thread::spawn(move || {
            loop {
                let line = crate::cli::input::line().ok().flatten();
                let is_end = line.is_none();
                if sender.send(line).is_err() || is_end {
                    return;
                }
            }
        });
        Self {
            worker,
            news,
            lines,
            by,
            flow,
            ui,
            rows: Vec::new(),
            more: false,
            now: Timestamp::from_millis(0),
            sought: Search::default(),
            numbers: Vec::new(),
            ended: false,
        }
    }

    /// Looks for what is sought beyond what was read.
    pub(super) async fn find_more(&mut self) -> Result<(), Failure> {
        let found = self.worker.find(self.sought.text()).await?;
        for row in found {
            if !self.rows.iter().any(|known| known.id == row.id) {
                self.rows.push(row);
            }
        }
        Ok(())
    }

    pub(super) fn take_in(&mut self, listing: Listing) {
        self.rows = listing.rows;
        self.more = listing.more;
        if let Some(now) = listing.now {
            self.now = now;
        }
    }

    /// Asks for a line; says what happens meanwhile, and asks again.
    pub(super) async fn line(
        &mut self,
        prompt: &str,
        mut watched: Option<&mut Watched>,
    ) -> Result<Came, Failure> {
        if self.ended {
            return Ok(Came::End);
        }
        self.ui.prompt(prompt);
        loop {
            let came = tokio::select! {
                // What happened is said before what was typed is done.
                biased;
                Some(news) = self.news.recv() => news,
                line = self.lines.recv() => {
                    let Some(line) = line.flatten() else {
                        self.ended = true;
                        return Ok(Came::End);
                    };
                    return Ok(Came::Line(line));
                }
            };
            let said = match came {
                News::Happened(happenings) => {
                    let mut said = self.changes().await?;
                    if let Some(watched) = watched.as_deref_mut()
                        && happenings.iter().any(|one| one.id == watched.id)
                    {
                        said.extend(self.look(watched).await?);
                    }
                    said
                }
                News::Lost(why) => vec![format!("{why} Trying again.")],
                News::Warned(why) => vec![why],
                _ => Vec::new(),
            };
            if !said.is_empty() {
                self.ui.line(format!("\n{}", said.join("\n")))?;
                self.ui.prompt(prompt);
            }
        }
    }

    /// Forgets lines that were typed before what is shown now had been there for a while: they were not meant for it.
    pub(super) async fn forget_lines(&mut self) -> Result<(), Failure> {
        let mut forgot = false;
        while is_interactive() && !self.ended {
            let quiet = if forgot { reading::AGAIN } else { reading::QUIET };
            match tokio::time::timeout(quiet, self.lines.recv()).await {
                Err(_) => break,
                Ok(Some(Some(_))) => forgot = true,
                Ok(_) => self.ended = true,
            }
        }
        if forgot { self.ui.line(reading::EARLY) } else { Ok(()) }
    }

    /// Reads what waits again, and says what is new and what is gone.
    async fn changes(&mut self) -> Result<Vec<String>, Failure> {
        let listing = match self.worker.list().await {
            Ok(listing) => listing,
            Err(error) => return Ok(vec![words::sentence(&error.to_string())]),
        };
        let known: HashSet<DecisionId> = self.rows.iter().map(|row| row.id).collect();
        let before = std::mem::take(&mut self.rows);
        self.take_in(listing);
        let still: HashSet<DecisionId> = self.rows.iter().map(|row| row.id).collect();
        let mut said = Vec::new();
        for row in before.iter().filter(|row| !still.contains(&row.id)) {
            said.push(format!("Gone: {}", words::sentence(&row.title)));
        }
        let fresh: Vec<Row> = self
            .rows
            .iter()
            .filter(|row| !known.contains(&row.id) && row.fits(&self.sought, self.now))
            .cloned()
            .collect();
        for row in fresh {
            // A number stands for a row only where rows are listed.
            said.push(match self.flow {
                Flow::Listed => {
                    self.numbers.push(row.id);
                    format!("New: {}", super::said(&row, self.numbers.len(), self.now))
                }
                Flow::Next => format!("New: {}", words::sentence(&row.title)),
            });
        }
        Ok(said)
    }

    /// Looks at the open decision again; says what became of it.
    async fn look(&mut self, watched: &mut Watched) -> Result<Vec<String>, Failure> {
        let why = match self.worker.client.get(&watched.id.to_string()).await {
            Ok(decision) if decision.status != Status::Pending => words::settled_meanwhile(&decision),
            Ok(decision) if decision.digest != watched.digest => {
                "The asker changed the question. Nothing was sent; c reads it again.".into()
            }
            Ok(_) => return Ok(Vec::new()),
            Err(error) if work::is_gone(&error) => "This was removed meanwhile. Nothing was sent.".into(),
            Err(error) => return Ok(vec![words::sentence(&error.to_string())]),
        };
        watched.blocked = Some(why.clone());
        Ok(vec![why])
    }
}
