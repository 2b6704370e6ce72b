//! The state shared by the parts of an open store.

use std::sync::Arc;

use holdpoint_core::Numbering;
use tokio::sync::watch as signal;

use super::pool::Pool;
use crate::Options;
use crate::feed::Feed;
use crate::plan::BatchCache;
use crate::vouch::{Identity, Vouching};

/// The state shared by readers, the writer and the watcher.
pub(super) struct Shared {
    pub(super) pool: Pool,
    pub(super) numbering: Numbering,
    /// The name by which this process marks its notifications to other nodes.
    pub(super) node: String,
    pub(super) options: Options,
    pub(super) head: signal::Sender<i64>,
    pub(super) feed: Feed,
    /// The identity of this store, for its signer.
    pub(super) identity: Identity,
    pub(super) vouching: Arc<Vouching>,
    pub(super) known: Arc<BatchCache>,
}
