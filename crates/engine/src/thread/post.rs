//! Saying something in a thread.

use std::collections::BTreeSet;

use holdpoint_core::thread::Post;
use holdpoint_core::{Command, Decision, Refusal, Thread, Timestamp};
use holdpoint_protocols::aitp::thread::{Forms, Room, Spoken, deeds, forms};
use holdpoint_store::{Order, Query};

use super::Message;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::{Reach, fetch};

/// How many forms are fetched for one message.
const MOST_FORMS: usize = 3;
/// What is said where a form could not be had.
const NOT_FETCHED: &str =
    "it is fetched over https from public addresses only, within 10 seconds and up to 1 MiB";
/// How many of a thread's decisions a message can be about, the newest first.
const LOOKED_AT: usize = 1_000;

impl Engine {
    /// Says something in a thread. Under a known key, returns what was said the first time.
    pub async fn post(
        &self,
        caller: &Caller,
        id: &str,
        spoken: Spoken,
        key: Option<String>,
    ) -> Result<Message> {
        let thread = self.known_thread(caller, id).await?;
        let now = self.now().await?;
        let mut post = post_of(&thread, spoken);
        // What is too much is not looked at more closely.
        post.check(&thread, &caller.actor)?;
        let speaker = post.speaker(&thread, &caller.actor);
        let forms = self.fetch_forms(&thread, &speaker, &post.content, now).await;
        let decisions = self.decisions_of(&thread, &post.content).await?;
        let keys = &self.settings.aitp.keys;
        let room =
            Room { thread: &thread, speaker: &speaker, decisions: &decisions, forms: &forms, keys, now };
        post.deeds = deeds(&room, &post.content);
        let outcome = self.submit_for(caller, Command::Post(Box::new(post)), key).await?;
        let place = outcome.place.unwrap_or_default();
        let missing = || Refusal::NotFound { what: "thread", id: thread.id.clone() };
        Ok(self.message_at(&thread, place).await?.ok_or_else(missing)?)
    }

    /// Fetches forms that lie elsewhere, as carefully as befits what a stranger wrote.
    async fn fetch_forms(&self, thread: &Thread, speaker: &str, content: &[String], now: Timestamp) -> Forms {
        let reach = if self.settings.aitp.allow_private { Reach::Private } else { Reach::Public };
        let addresses: BTreeSet<String> = forms(thread, speaker, content, now).into_iter().collect();
        let mut fetched = Forms::new();
        for (at, address) in addresses.into_iter().enumerate() {
            let form = if at < MOST_FORMS {
                fetch(&address, reach).await.map_err(|why| {
                    // Where a name leads within is for our own log, not for a stranger.
                    tracing::info!(thread.id = %thread.id, "A form could not be fetched: {why}");
                    NOT_FETCHED.to_owned()
                })
            } else {
                Err(format!("at most {MOST_FORMS} forms are fetched for one message"))
            };
            fetched.insert(address, form);
        }
        fetched
    }

    /// Returns what a message can be about; nothing where it is only words.
    async fn decisions_of(&self, thread: &Thread, content: &[String]) -> Result<Vec<Decision>> {
        if !content.iter().any(|part| part.trim_start().starts_with('{')) {
            return Ok(Vec::new());
        }
        let query = Query {
            project: Some(thread.project.clone()),
            owner: Some(thread.owner()),
            order: Order::NewestFirst,
            limit: LOOKED_AT,
            now: Some(self.now().await?),
            ..Query::default()
        };
        Ok(self.store.list(&query).await?.items)
    }
}

/// Makes a post of what is said; what it does is found out later.
pub(super) fn post_of(thread: &Thread, spoken: Spoken) -> Post {
    Post {
        thread: thread.id.clone(),
        project: thread.project.clone(),
        actor: spoken.actor,
        role: spoken.role,
        content: spoken.content,
        attachments: spoken.attachments,
        metadata: spoken.metadata,
        deeds: Vec::new(),
    }
}
