//! Requests that hold, by credential: they end when the credential ends or its permissions change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdpoint_engine::Engine;
use holdpoint_engine::auth::{self, Credential};
use tokio::sync::watch;

use crate::http::problem::HandlerError;

/// How often credentials are checked again without a change being reported: another server may have ended a session.
const LOOK: Duration = Duration::from_secs(5);

/// All requests that hold, by credential.
#[derive(Debug)]
pub(crate) struct HeldRequests {
    by_credential: Mutex<HashMap<Credential, Arc<CredentialHolds>>>,
    /// How many requests may hold with one credential.
    most: usize,
}

/// All requests held by one credential.
#[derive(Debug)]
struct CredentialHolds {
    credential: Credential,
    /// The permissions when the requests came in.
    caller: auth::Caller,
    over: watch::Sender<bool>,
}

/// A request that holds; dropping it removes it.
#[derive(Debug)]
pub(crate) struct HeldRequest<'a> {
    held: &'a HeldRequests,
    holds: Option<Arc<CredentialHolds>>,
}

impl HeldRequests {
    /// Creates the registry with a limit for each credential that leaves room for others: a held request keeps a
    /// connection and counts as one of the requests `at_once`.
    pub(crate) fn new(files: Option<u64>, at_once: usize) -> Self {
        let most = files.map_or(usize::MAX, |files| usize::try_from(files / 4).unwrap_or(usize::MAX).max(64));
        Self { by_credential: Mutex::default(), most: most.min((at_once / 2).max(1)) }
    }

    /// Refuses a request that would hold if too many already do with its credential.
    pub(crate) fn check_room(&self, credential: Option<Credential>) -> Result<(), HandlerError> {
        let held =
            credential.and_then(|credential| Some(Arc::strong_count(self.lock().get(&credential)?) - 1));
        if held.unwrap_or(0) < self.most {
            return Ok(());
        }
        let why =
            format!("{} requests hold with this credential already; let some of them end first", self.most);
        Err(HandlerError::new(429, "too_much", why))
    }

    /// Registers a request while it holds. A request without a credential is never ended.
    pub(crate) fn register(&self, caller: &auth::Caller, credential: Option<Credential>) -> HeldRequest<'_> {
        let holds = credential.map(|credential| {
            let caller = of_credential(caller.clone());
            let mut all = self.lock();
            let known = all.get(&credential).filter(|holds| holds.caller == caller).cloned();
            known.unwrap_or_else(|| {
                let holds = Arc::new(CredentialHolds { credential, caller, over: watch::Sender::new(false) });
                // Ends the requests that came in with other permissions.
                if let Some(before) = all.insert(credential, Arc::clone(&holds)) {
                    before.over.send_replace(true);
                }
                holds
            })
        });
        HeldRequest { held: self, holds }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Arc<CredentialHolds>>> {
        self.by_credential.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldRequest<'_> {
    /// Waits until the credential ends or its permissions change.
    pub(crate) async fn over(&self) {
        match &self.holds {
            Some(holds) => {
                let mut over = holds.over.subscribe();
                let _ = over.wait_for(|over| *over).await;
            }
            None => std::future::pending().await,
        }
    }
}

impl Drop for HeldRequest<'_> {
    fn drop(&mut self) {
        let Some(holds) = self.holds.take() else { return };
        let mut all = self.held.lock();
        // Only this reference and the map's are left.
        if Arc::strong_count(&holds) <= 2
            && all.get(&holds.credential).is_some_and(|known| Arc::ptr_eq(known, &holds))
        {
            all.remove(&holds.credential);
        }
    }
}

/// Returns the caller without what depends on the way it came in: that does not affect what it may see, and requests
/// that came in another way must not end these.
fn of_credential(mut caller: auth::Caller) -> auth::Caller {
    caller.actor.via.clear();
    caller.actor.permissions.clear();
    caller
}

/// Checks the credentials of held requests whenever one was changed, until the server stops.
pub(crate) async fn watch(held: &HeldRequests, engine: &Engine, stops: impl Future<Output = ()>) {
    let mut changes = engine.credential_changes();
    let mut stops = std::pin::pin!(stops);
    loop {
        tokio::select! {
            _ = changes.changed() => {}
            () = tokio::time::sleep(LOOK) => {}
            () = &mut stops => return,
        }
        let all: Vec<Arc<CredentialHolds>> = held.lock().values().cloned().collect();
        for holds in all {
            match engine.caller_of(holds.credential, "").await.map(|caller| caller.map(of_credential)) {
                Ok(Some(caller)) if caller == holds.caller => {}
                Ok(_) => {
                    holds.over.send_replace(true);
                }
                Err(error) => tracing::warn!("Could not look at a credential again: {error}"),
            }
        }
        // Requests that left during the check saw this loop's reference, and so did not remove the entry.
        held.lock().retain(|_, holds| Arc::strong_count(holds) > 1);
    }
}

#[cfg(test)]
mod tests {
    use holdpoint_core::credential::SecretHash;

    use super::*;

    #[test]
    fn one_credential_leaves_room_for_others() {
        for (files, at_once) in [(Some(256), 20_000), (None, 128), (Some(4_000), 128)] {
            leaves_room(&HeldRequests::new(files, at_once));
        }
    }

    /// Checks that 64 requests may hold.
    fn leaves_room(held: &HeldRequests) {
        let caller = auth::Caller::claimed("agent", "http");
        let [one, other] = [1, 2].map(|byte| Credential::Token(SecretHash([byte; 32])));
        let all: Vec<_> = (0..64).map(|_| held.register(&caller, Some(one))).collect();
        assert!(held.check_room(Some(one)).is_err());
        assert!(held.check_room(Some(other)).is_ok() && held.check_room(None).is_ok());
        drop(all);
        assert!(held.check_room(Some(one)).is_ok());
    }
}
