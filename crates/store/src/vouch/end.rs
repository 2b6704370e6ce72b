//! What a process itself has committed last, kept in memory: what is acknowledged must not vanish before it is signed.

use super::{Identity, Lost, Remembered, Vouching};
use crate::Signer;
use crate::chain::Hash;
use crate::plan::{Snapshot, Writes};

/// How far beyond the last known number new decisions are numbered once the counter has gone back: more than can have
/// been given out unknown to the process that remembers.
const MARGIN: i64 = 100_000;

/// The end of the log as a process knows it.
#[derive(Debug, Default)]
pub(super) struct End {
    /// The last event that this process committed.
    committed: Option<Committed>,
    /// What it had committed and found gone, until an admin accepts that.
    lost: Option<Lost>,
    /// The highest row number of a decision that is known to be given out; none before it was looked up.
    number: Option<i64>,
}

/// An event that this process committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Committed {
    pub(crate) seq: i64,
    pub(crate) hash: Hash,
    pub(crate) at: i64,
}

impl Committed {
    /// Says that it is not in the log any more, which ends at `head`.
    pub(super) fn gone(&self, head: i64) -> Lost {
        Lost { seq: self.seq, head, at: self.at }
    }
}

impl Vouching {
    /// Returns the last event that this process committed, if somebody signs here.
    pub(crate) fn committed(&self) -> Option<Committed> {
        self.end().committed
    }

    /// Returns what this process had committed and found gone, and nobody has accepted yet.
    pub(super) fn lost(&self) -> Option<Lost> {
        self.end().lost
    }

    /// Notes that what this process committed is gone, also for those who come after it. The first loss counts until it is
    /// accepted.
    pub(super) fn lose(&self, signer: &dyn Signer, identity: &Identity, lost: Lost) {
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

    /// Notes that an admin has accepted what was lost.
    pub(super) fn accept_loss(&self) {
        self.end().lost = None;
    }

    /// Looks, under the lock, whether the log still runs through what this process committed last. `is_there` says whether
    /// that event is in it, and is asked only where others have written since.
    pub(crate) fn check_end<E>(
        &self,
        signer: Option<&dyn Signer>,
        identity: &Identity,
        snapshot: &Snapshot,
        is_there: impl FnOnce(&Committed) -> Result<bool, E>,
    ) -> Result<(), E> {
        let (Some(signer), Some(last)) = (signer, self.committed()) else { return Ok(()) };
        let head = (snapshot.seq(), *snapshot.hash());
        if head == (last.seq, last.hash) || (head.0 > last.seq && is_there(&last)?) {
            return Ok(());
        }
        self.lose(signer, identity, last.gone(head.0));
        Ok(())
    }

    /// Keeps in mind what was just committed, and up to where numbers were given out.
    pub(super) fn keep_end(&self, writes: &Writes) {
        self.note_written(&writes.events);
        let mut end = self.end();
        if let Some(last) = writes.events.last() {
            end.committed = Some(Committed { seq: last.seq, hash: last.hash, at: last.at.as_millis() });
        }
        end.number = end.number.max(writes.last_number);
    }

    /// Returns the highest number that is known to be given out.
    pub(super) fn number(&self) -> i64 {
        self.end().number.unwrap_or_default()
    }

    /// Moves the counter of a store that went back, as after a restore, to where no number can have been given out before:
    /// somebody may still wait for the decision that had it.
    pub(crate) fn skip_given_numbers(
        &self,
        signer: Option<&dyn Signer>,
        identity: &Identity,
        snapshot: &mut Snapshot,
    ) {
        let Some(signer) = signer else { return };
        let known = self.end().number;
        let known = known.unwrap_or_else(|| {
            // What cannot be read is said where the log is signed.
            signer.remembered(identity).ok().flatten().map_or(0, |remembered| remembered.number)
        });
        let given = snapshot.last_number();
        if given < known {
            tracing::info!(
                "The store went back: new decisions get numbers beyond all that were given before"
            );
            snapshot.skip_to(known + MARGIN);
        }
        self.end().number = Some(known.max(given));
    }
}
