//! Opening a thread, and ending one.

use holdpoint_core::text::quote;
use holdpoint_core::thread::{NewThread, Thread};
use holdpoint_core::{Command, Refusal, json};
use holdpoint_protocols::aitp::thread::ThreadOpening;
use serde_json::Value;

use super::View;
use super::post::post_of;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};

/// The characters of ids.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

impl Engine {
    /// Opens a thread, and posts its first messages. Under a known key, returns what was opened the first time.
    pub async fn open_thread(
        &self,
        caller: &Caller,
        body: Value,
        project: Option<&str>,
        key: Option<&str>,
    ) -> Result<(View, bool)> {
        let opening = ThreadOpening::read(body).map_err(|fault| Refusal::Invalid(vec![fault]))?;
        let project = project.map(str::to_owned).or(opening.project);
        let mut new = NewThread {
            id: String::new(),
            project,
            parent_id: opening.parent_id,
            actors: opening.actors,
            assignees: opening.assignees,
            metadata: opening.metadata,
        };
        new.id = match key {
            Some(key) => keyed(&[new.project(), caller.actor.credential.as_deref().unwrap_or_default(), key]),
            None => id(fresh()?),
        };
        // A thread whose first messages are invalid is not opened, so that none is left half open.
        let whole = new.thread(&caller.actor, self.now().await?)?;
        for spoken in &opening.messages {
            post_of(&whole, spoken.clone()).check(&whole, &caller.actor)?;
        }
        self.check_first(caller, &whole).await?;
        self.check_parent(caller, &whole).await?;
        let thread = new.id.clone();
        let outcome = self.submit_for(caller, Command::CreateThread(Box::new(new)), None).await;
        let replayed = match outcome {
            Ok(outcome) => outcome.replayed,
            // The sender knows the original key, not the derived one.
            Err(Error::Refused(Refusal::KeyReused { .. })) => {
                return Err(Refusal::KeyReused { key: key.unwrap_or_default().to_owned() }.into());
            }
            Err(error) => return Err(error),
        };
        for (at, spoken) in opening.messages.into_iter().enumerate() {
            // With this key, a message is not posted twice if the request is repeated.
            self.post(caller, &thread, spoken, Some(format!("first-{at}"))).await?;
        }
        Ok((self.thread_for(caller, &thread).await?, replayed))
    }

    /// An actor who opens a thread without being among its participants speaks as the first of them. That may be a
    /// shop, for example, but not a person who is known here.
    async fn check_first(&self, caller: &Caller, thread: &Thread) -> Result<()> {
        let (name, by) = (thread.name_of(&caller.actor), &caller.actor.by);
        let bare = name.strip_prefix("agent:").unwrap_or(&name);
        if !caller.actor.auth.is_checked() || bare == by {
            return Ok(());
        }
        let store = self.store();
        let is_token = store.tokens().await?.iter().any(|token| token.name == bare);
        if is_token || store.person(bare).await?.is_some() {
            let (name, by) = (quote(&name), quote(by));
            return Err(Refusal::Forbidden(format!(
                "add {by} to the actors: the first one, {name}, is somebody else here"
            ))
            .into());
        }
        Ok(())
    }

    /// Checks that the parent of a fork exists and that the caller may read it. A fork that was opened before stays
    /// valid, whatever has happened to its parent.
    async fn check_parent(&self, caller: &Caller, thread: &Thread) -> Result<()> {
        let Some(parent) = thread.parent_id.as_deref() else { return Ok(()) };
        if self.store.thread(&thread.id).await?.is_some() {
            return Ok(());
        }
        match self.known_thread(caller, parent).await {
            Ok(_) => Ok(()),
            Err(Error::Refused(Refusal::NotFound { .. })) => {
                let why = format!(
                    "no thread here is called {}; leave it out, or name the thread that is forked",
                    quote(parent)
                );
                Err(Refusal::invalid("parent_id", why).into())
            }
            Err(error) => Err(error),
        }
    }

    /// Ends a thread: its decisions and its messages are deleted.
    pub async fn delete_thread(&self, caller: &Caller, id: &str) -> Result<()> {
        let thread = self.known_thread(caller, id).await?;
        let (project, owner) = (thread.project.clone(), thread.owner());
        self.submit_for(caller, Command::EndOwner { project, owner, deleted: true }, None).await.map(drop)
    }
}

/// Derives an id from a key, so that the same request makes the same thread.
fn keyed(parts: &[&str]) -> String {
    let hex = json::sha256_hex(parts.join("\u{1f}").as_bytes());
    id(u64::from_str_radix(hex.get(..16).unwrap_or_default(), 16).unwrap_or_default())
}

fn id(bits: u64) -> String {
    let digit = |place: u32| usize::try_from((bits >> (5 * place)) & 31).unwrap_or_default();
    (0..12).fold("thr-".to_owned(), |mut id, place| {
        id.push(char::from(ALPHABET[digit(place)]));
        id
    })
}

fn fresh() -> Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|why| Error::Settings(format!("no randomness available: {why}")))?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_makes_one_id() {
        assert_eq!(keyed(&["p", "c", "k"]), keyed(&["p", "c", "k"]));
        assert_ne!(keyed(&["p", "c", "k"]), keyed(&["p", "ck", ""]));
        assert_eq!(id(0), "thr-000000000000");
        assert_eq!(id(u64::MAX).len(), 16);
    }
}
