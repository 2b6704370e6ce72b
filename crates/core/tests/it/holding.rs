//! Jobs that wait: with an agent that holds for an answer itself, for two decisions at once, and with words kept for later.

use holdpoint_core::decision::{AnswerInput, New, Origin};
use holdpoint_core::job::{Agent, Report, Trigger};
use holdpoint_core::{Actor, Command, JobCommand, JobKind, JobStatus, Source, Status};

use crate::job_world::{NODE, World, asks};

/// What an agent's hook asks, which holds for the answer.
fn held(source: Source, world: &World) -> Box<New> {
    let extra = [("held".to_owned(), true.into())].into_iter().collect();
    let origin = Origin { protocol: "claude-code".into(), id: None, schema: None, thread: None, extra };
    Box::new(New { origin: Some(origin), ..*asks(source, &world.owner) })
}

#[test]
fn a_job_waits_with_an_agent_that_holds() {
    let mut world = World::new(JobKind::Job, Agent::default());
    let new = held(Source::Approval, &world);
    world.submit(&Actor::supervisor(), &Command::Create(new)).unwrap();
    let job = world.job.clone().unwrap();
    assert_eq!((job.status, job.waiting_for), (JobStatus::Waiting, Some(world.decisions[0].id)));
    // What its screen shows meanwhile is the same, and its spinner no sign that it needs nobody.
    for report in [
        Report::Happened {
            trigger: Trigger::Prompt,
            detail: "permission".into(),
            escalation: asks(Source::Approval, &world.owner),
        },
        Report::Active,
    ] {
        let command = JobCommand::Report { node: NODE.into(), visit: 1, report };
        assert!(world.ask(command).unwrap(), "nothing comes of it");
    }
    assert_eq!(world.decisions.len(), 1);
}

#[test]
fn what_a_screen_showed_goes_when_the_agent_asks_itself() {
    let mut world = World::new(JobKind::Job, Agent::default());
    let escalation = asks(Source::Approval, &world.owner);
    let report = Report::Happened { trigger: Trigger::Prompt, detail: "permission".into(), escalation };
    world.ask(JobCommand::Report { node: NODE.into(), visit: 1, report }).unwrap();
    let seen = world.decisions[0].id;
    let new = held(Source::Question, &world);
    world.submit(&Actor::supervisor(), &Command::Create(new)).unwrap();
    let old = world.decisions.iter().find(|one| one.id == seen).unwrap();
    assert!(matches!(old.status, Status::Cancelled | Status::Superseded), "{:?}", old.status);
    let job = world.job.clone().unwrap();
    assert_ne!(job.waiting_for, Some(seen));
    assert_eq!(job.also_waiting_for, []);
}

#[test]
fn a_job_that_waits_for_two_goes_on_after_both() {
    let mut world = World::new(JobKind::Job, Agent::default());
    for subject in ["a", "b"] {
        let escalation = Box::new(New {
            subject: Some(subject.into()),
            prompt: Some(subject.into()),
            ..*asks(Source::Approval, &world.owner)
        });
        let report = Report::Happened { trigger: Trigger::Prompt, detail: "permission".into(), escalation };
        world.ask(JobCommand::Report { node: NODE.into(), visit: 1, report }).unwrap();
    }
    let (one, two) = (world.decisions[0].id, world.decisions[1].id);
    let stands = |world: &World| {
        let job = world.job.clone().unwrap();
        (job.status, job.waiting_for, job.also_waiting_for)
    };
    assert_eq!(stands(&world), (JobStatus::Waiting, Some(two), vec![one]));
    let digests: Vec<_> = world.decisions.iter().map(|one| (one.id, one.digest.clone())).collect();
    let yes = |id| {
        let digest = digests.iter().find(|(of, _)| *of == id).map(|(_, digest)| digest.clone());
        let input = AnswerInput { choice: Some("approve".into()), digest, ..AnswerInput::default() };
        Command::Answer { id, input: Box::new(input) }
    };
    let ana = Actor::supervisor();
    world.submit(&ana, &yes(two)).unwrap();
    assert_eq!(stands(&world), (JobStatus::Waiting, Some(one), vec![]));
    world.submit(&ana, &yes(one)).unwrap();
    assert_eq!(stands(&world), (JobStatus::Running, None, vec![]));
}

#[test]
fn words_for_the_next_start_are_kept_with_it() {
    let mut world = World::new(JobKind::Job, Agent::default());
    world.ask(JobCommand::Resume { message: Some("mind the gap".into()), restart: true }).unwrap();
    let began = JobCommand::Report {
        node: NODE.into(),
        visit: 1,
        report: Report::Began { agent_id: "agt-2".into(), own_account: false },
    };
    world.ask(began).unwrap();
    let job = world.job.clone().unwrap();
    assert_eq!((job.visit, job.history[1].words.as_deref()), (2, Some("mind the gap")));
}

#[test]
fn a_crew_is_ended_by_whoever_says_so() {
    let mut world = World::new(JobKind::Crew, Agent::default());
    world.ask(JobCommand::Cancel { message: None }).unwrap();
    assert_eq!(world.job.as_ref().unwrap().standing(), "cancelling");
    let carried = JobCommand::Report { node: NODE.into(), visit: 1, report: Report::Carried };
    world.ask(carried).unwrap();
    assert_eq!(world.job.unwrap().status, JobStatus::Cancelled);
}
