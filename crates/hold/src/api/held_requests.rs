//! Requests that hold, by the credential they came in with: when it ends, or what it allows changes, so do they.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdpoint_engine::auth::{self, Credential};
use tokio::sync::watch;

use super::{App, Failed};

/// How often credentials are looked at again though nothing was heard: another server may have ended a session.
const LOOK: Duration = Duration::from_secs(5);

/// All requests that hold, by credential.
#[derive(Debug)]
pub(crate) struct HeldRequests {
    by_credential: Mutex<HashMap<Credential, Arc<CredentialHolds>>>,
    /// How many may hold with one credential.
    most: usize,
}

/// All requests held by one credential.
#[derive(Debug)]
struct CredentialHolds {
    credential: Credential,
    /// What it allowed when they came in.
    caller: auth::Caller,
    over: watch::Sender<bool>,
}

/// A request that holds; dropping it takes it out.
#[derive(Debug)]
pub(crate) struct HeldRequest<'a> {
    held: &'a HeldRequests,
    holds: Option<Arc<CredentialHolds>>,
}

impl HeldRequests {
    /// Leaves room for others: each that holds keeps a connection and is one of the requests `at_once`, and one credential gets a
    /// part of those that there may be.
    pub(crate) fn new(files: Option<u64>, at_once: usize) -> Self {
        let most = files.map_or(usize::MAX, |files| usize::try_from(files / 4).unwrap_or(usize::MAX).max(64));
        Self { by_credential: Mutex::default(), most: most.min((at_once / 2).max(1)) }
    }

    /// Refuses one more that would hold where too many do with its credential.
    pub(crate) fn check_room(&self, credential: Option<Credential>) -> Result<(), Failed> {
        let held =
            credential.and_then(|credential| Some(Arc::strong_count(self.lock().get(&credential)?) - 1));
        if held.unwrap_or(0) < self.most {
            return Ok(());
        }
        let why =
            format!("{} requests hold with this credential already; let some of them end first", self.most);
        Err(Failed::new(429, "too_much", why))
    }

    /// Registers a request for as long as it holds. One that came in without a credential is never ended.
    pub(crate) fn register(&self, caller: &auth::Caller, credential: Option<Credential>) -> HeldRequest<'_> {
        let holds = credential.map(|credential| {
            let caller = of_credential(caller.clone());
            let mut all = self.lock();
            let known = all.get(&credential).filter(|holds| holds.caller == caller).cloned();
            known.unwrap_or_else(|| {
                let holds = Arc::new(CredentialHolds { credential, caller, over: watch::Sender::new(false) });
                // Requests that came in while it allowed something else are ended.
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
    /// Holds until the credential ends or allows something else.
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
        // This one and the map's: nobody else is left.
        if Arc::strong_count(&holds) <= 2
            && all.get(&holds.credential).is_some_and(|known| Arc::ptr_eq(known, &holds))
        {
            all.remove(&holds.credential);
        }
    }
}

/// Returns the caller without what the door adds or takes away: that changes nothing in what they may look at, and requests
/// through another door must not end these.
fn of_credential(mut caller: auth::Caller) -> auth::Caller {
    caller.actor.via.clear();
    caller.actor.permissions.clear();
    caller
}

/// Looks at the credentials of all who hold whenever one was changed, until the server stops.
pub(super) async fn watch(app: Arc<App>) {
    let mut changes = app.engine.credential_changes();
    loop {
        tokio::select! {
            _ = changes.changed() => {}
            () = tokio::time::sleep(LOOK) => {}
            () = app.stops() => return,
        }
        let all: Vec<Arc<CredentialHolds>> = app.held.lock().values().cloned().collect();
        for holds in all {
            match app.engine.caller_of(holds.credential, "").await.map(|caller| caller.map(of_credential)) {
                Ok(Some(caller)) if caller == holds.caller => {}
                Ok(_) => {
                    holds.over.send_replace(true);
                }
                Err(error) => tracing::warn!("Could not look at a credential again: {error}"),
            }
        }
        // Who left while this looked could not tell that nobody else was there.
        app.held.lock().retain(|_, holds| Arc::strong_count(holds) > 1);
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

    /// 64 may hold.
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
