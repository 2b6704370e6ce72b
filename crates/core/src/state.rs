//! The state that a command is decided on, and the ruling it leads to.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::credential::KnownCredentials;
use crate::job::Job;
use crate::people::{Policy, Roster};
use crate::refusal::Refusal;
use crate::rule::InForce;
use crate::run::{ObjectId, Run, Task};
use crate::thread::Thread;
use crate::{Decision, DecisionId, Effect, Event, Item, Project, Timestamp};

/// The state that a command is decided on: loaded in the transaction that will record the outcome. Decisions are shared
/// with the code that loaded them.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The decision that the command names.
    pub decision: Option<Arc<Decision>>,
    /// The id as the caller gave it, for the refusal.
    pub named: String,
    /// Decisions of the same owner: the pending ones for asking, all of them for ending the owner.
    pub siblings: Vec<Arc<Decision>>,
    /// The known items that own the decision, are named or are blocked.
    pub items: Vec<Item>,
    /// The job or crew that owns the decision or is named.
    pub job: Option<Arc<Job>>,
    /// The named run.
    pub run: Option<Arc<Run>>,
    /// Which of the named runs are known.
    pub runs: Vec<ObjectId>,
    /// The task of the run to be started, if it is known already.
    pub task: Option<Task>,
    /// The project's settings.
    pub project: Project,
    /// The project's standing rules.
    pub rules: InForce,
    /// The project's policies.
    pub policies: Vec<Policy>,
    /// The groups of people.
    pub roster: Arc<Roster>,
    /// The known people among those who have voted or are absent, and since when they are known: a person who was added
    /// again counts as another person.
    pub people: BTreeMap<String, Timestamp>,
    /// The id for a decision that this command opens.
    pub fresh: Option<DecisionId>,
    /// The ids for further decisions, in order: those opened by a message, and those asked because of a request.
    pub spare: Vec<DecisionId>,
    /// The named thread, or the one that the decision belongs to.
    pub thread: Option<Thread>,
    /// The named credentials.
    pub known: KnownCredentials,
}

impl Default for State {
    /// Returns the default project without anything in it.
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
            known: KnownCredentials::default(),
        }
    }
}

impl State {
    /// Returns the state at a time: overdue decisions are timed out, recorded or not.
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

/// The result of a command: events to record, effects to carry out. A repeated command has no events and is `replayed`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ruling {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What should be done outside.
    pub effects: Vec<Effect>,
    /// Whether the command had been carried out before.
    pub replayed: bool,
}
