//! Jobs as a state machine: every table of what happens, what is decided, and what comes of it.

use holdpoint_core::job::{Action, Agent, Attempts, Order, Reaction, Report, Trigger};
use holdpoint_core::{Actor, Command, JobCommand, JobKind, JobStatus, Refusal, Source, Span, Status};

use crate::job_world::{NODE, World, asks};

fn reacts(trigger: Trigger, reaction: Reaction) -> Agent {
    let mut agent = Agent { run: "w".into(), ..Agent::default() };
    match trigger {
        Trigger::Idle => agent.on_idle.push(reaction),
        Trigger::Dead => agent.on_dead.push(reaction),
        Trigger::Error => agent.on_error.push(reaction),
        Trigger::Prompt => agent.on_prompt.push(reaction),
    }
    agent
}

#[test]
fn an_escalation_waits_for_its_decision() {
    let mut world = World::new(JobKind::Job, Agent::default());
    assert!(!world.happens(Trigger::Idle, "", Source::Idle));
    assert_eq!(world.tags(), ["decision:created", "step:waiting"]);
    assert_eq!(world.job().status, JobStatus::Waiting);
    assert_eq!(world.job().waiting_for, Some(world.decisions[0].id));
    assert!(world.happens(Trigger::Idle, "", Source::Idle), "once is enough");
}

/// What happened, what was picked, which events follow, what is ordered, and how the job then stands.
type Picked<'a> = (Source, Trigger, &'a str, &'a [&'a str], Option<Order>, JobStatus);

#[test]
fn what_a_person_picks_is_done_to_the_job() {
    let cases: [Picked<'_>; 8] = [
        (
            Source::Idle,
            Trigger::Idle,
            "nudge",
            &["decision:resolved", "job:resume"],
            None,
            JobStatus::Running,
        ),
        (
            Source::Idle,
            Trigger::Idle,
            "done",
            &["decision:resolved", "step:completed"],
            Some(Order::Advance),
            JobStatus::Running,
        ),
        (
            Source::Idle,
            Trigger::Idle,
            "cancel",
            &["decision:resolved", "job:cancel"],
            Some(Order::Cancel),
            JobStatus::Running,
        ),
        (Source::Idle, Trigger::Idle, "dismiss", &["decision:resolved"], None, JobStatus::Waiting),
        (
            Source::Dead,
            Trigger::Dead,
            "retry",
            &["decision:resolved", "job:resume"],
            Some(Order::Restart { message: Some("Please continue with the task.".into()) }),
            JobStatus::Running,
        ),
        (
            Source::Error,
            Trigger::Error,
            "skip",
            &["decision:resolved", "step:completed"],
            Some(Order::Advance),
            JobStatus::Running,
        ),
        (
            Source::Approval,
            Trigger::Prompt,
            "approve",
            &["decision:resolved", "session:input"],
            None,
            JobStatus::Running,
        ),
        // A no is typed; it does not end the job.
        (
            Source::Approval,
            Trigger::Prompt,
            "deny",
            &["decision:resolved", "session:input"],
            None,
            JobStatus::Running,
        ),
    ];
    for (source, trigger, choice, tags, order, status) in cases {
        let mut world = World::new(JobKind::Job, Agent::default());
        world.happens(trigger, "", source);
        world.answer(choice);
        assert_eq!(world.tags(), tags, "{source:?} {choice}");
        assert_eq!((world.job().order.clone(), world.job().status), (order, status), "{source:?} {choice}");
    }
}

#[test]
fn done_goes_on_to_the_next_step_and_cancel_ends() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.answer("done");
    world.report(Report::Carried);
    assert_eq!(world.tags(), ["job:advanced"], "that it is done was said with the answer");
    assert_eq!((world.job().step.as_str(), world.job().status), ("test", JobStatus::Pending));
    for (step, last) in [("test", false), ("tidy", true)] {
        world.begin();
        assert_eq!(world.job().step, step);
        world.report(Report::Ended { ok: true, detail: "exit code 0".into() });
        assert_eq!(world.job().status, if last { JobStatus::Done } else { JobStatus::Pending });
    }
    let outcomes: Vec<_> = world.job().history.iter().map(|one| one.outcome.clone().unwrap()).collect();
    assert_eq!(outcomes, ["completed", "completed", "completed"]);
    let mut world = World::new(JobKind::Job, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.answer("cancel");
    world.report(Report::Carried);
    assert_eq!(world.job().status, JobStatus::Cancelled);
    assert_eq!(world.decisions.len(), 1, "what was decided stays");
}

#[test]
fn the_end_takes_open_questions_with_it() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.ask(JobCommand::Cancel { message: None }).unwrap();
    world.report(Report::Carried);
    assert!(world.tags().contains(&"decision:removed"));
    assert!(world.decisions.is_empty());
    world.ask(JobCommand::Delete).unwrap();
    assert!(world.job.is_none());
}

#[test]
fn attempts_are_made_and_then_a_person_is_asked() {
    let nudge = Reaction { action: Action::Nudge, attempts: Attempts::Times(2), ..Reaction::default() };
    let mut world = World::new(JobKind::Job, reacts(Trigger::Idle, nudge));
    for attempt in 1..=2 {
        world.happens(Trigger::Idle, "", Source::Idle);
        assert_eq!(world.tags(), ["step:attempted", "session:input"], "attempt {attempt}");
    }
    world.happens(Trigger::Idle, "", Source::Idle);
    assert_eq!(world.pending(), [Source::Idle]);
    assert_eq!(world.job().error.as_deref(), Some("idle:exhausted"));
}

#[test]
fn a_cooldown_ends_in_a_try() {
    let cooldown = Some(Span::from_secs(30));
    let nudge =
        Reaction { action: Action::Nudge, attempts: Attempts::Times(3), cooldown, ..Reaction::default() };
    let mut world = World::new(JobKind::Job, reacts(Trigger::Idle, nudge));
    world.happens(Trigger::Idle, "", Source::Idle);
    world.happens(Trigger::Idle, "", Source::Idle);
    assert_eq!(world.tags(), ["step:attempted"], "not yet");
    assert!(world.job().retry.is_some());
    let due = Report::Due { escalation: asks(Source::Idle, &world.owner.clone()) };
    assert!(world.report(due.clone()), "the time is not over");
    world.now = world.now.checked_add(Span::from_secs(30)).unwrap();
    world.report(due);
    assert_eq!(world.tags(), ["step:attempted", "session:input"]);
    assert_eq!((world.job().attempts["idle"], world.job().retry.is_none()), (2, true));
}

#[test]
fn who_dies_takes_its_questions_along_and_is_dealt_with() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.happens(Trigger::Dead, "137", Source::Dead);
    assert_eq!(world.tags(), ["decision:cancelled", "decision:created", "step:waiting"]);
    let old = world.decisions.iter().find(|one| one.source == Source::Idle).unwrap();
    assert_eq!(
        (old.status, old.reason.as_deref()),
        (Status::Cancelled, Some("auto-dismissed: agent exited"))
    );
    assert_eq!(world.pending(), [Source::Dead]);
    assert!(world.happens(Trigger::Dead, "137", Source::Dead), "dead is dead");
    let resume = Reaction { action: Action::Resume, ..Reaction::default() };
    let mut world = World::new(JobKind::Job, reacts(Trigger::Dead, resume));
    world.happens(Trigger::Dead, "1", Source::Dead);
    assert!(matches!(world.job().order, Some(Order::Restart { .. })));
    world.begin();
    assert_eq!((world.job().visit, world.job().attempts["dead:1"]), (2, 1));
    world.happens(Trigger::Dead, "1", Source::Dead);
    assert_eq!(world.pending(), [Source::Dead]);
}

#[test]
fn who_goes_on_alone_needs_nobody() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.report(Report::Active);
    assert_eq!(world.tags(), ["decision:cancelled", "step:resumed"]);
    assert_eq!(world.decisions[0].reason.as_deref(), Some("auto-dismissed: agent became active"));
    assert_eq!(world.job().status, JobStatus::Running);
    world.happens(Trigger::Dead, "1", Source::Dead);
    assert!(world.report(Report::Active), "the dead do not go on");
}

#[test]
fn gates_pass_or_ask() {
    let gate = Reaction { action: Action::Gate, run: Some("make test".into()), ..Reaction::default() };
    for passed in [true, false] {
        let mut world = World::new(JobKind::Job, reacts(Trigger::Idle, gate.clone()));
        world.happens(Trigger::Idle, "", Source::Idle);
        assert_eq!(world.job().order, Some(Order::Gate { run: "make test".into() }));
        let escalation = asks(Source::Gate, &world.owner.clone());
        world.report(Report::Gated { passed, escalation });
        if passed {
            assert_eq!(world.job().step, "test");
        } else {
            assert_eq!(world.pending(), [Source::Gate]);
        }
    }
}

#[test]
fn a_crew_is_a_job_of_one() {
    let mut world = World::new(JobKind::Crew, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.answer("done");
    assert_eq!(world.tags(), ["decision:resolved", "crew:updated"]);
    world.report(Report::Carried);
    assert_eq!(world.tags(), ["job:advanced"], "that it is done was said with the answer");
    assert_eq!(world.job().status, JobStatus::Done);
}

#[test]
fn only_the_host_reports_and_only_about_now() {
    let mut world = World::new(JobKind::Job, Agent::default());
    let report = |node: &str, visit| JobCommand::Report { node: node.into(), visit, report: Report::Carried };
    assert!(world.ask(report("node-2", 1)).unwrap(), "another node has no say");
    assert!(world.ask(report(NODE, 0)).unwrap(), "nor has the past");
    assert!(world.ask(JobCommand::Claim { node: "node-2".into(), from: None }).unwrap());
    assert!(!world.ask(JobCommand::Claim { node: "node-2".into(), from: Some(NODE.into()) }).unwrap());
    let command = Command::Job {
        project: "default".into(),
        owner: world.owner.clone(),
        command: Box::new(report("node-2", 1)),
    };
    let actor = Actor::claimed("mallory", "cli");
    let admitted = holdpoint_core::access::admit(&actor, &[], &command, None);
    assert!(matches!(admitted, Err(Refusal::Forbidden(_))));
}

#[test]
fn suspended_and_failed_ones_go_on() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.ask(JobCommand::Suspend).unwrap();
    world.report(Report::Carried);
    assert_eq!(world.job().status, JobStatus::Suspended);
    world.ask(JobCommand::Resume { message: None, restart: false }).unwrap();
    assert_eq!(world.job().status, JobStatus::Pending);
    world.begin();
    world.report(Report::Broken { why: "no such folder".into() });
    assert_eq!(
        (world.job().status, world.job().error.as_deref()),
        (JobStatus::Failed, Some("no such folder"))
    );
    world.ask(JobCommand::Resume { message: None, restart: false }).unwrap();
    world.begin();
    assert_eq!(world.job().status, JobStatus::Running);
    assert!(matches!(world.ask(JobCommand::Delete), Err(Refusal::JobBusy { .. })));
}

#[test]
fn what_was_cancelled_before_its_step_began_is_not_begun() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.happens(Trigger::Idle, "", Source::Idle);
    world.answer("done");
    world.report(Report::Carried);
    assert_eq!(world.job().status, JobStatus::Pending, "its second step is to be begun");
    world.ask(JobCommand::Cancel { message: None }).unwrap();
    world.begin();
    assert_eq!(world.job().order, Some(Order::Cancel), "it was cancelled in the meantime");
    world.report(Report::Carried);
    assert_eq!(world.job().status, JobStatus::Cancelled);
}

#[test]
fn after_a_person_has_dealt_with_it_the_tries_begin_anew() {
    let reaction = Reaction { action: Action::Nudge, attempts: Attempts::Times(1), ..Reaction::default() };
    let mut world = World::new(JobKind::Job, reacts(Trigger::Idle, reaction));
    world.happens(Trigger::Idle, "", Source::Idle);
    assert_eq!(world.tags(), ["step:attempted", "session:input"]);
    world.happens(Trigger::Idle, "", Source::Idle);
    assert_eq!(world.tags(), ["decision:created", "step:waiting"]);
    world.answer("nudge");
    assert!(world.job().attempts.is_empty());
    world.happens(Trigger::Idle, "", Source::Idle);
    assert_eq!(world.tags(), ["step:attempted", "session:input"]);
}

#[test]
fn a_job_that_is_being_cancelled_is_not_suspended_instead() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.ask(JobCommand::Cancel { message: None }).unwrap();
    assert_eq!(world.job().order, Some(Order::Cancel));
    let refused = world.ask(JobCommand::Suspend).unwrap_err();
    assert!(
        matches!(&refused, Refusal::JobBusy { why, .. } if why.ends_with("is being cancelled")),
        "{refused}"
    );
    assert_eq!(world.job().order, Some(Order::Cancel));
}

#[test]
fn what_was_not_typed_is_told_until_a_person_has_dealt_with_it() {
    const NOTE: &str = "\"tests first\" was not typed";
    let mut world = World::new(JobKind::Job, Agent::default());
    let told = |world: &World| {
        let pending = world.decisions.iter().find(|one| one.status == Status::Pending).unwrap();
        pending.prompt.as_deref().unwrap().contains(NOTE)
    };
    let escalation = Some(asks(Source::Idle, &world.owner.clone()));
    world.report(Report::Missed { what: NOTE.into(), escalation });
    assert_eq!(world.tags(), ["step:missed", "decision:created", "step:waiting"]);
    assert!(told(&world));
    assert!(world.report(Report::Active), "that the agent works does not tell the person");
    assert_eq!(world.pending(), [Source::Idle]);
    // A prompt takes its place and says it as well.
    world.happens(Trigger::Prompt, "plan", Source::Plan);
    assert_eq!(world.pending(), [Source::Plan]);
    assert!(told(&world));
    // It can be gone before anybody has read it.
    world.report(Report::Active);
    assert_eq!(world.tags(), ["decision:cancelled", "step:resumed"]);
    world.happens(Trigger::Idle, "", Source::Idle);
    assert!(told(&world));
    world.answer("nudge");
    world.happens(Trigger::Idle, "", Source::Idle);
    assert!(!told(&world), "the person knows");
    // Where something else is asked, what is asked next says it.
    world.report(Report::Missed {
        what: NOTE.into(),
        escalation: Some(asks(Source::Idle, &world.owner.clone())),
    });
    assert_eq!(world.tags(), ["step:missed"]);
    world.answer("nudge");
    world.happens(Trigger::Idle, "", Source::Idle);
    assert!(told(&world));
    // What is being ended is not asked about.
    world.ask(JobCommand::Cancel { message: None }).unwrap();
    world.report(Report::Missed {
        what: NOTE.into(),
        escalation: Some(asks(Source::Idle, &world.owner.clone())),
    });
    assert_eq!(world.job().order, Some(Order::Cancel));
}

#[test]
fn what_was_not_typed_is_told_before_a_runbook_ends_the_step() {
    const NOTE: &str = "\"tests first\" was not typed";
    for action in [Action::Done, Action::Fail] {
        let mut world =
            World::new(JobKind::Job, reacts(Trigger::Dead, Reaction { action, ..Reaction::default() }));
        world.report(Report::Missed { what: NOTE.into(), escalation: None });
        world.happens(Trigger::Dead, "0", Source::Dead);
        assert_eq!(world.pending(), [Source::Dead]);
        assert!(world.decisions[0].prompt.as_deref().unwrap().contains(NOTE), "{:?}", world.decisions[0]);
    }
}
