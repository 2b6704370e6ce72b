//! Draining the outbox: rows are taken under a lease, sent, and tried again until they arrive or it is too late.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Decision, Lane, Occasion, Person, Span, Status, Timestamp};
use holdpoint_store::{Claim, Delivery, EventQuery, Parcel};
use tokio::sync::watch;
use tokio::task::{Id, JoinSet};

use super::{Notice, Notices, SignedLink, Trouble, excerpt};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::event_view;

/// The lanes that a server drains.
const LANES: [Lane; 3] = [Lane::Hook, Lane::Webhook, Lane::Mail];
/// How many to one target are under way at once: one that hangs must not keep others from being told.
const TO_ONE: usize = 4;
/// How many of one lane are under way at once, at least.
const AT_ONCE: usize = 8;
/// How often a lane is looked at for rows that are due again: another process may have put them there.
const LOOK: Duration = Duration::from_secs(1);
/// How much longer than a sending may take its lease lasts.
const MARGIN: Duration = Duration::from_secs(5);
/// How long to wait before sending again, at first and at most.
const PAUSES: (Span, Span) = (Span::from_secs(1), Span::from_secs(5 * 60));
/// How many characters of what went wrong are kept.
const WORDS: usize = 400;

impl Engine {
    /// Sends what waits in the outbox until `stop` says so, and finishes what is under way then.
    pub async fn run_outbox(self, notices: Notices, stop: watch::Receiver<bool>) {
        let notices = Arc::new(notices);
        let drain = |lane| tokio::spawn(self.clone().run_lane(lane, Arc::clone(&notices), stop.clone()));
        for lane in LANES.map(drain) {
            let _ = lane.await;
        }
    }

    /// Runs the hooks that wait, each once; returns what went wrong, in words. No failure changes a decision.
    pub async fn run_hooks(&self) -> Result<Vec<String>> {
        let (notices, lease) = (self.own_notices()?, lease_name()?);
        let mut failures = Vec::new();
        loop {
            let Some(parcel) = self.take(Lane::Hook, &lease, 1, Vec::new(), &notices).await?.pop() else {
                return Ok(failures);
            };
            if let Some(failure) = self.send(&notices, &parcel, &lease).await? {
                failures.push(format!("{}: {failure}", parcel.target));
            }
        }
    }

    async fn run_lane(self, lane: Lane, notices: Arc<Notices>, mut stop: watch::Receiver<bool>) {
        let (Ok(mut changed), Ok(lease)) = (self.head_signal(), lease_name()) else { return };
        // Where the settings order nothing, only other processes do: a look now and then is enough for those.
        let ordered = self.routes().iter().any(|route| route.lane == lane);
        // Every target has room of its own.
        let most = AT_ONCE.max(TO_ONE * notices.count(lane));
        let mut under_way = JoinSet::new();
        let mut targets: HashMap<Id, String> = HashMap::new();
        loop {
            let stopping = *stop.borrow_and_update();
            if stopping && under_way.is_empty() {
                return;
            }
            let (full, room) = room(targets.values());
            let free = most.saturating_sub(under_way.len()).min(room);
            if !stopping && free > 0 {
                match self.take(lane, &lease, free, full, &notices).await {
                    Ok(parcels) => {
                        let more = parcels.len() == free;
                        for parcel in parcels {
                            let target = parcel.target.clone();
                            let (engine, notices, lease) =
                                (self.clone(), Arc::clone(&notices), lease.clone());
                            let task = under_way
                                .spawn(async move { engine.send_and_say(&notices, &parcel, &lease).await });
                            targets.insert(task.id(), target);
                        }
                        if more {
                            continue;
                        }
                    }
                    Err(error) => tracing::warn!("Could not look into the outbox: {error}"),
                }
            }
            tokio::select! {
                Some(sent) = under_way.join_next_with_id(), if !under_way.is_empty() => {
                    targets.remove(&sent.map_or_else(|why| why.id(), |(id, ())| id));
                }
                _ = changed.changed(), if ordered && !stopping => {}
                () = tokio::time::sleep(LOOK), if !stopping => {}
                _ = stop.changed(), if !stopping => {}
            }
        }
    }

    /// Takes rows that are due, for longer than sending them may take.
    async fn take(
        &self,
        lane: Lane,
        lease: &str,
        limit: usize,
        but: Vec<String>,
        notices: &Notices,
    ) -> Result<Vec<Parcel>> {
        let now = self.clock.now();
        let lasts = i64::try_from((notices.timeout(lane) + MARGIN).as_millis()).unwrap_or(i64::MAX);
        let until = now.checked_add(Span::from_millis(lasts)).unwrap_or(now);
        let lease = lease.to_owned();
        Ok(self
            .store
            .claim(Claim { lanes: vec![lane], but, only: Vec::new(), lease, until, now, limit })
            .await?)
    }

    async fn send_and_say(&self, notices: &Notices, parcel: &Parcel, lease: &str) {
        let (id, lane, to) = (parcel.id, parcel.lane.name(), excerpt(&parcel.target, 80));
        match self.send(notices, parcel, lease).await {
            Ok(None) => tracing::debug!(outbox.id = id, "Sent {lane} notice {id} to {to}"),
            Ok(Some(failure)) => {
                tracing::warn!(outbox.id = id, "The {lane} notice {id} to {to} failed: {failure}");
            }
            // It is still under lease, so it is sent again once that runs out.
            Err(error) => {
                tracing::warn!(outbox.id = id, "Could not record how {lane} notice {id} went: {error}");
            }
        }
    }

    /// Sends one row and records how that went; returns what went wrong, in words.
    async fn send(&self, notices: &Notices, parcel: &Parcel, lease: &str) -> Result<Option<String>> {
        let (delivery, failure) = match self.try_to_send(notices, parcel).await {
            Ok(()) => (Delivery::Done, None),
            Err(Trouble::Never { why }) => {
                let error = excerpt(&why, WORDS);
                (Delivery::Dead { error: error.clone() }, Some(error))
            }
            Err(Trouble::Later { why, after }) => {
                let error = excerpt(&why, WORDS);
                let wait = pause(parcel.attempts, random()?).max(after.unwrap_or_default());
                let not_before = self.now().await?.checked_add(wait).unwrap_or(parcel.not_after);
                let then = if not_before > parcel.not_after {
                    "given up".into()
                } else {
                    format!("again in {wait}")
                };
                let failure = format!("{error}; {then}");
                (Delivery::Retry { not_before, error }, Some(failure))
            }
        };
        self.store.deliver(parcel.id, lease, delivery).await?;
        Ok(failure)
    }

    async fn try_to_send(&self, notices: &Notices, parcel: &Parcel) -> std::result::Result<(), Trouble> {
        let Some(outlet) = notices.outlet(parcel) else {
            return Err(Trouble::never("the settings name it no more"));
        };
        let notice = self.notice(notices, parcel).await.map_err(|error| Trouble::later(error.to_string()))?;
        let Some(notice) = notice else { return Ok(()) };
        match tokio::time::timeout(outlet.timeout, outlet.channel.send(&notice)).await {
            Ok(sent) => sent,
            Err(_) => Err(Trouble::later("took too long")),
        }
    }

    /// Returns what is told: the event, and the decision as it is now; nothing if that is gone.
    async fn notice(&self, notices: &Notices, parcel: &Parcel) -> Result<Option<Notice>> {
        let Some(id) = parcel.decision else { return Ok(None) };
        let Some(mut decision) = self.decision(id).await? else { return Ok(None) };
        decision.asked_with = None;
        let query =
            EventQuery { after: parcel.seq - 1, decision: Some(id), limit: 1, ..EventQuery::default() };
        let Some(logged) = self.store.events(&query).await?.into_iter().next() else { return Ok(None) };
        let occasion = match logged.tag.as_str() {
            "decision:created" => Occasion::Create,
            "decision:expired" => Occasion::Timeout,
            _ => Occasion::Respond,
        };
        let at = self.now().await?;
        let person =
            if parcel.lane == Lane::Mail { self.reader(&parcel.target, &decision).await? } else { None };
        let url = notices.public_url.as_ref().map(|base| format!("{base}/d/{id}"));
        let link = person.as_ref().and_then(|person| link(notices, person, &decision, at));
        let event = event_view::view(&logged);
        let (id, target) = (parcel.id, parcel.target.clone());
        Ok(Some(Notice { id, target, occasion, at, event, decision, url, person, link }))
    }

    /// Returns the person of a name, if they are known and may see the decision: whoever asks could name anyone.
    async fn reader(&self, name: &str, decision: &Decision) -> Result<Option<Person>> {
        let person = self.store.person(name).await?.map(|known| known.person);
        let may_see =
            |person: &Person| person.projects.is_empty() || person.projects.contains(&decision.project);
        Ok(person.filter(may_see))
    }
}

/// Returns which targets have as much under way as they may, and how many more can be taken whoever they are for.
fn room<'a>(under_way: impl Iterator<Item = &'a String>) -> (Vec<String>, usize) {
    let mut counts: HashMap<&String, usize> = HashMap::new();
    for target in under_way {
        *counts.entry(target).or_default() += 1;
    }
    let busiest = counts.values().filter(|count| **count < TO_ONE).max().copied().unwrap_or(0);
    let full = counts.iter().filter(|(_, count)| **count >= TO_ONE);
    (full.map(|(target, _)| (*target).clone()).collect(), TO_ONE - busiest)
}

/// Makes the link by which a person answers; none once there is nothing to answer.
fn link(notices: &Notices, person: &Person, decision: &Decision, now: Timestamp) -> Option<SignedLink> {
    let (links, base) = (notices.links.as_ref()?, notices.public_url.as_ref()?);
    if decision.status != Status::Pending {
        return None;
    }
    let text = links.issue(decision, &person.name, now).ok()?;
    Some(SignedLink(format!("{base}/link/{text}")))
}

/// Returns how long to wait after so many attempts: twice as long each time, the later half of it by chance, so that
/// what failed together does not come back together.
fn pause(attempts: u32, random: u64) -> Span {
    let (first, most) = (PAUSES.0.as_millis(), PAUSES.1.as_millis());
    let whole = first.saturating_mul(2_i64.saturating_pow(attempts.saturating_add(1))).min(most);
    let half = whole / 2;
    let chance = random % (half.unsigned_abs() + 1);
    Span::from_millis(half + i64::try_from(chance).unwrap_or_default())
}

fn random() -> Result<u64> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|why| Error::Settings(format!("no randomness is to be had: {why}")))?;
    Ok(u64::from_le_bytes(bytes))
}

fn lease_name() -> Result<String> {
    Ok(format!("{}-{:016x}", std::process::id(), random()?))
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
}
