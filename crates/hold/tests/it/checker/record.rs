//! What was sent and what came back, as those who sent and waited saw it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What everyone saw.
#[derive(Default)]
pub(super) struct Record {
    pub(super) sent: Vec<Sent>,
    pub(super) waited: Vec<Waited>,
    pub(super) kills: usize,
    pub(super) cuts: usize,
    pub(super) outages: usize,
}

/// A command, with a mark that no other command has and that is found in the event it makes.
pub(super) struct Sent {
    pub(super) mark: String,
    pub(super) verb: Verb,
    pub(super) fate: Fate,
}

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Create,
    Answer,
    Guide,
    Revise,
    Cancel,
}

impl Verb {
    /// Returns the event that it makes.
    pub(super) fn event(self) -> &'static str {
        match self {
            Self::Create => "decision:created",
            Self::Answer => "decision:resolved",
            Self::Guide => "decision:refined",
            Self::Revise => "decision:revised",
            Self::Cancel => "decision:cancelled",
        }
    }
}

/// What the sender knows of a command.
#[derive(Debug)]
pub(super) enum Fate {
    /// It was acknowledged, with the decision as it then was.
    Done(Value),
    /// It was refused, perhaps with the decision that is why.
    Refused(Option<Value>),
    /// Nobody answered: it may have happened or not.
    Doubt,
    /// The server said that something is wrong with it.
    Broken(String),
}

/// Someone who held on a decision.
pub(super) struct Waited {
    pub(super) id: String,
    /// What it was woken with; nothing if it never was.
    pub(super) outcome: Option<Value>,
    /// How long after the settling was acknowledged.
    pub(super) late: Duration,
}

impl Record {
    /// Says in a line what happened.
    pub(super) fn summary(&self, events: usize) -> String {
        let count = |fits: fn(&Fate) -> bool| self.sent.iter().filter(|sent| fits(&sent.fate)).count();
        let mut late: Vec<Duration> = self.waited.iter().map(|waited| waited.late).collect();
        late.sort_unstable();
        let at = |percent: usize| late.get(late.len() * percent / 100).copied().unwrap_or_default();
        format!(
            "{} commands (acknowledged {}, refused {}, in doubt {}), {events} events, {} waiters (p50 {:?}, p99 {:?}, \
             latest {:?} after the settling), {} nodes killed, {} connections cut, database restarted {} times",
            self.sent.len(),
            count(|fate| matches!(fate, Fate::Done(_))),
            count(|fate| matches!(fate, Fate::Refused(_))),
            count(|fate| matches!(fate, Fate::Doubt)),
            self.waited.len(),
            at(50),
            at(99),
            late.last().copied().unwrap_or_default(),
            self.kills,
            self.cuts,
            self.outages,
        )
    }

    /// Expects that enough happened for the judgement to mean something.
    pub(super) fn shows_something(&self) {
        for verb in [Verb::Create, Verb::Answer, Verb::Guide, Verb::Revise, Verb::Cancel] {
            let done = |sent: &&Sent| sent.verb == verb && matches!(sent.fate, Fate::Done(_) | Fate::Doubt);
            assert!(self.sent.iter().filter(done).count() > 2, "hardly any {verb:?}");
        }
        let cut = self.outages == 0 || self.cuts > 2;
        assert!(self.kills > 2 && self.waited.len() > 5 && cut, "{}", self.summary(0));
    }
}

/// What all who take part share.
pub(super) struct Board {
    /// Where nodes listen; some may be down.
    pub(super) nodes: Vec<String>,
    decisions: Mutex<Decisions>,
    settled: AtomicBool,
}

/// What is known of decisions.
#[derive(Default)]
pub(super) struct Decisions {
    /// Those that may still be pending.
    pub(super) open: Vec<String>,
    /// When settling one was acknowledged.
    pub(super) settled: HashMap<String, Instant>,
}

impl Board {
    pub(super) fn new(nodes: Vec<String>) -> Self {
        Self { nodes, decisions: Mutex::default(), settled: AtomicBool::new(false) }
    }

    pub(super) fn decisions(&self) -> MutexGuard<'_, Decisions> {
        self.decisions.lock().unwrap()
    }

    /// Notes that a decision is open.
    pub(super) fn opened(&self, id: &str) {
        self.decisions().open.push(id.to_owned());
    }

    /// Notes that a decision is settled.
    pub(super) fn closed(&self, id: &str) {
        let mut decisions = self.decisions();
        decisions.open.retain(|open| open != id);
        decisions.settled.entry(id.to_owned()).or_insert_with(Instant::now);
    }

    /// Says that there is nothing left that anyone could rightly wait for.
    pub(super) fn everything_is_settled(&self) {
        self.settled.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_everything_settled(&self) -> bool {
        self.settled.load(Ordering::SeqCst)
    }
}
