//! Updates of messages, one at a time per message.

use tokio::sync::{Mutex, MutexGuard};

/// Lets the tasks that update one message take turns, so that no change is sent twice.
#[derive(Debug)]
pub(super) struct MessageLocks(Vec<Mutex<()>>);

impl Default for MessageLocks {
    fn default() -> Self {
        // Messages that share a lock only wait for each other.
        Self((0..61).map(|_| Mutex::default()).collect())
    }
}

impl MessageLocks {
    /// Waits for the turn of a message.
    pub(super) async fn of(&self, message: i64) -> Option<MutexGuard<'_, ()>> {
        let at = usize::try_from(message.unsigned_abs() % 61).unwrap_or_default();
        match self.0.get(at) {
            Some(turn) => Some(turn.lock().await),
            None => None,
        }
    }
}
