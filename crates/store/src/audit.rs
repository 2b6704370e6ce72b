//! Checks the whole log: against its own chain, against signed checkpoints, and against what the signer of this data
//! folder remembers.

mod batches;
mod content;

use std::collections::{BTreeMap, BTreeSet};

use holdpoint_core::{Event, LogDigest};

pub use batches::Accepted;

use batches::Batches;
use content::Content;

use crate::chain::{self, ChainWalk, FaultKind, LogFault};
use crate::plan::stream::LOG;
use crate::vouch::{self, Checked, Remembered};
use crate::{Checkpoint, Result, Signer, Store};

/// The result of a check of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many events there are.
    pub events: u64,
    /// How many of them were erased, according to the log itself.
    pub erased: u64,
    /// How many checkpoints there are.
    pub checkpoints: u64,
    /// Up to which event trusted keys vouch for the log; 0 if none does.
    pub vouched_to: i64,
    /// The last event.
    pub head: i64,
    /// Public keys that signed checkpoints but are not trusted.
    pub untrusted: Vec<String>,
    /// Faults that were not accepted, by event.
    pub faults: Vec<LogFault>,
    /// The breaks that an admin accepted.
    pub accepted: Vec<Accepted>,
    /// The digest of the log as it is now.
    pub log: LogDigest,
}

impl Report {
    /// Returns how many events at the end are not vouched for yet.
    pub fn tail(&self) -> i64 {
        self.head - self.vouched_to
    }
}

const CHUNK: usize = 2_000;

/// Checks the log; `trusted` are public keys in hex. With the signer of the data folder, it is also checked against
/// what that remembers.
pub async fn verify(store: &dyn Store, trusted: &[String], signer: Option<&dyn Signer>) -> Result<Report> {
    // Read in the opposite order of writing, so that something written meanwhile never seems to lack what it rests on:
    // the remembered state rests on checkpoints, and those on the log.
    let remembered = match signer {
        Some(signer) => signer.remembered(&store.identity().await?)?,
        None => None,
    };
    let checkpoints = store.checkpoints().await?;
    let mut marks: BTreeMap<i64, Option<String>> =
        checkpoints.iter().map(|point| (point.seq, None)).collect();
    marks.extend(remembered.iter().map(|remembered| (remembered.seq, None)));
    let mut walk = ChainWalk::new();
    // Keys that wrote before the store was first seen here count as well.
    let known = trusted.iter().map(|key| chain::key_id(&key.to_ascii_lowercase()));
    let known = known.chain(remembered.iter().flat_map(|remembered| remembered.keys.clone()));
    let mut batches = Batches::new(signer, known.collect());
    let mut content = Content::new();
    let mut contents = accepted_logs(store).await?;
    let mut after = 0;
    loop {
        let links = store.links(after, CHUNK).await?;
        for link in &links {
            store.vouching().note_seen(link);
            walk.step(link);
            batches.step(link);
            content.step(link);
            if let Some(digest) = contents.get_mut(&link.seq) {
                *digest = Some(content.digest());
            }
            if let Some(hash) = marks.get_mut(&link.seq) {
                *hash = Some(link.hash.clone());
            }
        }
        match links.last() {
            Some(last) => after = last.seq,
            None => break,
        }
    }
    let head = walk.seq();
    let (events, erased, mut faults) = walk.finish();
    let hash_at = |seq: i64| marks.get(&seq).and_then(Option::as_deref);
    let mut untrusted = BTreeSet::new();
    let mut misfits = Vec::new();
    let mut answers: BTreeMap<String, i64> = BTreeMap::new();
    for point in &checkpoints {
        match check(point, hash_at(point.seq), head) {
            Err(fault) => misfits.push((fault, point.at)),
            Ok(()) if trusted.iter().any(|key| key.eq_ignore_ascii_case(&point.public_key)) => {
                let to = answers.entry(chain::key_id(&point.public_key)).or_default();
                *to = (*to).max(point.seq);
            }
            Ok(()) => {
                untrusted.insert(point.public_key.clone());
            }
        }
    }
    batches.end();
    faults.append(&mut batches.faults);
    let mut accepted = batches.accepted(&answers);
    // A signature of a log that was replaced, and accepted as such, may be missing.
    let counts = |known: &&Remembered| !accepted.iter().any(|word| word.at.as_millis() > known.at);
    let still_counts = remembered.as_ref().filter(counts);
    faults.extend(removed(&checkpoints, still_counts));
    // Signatures from before a break was accepted may not fit anything after it.
    for (fault, at) in misfits {
        match accepted.iter_mut().find(|accepted| at < accepted.at) {
            Some(accepted) => accepted.faults.push(fault),
            None => faults.push(fault),
        }
    }
    if let Some(known) = still_counts {
        faults.extend(lost(known, hash_at(known.seq), head, signer));
    }
    faults.sort_by_key(|fault| fault.seq);
    faults.dedup();
    let mut faults = settle(faults, &mut accepted, &contents);
    // Faults that keep the signer from signing are reported too, such as a key that it does not know.
    if let (Some(signer), Some(_)) = (signer, &remembered)
        && let Checked::Broken(fault) = vouch::check(store, signer).await?
        && !faults.contains(&fault)
    {
        faults.push(fault);
        faults.sort_by_key(|fault| fault.seq);
    }
    let first = faults.first().map_or(i64::MAX, |fault| fault.seq);
    Ok(Report {
        events,
        erased,
        checkpoints: checkpoints.len() as u64,
        vouched_to: batches.vouched_to(&answers, &accepted, first),
        head,
        untrusted: untrusted.into_iter().collect(),
        faults,
        accepted,
        log: LogDigest { seq: head, digest: content.digest() },
    })
}

/// Lists the events up to which the log was accepted, at which its digest has to be computed.
async fn accepted_logs(store: &dyn Store) -> Result<BTreeMap<i64, Option<String>>> {
    let words = store.stream(LOG, 0).await?;
    let logs =
        words.iter().filter_map(|link| match crate::body::decode(&link.tag, link.body.as_ref()?).ok()? {
            Event::LogAccepted { log, .. } => log,
            _ => None,
        });
    Ok(logs.map(|log| (log.seq, None)).collect())
}

/// Checks that the log contains heads that a witness saw: event and hash. Returns what does not match.
pub async fn hold_against(
    store: &dyn Store,
    heads: impl IntoIterator<Item = (i64, &str)>,
    witness: &str,
) -> Result<Vec<LogFault>> {
    let last = store.head().await?.seq;
    let mut faults = Vec::new();
    for (seq, hash) in heads {
        let links = store.links(seq - 1, 1).await?;
        let what = match links.first() {
            Some(link) if link.seq == seq && link.hash == hash => continue,
            _ if last < seq => FaultKind::CutOff { head: last },
            _ => FaultKind::Signed { key: witness.to_owned() },
        };
        faults.push(LogFault { seq, what });
    }
    Ok(faults)
}

/// Assigns each fault to the statement that accepted it; returns those that were not accepted. A statement counts only
/// for the log that it was given for: `contents` has the present digests.
fn settle(
    faults: Vec<LogFault>,
    accepted: &mut [Accepted],
    contents: &BTreeMap<i64, Option<String>>,
) -> Vec<LogFault> {
    let mut open = Vec::new();
    let mut until = Vec::new();
    for word in accepted.iter() {
        until.push(match &word.log {
            None => word.seq - 1,
            Some(log) if contents.get(&log.seq) == Some(&Some(log.digest.clone())) => log.seq,
            Some(_) => {
                open.push(LogFault { seq: word.seq, what: FaultKind::Accepted });
                0
            }
        });
    }
    for fault in faults {
        match until.iter().position(|until| fault.seq <= *until) {
            Some(at) => accepted[at].faults.push(fault),
            None => open.push(fault),
        }
    }
    open.sort_by_key(|fault| fault.seq);
    open
}

/// Finds out whether the log no longer contains what is remembered.
fn lost(
    remembered: &Remembered,
    hash: Option<&str>,
    head: i64,
    signer: Option<&dyn Signer>,
) -> Option<LogFault> {
    if remembered.seq == 0 || hash == Some(&remembered.hash) {
        return None;
    }
    let key = signer.map(Signer::key).unwrap_or_default();
    let what = if head < remembered.seq { FaultKind::CutOff { head } } else { FaultKind::Signed { key } };
    Some(LogFault { seq: remembered.seq, what })
}

/// Finds checkpoints that were made and are missing.
fn removed(points: &[Checkpoint], remembered: Option<&Remembered>) -> Vec<LogFault> {
    // Another key may have signed in between.
    let there: BTreeSet<i64> = points.iter().map(|point| point.seq).collect();
    let signed = remembered.map(|remembered| remembered.signed).filter(|signed| *signed > 0);
    let named = points.iter().filter_map(|point| point.prior).chain(signed);
    let gone: BTreeSet<i64> = named.filter(|seq| !there.contains(seq)).collect();
    gone.into_iter().map(|seq| LogFault { seq, what: FaultKind::PointGone }).collect()
}

fn check(point: &Checkpoint, hash: Option<&str>, head: i64) -> std::result::Result<(), LogFault> {
    let fault = |what| Err(LogFault { seq: point.seq, what });
    if !vouch::is_signed(point) {
        return fault(FaultKind::Signature { key: point.key.clone() });
    }
    match hash {
        None if point.seq > head => fault(FaultKind::CutOff { head }),
        Some(hash) if hash != point.hash => fault(FaultKind::Signed { key: point.key.clone() }),
        // The walk has already reported a missing event.
        None | Some(_) => Ok(()),
    }
}
