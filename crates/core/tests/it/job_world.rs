//! One job and its decisions, moved by commands as a store would.

use std::collections::BTreeMap;
use std::sync::Arc;

use holdpoint_core::decision::{AnswerInput, New};
use holdpoint_core::job::{self, Agent, Definition, NewJob, Report, Run, Runbook, Step, Trigger};
use holdpoint_core::{
    Actor, Command, Decision, Event, Field, Job, JobCommand, JobKind, Kind, Numbering, Opt, Owner, Refusal,
    Source, State, Status, Timestamp, apply, decide, field,
};

/// A job and its decisions, as a store would keep them.
pub(crate) struct World {
    pub(crate) job: Option<Job>,
    pub(crate) decisions: Vec<Arc<Decision>>,
    pub(crate) now: Timestamp,
    pub(crate) owner: Owner,
    pub(crate) last: Vec<Event>,
}

pub(crate) const NODE: &str = "node-1";

fn step(name: &str, run: Run) -> Step {
    Step { name: name.into(), run, on_done: None, on_fail: None, on_cancel: None }
}

fn runbook(agent: Agent) -> Runbook {
    let steps = vec![
        step("work", Run::Agent("w".into())),
        step("test", Run::Shell("true".into())),
        step("tidy", Run::Shell("true".into())),
    ];
    let definition = Definition { steps, ..Definition::default() };
    Runbook { jobs: [("build".into(), definition)].into(), agents: [("w".into(), agent)].into() }
}

pub(crate) fn asks(source: Source, owner: &Owner) -> Box<New> {
    use field::Effect::{Advance, Approve, Cancel, Deny, Dismiss, Restart, Resume};
    let offer = |id: &str, effect| Opt { effect: Some(effect), ..Opt::new(id, id) };
    let options = match source {
        Source::Idle => vec![offer("nudge", Resume), offer("done", Advance)],
        Source::Approval => vec![offer("approve", Approve), Opt { refuses: true, ..offer("deny", Deny) }],
        _ => vec![offer("retry", Restart), offer("skip", Advance)],
    };
    Box::new(New {
        source: Some(source),
        prompt: Some(source.name().into()),
        fields: vec![Field::offering("choice", Kind::Choice, "What now?", options)],
        outs: vec![offer("cancel", Cancel), offer("dismiss", Dismiss)],
        owner: Some(owner.clone()),
        requested_by: Some("agt-1".into()),
        ..New::default()
    })
}

impl World {
    pub(crate) fn new(kind: JobKind, agent: Agent) -> Self {
        let owner: Owner = if kind == JobKind::Job { "job:j1" } else { "crew:c1" }.parse().unwrap();
        let mut world = Self {
            job: None,
            decisions: vec![],
            now: Timestamp::from_millis(1_000_000),
            owner,
            last: vec![],
        };
        let definition = if kind == JobKind::Job { "build" } else { "w" };
        let new = NewJob {
            kind,
            definition: definition.into(),
            name: None,
            runbook: runbook(agent),
            vars: BTreeMap::new(),
            cwd: "/".into(),
            item: None,
            parent: None,
        };
        world.ask(JobCommand::Start(Box::new(new))).unwrap();
        world.ask(JobCommand::Claim { node: NODE.into(), from: None }).unwrap();
        world.begin();
        world
    }

    pub(crate) fn submit(&mut self, actor: &Actor, command: &Command) -> Result<bool, Refusal> {
        let named = match command {
            Command::Answer { id, .. } => self.decisions.iter().find(|one| one.id == *id).cloned(),
            _ => None,
        };
        let state = State {
            decision: named,
            siblings: self.decisions.clone(),
            job: self.job.clone().map(Arc::new),
            fresh: Some(Numbering::new(7).id(i64::try_from(self.decisions.len()).unwrap() + 1)),
            ..State::default()
        };
        let ruling = decide(&state, actor, command, self.now)?;
        for event in &ruling.events {
            if event.job().is_some() {
                self.job = job::apply(self.job.take(), event, self.now);
            }
            if let Some(id) = event.decision() {
                let at = self.decisions.iter().position(|one| one.id == id);
                let before = at.map(|at| Arc::unwrap_or_clone(self.decisions.remove(at)));
                self.decisions.extend(apply(before, event, self.now).map(Arc::new));
            }
        }
        self.last = ruling.events;
        Ok(ruling.replayed)
    }

    pub(crate) fn ask(&mut self, command: JobCommand) -> Result<bool, Refusal> {
        let actor = match command {
            JobCommand::Claim { .. } | JobCommand::Report { .. } => Actor::supervisor(),
            _ => Actor::claimed("ana", "cli"),
        };
        let command =
            Command::Job { project: "default".into(), owner: self.owner.clone(), command: Box::new(command) };
        self.submit(&actor, &command)
    }

    pub(crate) fn report(&mut self, report: Report) -> bool {
        let visit = self.job().visit;
        self.ask(JobCommand::Report { node: NODE.into(), visit, report }).unwrap()
    }

    pub(crate) fn begin(&mut self) {
        self.report(Report::Began { agent_id: "agt-1".into(), own_account: false });
    }

    pub(crate) fn happens(&mut self, trigger: Trigger, detail: &str, source: Source) -> bool {
        let escalation = asks(source, &self.owner);
        self.report(Report::Happened { trigger, detail: detail.into(), escalation })
    }

    pub(crate) fn answer(&mut self, choice: &str) {
        let pending = self.decisions.iter().find(|one| one.status == Status::Pending).unwrap();
        let out = pending.outs.iter().any(|out| out.id == choice);
        let input = if out {
            AnswerInput { out: Some(choice.into()), ..AnswerInput::default() }
        } else {
            AnswerInput { choice: Some(choice.into()), ..AnswerInput::default() }
        };
        let command = Command::Answer { id: pending.id, input: Box::new(input) };
        self.submit(&Actor::claimed("ana", "cli"), &command).unwrap();
    }

    pub(crate) fn job(&self) -> &Job {
        self.job.as_ref().unwrap()
    }

    pub(crate) fn tags(&self) -> Vec<&'static str> {
        self.last.iter().map(Event::tag).collect()
    }

    pub(crate) fn pending(&self) -> Vec<Source> {
        self.decisions.iter().filter(|one| one.status == Status::Pending).map(|one| one.source).collect()
    }
}
