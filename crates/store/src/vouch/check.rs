//! Checks a log against what is remembered of it, and signs it if it holds.

use std::collections::BTreeSet;

use holdpoint_core::Timestamp;

use super::walk::{Attested, LogWalk, WalkMode, id_of};
use super::{LostEvent, Remembered, UnsignedEvent, WrittenBatch, is_signed, points};
use crate::chain::{FaultKind, LogFault};
use crate::{Checkpoint, Result, Signer, Store};

/// How many events are read at a time.
const CHUNK: usize = 2_000;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The log contains what is remembered, and extends up to this state.
    Sound {
        /// The state to remember.
        remembered: Remembered,
        /// Whether there are new events that this key has to vouch for.
        to_sign: bool,
        /// Public keys that have replaced known ones since, in hex.
        successors: Vec<String>,
    },
    /// The log does not hold.
    Broken(LogFault),
}

/// Checks the log and signs it up to its end. If it does not hold, signs nothing and records the fault in
/// [`Store::vouching`].
pub async fn sign(store: &dyn Store, now: Timestamp) -> Result<Option<Checkpoint>> {
    let Some(signer) = store.signer() else { return Ok(None) };
    let identity = store.identity().await?;
    let before = signer.remembered(&identity)?;
    let written = store.vouching().take_written();
    // After a loss or a revocation of the key, the log itself has to be read.
    let is_revoked = |known: &Remembered| known.revoked.contains(&signer.key());
    let is_apart = |known: &Remembered| known.lost.is_some() || known.unsigned.is_some() || is_revoked(known);
    let is_plain = store.vouching().lost().is_none() && !before.as_ref().is_some_and(is_apart);
    let went_on = if is_plain { quick(store, before.as_ref(), &written).await? } else { None };
    let checked = match went_on {
        Some(remembered) => Checked::Sound { remembered, to_sign: true, successors: Vec::new() },
        None => check(store, signer.as_ref()).await?,
    };
    let number = store.vouching().number();
    match checked {
        Checked::Broken(fault) => {
            store.vouching().found(Some(fault));
            // The numbers in use are remembered in any case.
            let known = signer.remembered(&identity)?;
            if let Some(known) = known.filter(|known| known.number < number) {
                signer.remember(&identity, &Remembered { number, ..known })?;
            }
            Ok(None)
        }
        Checked::Sound { remembered, .. } if is_revoked(&remembered) => {
            let what = FaultKind::Revoked { key: signer.key() };
            store.vouching().found(Some(LogFault { seq: remembered.seq, what }));
            signer.remember(&identity, &remembered)?;
            Ok(None)
        }
        Checked::Sound { mut remembered, to_sign, successors } => {
            store.vouching().found(None);
            store.vouching().accepted(remembered.accepted_at);
            for key in &successors {
                signer.trust(key)?;
            }
            remembered.number = remembered.number.max(number);
            remembered.unsigned = None;
            let mut made = None;
            if to_sign && remembered.seq > 0 {
                let now = store.head().await?.clock.unwrap_or(now);
                let at = now.max(Timestamp::from_millis(remembered.at));
                made = points::make(signer.as_ref(), &mut remembered, at);
            }
            if let Some(point) = &made {
                store.put_checkpoint(point).await?;
            }
            // An empty log is not remembered, so that its first writer does not count as a stranger.
            if remembered.seq > 0 && before.as_ref() != Some(&remembered) {
                signer.remember(&identity, &remembered)?;
            }
            Ok(made)
        }
    }
}

/// Signs a last checkpoint with a key that was replaced, covering everything it wrote up to the end of the log.
pub async fn attest(store: &dyn Store, signer: &dyn Signer, now: Timestamp) -> Result<()> {
    if let Checked::Sound { mut remembered, .. } = check(store, signer).await? {
        let at = now.max(Timestamp::from_millis(remembered.at));
        if let Some(point) = points::make(signer, &mut remembered, at) {
            store.put_checkpoint(&point).await?;
        }
    }
    Ok(())
}

/// Continues from this process's own batches, if no other process wrote in between. These need not be read from the
/// store.
async fn quick(
    store: &dyn Store,
    before: Option<&Remembered>,
    written: &[WrittenBatch],
) -> Result<Option<Remembered>> {
    let first = written.first();
    let Some(mut remembered) =
        before.cloned().or_else(|| first.filter(|batch| batch.first == 1).map(|_| Remembered::default()))
    else {
        return Ok(None);
    };
    let (mut grown, known) = (false, remembered.seq);
    for batch in written.iter().skip_while(|batch| batch.first <= known) {
        if !remembered.is_before(batch.first, &batch.prev) {
            return Ok(None);
        }
        grown |= remembered.extend(&batch.hashes, batch.at).is_some();
    }
    Ok((grown && is_still_in_log(store, &remembered).await?).then_some(remembered))
}

/// Checks the log against what the signer remembers.
pub async fn check(store: &dyn Store, signer: &dyn Signer) -> Result<Checked> {
    let identity = store.identity().await?;
    let remembered = signer.remembered(&identity)?;
    let (from, mode) = match &remembered {
        Some(remembered) => (remembered.clone(), WalkMode::Strict),
        None => (Remembered::default(), WalkMode::FirstContact),
    };
    let broken = match lost(store, signer, &from).await? {
        Some(fault) => fault,
        None => match walk(store, signer, from.clone(), mode).await? {
            WalkResult { fault: None, reached, has_own, successors, .. } => {
                match loss(store, signer, &from).await? {
                    None => {
                        let is_new = reached.seq > from.seq;
                        return Ok(Checked::Sound {
                            to_sign: is_new && (has_own || mode == WalkMode::FirstContact),
                            remembered: reached,
                            successors,
                        });
                    }
                    Some(lost) => lost.fault(),
                }
            }
            WalkResult { fault: Some(fault), .. } => fault,
        },
    };
    // An admin may have accepted the log as it is.
    let start = Remembered {
        keys: from.keys.clone(),
        revoked: from.revoked.clone(),
        number: from.number,
        ..Remembered::default()
    };
    let missed = [store.vouching().lost(), from.lost].into_iter().flatten().map(|lost| lost.at);
    let after = missed.fold(from.at, i64::max);
    let scan = walk(store, signer, start, WalkMode::Scan { after }).await?;
    match scan {
        WalkResult { accepted: true, fault: None, reached, successors, .. } => {
            store.vouching().accept_loss();
            Ok(Checked::Sound { remembered: reached, to_sign: true, successors })
        }
        WalkResult { accepted: true, fault: Some(fault), .. } => Ok(Checked::Broken(fault)),
        WalkResult { accepted: false, .. } => Ok(Checked::Broken(broken)),
    }
}

/// Finds out whether a commit of this process is missing, or an earlier process had missed one.
async fn loss(store: &dyn Store, signer: &dyn Signer, from: &Remembered) -> Result<Option<LostEvent>> {
    let vouching = store.vouching();
    let committed = vouching.committed().map(UnsignedEvent::from);
    for last in committed.iter().chain(&from.unsigned) {
        if !is_in(store, last.seq, &last.hash).await? {
            let head = store.head().await?.seq;
            vouching.lose(signer, &store.identity().await?, last.as_lost(head));
        }
    }
    Ok(vouching.lost().or(from.lost))
}

/// Finds out whether what is remembered is missing from the log.
async fn lost(store: &dyn Store, signer: &dyn Signer, from: &Remembered) -> Result<Option<LogFault>> {
    if from.seq == 0 || is_still_in_log(store, from).await? {
        return Ok(None);
    }
    let head = store.head().await?.seq;
    let what =
        if head < from.seq { FaultKind::CutOff { head } } else { FaultKind::Signed { key: signer.key() } };
    Ok(Some(LogFault { seq: from.seq, what }))
}

/// Returns whether the log contains what the signer remembers.
pub async fn runs_through_remembered(store: &dyn Store, signer: &dyn Signer) -> Result<bool> {
    let Some(remembered) = signer.remembered(&store.identity().await?)? else { return Ok(true) };
    if remembered.seq > 0 && !is_still_in_log(store, &remembered).await? {
        return Ok(false);
    }
    match &remembered.unsigned {
        Some(last) => is_in(store, last.seq, &last.hash).await,
        None => Ok(true),
    }
}

async fn is_still_in_log(store: &dyn Store, remembered: &Remembered) -> Result<bool> {
    is_in(store, remembered.seq, &remembered.hash).await
}

async fn is_in(store: &dyn Store, seq: i64, hash: &str) -> Result<bool> {
    let links = store.links(seq - 1, 1).await?;
    Ok(links.first().is_some_and(|link| link.seq == seq && link.hash == hash))
}

/// The result of a walk through the log.
struct WalkResult {
    reached: Remembered,
    fault: Option<LogFault>,
    has_own: bool,
    accepted: bool,
    successors: Vec<String>,
}

async fn walk(
    store: &dyn Store,
    signer: &dyn Signer,
    from: Remembered,
    mode: WalkMode,
) -> Result<WalkResult> {
    let known = match mode {
        // Checkpoints that our own key signed before it remembered anything.
        WalkMode::FirstContact => store.checkpoints().await?,
        WalkMode::Strict | WalkMode::Scan { .. } => Vec::new(),
    };
    let (walked, again) = walk_with(store, signer, from.clone(), mode, &Attested::new(), &known).await?;
    if !again {
        return Ok(walked);
    }
    let attested = attested(store).await?;
    Ok(walk_with(store, signer, from, mode, &attested, &known).await?.0)
}

async fn walk_with(
    store: &dyn Store,
    signer: &dyn Signer,
    from: Remembered,
    mode: WalkMode,
    attested: &Attested,
    points: &[Checkpoint],
) -> Result<(WalkResult, bool)> {
    let (mut after, mut at) = (from.seq, from.at);
    let damaged = || crate::Error::Corrupt("what is remembered of the log cannot be read".into());
    let mut walk = LogWalk::new(signer, from, mode, attested, points).ok_or_else(damaged)?;
    'log: loop {
        let links = store.links(after, CHUNK).await?;
        let Some(last) = links.last() else { break };
        (after, at) = (last.seq, last.at);
        for link in &links {
            store.vouching().note_seen(link);
            if !walk.step(link) {
                break 'log;
            }
        }
    }
    walk.finish(at);
    let needs_attestation = walk.needs_attestation;
    let accepted = walk.is_accepted();
    let LogWalk { reached, fault, has_own, successors, .. } = walk;
    Ok((WalkResult { reached, fault, has_own, accepted, successors }, needs_attestation))
}

/// Returns up to where each key vouches for its own batches, by checkpoints that are signed and match the log.
async fn attested(store: &dyn Store) -> Result<Attested> {
    let mut attested = Attested::new();
    let points = store.checkpoints().await?;
    let mut seen = BTreeSet::new();
    for point in points.iter().rev() {
        let Some(key) = id_of(&crate::chain::key_id(&point.public_key)) else { continue };
        if !seen.insert(key) || !is_signed(point) {
            continue;
        }
        if is_in(store, point.seq, &point.hash).await? {
            attested.insert(key, point.seq);
        }
    }
    Ok(attested)
}
