//! The queue of commands to be written.

use tokio::sync::{mpsc, oneshot};

use crate::{Outcome, Submission};

/// The maximum number of commands in one transaction.
pub(super) const BATCH: usize = 256;

/// The channel for the outcome of a command.
pub(super) type Reply = oneshot::Sender<crate::Result<Outcome>>;
/// Commands that go into one transaction.
pub(super) type Group = Vec<(Submission, Reply)>;

/// The queued commands, and the reply channels of the present batch.
pub(super) struct Queue {
    pub(super) jobs: mpsc::UnboundedReceiver<Group>,
    pub(super) replies: Vec<Reply>,
}

impl Queue {
    /// Waits for a command and puts it, with others that are queued, into the batch; returns false at the end.
    pub(super) async fn first(&mut self, batch: &mut Vec<Submission>) -> bool {
        let Some(group) = self.jobs.recv().await else {
            return false;
        };
        self.put(group, batch);
        self.more(batch);
        true
    }

    /// Adds commands that have arrived meanwhile to the batch.
    fn more(&mut self, batch: &mut Vec<Submission>) {
        while batch.len() < BATCH
            && let Ok(group) = self.jobs.try_recv()
        {
            self.put(group, batch);
        }
    }

    fn put(&mut self, group: Group, batch: &mut Vec<Submission>) {
        for (submission, reply) in group {
            batch.push(submission);
            self.replies.push(reply);
        }
    }

    /// Like [`Self::more`], but only if enough has arrived to be worth another round trip, as when other nodes had the
    /// head before this one.
    pub(super) fn more_if_many(&mut self, batch: &mut Vec<Submission>) {
        if 2 * self.jobs.len() >= batch.len() {
            self.more(batch);
        }
    }
}
