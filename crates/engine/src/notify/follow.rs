//! Messages that are kept up to date: each is noted before it goes out, and follows what happens to its decision.
//!
//! A message that was on its way while its decision changed is brought up to date by who sent it: the note is written
//! before the decision is looked at again, so one of the two, the sender or the follower, sees both.

use holdpoint_core::{Decision, Lane, Occasion, Person, Priority, Status};
use holdpoint_protocols::channel::progress;
use holdpoint_store::{Happened, OutboxEntry, Sent};
use sha2::{Digest as _, Sha256};

use super::crowd::is_gathered;
use super::gate::{Gate, Halt};
use super::send::{drop_settled, link};
use super::{Messenger, Notice, Notices, SignedLink, Trouble, excerpt};
use crate::engine::Engine;
use crate::error::{Error, Result};

/// A change that overtakes the message waits; that is no failure.
const ON_ITS_WAY: &str = "its message is still on its way";

type Tried<T> = std::result::Result<T, Trouble>;

impl Engine {
    /// Sends a message, or brings those of a decision up to date, as the row's lane says.
    pub(super) async fn send_or_update(
        &self,
        notices: &Notices,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
    ) -> std::result::Result<(), Halt> {
        let done = if entry.lane == Lane::Follow {
            self.follow_all(notices, messenger, entry).await.map_err(Halt::from)
        } else {
            Box::pin(self.tell(notices, messenger, entry)).await
        };
        if let Err(Halt::Trouble(Trouble::Later { why, .. } | Trouble::Never { why })) = &done
            && why != ON_ITS_WAY
        {
            self.log_channel(entry.channel(), &entry.target, entry.about(), Happened::Failed, why).await;
        }
        done
    }

    async fn tell(
        &self,
        notices: &Notices,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
    ) -> std::result::Result<(), Halt> {
        let known = self.store.sent(entry.id).await?;
        let Some(id) = entry.decision else { return Ok(()) };
        let decision = self.decision(id).await?;
        let Some(decision) = decision.filter(|decision| decision.status == Status::Pending) else {
            // Nobody was told; or somebody was, perhaps, and nothing is known of the message.
            if known.is_some_and(|known| known.message.is_none()) {
                self.store.forget_sent(entry.id).await?;
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
        let Some(place) = messenger.place(&person).await? else {
            tracing::info!(decision.id = %id, "{name} gets no message: has no {} account", entry.lane.name());
            return Ok(());
        };
        match self.gate(entry, &person, &decision, decision.created_at).await? {
            Gate::Open => {}
            Gate::Shut => return Ok(()),
            Gate::Held(held) => return Err(Halt::Held(held)),
        }
        if known.is_none() && decision.priority != Priority::Urgent && messenger.is_crowded(&place) {
            return Ok(self.join_crowd(notices, messenger, entry, &decision, place).await?);
        }
        let notice = self.about(notices, messenger, entry, decision, Some(person)).await?;
        let tried = known.is_some() && !arrived;
        let mut sent = match known {
            // It has arrived at some devices, and is brought up to date there if it must be.
            Some(known) if arrived => known,
            known => {
                let digest = notice.decision.digest.clone();
                // Sent again, it has the same controls: both copies count.
                let controls = match known.filter(|known| known.digest == digest) {
                    Some(known) => known.controls,
                    None => messenger.controls(&notice, notices.links.as_ref())?,
                };
                let (channel, address, at) = (entry.lane, entry.target.clone(), notice.at);
                let (message, open) = (None, true);
                let remarks = beside(messenger, &notice.decision);
                let new = Sent {
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
        let told = match found {
            Some(message) => Ok(message.into()),
            None => messenger.tell(&notice, &sent).await,
        };
        let rest = match told {
            Ok(told) => {
                sent.message = Some(told.message);
                told.rest
            }
            Err(trouble) => {
                if matches!(trouble, Trouble::Never { .. }) && !arrived {
                    self.store.forget_sent(sent.id).await?;
                }
                return Err(trouble.into());
            }
        };
        self.store.put_sent(&sent).await?;
        self.log_channel(sent.channel, &sent.address, Some(id), Happened::Sent, "").await;
        let followed = self.follow_one(notices, messenger, entry, sent).await;
        Ok(rest.map_or(followed, Err)?)
    }

    /// Brings all messages about a decision up to date, newest first.
    async fn follow_all(
        &self,
        notices: &Notices,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
    ) -> Tried<()> {
        let Some(id) = entry.about() else { return Ok(()) };
        let mut trouble = Ok(());
        for sent in self.store.sent_about(entry.channel(), id).await? {
            let done = self.follow_one(notices, messenger, entry, sent).await;
            trouble = trouble.and(done);
        }
        trouble
    }

    async fn follow_one(
        &self,
        notices: &Notices,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
        sent: Sent,
    ) -> Tried<()> {
        let _turn = notices.turns.of(sent.id).await;
        let Some(sent) = self.store.sent(sent.id).await? else { return Ok(()) };
        let decision = self.decision(sent.decision).await?;
        if is_gathered(&sent) {
            let waits = decision.is_some_and(|decision| decision.status == Status::Pending);
            return self.leave_crowd(notices, messenger, sent, waits).await;
        }
        let Some(decision) = decision else {
            return self.withdraw(messenger, sent).await;
        };
        let open = decision.status == Status::Pending;
        let remarks = beside(messenger, &decision);
        let same = open && sent.digest == decision.digest;
        if !sent.open || same && sent.remarks == remarks {
            return Ok(());
        }
        if sent.message.is_none() {
            return Err(Trouble::later(ON_ITS_WAY));
        }
        let person = self.reader(&sent.address, &decision).await?;
        if open && person.is_none() {
            return self.withdraw(messenger, sent).await;
        }
        let notice = self.about(notices, messenger, entry, decision, person).await?;
        let controls = if same {
            // What is asked is the same, and so is what the message offers.
            sent.controls.clone()
        } else if open {
            messenger.controls(&notice, notices.links.as_ref())?
        } else {
            "[]".into()
        };
        // From here on what the message offered counts no more; what it is to offer counts as soon as it is seen.
        let changing = Sent { controls, at: notice.at, ..sent };
        if open {
            self.store.put_sent(&changing).await?;
        }
        let followed = messenger.follow(&notice, &changing).await;
        let words = match followed {
            Ok(()) => String::new(),
            Err(Trouble::Never { why }) => why,
            Err(trouble) => return Err(trouble),
        };
        let digest = notice.decision.digest.clone();
        // A remark or a vote that could not be shown leaves the message as good as it was.
        let changed = Sent { digest, remarks, open: open && (same || words.is_empty()), ..changing };
        self.store.put_sent(&changed).await?;
        let what = if words.is_empty() { Happened::Followed } else { Happened::Failed };
        self.log_channel(changed.channel, &changed.address, Some(changed.decision), what, &words).await;
        Ok(())
    }

    async fn withdraw(&self, messenger: &dyn Messenger, sent: Sent) -> Tried<()> {
        if sent.open && sent.message.is_some() {
            let withdrawn = messenger.withdraw(&sent).await;
            if let Err(trouble @ Trouble::Later { .. }) = withdrawn {
                return Err(trouble);
            }
            let words = "taken back";
            self.log_channel(sent.channel, &sent.address, Some(sent.decision), Happened::Followed, words)
                .await;
        }
        Ok(self.store.forget_sent(sent.id).await?)
    }

    /// Returns what there is to tell of a decision now.
    async fn about(
        &self,
        notices: &Notices,
        messenger: &dyn Messenger,
        entry: &OutboxEntry,
        mut decision: Decision,
        person: Option<Person>,
    ) -> Result<Notice> {
        decision.conceal();
        let at = self.now().await?;
        let url = notices.public_url.as_ref().map(|base| format!("{base}/d/{}", decision.id));
        let link = person.as_ref().and_then(|person| link(notices, person, &decision, at));
        let mut acts = Vec::new();
        if let (Some(links), Some(base), Some(person)) = (&notices.links, &notices.public_url, &person)
            && decision.status == Status::Pending
        {
            for act in messenger.acts(&decision) {
                let text = links.issue_act(&decision, &person.name, &act, at)?;
                acts.push(SignedLink(format!("{base}/take/{text}")));
            }
        }
        let (id, target, event) = (entry.id, entry.target.clone(), serde_json::Map::new());
        let occasion = match decision.status {
            Status::Pending => Occasion::Create,
            Status::TimedOut => Occasion::Timeout,
            _ => Occasion::Respond,
        };
        let (root, callback) = (decision.id, None);
        Ok(Notice { id, target, occasion, at, event, decision, root, callback, url, person, link, acts })
    }
}

/// Returns what stands for all that a message shows beside what is asked: how many remarks, as long as there is nothing else.
fn beside(messenger: &dyn Messenger, decision: &Decision) -> usize {
    let remarks = if messenger.shows_remarks(decision) { decision.remarks.len() } else { 0 };
    let progress = progress(decision);
    if progress.is_empty() {
        return remarks;
    }
    let hash = Sha256::digest(format!("{remarks}\n{}", progress.join("\n")));
    // Never what a number of remarks could be, and no more than every store keeps.
    hash.iter().take(5).fold(1, |sum, byte| sum << 8 | usize::from(*byte))
}

// What cannot be read or written now may be later.

impl From<holdpoint_store::Error> for Trouble {
    fn from(error: holdpoint_store::Error) -> Self {
        Self::later(error.to_string())
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::later(error.to_string())
    }
}
