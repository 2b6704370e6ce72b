//! The state shared by the parts of an open store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch as signal;

use super::file::StoreFile;
use super::listed::Listed;
use super::pool::Pool;
use super::presence;
use crate::feed::Feed;
use crate::plan::BatchCache;
use crate::vouch::Vouching;
use crate::{Options, Result};

/// The state shared by readers, the writer and the watcher.
pub(super) struct Shared {
    pub(super) file: Arc<StoreFile>,
    /// The path of the file, with links resolved.
    pub(super) place: String,
    pub(super) options: Options,
    pub(super) pool: Pool,
    pub(super) head: signal::Sender<i64>,
    pub(super) feed: Feed,
    /// Whether the last write found the disk full.
    pub(super) full: AtomicBool,
    /// Whether the write-ahead log was removed while the store was open.
    pub(super) log_lost: AtomicBool,
    /// Whether this process watches for writes of other processes.
    pub(super) watched: AtomicBool,
    pub(super) vouching: Arc<Vouching>,
    pub(super) known: Arc<BatchCache>,
    pub(super) listed: Listed,
}

impl Shared {
    /// Checks that the store is still the one that was opened, and can be written.
    pub(super) fn ready(&self) -> Result<()> {
        presence::check_start(&self.file)?;
        if self.log_lost.load(Ordering::Relaxed) {
            return Err(presence::log_lost(self.file.path()));
        }
        presence::check_writable(self.file.path(), self.full.load(Ordering::Relaxed))
    }

    /// Wakes the waiters, if the log has grown.
    pub(super) fn saw(&self, seq: i64) {
        self.head.send_if_modified(|last| {
            let grown = seq > *last;
            *last = seq.max(*last);
            grown
        });
    }
}
