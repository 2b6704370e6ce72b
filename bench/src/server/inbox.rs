//! The cycle in two requests: asked and held in one, and answered by a client that follows the events, as an inbox
//! does.

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::peer::{ANSWER, question};
use super::start::Hold;
use super::wire::Wire;
use crate::Result;

/// A client that asks and holds in one request.
#[derive(Debug)]
pub(crate) struct Asker {
    wire: Wire,
    question: String,
}

impl Asker {
    pub(crate) async fn connect(hold: &Hold) -> Result<Self> {
        Ok(Self { wire: hold.asker().await?, question: question()? })
    }

    /// Runs one cycle.
    pub(crate) async fn cycle(&mut self) -> Result<()> {
        let settled = self.wire.ask("POST", "/v1/decisions?wait=60s", &self.question).await?;
        let settled = std::str::from_utf8(&settled)?;
        if settled.contains("\"status\":\"answered\"") { Ok(()) } else { Err("nobody was woken".into()) }
    }
}

/// Answers everything that is asked, until dropped.
#[derive(Debug)]
pub(crate) struct Inbox(JoinSet<Result<()>>);

impl Inbox {
    /// Follows the events on one connection, and answers on this many.
    pub(crate) async fn open(hold: &Hold, answerers: usize) -> Result<Self> {
        let mut tasks = JoinSet::new();
        let mut lines = Vec::new();
        for _ in 0..answerers {
            let (line, mut ids) = mpsc::unbounded_channel::<String>();
            let mut wire = hold.answerer().await?;
            lines.push(line);
            tasks.spawn(async move {
                while let Some(id) = ids.recv().await {
                    wire.ask("POST", &format!("/v1/decisions/{id}/answer"), ANSWER).await?;
                }
                Ok(())
            });
        }
        let mut events = hold.follower().await?;
        tasks.spawn(async move {
            for turn in 0.. {
                let event: Value = serde_json::from_slice(&events.created().await?)?;
                let id = event["id"].as_str().ok_or("an event without an id")?.to_owned();
                lines[turn % lines.len()].send(id)?;
            }
            Ok(())
        });
        Ok(Self(tasks))
    }

    /// Returns the first error, if any.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.0.try_join_next() {
            Some(ended) => ended?.and(Err("the answerer has gone".into())),
            None => Ok(()),
        }
    }
}
