//! Messages that are kept up to date: each is recorded before it is sent, and follows its decision.
//!
//! If a decision changes while a message is being sent, the sender updates the message: the record is written before
//! the decision is read again, so either the sender or the follower sees both.

use holdpoint_core::{Decision, DecisionId, Lane, Occasion, Person, Status};
use holdpoint_protocols::channel::{TapStep, progress, read_handle};
use holdpoint_store::{Happened, OutboxEntry, TrackedMessage};
use sha2::{Digest as _, Sha256};

use super::channel::DeliveryError;
use super::combined_message::is_gathered;
use super::excerpt::excerpt;
use super::gate::{Gate, Unfinished};
use super::messenger::Messenger;
use super::notice::{Notice, SignedLink};
use super::notices::OpenChannels;
use super::send::{drop_settled, link};
use crate::engine::Engine;
use crate::error::{Error, Result};

/// An update that overtakes its message waits; that is not a failure.
const ON_ITS_WAY: &str = "its message is still on its way";

type DeliveryResult<T> = std::result::Result<T, DeliveryError>;

impl Engine {
    /// Sends a message, or updates those of a decision, depending on the row's lane.
    pub(super) async fn send_or_update(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
    ) -> std::result::Result<(), Unfinished> {
        let done = if entry.lane == Lane::Follow {
            self.follow_all(notices, messenger, entry).await.map_err(Unfinished::from)
        } else {
            Box::pin(self.tell(notices, messenger, entry)).await
        };
        if let Err(Unfinished::Failed(DeliveryError::Later { why, .. } | DeliveryError::Never { why })) =
            &done
            && why != ON_ITS_WAY
        {
            self.log_channel(entry.channel(), &entry.target, entry.about(), Happened::Failed, why).await;
        }
        done
    }

    async fn tell(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
    ) -> std::result::Result<(), Unfinished> {
        let known = self.store.sent(entry.id).await?;
        let Some(id) = entry.decision else { return Ok(()) };
        let decision = self.decision(id).await?;
        let Some(decision) = decision.filter(|decision| decision.status == Status::Pending) else {
            if let Some(known) = known.filter(|known| known.message.is_none()) {
                // It may have arrived. Whoever taps on it is told the outcome; if it is found, it shows that.
                let message = messenger.find(&known).await?;
                let sent = TrackedMessage { open: message.is_some(), message, ..known };
                self.store.put_sent(&sent).await?;
                self.follow_one(notices, messenger, sent).await?;
            }
            if entry.held.is_some() {
                self.skip(entry, "settled meanwhile").await;
            }
            return Ok(drop_settled(entry)?);
        };
        let arrived = known.as_ref().is_some_and(|known| known.message.is_some());
        if arrived && !messenger.tells_in_parts() || known.as_ref().is_some_and(is_gathered) {
            return Ok(self.follow_all(notices, messenger, entry).await?);
        }
        let name = excerpt(&entry.target, 60);
        let Some(person) = self.reader(&entry.target, &decision).await? else {
            tracing::info!(decision.id = %id, "{name} gets no message: not known, or may not see it");
            return Ok(());
        };
        let Some(place) = messenger.destination(&person).await? else {
            tracing::info!(decision.id = %id, "{name} gets no message: has no {} account", entry.lane.name());
            return Ok(());
        };
        match self.gate(entry, &person, &decision, decision.created_at).await? {
            Gate::Open => {}
            Gate::Shut => return Ok(()),
            Gate::Held(held) => return Err(Unfinished::Held(held)),
        }
        if known.is_none() && !messenger.pace().is_own(&place, decision.priority) {
            return Ok(self.join_crowd(notices, messenger, entry, &decision, place).await?);
        }
        let to = (entry.id, entry.lane, entry.target.as_str());
        let notice = self.about(notices, messenger, to, decision, person).await?;
        let tried = known.is_some() && !arrived;
        let mut sent = match known {
            // It has arrived on some devices, and is updated there if needed.
            Some(known) if arrived => known,
            known => {
                let digest = notice.decision.digest.clone();
                // Sent again, it has the same controls, so both copies work.
                let controls = match known.filter(|known| known.digest == digest) {
                    Some(known) => known.controls,
                    None => messenger.controls(&notice, notices.links.as_ref())?,
                };
                let (channel, address, at) = (entry.lane, entry.target.clone(), notice.at);
                let (message, open) = (None, true);
                let remarks = extras_fingerprint(messenger, &notice.decision);
                let new = TrackedMessage {
                    id: entry.id,
                    decision: id,
                    channel,
                    address,
                    place,
                    message,
                    digest,
                    remarks,
                    open,
                    controls,
                    at,
                };
                self.store.put_sent(&new).await?;
                new
            }
        };
        let found = if tried { messenger.find(&sent).await? } else { None };
        let told = if let Some(message) = found {
            Ok(message.into())
        } else {
            let waited = messenger.pace().turn_to_tell(&sent.place, notice.decision.priority).await;
            if waited && !self.is_pending(id).await? {
                if !tried && !arrived {
                    self.store.forget_sent(sent.id).await?;
                }
                // It was settled meanwhile, and is dropped.
                return Box::pin(self.tell(notices, messenger, entry)).await;
            }
            messenger.send_message(&notice, &sent).await
        };
        let rest = match told {
            Ok(told) => {
                sent.message = Some(told.message);
                told.rest
            }
            Err(trouble) => {
                if matches!(trouble, DeliveryError::Never { .. }) && !arrived {
                    self.store.forget_sent(sent.id).await?;
                }
                return Err(trouble.into());
            }
        };
        self.store.put_sent(&sent).await?;
        self.log_channel(sent.channel, &sent.address, Some(id), Happened::Sent, "").await;
        let followed = self.follow_one(notices, messenger, sent).await;
        Ok(rest.map_or(followed, Err)?)
    }

    async fn is_pending(&self, id: DecisionId) -> Result<bool> {
        Ok(self.decision(id).await?.is_some_and(|decision| decision.status == Status::Pending))
    }

    /// Updates all messages about a decision, newest first.
    async fn follow_all(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
    ) -> DeliveryResult<()> {
        let Some(id) = entry.about() else { return Ok(()) };
        let mut trouble = Ok(());
        for sent in self.store.sent_about(entry.channel(), id).await? {
            let done = self.follow_one(notices, messenger, sent).await;
            trouble = trouble.and(done);
        }
        trouble
    }

    async fn follow_one(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        sent: TrackedMessage,
    ) -> DeliveryResult<()> {
        let _turn = notices.turns.of(sent.id).await;
        let Some(sent) = self.store.sent(sent.id).await? else { return Ok(()) };
        let decision = self.decision(sent.decision).await?;
        if is_gathered(&sent) {
            let mut waits = false;
            if let Some(decision) = decision.filter(|decision| decision.status == Status::Pending) {
                waits = self.reader_at(messenger, &sent, &decision).await?.is_some();
            }
            return self.leave_crowd(notices, messenger, sent, waits).await;
        }
        let Some(decision) = decision else {
            return self.withdraw(messenger, sent).await;
        };
        if !sent.open {
            return Ok(());
        }
        let Some(person) = self.reader_at(messenger, &sent, &decision).await? else {
            return self.withdraw(messenger, sent).await;
        };
        let open = decision.status == Status::Pending;
        let remarks = extras_fingerprint(messenger, &decision);
        let same = open && sent.digest == decision.digest;
        if same && sent.remarks == remarks {
            return Ok(());
        }
        if sent.message.is_none() {
            return Err(DeliveryError::later(ON_ITS_WAY));
        }
        let to = (sent.id, sent.channel, sent.address.as_str());
        let notice = self.about(notices, messenger, to, decision, person).await?;
        let controls = if same {
            // The question is the same, and so are the controls.
            sent.controls.clone()
        } else if open {
            messenger.controls(&notice, notices.links.as_ref())?
        } else {
            "[]".into()
        };
        // From here on the old controls are invalid; the new ones are valid as soon as they are shown.
        let changing = TrackedMessage { controls, at: notice.at, ..sent };
        if open {
            self.store.put_sent(&changing).await?;
        }
        messenger.pace().turn_to_change(&changing.place, changing.id).await;
        let followed = messenger.follow(&notice, &changing).await;
        let words = match followed {
            Ok(()) => String::new(),
            Err(DeliveryError::Never { why }) => why,
            Err(trouble) => return Err(trouble),
        };
        let digest = notice.decision.digest.clone();
        // A remark or a vote that could not be shown leaves the message valid.
        let changed =
            TrackedMessage { digest, remarks, open: open && (same || words.is_empty()), ..changing };
        self.store.put_sent(&changed).await?;
        let what = if words.is_empty() { Happened::Followed } else { Happened::Failed };
        self.log_channel(changed.channel, &changed.address, Some(changed.decision), what, &words).await;
        Ok(())
    }

    /// Brings a message up to date that is not the recorded one, after a tap on it: a message may have been sent twice.
    pub(super) async fn follow_copy(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        (account, handle, message): (&str, &str, &str),
    ) -> DeliveryResult<()> {
        // The other steps are those of messages about a text.
        let Some((id, nonce, TapStep::First(_) | TapStep::Sure(..) | TapStep::Back)) = read_handle(handle)
        else {
            return Ok(());
        };
        let sent = self.store.sent(id).await?.filter(|sent| sent.place == account && !is_gathered(sent));
        let chat = |message: &str| message.split_once('/').map(|(chat, _)| chat.to_owned());
        let is_copy = |sent: &TrackedMessage| match &sent.message {
            Some(known) => known != message && chat(known) == chat(message),
            None => true,
        };
        let Some(sent) = sent.filter(is_copy) else { return Ok(()) };
        let Some(decision) = self.decision(sent.decision).await? else { return Ok(()) };
        let copy = TrackedMessage { message: Some(message.to_owned()), ..sent };
        let Some(person) = self.reader_at(messenger, &copy, &decision).await? else { return Ok(()) };
        let to = (copy.id, copy.channel, copy.address.as_str());
        let notice = self.about(notices, messenger, to, decision, person).await?;
        let controls = match notice.decision.status {
            Status::Pending => messenger.controls(&notice, notices.links.as_ref())?,
            _ => "[]".into(),
        };
        // Its buttons work, and what they ask next is on the screen.
        if controls.contains(&format!("\"{nonce}\"")) {
            return Ok(());
        }
        messenger.pace().turn_to_change(&copy.place, copy.id).await;
        messenger.follow(&notice, &TrackedMessage { controls, ..copy }).await
    }

    /// Returns the reader of a message, if they may still see its decision and are still reached where it was sent.
    async fn reader_at(
        &self,
        messenger: &dyn Messenger,
        sent: &TrackedMessage,
        decision: &Decision,
    ) -> DeliveryResult<Option<Person>> {
        let Some(person) = self.reader(&sent.address, decision).await? else { return Ok(None) };
        let place = messenger.destination(&person).await?;
        Ok(Some(person).filter(|_| place.as_ref() == Some(&sent.place)))
    }

    async fn withdraw(&self, messenger: &dyn Messenger, sent: TrackedMessage) -> DeliveryResult<()> {
        if sent.open && sent.message.is_some() {
            messenger.pace().turn_to_change(&sent.place, sent.id).await;
            let withdrawn = messenger.withdraw(&sent).await;
            if let Err(trouble @ DeliveryError::Later { .. }) = withdrawn {
                return Err(trouble);
            }
            let words = "taken back";
            self.log_channel(sent.channel, &sent.address, Some(sent.decision), Happened::Followed, words)
                .await;
        }
        Ok(self.store.forget_sent(sent.id).await?)
    }

    /// Returns the current notice about a decision.
    async fn about(
        &self,
        notices: &OpenChannels,
        messenger: &dyn Messenger,
        (id, channel, target): (i64, Lane, &str),
        mut decision: Decision,
        person: Person,
    ) -> Result<Notice> {
        decision.conceal();
        let at = self.now().await?;
        let url = notices.public_url.as_ref().map(|base| format!("{base}/d/{}", decision.id));
        let link = link(notices, &person, channel, &decision, at);
        let mut acts = Vec::new();
        if let (Some(links), Some(base)) = (&notices.links, &notices.public_url)
            && decision.status == Status::Pending
        {
            for act in messenger.acts(&decision) {
                let text = links.issue_act(&decision, &person.name, &act, at)?;
                acts.push(SignedLink(format!("{base}/take/{text}")));
            }
        }
        let (target, event) = (target.to_owned(), serde_json::Map::new());
        let occasion = match decision.status {
            Status::Pending => Occasion::Create,
            Status::TimedOut => Occasion::Timeout,
            _ => Occasion::Respond,
        };
        let (root, callback, person) = (decision.id, None, Some(person));
        Ok(Notice { id, target, occasion, at, event, decision, root, callback, url, person, link, acts })
    }
}

/// Returns a fingerprint of everything that a message shows besides the question: the number of remarks, if there is
/// nothing else.
fn extras_fingerprint(messenger: &dyn Messenger, decision: &Decision) -> usize {
    let remarks = if messenger.shows_remarks(decision) { decision.remarks.len() } else { 0 };
    let progress = progress(decision);
    if progress.is_empty() {
        return remarks;
    }
    let hash = Sha256::digest(format!("{remarks}\n{}", progress.join("\n")));
    // Never in the range of a number of remarks, and no larger than every store can keep.
    hash.iter().take(5).fold(1, |sum, byte| sum << 8 | usize::from(*byte))
}

// A failed read or write may succeed later.

impl From<holdpoint_store::Error> for DeliveryError {
    fn from(error: holdpoint_store::Error) -> Self {
        Self::later(error.to_string())
    }
}

impl From<Error> for DeliveryError {
    fn from(error: Error) -> Self {
        Self::later(error.to_string())
    }
}
