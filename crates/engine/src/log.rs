//! The log itself: continuing after a break, and the keys that vouch for it.

use holdpoint_core::{Command, Decision, LogCommand, Refusal};
use holdpoint_store::chain::{LogFault, hex, unhex};
use holdpoint_store::vouch;
use holdpoint_store::{EventQuery, Signer as _, audit};
use serde::{Deserialize, Serialize};

use crate::auth::Caller;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::keys::Key;
use crate::log_proof::{LogProof, SignedHead};

/// The events that end a decision.
const SETTLES: [&str; 5] = [
    "decision:resolved",
    "decision:refined",
    "decision:expired",
    "decision:cancelled",
    "decision:superseded",
];

/// How many faults are named when a log is accepted.
const MOST_NAMED: usize = 20;

/// What was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AcceptedLog {
    /// What had been found, in words.
    pub found: String,
    /// The event that says so.
    pub seq: i64,
}

/// The proof that one head of the log is the start of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LogPath {
    /// Hashes, in hex (RFC 9162).
    pub path: Vec<String>,
}

/// Refuses a caller that may not manage the log and its keys.
pub(crate) fn may_vouch(caller: &Caller) -> Result<()> {
    caller.administers().map_err(|error| match error {
        Error::Refused(Refusal::Forbidden(_)) => {
            Refusal::Forbidden("only an admin of all projects manages the log and its keys".into()).into()
        }
        other => other,
    })
}

/// Refuses a caller whose credential is vouched for by the log itself: that log is what is in doubt, and may have lost
/// a revocation.
fn may_accept(caller: &Caller) -> Result<()> {
    if caller.actor.auth.is_checked() {
        let why = "only the server's own account accepts a log: run hold audit accept on its machine, with its data folder";
        return Err(Refusal::Forbidden(why.into()).into());
    }
    Ok(())
}

/// Describes the first faults, and how many more there are.
fn describe_faults(faults: &[LogFault]) -> String {
    let mut words: Vec<_> = faults.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    if faults.len() > MOST_NAMED {
        words.push(format!("and {} more", faults.len() - MOST_NAMED));
    }
    words.join("; ")
}

impl Engine {
    /// Accepts a log that does not continue what was signed, and goes on from it.
    pub async fn accept_log(&self, caller: &Caller, reason: String) -> Result<AcceptedLog> {
        may_vouch(caller)?;
        may_accept(caller)?;
        let audit::Report { mut faults, log, .. } = self.verify_log().await?;
        if let Some(known) = self.unvouched().filter(|known| !faults.contains(known)) {
            faults.insert(0, known);
        }
        if faults.is_empty() {
            let why = "nothing is wrong with the log, so there is nothing to accept";
            return Err(Refusal::invalid("log", why).into());
        }
        let found = describe_faults(&faults);
        let command = LogCommand::Accept { reason, found: found.clone(), log: Some(log) };
        let outcome = self.submit_for(caller, Command::Log(command), None).await?;
        self.sign().await;
        match self.unvouched() {
            None => Ok(AcceptedLog { found, seq: outcome.seq }),
            Some(fault) => Err(Error::Settings(format!(
                "that was recorded, but the log is still not signed on: {fault}; is the clock right?"
            ))),
        }
    }

    /// Checks the log from its first event.
    pub(crate) async fn verify_log(&self) -> Result<audit::Report> {
        let mut trusted = self.key()?.trusted();
        trusted.push(self.key()?.public_key());
        Ok(audit::verify(self.store.as_ref(), &trusted, Some(self.key()?)).await?)
    }

    /// Revokes a key: what it writes from now on does not count.
    pub async fn revoke_key(&self, caller: &Caller, key: &str, reason: String) -> Result<()> {
        may_vouch(caller)?;
        if self.key()?.key() == key {
            let why = "is the key that signs here; hold key rotate replaces and revokes it";
            return Err(Refusal::invalid("key", why).into());
        }
        let revoke = LogCommand::RevokeKey { key: key.to_owned(), reason };
        self.submit_for(caller, Command::Log(revoke), None).await?;
        self.sign().await;
        Ok(())
    }

    /// Returns the last signed head of the log, if there is one with a tree.
    pub async fn log_head(&self) -> Result<Option<SignedHead>> {
        self.sign_if_sound().await;
        let head = self.store.covering(self.store.head().await?.seq, 1).await?;
        let last = match head.into_iter().next() {
            Some(point) => Some(point),
            None => self.store.checkpoints().await?.pop(),
        };
        Ok(last.and_then(SignedHead::of))
    }

    /// Returns the proof that the log up to one event is the start of the log up to another, in hex.
    pub async fn log_consistency(&self, from: i64, to: i64) -> Result<Vec<String>> {
        let head = self.store.head().await?.seq;
        if !(1..=to).contains(&from) || to > head {
            let why = format!("must be at least 1, and to at least that and at most {head}");
            return Err(Refusal::invalid("from", why).into());
        }
        let proof = vouch::consistency(self.store.as_ref(), from, to).await?;
        Ok(proof.iter().map(|hash| hex(hash)).collect())
    }

    /// Proves that the end of a decision is in the signed log; none if no key vouches for it, or its body was erased.
    pub async fn log_proof(&self, decision: &Decision) -> Result<Option<LogProof>> {
        let Some(seq) = self.settled_by(decision).await? else { return Ok(None) };
        let mut head = self.covering(seq).await?;
        if head.is_none() {
            self.sign_if_sound().await;
            head = self.covering(seq).await?;
        }
        let Some(head) = head else { return Ok(None) };
        let Some(root) = head.root_hash() else { return Ok(None) };
        let Some(mut link) = self.store.links(seq - 1, 1).await?.pop() else { return Ok(None) };
        let (Some(body), Some(hash)) =
            (link.body.take(), unhex(&link.hash).and_then(|hash| hash.try_into().ok()))
        else {
            return Ok(None);
        };
        let path = vouch::inclusion(self.store.as_ref(), seq, head.seq).await?;
        // An event that is not in the signed tree is not vouched for, whatever the store says.
        let holds = vouch::includes(&root, seq, head.seq, &hash, &path);
        Ok(holds.then(|| LogProof::new(link, body, head, &path)))
    }

    /// Returns the event that settled a decision.
    async fn settled_by(&self, decision: &Decision) -> Result<Option<i64>> {
        let (mut after, mut settled) = (0, None);
        loop {
            let query = EventQuery { after, decision: Some(decision.id), project: None, limit: 100 };
            let events = self.store.events(&query).await?;
            let Some(last) = events.last() else { return Ok(settled) };
            after = last.seq;
            let ends = events.iter().rev().find(|event| SETTLES.contains(&event.tag.as_str()));
            settled = ends.map(|event| event.seq).or(settled);
        }
    }

    /// Returns the first head that covers an event and is signed by a key that is trusted here.
    async fn covering(&self, seq: i64) -> Result<Option<SignedHead>> {
        let key = self.key()?;
        let mut trusted = key.trusted();
        trusted.push(key.public_key());
        let points = self.store.covering(seq, 16).await?.into_iter();
        let mut heads = points.filter(|point| trusted.contains(&point.public_key)).filter_map(SignedHead::of);
        Ok(heads.find(SignedHead::is_signed))
    }

    /// Signs new events, unless the log is known to be broken.
    pub(crate) async fn sign_if_sound(&self) {
        if self.unvouched().is_none() {
            self.sign().await;
        }
    }

    pub(crate) fn key(&self) -> Result<&Key> {
        self.signer.as_deref().ok_or_else(|| Error::Settings("there is no signing key here".into()))
    }
}
