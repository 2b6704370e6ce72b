//! Posting messages to a thread.

use std::collections::BTreeSet;

use holdpoint_core::thread::Post;
use holdpoint_core::{Command, Decision, Refusal, Status, Thread};
use holdpoint_protocols::aitp::thread::{
    DecisionScope, Forms, MessageBody, MessageContext, Part, actions, finds, forms, looks_back, recognise,
};
use holdpoint_store::{Order, Query, SharedDecision};

use super::Message;
use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::Result;
use crate::{FetchScope, fetch};

/// How many forms are fetched for one message.
const MOST_FORMS: usize = 3;
/// The reply if a form could not be fetched.
const NOT_FETCHED: &str =
    "it is fetched over https from public addresses only, within 10 seconds and up to 1 MiB";
/// How many of a thread's decisions a message can refer to, newest first: a reply to pending ones, and otherwise, like
/// a result, to all of them.
const LOOKED_AT: usize = 1_000;

impl Engine {
    /// Posts a message to a thread. Under a known key, returns what was posted the first time.
    pub async fn post(
        &self,
        caller: &Caller,
        id: &str,
        spoken: MessageBody,
        key: Option<String>,
    ) -> Result<Message> {
        let thread = self.known_thread(caller, id).await?;
        let now = self.now().await?;
        let mut post = post_of(&thread, spoken);
        // This comes first, so that an oversized message is not processed further.
        post.check(&thread, &caller.actor)?;
        let speaker = post.speaker(&thread, &caller.actor);
        let parts: Vec<Part> = post.content.iter().map(|part| recognise(part, now)).collect();
        let forms = self.fetch_forms(&thread, &speaker, &parts).await;
        let keys = &self.settings.aitp.keys;
        let back = looks_back(&parts);
        let mut decisions = self.decisions_of(&thread, back).await?;
        let room =
            MessageContext { thread: &thread, speaker: &speaker, decisions: &[], forms: &forms, keys, now };
        // Most replies are for a pending decision; only otherwise are settled ones searched.
        if back == DecisionScope::Waiting && !finds(&MessageContext { decisions: &decisions, ..room }, &parts)
        {
            decisions = self.decisions_of(&thread, DecisionScope::All).await?;
        }
        post.actions = actions(&MessageContext { decisions: &decisions, ..room }, parts);
        let outcome = self.submit_for(caller, Command::Post(Box::new(post)), key).await?;
        let place = outcome.place.unwrap_or_default();
        let missing = || Refusal::NotFound { what: "thread", id: thread.id.clone() };
        Ok(self.message_at(&thread, place).await?.ok_or_else(missing)?)
    }

    /// Fetches external forms, as carefully as a stranger's addresses require.
    async fn fetch_forms(&self, thread: &Thread, speaker: &str, parts: &[Part]) -> Forms {
        let reach = if self.settings.aitp.allow_private { FetchScope::Private } else { FetchScope::Public };
        let addresses: BTreeSet<String> = forms(thread, speaker, parts).into_iter().collect();
        let mut fetched = Forms::new();
        for (at, address) in addresses.into_iter().enumerate() {
            let form = if at < MOST_FORMS {
                fetch(&address, reach).await.map_err(|why| {
                    // What is known about an internal address is for our own log, not for a stranger.
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

    /// Returns the decisions that a message can refer to.
    async fn decisions_of(&self, thread: &Thread, back: DecisionScope) -> Result<Vec<Decision>> {
        let statuses = match back {
            DecisionScope::Nothing => return Ok(Vec::new()),
            DecisionScope::Waiting => vec![Status::Pending],
            DecisionScope::All => Vec::new(),
        };
        let query = Query {
            statuses,
            project: Some(thread.project.clone()),
            owner: Some(thread.owner()),
            order: Order::NewestFirst,
            limit: LOOKED_AT,
            now: Some(self.now().await?),
            ..Query::default()
        };
        let page = self.store.list(&query).await?;
        Ok(page.items.into_iter().map(SharedDecision::into_decision).collect())
    }
}

/// Makes a post of a message; its actions are determined later.
pub(super) fn post_of(thread: &Thread, spoken: MessageBody) -> Post {
    Post {
        thread: thread.id.clone(),
        project: thread.project.clone(),
        actor: spoken.actor,
        role: spoken.role,
        content: spoken.content,
        attachments: spoken.attachments,
        metadata: spoken.metadata,
        actions: Vec::new(),
    }
}
