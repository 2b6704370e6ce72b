//! An in-memory world for tests: loads state, decides, applies, and distrusts every step.

use std::collections::BTreeMap;
use std::sync::Arc;

use holdpoint_core::credential::KnownCredentials;
use holdpoint_core::people::Roster;
use holdpoint_core::rule::{self, InForce, RuleSet};
use holdpoint_core::run::{self, ObjectId, Run, RunCommand};
use holdpoint_core::{
    Actor, Command, Decision, DecisionId, Effect, Event, Item, ItemStatus, Numbering, Owner, OwnerKind,
    Person, Project, Refusal, Ruling, Span, State, Status, Timestamp, apply, decide,
};

/// Everything a store would keep.
pub(crate) struct World {
    pub(crate) now: Timestamp,
    pub(crate) decisions: BTreeMap<DecisionId, Decision>,
    pub(crate) items: BTreeMap<(String, String), Item>,
    pub(crate) projects: BTreeMap<String, Project>,
    pub(crate) runs: BTreeMap<ObjectId, Run>,
    pub(crate) rules: BTreeMap<String, RuleSet>,
    pub(crate) used: BTreeMap<String, Vec<Timestamp>>,
    pub(crate) authors: BTreeMap<String, Timestamp>,
    pub(crate) roster: Roster,
    /// The person whose token is used.
    pub(crate) person: Option<Person>,
    /// Since when people are known, where that is not forever; nothing for those who are gone.
    pub(crate) known_since: BTreeMap<String, Option<Timestamp>>,
    pub(crate) log: Vec<(Event, Timestamp)>,
    numbering: Numbering,
    last_number: i64,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            now: Timestamp::from_millis(1_763_164_800_000),
            decisions: BTreeMap::new(),
            items: BTreeMap::new(),
            projects: BTreeMap::new(),
            runs: BTreeMap::new(),
            rules: BTreeMap::new(),
            used: BTreeMap::new(),
            authors: BTreeMap::from([("person:ana".into(), Timestamp::from_millis(0))]),
            roster: Roster::default(),
            person: None,
            known_since: BTreeMap::new(),
            log: Vec::new(),
            numbering: Numbering::new(42),
            last_number: 0,
        }
    }

    pub(crate) fn wait(&mut self, span: Span) {
        self.now = self.now.checked_add(span).unwrap();
    }

    /// Decides a command and applies the outcome, the overdue decisions it touches first.
    pub(crate) fn submit(&mut self, actor: &Actor, command: &Command) -> Result<Ruling, Refusal> {
        let state = self.load(command);
        let touched = state.decision.iter().chain(&state.siblings);
        let due: Vec<DecisionId> =
            touched.filter(|touched| touched.is_due(self.now)).map(|due| due.id).collect();
        for id in due {
            self.submit_now(actor, &Command::Expire { id })?;
        }
        self.submit_now(actor, command)
    }

    /// Decides a command on what is recorded, overdue or not.
    pub(crate) fn submit_now(&mut self, actor: &Actor, command: &Command) -> Result<Ruling, Refusal> {
        let state = self.load(command);
        let ruling = decide(&state, actor, command, self.now);
        assert_eq!(ruling, decide(&state, actor, command, self.now), "the same input gives the same output");
        let ruling = ruling?;
        assert_eq!(ruling.replayed, ruling.events.is_empty(), "what happened before has no events");
        check_effects(&ruling);
        for event in &ruling.events {
            self.record(event);
        }
        Ok(ruling)
    }

    pub(crate) fn load(&self, command: &Command) -> State {
        let (id, owner) = match command {
            Command::Create(new) => (None, new.owner.clone().map(|owner| (new.project().to_owned(), owner))),
            Command::EndOwner { project, owner, .. } => (None, Some((project.clone(), owner.clone()))),
            Command::CreateItem { project, id, .. } => {
                (None, Some((project.clone(), Owner::new(OwnerKind::Item, id))))
            }
            Command::Run { project, id, command } => {
                let decision = match command.as_ref() {
                    RunCommand::Conclude(conclusion) => Some(conclusion.decision),
                    RunCommand::Fail { decision, .. } => Some(*decision),
                    _ => None,
                };
                (decision, Some((project.clone(), run::owner(*id))))
            }
            Command::UpdateProject { .. }
            | Command::Job { .. }
            | Command::Rule { .. }
            | Command::Policy { .. }
            | Command::Group { .. }
            | Command::Absence { .. }
            | Command::CreateThread(_)
            | Command::Post(_)
            | Command::CreateToken { .. }
            | Command::RevokeToken { .. }
            | Command::PutPerson { .. }
            | Command::LinkAccount { .. }
            | Command::SetNotify { .. }
            | Command::RemovePerson { .. }
            | Command::SignIn { .. }
            | Command::SetAuth { .. }
            | Command::Log(_) => (None, None),
            Command::Revise { id, .. }
            | Command::Attend { id, .. }
            | Command::Remark { id, .. }
            | Command::Draft { id, .. }
            | Command::Answer { id, .. }
            | Command::Cancel { id, .. }
            | Command::Consume { id, .. }
            | Command::Expire { id }
            | Command::Escalate { id }
            | Command::ClearVotes { id, .. }
            | Command::Prune { id } => (Some(*id), None),
        };
        let decision = id.and_then(|id| self.decisions.get(&id)).cloned();
        let name = match (command, &owner, &decision) {
            (Command::UpdateProject { name, .. }, ..) => name.clone(),
            (Command::Create(new), ..) => new.project().to_owned(),
            (Command::Rule { project, .. } | Command::Policy { project, .. }, ..)
            | (_, Some((project, _)), _) => project.clone(),
            (_, _, Some(decision)) => decision.project.clone(),
            _ => Project::DEFAULT.to_owned(),
        };
        let siblings = self.decisions.values().filter(|other| {
            owner.as_ref().is_some_and(|(project, owner)| {
                other.owner.as_ref() == Some(owner) && other.project == *project
            })
        });
        let item = owner.as_ref().and_then(|(project, owner)| {
            self.items.get(&(project.clone(), owner.id.clone())).filter(|_| owner.kind == OwnerKind::Item)
        });
        State {
            named: id.map(|id| id.to_string()).unwrap_or_default(),
            siblings: siblings.cloned().map(Arc::new).collect(),
            items: item.cloned().into_iter().collect(),
            job: None,
            run: match command {
                Command::Run { id, .. } => self.runs.get(id).cloned().map(Arc::new),
                _ => None,
            },
            task: match command {
                Command::Run { command, .. } => match command.as_ref() {
                    RunCommand::Start(new) => {
                        let mut known = self.runs.values().map(|run| &run.task);
                        known.find(|task| task.id == new.task.id).cloned()
                    }
                    _ => None,
                },
                _ => None,
            },
            project: self.projects.get(&name).cloned().unwrap_or_else(|| Project::new(&name)),
            fresh: Some(self.numbering.id(self.last_number + 1)),
            spare: vec![self.numbering.id(self.last_number + 2)],
            decision: decision.map(Arc::new),
            policies: self.rules.get(&name).map(|rules| rules.policies().to_vec()).unwrap_or_default(),
            roster: Arc::new(self.roster.clone()),
            people: self.people(),
            known: KnownCredentials { person: self.person.clone(), ..KnownCredentials::default() },
            rules: InForce {
                rules: Arc::new(self.rules.get(&name).cloned().unwrap_or_default()),
                authors: self.authors.clone(),
                used: self.used.iter().map(|(id, times)| (id.clone(), times.len() as u64)).collect(),
                trip_limit: rule::TRIP_LIMIT,
                recent: self.used.iter().map(|(id, times)| (id.clone(), self.lately(times))).collect(),
            },
            ..State::default()
        }
    }

    fn people(&self) -> BTreeMap<String, Timestamp> {
        let votes = self.decisions.values().flat_map(|decision| &decision.votes);
        let names = votes.flat_map(|vote| [vote.by.clone(), vote.voter().to_owned()]);
        let names = names.chain(self.roster.absences().map(|absence| absence.person.clone()));
        let since = |name: &String| match self.known_since.get(name) {
            Some(since) => *since,
            None => Some(Timestamp::from_millis(0)),
        };
        names.filter_map(|name| since(&name).map(|since| (name, since))).collect()
    }

    fn lately(&self, times: &[Timestamp]) -> usize {
        times.iter().filter(|at| self.now.since(**at) < rule::TRIP_WINDOW).count()
    }

    fn record(&mut self, event: &Event) {
        let text = holdpoint_core::json::canonical(event).unwrap();
        let read: Event = serde_json::from_str(&text).unwrap();
        assert_eq!(read, *event, "what is written reads back as it was");
        if let Event::Created(decision) = event {
            assert_eq!(decision.id, self.numbering.id(self.last_number + 1));
            self.last_number += 1;
        }
        if let Some((_, project)) = event.rule() {
            self.rules.entry(project.to_owned()).or_default().apply(event);
        }
        self.roster.apply(event);
        if let Event::Resolved { answer, .. } = event
            && let Some(rule) = answer.by.strip_prefix("rule:")
        {
            self.used.entry(rule.to_owned()).or_default().push(self.now);
        }
        if let Some((id, _)) = event.run() {
            let before = self.runs.remove(&id);
            assert_eq!(
                before.is_none(),
                matches!(event, Event::RunStarted(_) | Event::RunImported { .. }),
                "{event:?}"
            );
            let after = run::apply(before, event, self.now).unwrap();
            self.runs.insert(id, after);
        }
        if let Some(id) = event.decision() {
            let before = self.decisions.remove(&id);
            match (&before, event) {
                (None, Event::Created(_)) | (Some(_), _) => {}
                (None, other) => panic!("{other:?} happened to nothing"),
            }
            let after = apply(before.clone(), event, self.now);
            check_step(before.as_ref(), event, after.as_ref());
            self.decisions.extend(after.map(|after| (id, after)));
        }
        match event {
            Event::ItemCreated { id, project, title, .. } => {
                let item = Item {
                    id: id.clone(),
                    project: project.clone(),
                    title: title.clone(),
                    status: ItemStatus::of(0),
                    pending: 0,
                    created_at: self.now,
                };
                assert!(
                    self.items.insert((project.clone(), id.clone()), item).is_none(),
                    "an item is made once"
                );
            }
            Event::ItemDeleted { id, project, .. } => {
                assert!(self.items.remove(&(project.clone(), id.clone())).is_some());
            }
            Event::ProjectUpdated { id, min_timeout, verdicts, .. } => {
                let (name, min_timeout, verdicts) = (id.clone(), *min_timeout, verdicts.clone());
                self.projects.insert(id.clone(), Project { name, min_timeout, verdicts });
            }
            _ => {}
        }
        self.log.push((event.clone(), self.now));
    }

    /// Replays the log and compares it with what was kept.
    pub(crate) fn check_replay(&self) {
        let mut replayed = BTreeMap::new();
        for (event, at) in &self.log {
            let Some(id) = event.decision() else { continue };
            let after = apply(replayed.remove(&id), event, *at);
            replayed.extend(after.map(|after| (id, after)));
        }
        assert_eq!(replayed, self.decisions, "the log gives the world");
    }
}

/// What must hold between before and after, whatever the event.
fn check_step(before: Option<&Decision>, event: &Event, after: Option<&Decision>) {
    let Some(after) = after else { return };
    if let Some(before) = before.filter(|before| before.status != Status::Pending) {
        let mut same = after.clone();
        same.consumed_at = before.consumed_at;
        assert_eq!(*before, same, "{event:?} changed what was settled");
    }
    let answer = after.answer.as_ref();
    assert_eq!(after.status == Status::Pending, after.settled_at.is_none());
    match after.status {
        Status::Pending | Status::Cancelled | Status::Superseded => assert_eq!(answer, None),
        Status::TimedOut => assert!(answer.is_none_or(|answer| answer.by == "system:timeout")),
        Status::Refined => {
            let answer = answer.unwrap();
            assert!(answer.values.is_empty() && answer.out.is_none() && answer.message.is_some());
            assert!(after.next.is_some());
        }
        Status::Answered => {
            let answer = answer.unwrap();
            assert_ne!(answer.by, "system:timeout");
            if answer.out.is_some() {
                assert!(answer.values.is_empty());
            } else if !answer.values.is_empty() {
                let filling = holdpoint_core::form::accept(&after.fields, &answer.values);
                assert_eq!((filling.values, filling.faults), (answer.values.clone(), vec![]));
            }
        }
    }
    let draft = holdpoint_core::form::accept_draft(&after.fields, &after.draft);
    assert_eq!(
        (draft.values, draft.faults),
        (after.draft.clone(), vec![]),
        "a draft holds only valid values"
    );
}

/// Acts point at action events, each once; notifications are about something that happened.
fn check_effects(ruling: &Ruling) {
    let act = |effect: &Effect| match effect {
        Effect::Act { event } => Some(*event),
        Effect::Tell { id, .. } | Effect::TellPeople { id, .. } | Effect::CarryOut { id } => {
            assert!(ruling.events.iter().any(|event| event.decision() == Some(*id)));
            None
        }
    };
    let acts: Vec<usize> = ruling.effects.iter().filter_map(act).collect();
    let is_action = |event: &Event| {
        event.decision().is_none()
            && !event.tag().starts_with("item:")
            && !event.tag().starts_with("rule:")
            && !event.tag().starts_with("policy:")
            && !event.tag().starts_with("group:")
            && !event.tag().starts_with("absence:")
            && !event.tag().starts_with("project:")
            && !event.tag().starts_with("run:")
    };
    let actions: Vec<usize> = (0..ruling.events.len()).filter(|at| is_action(&ruling.events[*at])).collect();
    assert_eq!(acts, actions);
}
