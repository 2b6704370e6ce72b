//! The hash chain over the log: what each event's hash covers, and how a break is detected.
//!
//! Pure: takes rows and returns findings. It neither reads the rows nor knows who signed them.

use std::collections::BTreeMap;
use std::fmt;

use holdpoint_core::json;
pub use holdpoint_core::json::hex;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::LogRow;

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// The predecessor that the first event names.
pub const GENESIS: Hash = [0; 32];

/// The tag of the event after which bodies of its stream may be missing.
pub const DECISION_REMOVED: &str = "decision:removed";
/// The same tag for a person.
pub const PERSON_REMOVED: &str = "person:removed";
/// The same tag for a thread.
pub const THREAD_REMOVED: &str = "thread:removed";
/// The same tag for a job or crew.
pub const JOB_DELETED: &str = "job:deleted";

/// The tag of the event by which an admin accepted a broken log.
pub const ACCEPTED: &str = "log:accepted";
/// The tag of the event by which one key replaces another.
pub const ROTATED: &str = "key:rotated";
/// The tag of the event after which a key no longer counts.
pub const REVOKED: &str = "key:revoked";

/// Returns the hash of an event's body.
pub fn body_hash(body: &str) -> Hash {
    Sha256::digest(body.as_bytes()).into()
}

/// Returns the hash of an event: SHA-256 over the RFC 8785 text of everything but the body. The body is covered by its
/// own hash, so that it can be erased without breaking the chain.
pub fn event_hash(
    seq: i64,
    stream: &str,
    version: i64,
    tag: &str,
    at: i64,
    body_hash: &str,
    prev: &str,
) -> Hash {
    let link = Canonical { at, body_hash, prev, seq, stream, tag, version };
    Sha256::digest(serde_json::to_vec(&link).unwrap_or_default()).into()
}

/// What an event's hash covers. The members are in alphabetical order, which makes the JSON canonical.
#[derive(Serialize)]
struct Canonical<'a> {
    at: i64,
    body_hash: &'a str,
    prev: &'a str,
    seq: i64,
    stream: &'a str,
    #[serde(rename = "type")]
    tag: &'a str,
    version: i64,
}

/// Returns the bytes that a checkpoint's signature covers; `at` is the time as written.
pub fn checkpoint_message(seq: i64, hash: &str, at: &str, key: &str) -> Vec<u8> {
    let statement = serde_json::json!({ "seq": seq, "hash": hash, "at": at, "key": key });
    let text = json::canonical(&statement).unwrap_or_default();
    [b"holdpoint checkpoint v1\n", text.as_bytes()].concat()
}

/// Returns the id of a public key given in hex.
pub fn key_id(public_key: &str) -> String {
    format!("key-{}", &json::sha256_hex(public_key.as_bytes())[..16])
}

/// Decodes hex of either case; returns none if it is not hex.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| if let [high, low] = pair { Some(digit(*high)? << 4 | digit(*low)?) } else { None })
        .collect()
}

/// A fault in the log, and its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFault {
    /// The event that was changed, or is missing.
    pub seq: i64,
    /// What is wrong with it.
    pub what: FaultKind,
}

/// What is wrong with an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Events are missing from here to the one named, exclusively.
    Missing {
        /// The next event that is there.
        until: i64,
    },
    /// The body differs from the recorded one.
    Body,
    /// The body is missing, but nothing in the log says that it was removed.
    BodyGone,
    /// Its predecessor is not the event before it.
    Prev,
    /// Its hash does not match its content.
    Hash,
    /// Its hash differs from the signed one.
    Signed {
        /// The key of the checkpoint.
        key: String,
    },
    /// It was signed, but the log ends before it.
    CutOff {
        /// The last event of the log.
        head: i64,
    },
    /// The signature under its checkpoint is not by the key named there.
    Signature {
        /// The key.
        key: String,
    },
    /// Nothing proves that the holder of a key wrote the events from here to the one named.
    Unproven {
        /// The last of them.
        until: i64,
    },
    /// The proof of its batch names a key that did not write it.
    Forged {
        /// The key.
        key: String,
    },
    /// Its batch was written with a key that is not trusted, or no longer.
    Stranger {
        /// The key.
        key: String,
        /// The last event of the batch.
        until: i64,
    },
    /// The checkpoint at this event is missing.
    PointGone,
    /// It accepts a log other than the one before it.
    Accepted,
    /// This process committed it, but the log no longer contains it.
    Lost {
        /// The last event of the log.
        head: i64,
    },
    /// The key in use here was revoked.
    Revoked {
        /// The key.
        key: String,
    },
}

impl fmt::Display for LogFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seq = self.seq;
        match &self.what {
            FaultKind::Missing { until } if *until == seq + 1 => write!(f, "event {seq} is missing"),
            FaultKind::Missing { until } => write!(f, "events {seq} to {} are missing", until - 1),
            FaultKind::Body => write!(f, "event {seq} was tampered with: its body is not the one recorded"),
            FaultKind::BodyGone => {
                write!(
                    f,
                    "event {seq} was tampered with: its body is gone, but its decision was never removed"
                )
            }
            FaultKind::Prev => {
                write!(f, "event {seq} was tampered with: it does not follow on the event before")
            }
            FaultKind::Hash => write!(f, "event {seq} was tampered with: its hash does not fit what it says"),
            FaultKind::Signed { key } => {
                write!(f, "event {seq} or one before it was rewritten: key {key} signed another hash")
            }
            FaultKind::CutOff { head } => write!(f, "event {seq} was signed, but the log ends at {head}"),
            FaultKind::Signature { key } => {
                write!(f, "the checkpoint at event {seq} was not signed by key {key}")
            }
            FaultKind::Unproven { until } => {
                write!(f, "{} no proof that the holder of a key wrote them", carry(seq, *until))
            }
            FaultKind::Forged { key } => {
                write!(f, "event {seq} was forged: its batch names {key}, which did not write it")
            }
            FaultKind::Stranger { key, until } => {
                write!(f, "{} the proof of {key}, which is not trusted here", carry(seq, *until))
            }
            FaultKind::PointGone => write!(f, "the checkpoint at event {seq} was removed"),
            FaultKind::Accepted => {
                write!(f, "the log that event {seq} accepts was changed since")
            }
            FaultKind::Lost { head } if *head < seq => {
                write!(f, "event {seq} was committed here, but the log ends at {head}")
            }
            FaultKind::Lost { .. } => {
                write!(f, "event {seq} was committed here, but it or one before it was rewritten since")
            }
            FaultKind::Revoked { key } => {
                write!(
                    f,
                    "what is written after event {seq} does not count: {key}, which signs here, was revoked"
                )
            }
        }
    }
}

fn carry(seq: i64, until: i64) -> String {
    if seq == until { format!("event {seq} carries") } else { format!("events {seq} to {until} carry") }
}

/// Walks the log in order and collects faults.
#[derive(Debug, Default)]
pub struct ChainWalk {
    seq: i64,
    /// The hashes that the next event may name as its predecessor: the recorded one, and the correct one if they
    /// differ.
    follows: Vec<String>,
    /// Streams with missing bodies that are not explained yet, with the events in question.
    gone: BTreeMap<String, Vec<i64>>,
    erased: u64,
    events: u64,
    faults: Vec<LogFault>,
}

impl ChainWalk {
    /// Starts before the first event.
    pub fn new() -> Self {
        Self { follows: vec![hex(&GENESIS)], ..Self::default() }
    }

    /// Checks the next event.
    pub fn step(&mut self, link: &LogRow) {
        let missing = link.seq != self.seq + 1;
        if missing {
            self.fault(self.seq + 1, FaultKind::Missing { until: link.seq });
        } else if !self.follows.contains(&link.prev) {
            self.fault(link.seq, FaultKind::Prev);
        }
        match &link.body {
            None => self.gone.entry(link.stream.clone()).or_default().push(link.seq),
            Some(body) if hex(&body_hash(body)) != link.body_hash => self.fault(link.seq, FaultKind::Body),
            Some(_) => {}
        }
        let right =
            event_hash(link.seq, &link.stream, link.version, &link.tag, link.at, &link.body_hash, &link.prev);
        let right = hex(&right);
        self.follows = vec![link.hash.clone()];
        if right != link.hash {
            self.fault(link.seq, FaultKind::Hash);
            self.follows.push(right);
        }
        if matches!(link.tag.as_str(), DECISION_REMOVED | PERSON_REMOVED | THREAD_REMOVED | JOB_DELETED)
            && link.body.is_some()
        {
            let explained = self.gone.remove(&link.stream).unwrap_or_default();
            self.erased += explained.len() as u64;
        }
        self.events += 1;
        self.seq = link.seq;
    }

    /// Returns the last event seen.
    pub fn seq(&self) -> i64 {
        self.seq
    }

    /// Ends the walk: returns the number of events, how many of them are erased, and the faults by event.
    pub fn finish(mut self) -> (u64, u64, Vec<LogFault>) {
        for seq in std::mem::take(&mut self.gone).into_values().flatten() {
            self.fault(seq, FaultKind::BodyGone);
        }
        self.faults.sort_by_key(|fault| fault.seq);
        (self.events, self.erased, self.faults)
    }

    fn fault(&mut self, seq: i64, what: FaultKind) {
        self.faults.push(LogFault { seq, what });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(bodies: &[(&str, &str, Option<&str>)]) -> Vec<LogRow> {
        let mut prev = hex(&GENESIS);
        let mut links = Vec::new();
        for (at, (stream, tag, body)) in bodies.iter().enumerate() {
            let seq = i64::try_from(at).unwrap() + 1;
            let body_hash = hex(&body_hash(body.unwrap_or("{}")));
            let hash = hex(&event_hash(seq, stream, seq, tag, 5, &body_hash, &prev));
            links.push(LogRow {
                seq,
                stream: (*stream).into(),
                version: seq,
                tag: (*tag).into(),
                at: 5,
                body: body.map(str::to_owned),
                body_hash,
                prev: std::mem::replace(&mut prev, hash.clone()),
                hash,
                proof: None,
            });
        }
        links
    }

    fn faults(links: &[LogRow]) -> Vec<String> {
        let mut walk = ChainWalk::new();
        for link in links {
            walk.step(link);
        }
        walk.finish().2.iter().map(LogFault::to_string).collect()
    }

    fn plain() -> Vec<LogRow> {
        log(&[
            ("decision/1", "decision:created", Some("{}")),
            ("a\"b", "x", Some("[1]")),
            ("c", "y", Some("2")),
        ])
    }

    #[test]
    fn the_hashed_text_is_canonical_json() {
        let by_hand = event_hash(7, "job/a\"\u{1}é", 2, "job:resume", 9, "ab", "cd");
        let value = serde_json::json!({ "seq": 7, "stream": "job/a\"\u{1}é", "version": 2, "type": "job:resume",
            "at": 9, "body_hash": "ab", "prev": "cd" });
        assert_eq!(hex(&by_hand), json::sha256_hex(json::canonical(&value).unwrap().as_bytes()));
    }

    #[test]
    fn an_untouched_log_is_whole() {
        assert_eq!(faults(&plain()), Vec::<String>::new());
    }

    #[test]
    fn the_touched_event_is_named() {
        type Touch = fn(&mut Vec<LogRow>);
        let cases: [(Touch, &str); 6] = [
            (
                |log| log[1].body = Some("[2]".into()),
                "event 2 was tampered with: its body is not the one recorded",
            ),
            (|log| log[1].at = 6, "event 2 was tampered with: its hash does not fit what it says"),
            (
                |log| log[1].hash = "00".into(),
                "event 2 was tampered with: its hash does not fit what it says",
            ),
            (|log| drop(log.remove(1)), "event 2 is missing"),
            (|log| drop(log.remove(0)), "event 1 is missing"),
            (
                |log| log[1].body = None,
                "event 2 was tampered with: its body is gone, but its decision was never removed",
            ),
        ];
        for (touch, said) in cases {
            let mut links = plain();
            touch(&mut links);
            assert_eq!(faults(&links), [said]);
        }
    }

    #[test]
    fn an_erased_body_is_no_fault() {
        let mut links = log(&[
            ("decision/1", "decision:created", Some("{}")),
            ("decision/1", DECISION_REMOVED, Some("{}")),
        ]);
        links[0].body = None;
        assert_eq!(faults(&links), Vec::<String>::new());
        links[1].body = None;
        assert_eq!(faults(&links).len(), 2);
    }

    #[test]
    fn hex_reads_back() {
        assert_eq!(unhex(&hex(&[0, 15, 255])), Some(vec![0, 15, 255]));
        assert_eq!((unhex("0"), unhex("zz")), (None, None));
    }
}
