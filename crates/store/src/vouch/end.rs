//! The end of the log as this process committed it, kept in memory: an acknowledged commit must not vanish before it is
//! signed.

use super::{Identity, LostEvent, Remembered, UnsignedEvent, Vouching};
use crate::Signer;
use crate::chain::{Hash, hex};
use crate::plan::{Snapshot, Writes};

/// How far numbering skips ahead once the counter has gone back: by more than can have been given out without the
/// knowledge of the process that remembers.
const MARGIN: i64 = 100_000;

/// The end of the log as known to this process.
#[derive(Debug, Default)]
pub(super) struct LogEnd {
    /// The last event that this process committed.
    committed: Option<CommittedEvent>,
    /// A commit of this process that is missing, until an admin accepts the loss.
    lost: Option<LostEvent>,
    /// The highest row number known to be in use; none before it was looked up.
    number: Option<i64>,
    /// The identity of the store at the last commit.
    store: Option<Identity>,
}

/// An event that this process committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommittedEvent {
    pub(crate) seq: i64,
    pub(crate) hash: Hash,
    pub(crate) at: i64,
}

impl From<CommittedEvent> for UnsignedEvent {
    fn from(last: CommittedEvent) -> Self {
        Self { seq: last.seq, hash: hex(&last.hash), at: last.at }
    }
}

impl Vouching {
    /// Returns the last event that this process committed, if there is a signer.
    pub(crate) fn committed(&self) -> Option<CommittedEvent> {
        self.end().committed
    }

    /// Returns the commit that is missing, if the loss has not been accepted yet.
    pub(super) fn lost(&self) -> Option<LostEvent> {
        self.end().lost
    }

    /// Records that a commit of this process is missing, for later processes as well. The first loss counts until it is
    /// accepted.
    pub(super) fn lose(&self, signer: &dyn Signer, identity: &Identity, lost: LostEvent) {
        let mut end = self.end();
        end.committed = None;
        let lost = *end.lost.get_or_insert(lost);
        drop(end);
        self.found(Some(lost.fault()));
        let noted = signer.remembered(identity).and_then(|known| match known {
            Some(known) if known.lost.is_none() => {
                signer.remember(identity, &Remembered { lost: Some(lost), ..known })
            }
            _ => Ok(()),
        });
        if let Err(error) = noted {
            tracing::warn!("Could not remember what was lost: {error}");
        }
    }

    /// Remembers beside the key what this process has committed and cannot sign now. The store may be unavailable and
    /// come back in an earlier state: then the commit is missed, and its numbers are not reused.
    pub fn leave_behind(&self, signer: &dyn Signer) -> crate::Result<()> {
        let end = self.end();
        let (Some(store), Some(last)) = (end.store.clone(), end.committed) else { return Ok(()) };
        let number = end.number.unwrap_or_default();
        drop(end);
        // A store that became unavailable before it was first signed is remembered as well.
        let known = signer.remembered(&store)?.unwrap_or_default();
        if known.lost.is_some() || known.seq >= last.seq {
            return Ok(());
        }
        let number = known.number.max(number);
        signer.remember(&store, &Remembered { unsigned: Some(last.into()), number, ..known })
    }

    /// Records that an admin has accepted the loss.
    pub(super) fn accept_loss(&self) {
        self.end().lost = None;
    }

    /// Checks, under the lock, whether the log still contains the last commit of this process. `is_there` returns
    /// whether that event is in the log, and is called only if others have written since.
    pub(crate) fn check_end<E>(
        &self,
        signer: Option<&dyn Signer>,
        identity: &Identity,
        snapshot: &Snapshot,
        is_there: impl FnOnce(&CommittedEvent) -> Result<bool, E>,
    ) -> Result<(), E> {
        let (Some(signer), Some(last)) = (signer, self.committed()) else { return Ok(()) };
        let head = (snapshot.seq(), *snapshot.hash());
        if head == (last.seq, last.hash) || (head.0 > last.seq && is_there(&last)?) {
            return Ok(());
        }
        self.lose(signer, identity, UnsignedEvent::from(last).as_lost(head.0));
        Ok(())
    }

    /// Records the end of what was just committed, and the numbers in use.
    pub(super) fn keep_end(&self, writes: &Writes) {
        self.note_written(&writes.events);
        let mut end = self.end();
        if let Some(last) = writes.events.last() {
            end.committed = Some(CommittedEvent { seq: last.seq, hash: last.hash, at: last.at.as_millis() });
        }
        end.number = end.number.max(writes.last_number);
    }

    /// Returns the highest row number known to be in use.
    pub(super) fn number(&self) -> i64 {
        self.end().number.unwrap_or_default()
    }

    /// Moves the counter of a store that has gone back, as after a restore, past all numbers that can have been in use:
    /// a waiter may still hold the id of a lost decision.
    pub(crate) fn skip_given_numbers(
        &self,
        signer: Option<&dyn Signer>,
        identity: &Identity,
        snapshot: &mut Snapshot,
    ) {
        let Some(signer) = signer else { return };
        self.end().store.get_or_insert_with(|| identity.clone());
        let known = self.end().number;
        let known = known.unwrap_or_else(|| {
            // An unreadable memory is reported where the log is signed.
            signer.remembered(identity).ok().flatten().map_or(0, |remembered| remembered.number)
        });
        let given = snapshot.last_number();
        if given < known {
            tracing::info!("The store was rolled back: new decisions get numbers above all earlier ones");
            snapshot.skip_to(known + MARGIN);
        }
        self.end().number = Some(known.max(given));
    }
}
