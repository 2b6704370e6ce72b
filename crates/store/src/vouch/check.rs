//! Checks a log against what is remembered of it, and signs it where it holds.

use std::collections::BTreeSet;

use holdpoint_core::Timestamp;

use super::walk::{Attested, Mode, Walk, id_of};
use super::{Lost, Remembered, Written, is_signed, points};
use crate::chain::{LogFault, Wrong, hex};
use crate::{Checkpoint, Link, Result, Signer, Store};

/// How many events are read at a time.
const CHUNK: usize = 2_000;

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The log runs through what is remembered, and this is how far it goes.
    Sound {
        /// What is to be remembered.
        remembered: Remembered,
        /// Whether there is something new that this key answers for.
        to_sign: bool,
        /// Public keys that took the place of known ones since, in hex.
        successors: Vec<String>,
    },
    /// It does not.
    Broken(LogFault),
}

/// Checks the log and signs it up to where it ends. Signs nothing where it does not hold, and says so by
/// [`Store::vouching`].
pub async fn sign(store: &dyn Store, now: Timestamp) -> Result<Option<Checkpoint>> {
    let Some(signer) = store.signer() else { return Ok(None) };
    let identity = store.identity().await?;
    let before = signer.remembered(&identity)?;
    let written = store.vouching().take_written();
    // Whose own commits are gone, or whose key does not count any more, reads the log itself.
    let is_revoked = |known: &Remembered| known.revoked.contains(&signer.key());
    let is_apart = |known: &Remembered| known.lost.is_some() || is_revoked(known);
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
            // Which numbers were given out is remembered all the same.
            let known = signer.remembered(&identity)?;
            if let Some(known) = known.filter(|known| known.number < number) {
                signer.remember(&identity, &Remembered { number, ..known })?;
            }
            Ok(None)
        }
        Checked::Sound { remembered, .. } if is_revoked(&remembered) => {
            let what = Wrong::Revoked { key: signer.key() };
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
            let mut made = None;
            if to_sign && remembered.seq > 0 {
                let now = store.head().await?.clock.unwrap_or(now);
                let at = now.max(Timestamp::from_millis(remembered.at));
                made = points::make(signer.as_ref(), &mut remembered, at);
            }
            if let Some(point) = &made {
                store.put_checkpoint(point).await?;
            }
            // An empty log is nothing to remember: the first writer is not a stranger.
            if remembered.seq > 0 && before.as_ref() != Some(&remembered) {
                signer.remember(&identity, &remembered)?;
            }
            Ok(made)
        }
    }
}

/// Has a key answer for everything it wrote up to the end of the log, once more and for the last time.
pub async fn attest(store: &dyn Store, signer: &dyn Signer, now: Timestamp) -> Result<()> {
    if let Checked::Sound { mut remembered, .. } = check(store, signer).await? {
        let at = now.max(Timestamp::from_millis(remembered.at));
        if let Some(point) = points::make(signer, &mut remembered, at) {
            store.put_checkpoint(&point).await?;
        }
    }
    Ok(())
}

/// Goes on by what this process wrote itself, as long as nobody else wrote in between. What it wrote it need not read.
async fn quick(
    store: &dyn Store,
    before: Option<&Remembered>,
    written: &[Written],
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
    Ok((grown && stands(store, &remembered).await?).then_some(remembered))
}

/// Checks the log against what the signer remembers of it.
pub async fn check(store: &dyn Store, signer: &dyn Signer) -> Result<Checked> {
    let identity = store.identity().await?;
    let remembered = signer.remembered(&identity)?;
    let (from, mode) = match &remembered {
        Some(remembered) => (remembered.clone(), Mode::Strict),
        None => (Remembered::default(), Mode::FirstContact),
    };
    let broken = match lost(store, signer, &from).await? {
        Some(fault) => fault,
        None => match walk(store, signer, from.clone(), mode).await? {
            Walked { fault: None, reached, has_own, successors, .. } => {
                match loss(store, signer, &from).await? {
                    None => {
                        let is_new = reached.seq > from.seq;
                        return Ok(Checked::Sound {
                            to_sign: is_new && (has_own || mode == Mode::FirstContact),
                            remembered: reached,
                            successors,
                        });
                    }
                    Some(lost) => lost.fault(),
                }
            }
            Walked { fault: Some(fault), .. } => fault,
        },
    };
    // An admin may have stated why it is right as it is.
    let start = Remembered {
        keys: from.keys.clone(),
        revoked: from.revoked.clone(),
        number: from.number,
        ..Remembered::default()
    };
    let missed = [store.vouching().lost(), from.lost].into_iter().flatten().map(|lost| lost.at);
    let after = missed.fold(from.at, i64::max);
    let scan = walk(store, signer, start, Mode::Scan { after }).await?;
    match scan {
        Walked { accepted: true, fault: None, reached, successors, .. } => {
            store.vouching().accept_loss();
            Ok(Checked::Sound { remembered: reached, to_sign: true, successors })
        }
        Walked { accepted: true, fault: Some(fault), .. } => Ok(Checked::Broken(fault)),
        Walked { accepted: false, .. } => Ok(Checked::Broken(broken)),
    }
}

/// Finds out whether what this process itself has committed is no longer there, or another before it had missed something.
async fn loss(store: &dyn Store, signer: &dyn Signer, from: &Remembered) -> Result<Option<Lost>> {
    let vouching = store.vouching();
    if let Some(last) = vouching.committed() {
        let links = store.links(last.seq - 1, 1).await?;
        let is_there = |link: &Link| link.seq == last.seq && link.hash == hex(&last.hash);
        if !links.first().is_some_and(is_there) {
            let head = store.head().await?.seq;
            vouching.lose(signer, &store.identity().await?, last.gone(head));
        }
    }
    Ok(vouching.lost().or(from.lost))
}

/// Finds out whether what is remembered is no longer there.
async fn lost(store: &dyn Store, signer: &dyn Signer, from: &Remembered) -> Result<Option<LogFault>> {
    if from.seq == 0 || stands(store, from).await? {
        return Ok(None);
    }
    let head = store.head().await?.seq;
    let what = if head < from.seq { Wrong::CutOff { head } } else { Wrong::Signed { key: signer.key() } };
    Ok(Some(LogFault { seq: from.seq, what }))
}

/// Returns whether the log runs through what the signer remembers of it.
pub async fn runs_through_remembered(store: &dyn Store, signer: &dyn Signer) -> Result<bool> {
    match signer.remembered(&store.identity().await?)? {
        Some(remembered) if remembered.seq > 0 => stands(store, &remembered).await,
        _ => Ok(true),
    }
}

async fn stands(store: &dyn Store, remembered: &Remembered) -> Result<bool> {
    let links = store.links(remembered.seq - 1, 1).await?;
    Ok(links.first().is_some_and(|link| link.seq == remembered.seq && link.hash == remembered.hash))
}

/// What a walk through the log came to.
struct Walked {
    reached: Remembered,
    fault: Option<LogFault>,
    has_own: bool,
    accepted: bool,
    successors: Vec<String>,
}

async fn walk(store: &dyn Store, signer: &dyn Signer, from: Remembered, mode: Mode) -> Result<Walked> {
    let known = match mode {
        // What our own key signed before it remembered anything.
        Mode::FirstContact => store.checkpoints().await?,
        Mode::Strict | Mode::Scan { .. } => Vec::new(),
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
    mode: Mode,
    attested: &Attested,
    points: &[Checkpoint],
) -> Result<(Walked, bool)> {
    let (mut after, mut at) = (from.seq, from.at);
    let damaged = || crate::Error::Corrupt("what is remembered of the log cannot be read".into());
    let mut walk = Walk::new(signer, from, mode, attested, points).ok_or_else(damaged)?;
    'log: loop {
        let links = store.links(after, CHUNK).await?;
        let Some(last) = links.last() else { break };
        (after, at) = (last.seq, last.at);
        for link in &links {
            store.vouching().saw(link);
            if !walk.step(link) {
                break 'log;
            }
        }
    }
    walk.finish(at);
    let needs_attestation = walk.needs_attestation;
    let accepted = walk.is_accepted();
    let Walk { reached, fault, has_own, successors, .. } = walk;
    Ok((Walked { reached, fault, has_own, accepted, successors }, needs_attestation))
}

/// Returns up to where each key answers for its own batches, by checkpoints that are signed and fit the log.
async fn attested(store: &dyn Store) -> Result<Attested> {
    let mut attested = Attested::new();
    let points = store.checkpoints().await?;
    let mut seen = BTreeSet::new();
    for point in points.iter().rev() {
        let Some(key) = id_of(&crate::chain::key_id(&point.public_key)) else { continue };
        if !seen.insert(key) || !is_signed(point) {
            continue;
        }
        let links = store.links(point.seq - 1, 1).await?;
        if links.first().is_some_and(|link| link.seq == point.seq && link.hash == point.hash) {
            attested.insert(key, point.seq);
        }
    }
    Ok(attested)
}
