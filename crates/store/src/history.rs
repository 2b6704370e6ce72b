//! The history of one decision in the log, and whether keys vouch for it. Code that relies on a decision reads this
//! instead of its row, which anyone who can write to the store can change.

use holdpoint_core::{Decision, DecisionId, Event, Refusal, Status, Timestamp, apply};

use crate::chain::{FaultKind, Hash, body_hash, event_hash, hex, key_id, unhex};
use crate::vouch::{self, Proof, message};
use crate::{Error, LogRow, Result, Signer, Store, body};

/// How many events are read at a time to find the end of a batch.
const CHUNK: usize = 300;
/// The maximum length of a batch.
const LONGEST: i64 = 100_000;
/// How many signed heads are tried to find one that counts.
const HEADS: usize = 16;

/// Replays the events of a decision. Returns none if it was removed, or never existed.
///
/// # Errors
/// Names the event that is not as recorded, or cannot have happened.
pub fn fold(links: &[LogRow]) -> std::result::Result<Option<Decision>, String> {
    let mut decision = None;
    for (link, version) in links.iter().zip(1..) {
        let seq = link.seq;
        if link.version != version || !is_whole(link) {
            return Err(format!("event {seq} was tampered with"));
        }
        let Some(text) = &link.body else { continue };
        let event =
            body::decode(&link.tag, text).map_err(|why| format!("event {seq} cannot be read: {why}"))?;
        if let Some(why) = impossible(decision.as_ref(), &event) {
            return Err(format!("event {seq}: {why}"));
        }
        decision = apply(decision, &event, Timestamp::from_millis(link.at));
    }
    Ok(decision)
}

/// Reads the events of a stream, each with its version and time. A body may be erased only before an event of the type
/// that removes the subject of the stream.
///
/// # Errors
/// Names the event that is not as recorded, or cannot be read.
pub(crate) fn events(
    links: &[LogRow],
    removed_by: Option<&str>,
) -> std::result::Result<Vec<(i64, Event, Timestamp)>, String> {
    let removed = links.iter().rposition(|link| removed_by == Some(&link.tag)).unwrap_or(0);
    let mut events = Vec::with_capacity(links.len());
    for (at, link) in links.iter().enumerate() {
        let seq = link.seq;
        match &link.body {
            _ if !is_whole(link) => return Err(format!("event {seq} was tampered with")),
            Some(text) => {
                let event = body::decode(&link.tag, text)
                    .map_err(|why| format!("event {seq} cannot be read: {why}"))?;
                events.push((link.version, event, Timestamp::from_millis(link.at)));
            }
            None if at < removed => {}
            None => return Err(format!("event {seq} was erased")),
        }
    }
    Ok(events)
}

/// Returns why an event cannot have happened to a decision, if so.
pub(crate) fn impossible(before: Option<&Decision>, event: &Event) -> Option<String> {
    let (id, before) = (event.decision()?, before?);
    match event {
        Event::Consumed { .. } if before.consumed_at.is_some() => {
            Some(format!("decision {id} was consumed twice"))
        }
        Event::Consumed { .. } if before.status != Status::Answered => {
            Some(format!("decision {id} was consumed while it was {}", before.status))
        }
        Event::Resolved { answer, .. } | Event::Refined { answer, .. } => {
            let another = answer.digest.as_ref().is_some_and(|digest| *digest != before.digest);
            another.then(|| format!("decision {id} was answered by somebody who was shown something else"))
        }
        _ => None,
    }
}

/// Returns why an event cannot be trusted, if so. It counts if it is in a batch that our own key or a trusted one
/// wrote, or in a log that a trusted key has signed; if signing has stopped, only what our own key has signed counts.
pub async fn doubt(store: &dyn Store, signer: &dyn Signer, link: &LogRow) -> Result<Option<FaultKind>> {
    if store.vouching().is_proven(link) {
        return Ok(None);
    }
    let written = written_by(store, signer, link).await?;
    if written == Ok(()) || is_in_signed_log(store, signer, link).await? {
        store.vouching().keep_proven(link);
        return Ok(None);
    }
    Ok(written.err())
}

/// Returns whether our own key or a trusted one wrote an event. Orders about keys count only then, also in a log that
/// was accepted and signed since.
pub(crate) async fn is_by_known_key(store: &dyn Store, signer: &dyn Signer, link: &LogRow) -> Result<bool> {
    Ok(written_by(store, signer, link).await?.is_ok())
}

/// Returns whether our own key or a trusted one wrote the batch of an event, and if not, what is wrong with it.
async fn written_by(
    store: &dyn Store,
    signer: &dyn Signer,
    link: &LogRow,
) -> Result<std::result::Result<(), FaultKind>> {
    let Some(last) = end_of_batch(store, link.seq).await? else {
        return Ok(Err(FaultKind::Unproven { until: link.seq }));
    };
    let proof = last.proof.as_deref().and_then(Proof::read);
    let Some(proof) = proof.filter(|proof| (1..=link.seq).contains(&proof.first)) else {
        return Ok(Err(FaultKind::Unproven { until: last.seq }));
    };
    let key = proof.key_name();
    let is_own = key == signer.key();
    if !is_own && !is_trusted(store, signer, &proof).await? {
        return Ok(Err(FaultKind::Stranger { key, until: last.seq }));
    }
    let length = usize::try_from(last.seq - proof.first + 1).unwrap_or(usize::MAX);
    let batch = store.links(proof.first - 1, length).await?;
    let begins = batch.first().filter(|first| first.seq == proof.first).and_then(|first| bytes(&first.prev));
    let runs = batch.iter().all(is_whole)
        && batch.windows(2).all(|pair| pair[1].prev == pair[0].hash && pair[1].seq == pair[0].seq + 1)
        && batch.iter().any(|other| other.seq == link.seq && other.hash == link.hash);
    let holds = begins.zip(bytes(&last.hash)).is_some_and(|(prev, hash)| {
        let batch = message(proof.first, last.seq, &prev, &hash);
        if is_own { signer.seal(&batch).1 == proof.mac } else { proof.is_signed(&batch) == Some(true) }
    });
    Ok(if holds && runs { Ok(()) } else { Err(FaultKind::Forged { key }) })
}

/// Returns whether the key that signed a batch is trusted.
async fn is_trusted(store: &dyn Store, signer: &dyn Signer, proof: &Proof) -> Result<bool> {
    let Some((public_key, _)) = &proof.signature else { return Ok(false) };
    let (name, remembered) =
        (proof.key_name(), signer.remembered(&store.identity().await?)?.unwrap_or_default());
    let is_known = signer.trusted().contains(&hex(public_key)) || remembered.keys.contains(&name);
    Ok(is_known && !remembered.revoked.contains(&name))
}

/// Finds the event that ends the batch of another: the next with a proof.
async fn end_of_batch(store: &dyn Store, seq: i64) -> Result<Option<LogRow>> {
    let mut after = seq - 1;
    while after < seq + LONGEST {
        let links = store.links(after, CHUNK).await?;
        let Some(last) = links.last().map(|link| link.seq) else { break };
        if let Some(end) = links.into_iter().find(|link| link.proof.is_some()) {
            return Ok(Some(end));
        }
        after = last;
    }
    Ok(None)
}

async fn is_in_signed_log(store: &dyn Store, signer: &dyn Signer, link: &LogRow) -> Result<bool> {
    let Some(event) = bytes(&link.hash) else { return Ok(false) };
    let own = signer.public_key();
    let mut trusted = if store.vouching().broken().is_some() { Vec::new() } else { signer.trusted() };
    // What a revoked key signed before its revocation, others have signed since.
    let revoked = signer.remembered(&store.identity().await?)?.unwrap_or_default().revoked;
    trusted.retain(|key| !revoked.contains(&key_id(key)));
    // The last checkpoint by our own key covers most; it is tried first, unless that key has signed nothing since.
    let mut points = store.covering(link.seq, HEADS).await?;
    points.extend(store.last_checkpoint(&own).await?.filter(|point| point.seq >= link.seq));
    for point in points.iter().rev() {
        let counts = point.public_key == own || trusted.contains(&point.public_key);
        let root = point.root.as_deref().and_then(bytes);
        let (Some(root), true) = (root, counts && vouch::is_signed(point)) else { continue };
        let path = match vouch::inclusion(store, link.seq, point.seq).await {
            Ok(path) => path,
            // The log ends before the signed head.
            Err(Error::Corrupt(_)) => continue,
            Err(error) => return Err(error),
        };
        if vouch::includes(&root, link.seq, point.seq, &event, &path) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses a row that holds a decision other than its own.
pub(crate) fn own_row(id: DecisionId, found: Option<Decision>) -> Result<Option<Decision>> {
    match found {
        Some(other) if other.id != id => Err(Refusal::unproven(id, "its row holds another decision").into()),
        found => Ok(found),
    }
}

/// Returns whether an event matches its hashes; its body may be erased.
pub(crate) fn is_whole(link: &LogRow) -> bool {
    let LogRow { seq, stream, version, tag, at, body, body_hash: recorded, prev, hash, .. } = link;
    body.as_ref().is_none_or(|body| hex(&body_hash(body)) == *recorded)
        && hex(&event_hash(*seq, stream, *version, tag, *at, recorded, prev)) == *hash
}

fn bytes(hex: &str) -> Option<Hash> {
    unhex(hex)?.try_into().ok()
}
