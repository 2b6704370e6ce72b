//! Requests that hold, by the credential they came in with: when it ends, or what it allows changes, so do they.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use holdpoint_engine::auth::{self, Credential};
use tokio::sync::watch;

use super::App;

/// How often credentials are looked at again though nothing was heard: another server may have ended a session.
const LOOK: Duration = Duration::from_secs(5);

/// All credentials by which somebody holds.
#[derive(Debug, Default)]
pub(crate) struct HeldRequests(Mutex<HashMap<Credential, Arc<CredentialHolds>>>);

/// Everybody who holds by one credential.
#[derive(Debug)]
struct CredentialHolds {
    credential: Credential,
    /// What it allowed when they came in.
    caller: auth::Caller,
    over: watch::Sender<bool>,
}

/// One who holds; leaves the line when it is dropped.
#[derive(Debug)]
pub(crate) struct HeldRequest<'a> {
    held: &'a HeldRequests,
    line: Option<Arc<CredentialHolds>>,
}

impl HeldRequests {
    /// Stands in line for as long as a request holds. Whoever came in without a credential is never sent away.
    pub(crate) fn stand(&self, caller: &auth::Caller, credential: Option<Credential>) -> HeldRequest<'_> {
        let line = credential.map(|credential| {
            let mut caller = caller.clone();
            // Through which door they came changes nothing in what they may.
            caller.actor.via.clear();
            let mut lines = self.lock();
            let known = lines.get(&credential).filter(|line| line.caller == caller).cloned();
            known.unwrap_or_else(|| {
                let line = Arc::new(CredentialHolds { credential, caller, over: watch::Sender::new(false) });
                // Whoever came in while it allowed something else is sent away.
                if let Some(before) = lines.insert(credential, Arc::clone(&line)) {
                    before.over.send_replace(true);
                }
                line
            })
        });
        HeldRequest { held: self, line }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Credential, Arc<CredentialHolds>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldRequest<'_> {
    /// Holds until the credential ends or allows something else.
    pub(crate) async fn over(&self) {
        match &self.line {
            Some(line) => {
                let mut over = line.over.subscribe();
                let _ = over.wait_for(|over| *over).await;
            }
            None => std::future::pending().await,
        }
    }
}

impl Drop for HeldRequest<'_> {
    fn drop(&mut self) {
        let Some(line) = self.line.take() else { return };
        let mut lines = self.held.lock();
        // This one and the map's: nobody else is left.
        if Arc::strong_count(&line) <= 2
            && lines.get(&line.credential).is_some_and(|known| Arc::ptr_eq(known, &line))
        {
            lines.remove(&line.credential);
        }
    }
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
        let lines: Vec<Arc<CredentialHolds>> = app.held.lock().values().cloned().collect();
        for line in lines {
            match app.engine.caller_of(line.credential, "").await {
                Ok(Some(caller)) if caller == line.caller => {}
                Ok(_) => {
                    line.over.send_replace(true);
                }
                Err(error) => tracing::warn!("Could not look at a credential again: {error}"),
            }
        }
        // Who left while this looked could not tell that nobody else was there.
        app.held.lock().retain(|_, line| Arc::strong_count(line) > 1);
    }
}
