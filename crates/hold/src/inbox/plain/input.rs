//! Waits for a line, and reports what happens meanwhile.

use std::collections::HashSet;

use holdpoint_core::{DecisionId, Search, Status, Timestamp};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::flow::OpenOrder;
use super::read_out;
use crate::cli::failure::Failure;
use crate::cli::ui::{Ui, is_interactive};
use crate::inbox::events::{InboxEvent, PendingList};
use crate::inbox::row::Row;
use crate::inbox::work::{self, Worker};
use crate::view_model::{read_before_consent, wording};

/// The state of the line mode.
pub(super) struct PlainInbox<'a> {
    pub(super) worker: Worker,
    news: UnboundedReceiver<InboxEvent>,
    lines: UnboundedReceiver<Option<String>>,
    pub(super) by: Option<String>,
    pub(super) flow: OpenOrder,
    pub(super) ui: &'a mut Ui,
    pub(super) rows: Vec<Row>,
    pub(super) more: bool,
    pub(super) now: Timestamp,
    /// The current search.
    pub(super) sought: Search,
    /// The decisions that the last printed numbers stand for.
    pub(super) numbers: Vec<DecisionId>,
    ended: bool,
}

/// The result of waiting for a line.
#[derive(Debug)]
pub(super) enum LineInput {
    Line(String),
    /// The input has ended.
    End,
}

/// The open decision, watched for changes.
#[derive(Debug)]
pub(super) struct WatchedDecision {
    pub(super) id: DecisionId,
    pub(super) digest: String,
    /// Why nothing can be sent any more.
    pub(super) blocked: Option<String>,
}

impl<'a> PlainInbox<'a> {
    pub(super) fn new(
        worker: Worker,
        news: UnboundedReceiver<InboxEvent>,
        by: Option<String>,
        flow: OpenOrder,
        ui: &'a mut Ui,
    ) -> Self {
        let (sender, lines) = unbounded_channel();
        // Reading blocks, so it runs on a separate thread, which ends with the process.
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

    /// Searches beyond the decisions that were read.
    pub(super) async fn find_more(&mut self) -> Result<(), Failure> {
        let found = self.worker.find(self.sought.text()).await?;
        for row in found {
            if !self.rows.iter().any(|known| known.id == row.id) {
                self.rows.push(row);
            }
        }
        Ok(())
    }

    pub(super) fn take_in(&mut self, listing: PendingList) {
        self.rows = listing.rows;
        self.more = listing.more;
        if let Some(now) = listing.now {
            self.now = now;
        }
    }

    /// Asks for a line; reports what happens meanwhile, and asks again.
    pub(super) async fn line(
        &mut self,
        prompt: &str,
        mut watched: Option<&mut WatchedDecision>,
    ) -> Result<LineInput, Failure> {
        if self.ended {
            return Ok(LineInput::End);
        }
        self.ui.prompt(prompt);
        loop {
            let came = tokio::select! {
                // What happened is reported before the line is handled.
                biased;
                Some(news) = self.news.recv() => news,
                line = self.lines.recv() => {
                    let Some(line) = line.flatten() else {
                        self.ended = true;
                        return Ok(LineInput::End);
                    };
                    return Ok(LineInput::Line(line));
                }
            };
            let said = match came {
                InboxEvent::Happened(happenings) => {
                    let mut said = self.changes().await?;
                    if let Some(watched) = watched.as_deref_mut()
                        && happenings.iter().any(|one| one.id == watched.id)
                    {
                        said.extend(self.check_open_decision(watched).await?);
                    }
                    said
                }
                InboxEvent::Lost(why) => vec![format!("{why} Trying again.")],
                InboxEvent::Warned(why) => vec![why],
                _ => Vec::new(),
            };
            if !said.is_empty() {
                self.ui.line(format!("\n{}", said.join("\n")))?;
                self.ui.prompt(prompt);
            }
        }
    }

    /// Discards lines that were typed too soon after the current output appeared: they were not meant for it.
    pub(super) async fn forget_lines(&mut self) -> Result<(), Failure> {
        let mut forgot = false;
        while is_interactive() && !self.ended {
            let quiet = if forgot { read_before_consent::AGAIN } else { read_before_consent::QUIET };
            match tokio::time::timeout(quiet, self.lines.recv()).await {
                Err(_) => break,
                Ok(Some(Some(_))) => forgot = true,
                Ok(_) => self.ended = true,
            }
        }
        if forgot { self.ui.line(read_before_consent::EARLY) } else { Ok(()) }
    }

    /// Reads the pending decisions again, and reports what is new and what is gone.
    async fn changes(&mut self) -> Result<Vec<String>, Failure> {
        let listing = match self.worker.list().await {
            Ok(listing) => listing,
            Err(error) => return Ok(vec![wording::sentence(&error.to_string())]),
        };
        let known: HashSet<DecisionId> = self.rows.iter().map(|row| row.id).collect();
        let before = std::mem::take(&mut self.rows);
        self.take_in(listing);
        let still: HashSet<DecisionId> = self.rows.iter().map(|row| row.id).collect();
        let mut said = Vec::new();
        for row in before.iter().filter(|row| !still.contains(&row.id)) {
            said.push(format!("Settled: {}", read_out::as_sentence(&row.headline)));
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
                OpenOrder::Listed => {
                    self.numbers.push(row.id);
                    format!("New: {}", read_out::row(&row, self.numbers.len(), self.now))
                }
                OpenOrder::Next => format!("New: {}", read_out::as_sentence(&row.headline)),
            });
        }
        Ok(said)
    }

    /// Reads the open decision again; reports what happened to it.
    async fn check_open_decision(&mut self, watched: &mut WatchedDecision) -> Result<Vec<String>, Failure> {
        let why = match self.worker.client.get(&watched.id.to_string()).await {
            Ok(decision) if decision.status != Status::Pending => wording::settled_meanwhile(&decision),
            Ok(decision) if decision.digest != watched.digest => {
                "The agent changed this. Nothing was sent; c shows the new version.".into()
            }
            Ok(_) => return Ok(Vec::new()),
            Err(error) if work::is_gone(&error) => "This was withdrawn. Nothing was sent.".into(),
            Err(error) => return Ok(vec![wording::sentence(&error.to_string())]),
        };
        watched.blocked = Some(why.clone());
        Ok(vec![why])
    }
}
