//! Questions that make sense only while a caller waits for them: withdrawn when none does any more.

use std::sync::{Arc, Mutex, PoisonError};

use holdpoint_core::decision::New;
use holdpoint_core::{Decision, DecisionId};
use holdpoint_engine::{Client, Error};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// Withdraws such questions in the background, and can be awaited.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldQuestions(Arc<Mutex<Vec<JoinHandle<()>>>>);

/// A question that is withdrawn when this is dropped, unless it was settled.
pub(crate) struct WithdrawGuard {
    parked: HeldQuestions,
    client: Arc<dyn Client>,
    id: DecisionId,
    settled: bool,
}

impl HeldQuestions {
    /// Guards a question.
    pub(crate) fn guard(&self, client: &Arc<dyn Client>, id: DecisionId) -> WithdrawGuard {
        WithdrawGuard { parked: self.clone(), client: Arc::clone(client), id, settled: false }
    }

    /// Asks, and guards the question from the moment it exists: the asker may be ended before it learns the id.
    pub(crate) async fn ask(
        &self,
        client: &Arc<dyn Client>,
        new: New,
        key: Option<String>,
    ) -> Result<(Decision, WithdrawGuard), Error> {
        let (asked, hears) = oneshot::channel();
        let (parked, client) = (self.clone(), Arc::clone(client));
        self.push(tokio::spawn(async move {
            let created = client.create(new, key).await;
            // If the receiver is gone, the guard is dropped at once and withdraws the question.
            let _ = asked.send(created.map(|created| {
                let guard = parked.guard(&client, created.decision.id);
                (created.decision, guard)
            }));
        }));
        hears.await.unwrap_or_else(|_| Err(Error::Settings("the question could not be asked".into())))
    }

    /// Waits until all abandoned questions are withdrawn.
    pub(crate) async fn finish(&self) {
        loop {
            let taken = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
            if taken.is_empty() {
                return;
            }
            for task in taken {
                let _ = task.await;
            }
        }
    }

    fn push(&self, task: JoinHandle<()>) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.retain(|task| !task.is_finished());
        tasks.push(task);
    }
}

impl WithdrawGuard {
    /// Marks the question as settled.
    pub(crate) fn settled(mut self) {
        self.settled = true;
    }
}

impl Drop for WithdrawGuard {
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
        self.parked.push(runtime.spawn(cancel));
    }
}
