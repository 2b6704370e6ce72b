//! What is decided on, and what a decision comes to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::credential::Known;
use crate::job::Job;
use crate::people::{Policy, Roster};
use crate::refusal::Refusal;
use crate::rule::InForce;
use crate::run::{ObjectId, Run, Task};
use crate::thread::Thread;
use crate::{Decision, DecisionId, Effect, Event, Item, Project, Timestamp};

/// What a command is decided on: loaded in the transaction that will record the outcome. Decisions are shared with the
/// code that loaded them.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The decision that the command names.
    pub decision: Option<Arc<Decision>>,
    /// How it was named, for the refusal.
    pub named: String,
    /// Decisions of the same owner: the pending ones to ask, all of them to end the owner.
    pub siblings: Vec<Arc<Decision>>,
    /// The items that own, are named or are blocked, as far as they are known.
    pub items: Vec<Item>,
    /// The job or crew that owns or is named.
    pub job: Option<Arc<Job>>,
    /// The run that is named.
    pub run: Option<Arc<Run>>,
    /// Which of the runs that are named are known.
    pub runs: Vec<ObjectId>,
    /// The task of the run that is to begin, where it is known already.
    pub task: Option<Task>,
    /// The project's settings.
    pub project: Project,
    /// The project's standing rules.
    pub rules: InForce,
    /// What the project demands of its decisions.
    pub policies: Vec<Policy>,
    /// The groups of people.
    pub roster: Arc<Roster>,
    /// The people who have voted or are away, as far as they are known, and since when: who came back is somebody else.
    pub people: BTreeMap<String, Timestamp>,
    /// The id that a decision opened by this command gets.
    pub fresh: Option<DecisionId>,
    /// The ids that further decisions get, in order: those opened by a message, and what is asked because of an ask.
    pub spare: Vec<DecisionId>,
    /// The thread that is named, or that the decision came up in.
    pub thread: Option<Thread>,
    /// The credentials that are named.
    pub known: Known,
}

impl Default for State {
    /// Nothing is known, in the default project.
    fn default() -> Self {
        Self {
            decision: None,
            named: String::new(),
            siblings: Vec::new(),
            items: Vec::new(),
            job: None,
            run: None,
            runs: Vec::new(),
            task: None,
            project: Project::new(Project::DEFAULT),
            rules: InForce::default(),
            policies: Vec::new(),
            roster: Arc::default(),
            people: BTreeMap::new(),
            fresh: None,
            spare: Vec::new(),
            thread: None,
            known: Known::default(),
        }
    }
}

impl State {
    /// Returns the state as it stands at a time: whatever is overdue is timed out, recorded or not.
    pub(crate) fn as_of(&self, now: Timestamp) -> Cow<'_, Self> {
        let decisions = || self.decision.iter().chain(&self.siblings);
        if !decisions().any(|decision| decision.is_due(now)) {
            return Cow::Borrowed(self);
        }
        let mut state = self.clone();
        let as_of = |decision: Arc<Decision>| Arc::new(Arc::unwrap_or_clone(decision).as_of(now));
        state.decision = state.decision.map(as_of);
        state.siblings = state.siblings.into_iter().map(as_of).collect();
        Cow::Owned(state)
    }

    /// Returns whether an item is known.
    pub(crate) fn knows_item(&self, id: &str) -> bool {
        self.items.iter().any(|item| item.id == id)
    }

    /// Returns the decision that the command names.
    pub fn decision(&self) -> Result<&Decision, Refusal> {
        self.decision.as_deref().ok_or_else(|| Refusal::NotFound { what: "decision", id: self.named.clone() })
    }
}

/// What a command comes to: events that record, effects that wait. No events and `replayed` if it was done before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ruling {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What should happen outside.
    pub effects: Vec<Effect>,
    /// Whether it had happened before.
    pub replayed: bool,
}
