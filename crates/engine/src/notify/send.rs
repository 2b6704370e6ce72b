//! Sends one outbox row.

use holdpoint_core::{Decision, DecisionId, Lane, Occasion, Person, Span, Status, Timestamp};
use holdpoint_store::{ChannelNote, Delivery, EventQuery, Happened, OutboxEntry};

use super::channel::DeliveryError;
use super::excerpt::excerpt;
use super::gate::{Gate, Unfinished};
use super::notice::{Notice, SignedLink};
use super::notices::OpenChannels;
use super::outlet::ChannelKind;
use crate::auth::random;
use crate::engine::Engine;
use crate::error::Result;
use crate::event_view;

/// How long to wait before sending again, at first and at most.
const PAUSES: (Span, Span) = (Span::from_secs(1), Span::from_secs(5 * 60));
/// How many characters of an error are kept.
const WORDS: usize = 400;
/// How many rounds of a decision are traced back.
const MOST_ROUNDS: usize = 50;

/// The outcome of sending a row.
pub(super) struct SendOutcome {
    /// The result to record.
    pub(super) delivery: Delivery,
    /// A description of what went wrong.
    pub(super) failure: Option<String>,
}

impl Engine {
    /// Sends one row and logs the outcome; returns the result to record.
    pub(super) async fn send_and_log(
        &self,
        notices: &OpenChannels,
        entry: &OutboxEntry,
    ) -> Option<(i64, Delivery)> {
        let (id, lane, to) = (entry.id, entry.lane.name(), excerpt(&entry.target, 80));
        match self.send(notices, entry).await {
            Ok(SendOutcome { delivery, failure: None }) => {
                let done = if let Delivery::Held { .. } = delivery { "Held back" } else { "Sent" };
                tracing::debug!(outbox.id = id, "{done} {lane} notice {id} to {to}");
                Some((id, delivery))
            }
            Ok(SendOutcome { delivery, failure: Some(failure) }) => {
                tracing::warn!(outbox.id = id, "The {lane} notice {id} to {to} failed: {failure}");
                Some((id, delivery))
            }
            // It is still leased, so it is sent again once the lease ends.
            Err(error) => {
                tracing::warn!(outbox.id = id, "Could not record the result of {lane} notice {id}: {error}");
                None
            }
        }
    }

    /// Sends one row.
    pub(super) async fn send(&self, notices: &OpenChannels, entry: &OutboxEntry) -> Result<SendOutcome> {
        match self.try_to_send(notices, entry).await {
            Ok(()) => Ok(SendOutcome { delivery: Delivery::Done, failure: None }),
            Err(Unfinished::Held(held)) => Ok(SendOutcome { delivery: held.into(), failure: None }),
            Err(Unfinished::Failed(DeliveryError::Never { why })) => {
                let error = excerpted(&why);
                Ok(SendOutcome { delivery: Delivery::Dead { error: error.clone() }, failure: Some(error) })
            }
            Err(Unfinished::Failed(DeliveryError::Later { why, after })) => {
                let error = excerpted(&why);
                let wait =
                    pause(entry.attempts, u64::from_le_bytes(random()?)).max(wished(after, entry.not_after));
                let not_before = self.now().await?.checked_add(wait).unwrap_or(entry.not_after);
                let then =
                    if not_before > entry.not_after { "given up".into() } else { format!("again in {wait}") };
                let failure = Some(format!("{error}; {then}"));
                Ok(SendOutcome { delivery: Delivery::Retry { not_before, error }, failure })
            }
        }
    }

    async fn try_to_send(
        &self,
        notices: &OpenChannels,
        entry: &OutboxEntry,
    ) -> std::result::Result<(), Unfinished> {
        let Some(outlet) = notices.outlet(entry) else {
            return Err(DeliveryError::never("the settings no longer name it").into());
        };
        #[cfg_attr(
            not(feature = "notify"),
            expect(clippy::infallible_destructuring_match, reason = "without it nothing is followed")
        )]
        let channel = match &outlet.way {
            ChannelKind::Once(channel) => channel,
            #[cfg(feature = "notify")]
            ChannelKind::Followed(messenger) => {
                return Box::pin(self.send_or_update(notices, messenger.as_ref(), entry)).await;
            }
        };
        let Some((notice, since)) = self.notice(notices, entry).await? else { return Ok(()) };
        if is_settled_question(entry, &notice) {
            if entry.held.is_some() {
                self.skip(entry, "settled meanwhile").await;
            }
            return Ok(drop_settled(entry)?);
        }
        let addressee = notice.person.as_ref().filter(|person| person.email.is_some());
        if let Some(person) = addressee {
            match self.gate(entry, person, &notice.decision, since).await? {
                Gate::Open => {}
                Gate::Shut => return Ok(()),
                Gate::Held(held) => return Err(Unfinished::Held(held)),
            }
        }
        let sent = match tokio::time::timeout(outlet.timeout, channel.send(&notice)).await {
            Ok(sent) => sent,
            Err(_) => Err(DeliveryError::later("took too long")),
        };
        let note = match &sent {
            Ok(()) if addressee.is_some() || self.is_over(entry).await => Some((Happened::Sent, "")),
            Ok(()) => None,
            Err(DeliveryError::Later { why, .. } | DeliveryError::Never { why }) => {
                // Programs are notified far more often than people: only failures are worth a line.
                let is_noted = addressee.is_some() || entry.lane.tells_programs();
                is_noted.then_some((Happened::Failed, why.as_str()))
            }
        };
        if let Some((what, words)) = note {
            self.log_channel(entry.lane, &entry.target, entry.decision, what, words).await;
        }
        Ok(sent?)
    }

    /// Returns whether a notice that a program got ends a failure that was noted.
    async fn is_over(&self, entry: &OutboxEntry) -> bool {
        if !entry.lane.tells_programs() {
            return false;
        }
        let is_its = |last: ChannelNote| last.address == entry.target;
        entry.last_error.is_some() || self.last_failure(entry.lane).await.is_some_and(is_its)
    }

    /// Returns the notice, with the event and the current decision, and the time of the event; none if these are gone.
    pub(super) async fn notice(
        &self,
        notices: &OpenChannels,
        entry: &OutboxEntry,
    ) -> Result<Option<(Notice, Timestamp)>> {
        let Some(id) = entry.decision else { return Ok(None) };
        let Some(mut decision) = self.decision(id).await? else { return Ok(None) };
        let callback = decision.callback.take();
        decision.conceal();
        if matches!(entry.lane, Lane::Callback | Lane::Opinion) {
            // Askers do not see remarks, and programs give their own opinion independently.
            decision.keep_from_programs();
        }
        let query =
            EventQuery { after: entry.seq - 1, decision: Some(id), limit: 1, ..EventQuery::default() };
        let Some(logged) = self.store.events(&query).await?.into_iter().next() else { return Ok(None) };
        let occasion = match logged.tag.as_str() {
            "decision:created" => Occasion::Create,
            "decision:expired" => Occasion::Timeout,
            "decision:escalated" => Occasion::Escalate,
            "decision:voted" => Occasion::Vote,
            _ => Occasion::Respond,
        };
        let at = self.now().await?;
        let is_mail = matches!(entry.lane, Lane::Mail | Lane::Digest);
        let person = if is_mail { self.reader(&entry.target, &decision).await? } else { None };
        let root = if is_mail { self.root_of(&decision).await? } else { decision.id };
        let url = notices.public_url.as_ref().map(|base| format!("{base}/d/{id}"));
        let link = person.as_ref().and_then(|person| link(notices, person, entry.lane, &decision, at));
        let mut event = event_view::view(&logged);
        if matches!(entry.lane, Lane::Callback | Lane::Opinion) {
            event_view::keep_from_programs(&mut event);
        }
        let (id, target, acts) = (entry.id, entry.target.clone(), Vec::new());
        let notice =
            Notice { id, target, occasion, at, event, decision, root, callback, url, person, link, acts };
        Ok(Some((notice, logged.at)))
    }

    /// Returns the first round of a decision, as far back as they are stored.
    async fn root_of(&self, decision: &Decision) -> Result<DecisionId> {
        let (mut root, mut prior) = (decision.id, decision.prior);
        for _ in 0..MOST_ROUNDS {
            let Some(id) = prior else { break };
            root = id;
            prior = self.decision(id).await?.and_then(|before| before.prior);
        }
        Ok(root)
    }

    /// Returns the person of a name, if they are known and may see the decision: an asker could name anyone.
    pub(super) async fn reader(&self, name: &str, decision: &Decision) -> Result<Option<Person>> {
        let person = self.store.person(name).await?.map(|known| known.person);
        let may_see =
            |person: &Person| person.projects.is_empty() || person.projects.contains(&decision.project);
        Ok(person.filter(may_see))
    }
}

/// Returns the beginning of an error, in the form in which it is stored.
pub(super) fn excerpted(why: &str) -> String {
    excerpt(why, WORDS)
}

/// Returns whether a row asks a person about a settled decision: they are told of the outcome separately.
pub(super) fn is_settled_question(entry: &OutboxEntry, notice: &Notice) -> bool {
    matches!(entry.lane, Lane::Mail | Lane::Digest)
        && matches!(notice.occasion, Occasion::Create | Occasion::Escalate | Occasion::Vote)
        && notice.decision.status != Status::Pending
}

/// Why a question about a settled decision was not sent.
const SETTLED: &str = "settled before they could be told";

/// Says what becomes of a row that asks what is settled.
pub(super) fn drop_settled(entry: &OutboxEntry) -> std::result::Result<(), DeliveryError> {
    match &entry.last_error {
        None => Ok(()),
        // Sent again, it is as settled as it was.
        Some(why) if why.starts_with(SETTLED) => Err(DeliveryError::never(why.clone())),
        Some(why) => Err(DeliveryError::never(format!("{SETTLED}; before that: {why}"))),
    }
}

/// Returns how long to wait because a receiver asks for it. A row without a deadline other than that of the decision is
/// tried again within the hour: it may be settled by then.
fn wished(after: Option<Span>, not_after: Timestamp) -> Span {
    const LONGEST: Span = Span::from_secs(60 * 60);
    let wished = after.unwrap_or_default();
    if not_after == Timestamp::from_millis(i64::MAX) { wished.min(LONGEST) } else { wished }
}

/// Makes the link with which a person answers; none if there is nothing to answer.
pub(super) fn link(
    notices: &OpenChannels,
    person: &Person,
    channel: Lane,
    decision: &Decision,
    now: Timestamp,
) -> Option<SignedLink> {
    let (links, base) = (notices.links.as_ref()?, notices.public_url.as_ref()?);
    if decision.status != Status::Pending {
        return None;
    }
    let text = links.issue_by(decision, person, channel, now).ok()?;
    Some(SignedLink(format!("{base}/link/{text}")))
}

/// Returns how long to wait after this many attempts: twice as long each time, the second half of it random, so that
/// rows that failed together are not retried together.
pub(super) fn pause(attempts: u32, random: u64) -> Span {
    let (first, most) = (PAUSES.0.as_millis(), PAUSES.1.as_millis());
    let whole = first.saturating_mul(2_i64.saturating_pow(attempts.saturating_add(1))).min(most);
    let half = whole / 2;
    let chance = random % (half.unsigned_abs() + 1);
    Span::from_millis(half + i64::try_from(chance).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_from_a_second_to_five_minutes() {
        for (attempts, least, most) in [
            (0, 1_000, 2_000),
            (1, 2_000, 4_000),
            (4, 16_000, 32_000),
            (9, 150_000, 300_000),
            (u32::MAX, 150_000, 300_000),
        ] {
            for random in [0, 1, 999, u64::MAX / 3, u64::MAX] {
                let pause = pause(attempts, random).as_millis();
                assert!((least..=most).contains(&pause), "{attempts}: {pause}");
            }
        }
        assert_ne!(pause(5, 1), pause(5, 2));
    }

    #[test]
    fn who_wants_to_be_left_alone_for_years_is_asked_within_the_hour() {
        let (years, ever) = (Some(Span::from_secs(99_999_999)), Timestamp::from_millis(i64::MAX));
        assert_eq!(wished(years, ever), Span::from_secs(3_600));
        assert_eq!(wished(years, Timestamp::from_millis(5)), Span::from_secs(99_999_999));
        assert_eq!(wished(None, ever), Span::default());
    }
}
