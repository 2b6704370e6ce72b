//! Digests: notices that a person wants together wait in a separate lane until they are due, and go into one mail.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{DecisionId, Lane, Span, Timestamp};
use holdpoint_store::{Claim, ClaimOrder, Delivery, Happened, OutboxEntry};
use tokio::sync::watch;

use super::channel::{Channel, DeliveryError};
use super::drain::lease_name;
use super::gate::Gate;
use super::gathering::GatheredNotices;
use super::notice::{Notice, SignedLink};
use super::notices::OpenChannels;
use super::outlet::{ChannelKind, Outlet};
use super::send::{excerpted, is_settled_question, pause};
use crate::auth::random;
use crate::engine::Engine;
use crate::error::Result;

/// The most notices in one mail; further ones go into the next.
const MOST: usize = 500;
/// How often the lane is checked.
const LOOK: Duration = Duration::from_secs(1);
/// How much longer the lease of a mail is than the time to send it.
const MARGIN: Span = Span::from_secs(15);

impl Engine {
    /// Sends the digests that are due until `stop` is set.
    pub(super) async fn run_digests(self, notices: Arc<OpenChannels>, mut stop: watch::Receiver<bool>) {
        let Ok(lease) = lease_name() else { return };
        while !*stop.borrow_and_update() {
            match self.send_digest(&notices, &lease).await {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => tracing::warn!("Could not send a digest: {error}"),
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Sends one digest that is due; returns whether there was any.
    pub(super) async fn send_digest(&self, notices: &OpenChannels, lease: &str) -> Result<bool> {
        let now = self.now().await?;
        let outlet = notices.outlets.iter().find(|outlet| outlet.lane == Lane::Mail);
        let lasts = outlet.map_or(Duration::ZERO, |outlet| outlet.timeout);
        let lasts = Span::from_millis(i64::try_from(lasts.as_millis()).unwrap_or_default());
        let until = now.checked_add(lasts).and_then(|at| at.checked_add(MARGIN)).unwrap_or(now);
        let (lane, pick) = (Lane::Digest, ClaimOrder::Together);
        let claim = Claim { lane, pick, lease: lease.to_owned(), until, now, limit: MOST };
        let entries = self.store.claim(claim).await?;
        if entries.is_empty() {
            return Ok(false);
        }
        let deliveries = self.gather(notices, outlet, &entries).await?;
        self.store.deliver(lease, deliveries).await?;
        Ok(true)
    }

    /// Sends a person's due rows in one mail, and returns the outcome of each row.
    async fn gather(
        &self,
        notices: &OpenChannels,
        outlet: Option<&Outlet>,
        entries: &[OutboxEntry],
    ) -> Result<Vec<(i64, Delivery)>> {
        let mut deliveries = Vec::new();
        let mut gathered: Vec<(&OutboxEntry, Notice)> = Vec::new();
        for entry in entries {
            let looked = self.if_due(notices, entry).await?;
            match looked {
                DigestEntry::Due(notice) => gathered.push((entry, *notice)),
                DigestEntry::Over(delivery) => deliveries.push((entry.id, delivery)),
            }
        }
        let Some((first, last)) = gathered.first().zip(gathered.last()) else { return Ok(deliveries) };
        let (id, target) = (first.0.id, first.0.target.clone());
        let about: Vec<i64> = gathered.iter().map(|(entry, _)| entry.id).collect();
        let attempts = gathered.iter().map(|(entry, _)| entry.attempts).max().unwrap_or_default();
        let (at, person) = (last.1.at, last.1.person.clone());
        // If a decision occurs twice, the later notice counts.
        let mut told: Vec<Notice> = Vec::new();
        for (_, notice) in gathered {
            told.retain(|known| known.decision.id != notice.decision.id);
            told.push(notice);
        }
        let ids: Vec<DecisionId> = told.iter().map(|notice| notice.decision.id).collect();
        let inbox = notices.public_url.clone();
        let unsubscribe = unsubscribe_link(notices, &target, at);
        let sent = match (outlet.map(|outlet| (&outlet.way, outlet.timeout)), person) {
            (Some((ChannelKind::Once(channel), timeout)), Some(person)) => {
                let gathering = GatheredNotices { id, at, person, notices: told, inbox, unsubscribe };
                send_within(timeout, channel.as_ref(), &gathering).await
            }
            _ => Err(DeliveryError::never("the settings no longer name it")),
        };
        let (what, words) = match &sent {
            Ok(()) => (Happened::Sent, format!("in a digest of {}", ids.len())),
            Err(DeliveryError::Later { why, .. } | DeliveryError::Never { why }) => {
                (Happened::Failed, why.clone())
            }
        };
        for id in ids {
            self.log_channel(Lane::Digest, &target, Some(id), what, &words).await;
        }
        let delivery = match sent {
            Ok(()) => Delivery::Done,
            Err(DeliveryError::Never { why }) => Delivery::Dead { error: excerpted(&why) },
            Err(DeliveryError::Later { why, after }) => {
                let wait = pause(attempts, u64::from_le_bytes(random()?)).max(after.unwrap_or_default());
                let now = self.now().await?;
                let not_before = now.checked_add(wait).unwrap_or(now);
                tracing::warn!("The digest for {target} failed: {why}; again in {wait}");
                Delivery::Retry { not_before, error: excerpted(&why) }
            }
        };
        deliveries.extend(about.into_iter().map(|id| (id, delivery.clone())));
        Ok(deliveries)
    }

    /// Looks whether a row belongs into the digest that is sent now.
    async fn if_due(&self, notices: &OpenChannels, entry: &OutboxEntry) -> Result<DigestEntry> {
        let Some((notice, since)) = self.notice(notices, entry).await? else {
            return Ok(DigestEntry::Over(Delivery::Done));
        };
        let Some(person) = notice.person.as_ref().filter(|person| person.email.is_some()) else {
            return Ok(DigestEntry::Over(Delivery::Done));
        };
        if is_settled_question(entry, &notice) {
            self.skip(entry, "settled before the digest").await;
            return Ok(DigestEntry::Over(Delivery::Done));
        }
        Ok(match self.gate(entry, person, &notice.decision, since).await? {
            Gate::Open => DigestEntry::Due(Box::new(notice)),
            Gate::Shut => DigestEntry::Over(Delivery::Done),
            Gate::Held(held) => DigestEntry::Over(held.into()),
        })
    }
}

/// Makes the link with which a person unsubscribes from digests.
fn unsubscribe_link(notices: &OpenChannels, person: &str, now: Timestamp) -> Option<SignedLink> {
    let (links, base) = (notices.links.as_ref()?, notices.public_url.as_ref()?);
    let text = links.issue_unsubscribe(person, now).ok()?;
    Some(SignedLink(format!("{base}/unsubscribe/{text}")))
}

/// What becomes of a row whose digest is due.
enum DigestEntry {
    /// It goes into it.
    Due(Box<Notice>),
    /// It does not go into the digest.
    Over(Delivery),
}

async fn send_within(
    timeout: Duration,
    channel: &dyn Channel,
    gathering: &GatheredNotices,
) -> std::result::Result<(), DeliveryError> {
    match tokio::time::timeout(timeout, channel.gather(gathering)).await {
        Ok(sent) => sent,
        Err(_) => Err(DeliveryError::later("took too long")),
    }
}
