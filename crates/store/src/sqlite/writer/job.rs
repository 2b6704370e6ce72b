//! The jobs of the writer.

use tokio::sync::oneshot;

use super::state::WriterState;
use crate::plan::CommandOutcome;
use crate::{Checkpoint, Inspection, Result, Submission};

/// The channel for the result of a job.
pub(super) type Reply<T> = oneshot::Sender<Result<T>>;

/// The outcome of a command, and the command itself, so that the caller drops it instead of the busy writer.
pub(super) type FinishedCommand = (CommandOutcome, Box<Submission>);

/// A job of the writer.
pub(super) enum Job {
    Submit(Box<Submission>, Reply<FinishedCommand>),
    /// Several commands, which go into one transaction.
    SubmitAll(Vec<(Box<Submission>, Reply<FinishedCommand>)>),
    Checkpoint(Box<Checkpoint>, Reply<()>),
    /// Another write.
    Other(Box<dyn FnOnce(&mut WriterState) + Send>),
    Rebuild(Reply<Inspection>),
    /// Only the work that follows every transaction.
    Tidy,
}

/// The content of one transaction: commands, and checkpoints, which then need no separate sync.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) commands: Vec<(Box<Submission>, Reply<FinishedCommand>)>,
    pub(super) points: Vec<(Box<Checkpoint>, Reply<()>)>,
}
