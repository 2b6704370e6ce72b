//! Jobs and crews, and the nodes that supervise them.

use std::collections::BTreeMap;

use holdpoint_core::decision::New;
use holdpoint_core::field::Effect;
use holdpoint_core::job::{Agent, Definition, NewJob, Order, Report, Run, Runbook, Step, Trigger};
use holdpoint_core::{
    Actor, Command, Field, Job, JobCommand, JobKind, JobStatus, Kind, Lane, Opt, Owner, Source, Span, Status,
};

use super::{Scene, StoreHarness, Tampering, question};
use crate::{Claim, ClaimOrder, Delivery, JobQuery, OutboxEntry, Outcome, Repair, Submission};

pub(super) fn owner(id: &str) -> Owner {
    format!("job:{id}").parse().unwrap()
}

pub(super) fn on(id: &str, command: JobCommand) -> Command {
    Command::Job { project: "default".into(), owner: owner(id), command: Box::new(command) }
}

pub(super) fn new_job() -> NewJob {
    let step =
        |name: &str, run| Step { name: name.into(), run, on_done: None, on_fail: None, on_cancel: None };
    let steps = vec![step("work", Run::Agent("w".into())), step("test", Run::Shell("true".into()))];
    let jobs = [("build".to_owned(), Definition { steps, ..Definition::default() })].into();
    let agents = [("w".to_owned(), Agent { run: "w".into(), ..Agent::default() })].into();
    NewJob {
        kind: JobKind::Job,
        definition: "build".into(),
        name: None,
        runbook: Runbook { jobs, agents },
        vars: BTreeMap::new(),
        cwd: "/".into(),
        item: None,
        parent: None,
    }
}

fn idle(id: &str) -> Box<New> {
    let offer = |id: &str, effect| Opt { effect: Some(effect), ..Opt::new(id, id) };
    let options = vec![offer("nudge", Effect::Resume), offer("done", Effect::Advance)];
    Box::new(New {
        source: Some(Source::Idle),
        fields: vec![Field::offering("choice", Kind::Choice, "What now?", options)],
        outs: vec![offer("cancel", Effect::Cancel), offer("dismiss", Effect::Dismiss)],
        owner: Some(owner(id)),
        ..question()
    })
}

async fn supervised(scene: &Scene, id: &str, command: JobCommand) -> Outcome {
    let submission = Submission { actor: Actor::supervisor(), ..scene.submission(on(id, command)) };
    scene.store.submit(submission).await.unwrap()
}

async fn report(scene: &Scene, id: &str, report: Report) -> Outcome {
    let visit = job(scene, id).await.visit;
    supervised(scene, id, JobCommand::Report { node: "n1".into(), visit, report }).await
}

async fn job(scene: &Scene, id: &str) -> Job {
    scene.store.job(id).await.unwrap().unwrap()
}

/// Returns the command that lets a job continue.
pub(super) fn resume(id: &str) -> Command {
    on(id, JobCommand::Resume { message: None, restart: false })
}

/// Starts a job whose agent is idle, so that a person is asked.
pub(super) async fn waiting(scene: &Scene, id: &str) -> Job {
    scene.submit(on(id, JobCommand::Start(Box::new(new_job())))).await.unwrap();
    supervised(scene, id, JobCommand::Claim { node: "n1".into(), from: None }).await;
    report(scene, id, Report::Began { agent_id: "agt-1".into(), own_account: false }).await;
    report(
        scene,
        id,
        Report::Happened { trigger: Trigger::Idle, detail: String::new(), escalation: idle(id) },
    )
    .await;
    job(scene, id).await
}

/// Starts a job that is cancelled before it begins; returns its id.
pub(super) async fn ended(scene: &Scene) -> String {
    scene.submit(on("j1", JobCommand::Start(Box::new(new_job())))).await.unwrap();
    scene.submit(on("j1", JobCommand::Cancel { message: None })).await.unwrap();
    assert_eq!(job(scene, "j1").await.status, JobStatus::Cancelled);
    "j1".to_owned()
}

async fn claim(scene: &Scene, target: &str, lease: &str) -> Vec<OutboxEntry> {
    let (now, until) = (scene.now(), scene.now().checked_add(Span::from_secs(30)).unwrap());
    let pick = ClaimOrder::InOrder { project: "default".into(), target: target.into() };
    let claim = Claim { lane: Lane::Session, pick, lease: lease.into(), until, now, limit: 10 };
    scene.store.claim(claim).await.unwrap()
}

pub async fn a_job_lives_in_the_store(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let started = scene.submit(on("j1", JobCommand::Start(Box::new(new_job())))).await.unwrap();
    assert_eq!(started.job.unwrap().status, JobStatus::Pending);
    assert!(scene.submit(on("j1", JobCommand::Start(Box::new(new_job())))).await.is_err());
    scene.refused(on("j2", JobCommand::Suspend)).await;
    let waits = {
        supervised(&scene, "j1", JobCommand::Claim { node: "n1".into(), from: None }).await;
        report(&scene, "j1", Report::Began { agent_id: "agt-1".into(), own_account: false }).await;
        let escalation = idle("j1");
        let happened = Report::Happened { trigger: Trigger::Idle, detail: String::new(), escalation };
        report(&scene, "j1", happened).await;
        job(&scene, "j1").await
    };
    assert_eq!(waits.status, JobStatus::Waiting);
    assert_eq!(scene.decision(waits.waiting_for.unwrap()).await.owner, Some(owner("j1")));
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn an_answer_orders_and_is_typed_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let waits = waiting(&scene, "j1").await;
    let other = waiting(&scene, "j2").await;
    let outcome = scene.answer(waits.waiting_for.unwrap(), "nudge").await.unwrap();
    assert!(outcome.posted, "without any route");
    assert_eq!(job(&scene, "j1").await.status, JobStatus::Running);
    assert!(claim(&scene, "job:j2", "n1").await.is_empty(), "each host takes what is for its own");
    let entries = claim(&scene, "job:j1", "n1").await;
    assert_eq!(
        entries.iter().map(|one| (one.seq, one.target.as_str())).collect::<Vec<_>>(),
        [(outcome.seq, "job:j1")]
    );
    assert!(claim(&scene, "job:j1", "n2").await.is_empty());
    scene.store.deliver("n1", vec![(entries[0].id, Delivery::Done)]).await.unwrap();
    scene.answer(other.waiting_for.unwrap(), "done").await.unwrap();
    assert_eq!(job(&scene, "j2").await.order, Some(Order::Advance));
    report(&scene, "j2", Report::Carried).await;
    assert_eq!(job(&scene, "j2").await.step, "test");
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn the_end_of_a_job_ends_its_questions(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let answered = waiting(&scene, "j1").await.waiting_for.unwrap();
    scene.answer(answered, "nudge").await.unwrap();
    let happened = Report::Happened { trigger: Trigger::Idle, detail: String::new(), escalation: idle("j1") };
    report(&scene, "j1", happened).await;
    let open = job(&scene, "j1").await.waiting_for.unwrap();
    scene.submit(on("j1", JobCommand::Cancel { message: None })).await.unwrap();
    report(&scene, "j1", Report::Carried).await;
    assert_eq!(job(&scene, "j1").await.status, JobStatus::Cancelled);
    assert_eq!(scene.decision(answered).await.status, Status::Answered);
    assert!(scene.store.decision(open).await.unwrap().is_none());
    scene.submit(on("j1", JobCommand::Delete)).await.unwrap();
    assert!(scene.store.job("j1").await.unwrap().is_none());
    assert!(scene.store.decision(answered).await.unwrap().is_none());
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn one_node_at_a_time_looks_after_a_job(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    waiting(&scene, "j1").await;
    scene.store.renew_lease("n1", "one", scene.now(), Span::from_secs(10)).await.unwrap();
    scene.store.renew_lease("n2", "two", scene.now(), Span::from_secs(3_600)).await.unwrap();
    let alive =
        |nodes: Vec<crate::Node>| nodes.into_iter().map(|node| (node.id, node.alive)).collect::<Vec<_>>();
    assert_eq!(
        alive(scene.store.nodes(scene.now()).await.unwrap()),
        [("n1".into(), true), ("n2".into(), true)]
    );
    let take = |from: Option<&str>| JobCommand::Claim { node: "n2".into(), from: from.map(Into::into) };
    assert_eq!(supervised(&scene, "j1", take(None)).await.events, 0, "it is another's");
    assert_eq!(supervised(&scene, "j1", take(Some("n1"))).await.events, 1);
    assert_eq!(report(&scene, "j1", Report::Active).await.events, 0, "who lost it has no say");
    assert_eq!(job(&scene, "j1").await.node.as_deref(), Some("n2"));
}

pub async fn jobs_are_listed_and_named(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    for (second, id) in ["job-aa", "job-ab", "job-b"].into_iter().enumerate() {
        scene.at(i64::try_from(second).unwrap());
        scene.submit(on(id, JobCommand::Start(Box::new(new_job())))).await.unwrap();
    }
    scene.submit(on("job-b", JobCommand::Cancel { message: None })).await.unwrap();
    let query =
        |statuses: &[JobStatus]| JobQuery { statuses: statuses.to_vec(), limit: 10, ..JobQuery::default() };
    let ids = |jobs: Vec<Job>| jobs.into_iter().map(|job| job.id).collect::<Vec<_>>();
    assert_eq!(ids(scene.store.jobs(&query(&[])).await.unwrap()), ["job-b", "job-ab", "job-aa"]);
    assert_eq!(ids(scene.store.jobs(&query(&[JobStatus::Pending])).await.unwrap()), ["job-ab", "job-aa"]);
    let elsewhere = JobQuery { project: Some("web".into()), ..query(&[]) };
    assert!(scene.store.jobs(&elsewhere).await.unwrap().is_empty());
    assert_eq!(scene.store.find_jobs("job-a", 9).await.unwrap(), ["job-aa", "job-ab"]);
}

pub async fn a_damaged_job_is_found_and_mended(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let before = waiting(&scene, "j1").await;
    bench.tamper(Tampering::Job).await;
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings.len(), 1);
    scene.store.inspect(Repair::Rebuild).await.unwrap();
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(job(&scene, "j1").await, before);
}
