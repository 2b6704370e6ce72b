//! Questions that make sense only while someone waits for them: taken back when nobody does any more.

use std::sync::{Arc, Mutex, PoisonError};

use holdpoint_core::DecisionId;
use holdpoint_engine::Client;
use tokio::task::JoinHandle;

/// What takes such questions back, and can be waited for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parked(Arc<Mutex<Vec<JoinHandle<()>>>>);

/// A question that is taken back when this is dropped, unless it was settled.
pub(crate) struct Guard {
    parked: Parked,
    client: Arc<dyn Client>,
    id: DecisionId,
    settled: bool,
}

impl Parked {
    /// Watches over a question.
    pub(crate) fn guard(&self, client: &Arc<dyn Client>, id: DecisionId) -> Guard {
        Guard { parked: self.clone(), client: Arc::clone(client), id, settled: false }
    }

    /// Waits until all that nobody waits for is taken back.
    pub(crate) async fn finish(&self) {
        let taken = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for cancel in taken {
            let _ = cancel.await;
        }
    }
}

impl Guard {
    /// Says that the question is settled.
    pub(crate) fn settled(mut self) {
        self.settled = true;
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if self.settled {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (client, id) = (Arc::clone(&self.client), self.id);
        let cancel = async move {
            let reason = "the agent stopped waiting".to_owned();
            if let Err(error) = client.cancel(id, Some(reason)).await {
                tracing::warn!("{id} is still pending though nobody waits: {error}");
            }
        };
        let mut taken = self.parked.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|cancel| !cancel.is_finished());
        taken.push(runtime.spawn(cancel));
    }
}
