//! Runs: stored as their events say, ended once, listed in pages, and rebuilt from the log.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::run::{
    Artifact, Change, Conclusion, NewRun, ObjectId, PatchSet, RunCommand, Task, Touched, Usage, Verdict,
    job_of,
};
use holdpoint_core::{Command, DecisionId, Lane, Run, RunStatus, Span, Timestamp};
use serde_json::json;

use super::{Scene, StoreHarness, T0, Tampering};
use crate::{Claim, ClaimOrder, NamePart, Order, Outcome, Repair, RunQuery};

const BASE: &str = "11f6ad8ec52a2984abaafd7c3b516503785c2072";

fn id(n: u8) -> ObjectId {
    ObjectId::at(Timestamp::from_millis(T0 + i64::from(n)), [n; 10])
}

fn new(task: u8) -> NewRun {
    let created_at = Timestamp::from_millis(T0);
    NewRun {
        task: Task {
            id: id(task),
            title: "T".into(),
            description: None,
            created_by: "ana".into(),
            created_at,
        },
        intent: None,
        repo: "/r".into(),
        base: BASE.into(),
        branch: "refs/heads/x".into(),
        origin: None,
        reverts: None,
        guidance: None,
        parameters: None,
        job: None,
        saved: None,
    }
}

fn patch(n: u8) -> RunCommand {
    RunCommand::Patch(Box::new(PatchSet {
        id: id(n),
        sequence: 0,
        base: BASE.into(),
        artifact: Artifact { blob: BASE.into(), sha256: "ab".repeat(32), size: 1 },
        touched: vec![Touched {
            path: "a".into(),
            change: Change::Add,
            added: 1,
            deleted: 0,
            from: None,
            mode: None,
            hook: false,
        }],
        rationale: None,
        created_by: String::new(),
        created_at: Timestamp::from_millis(0),
    }))
}

async fn on(scene: &Scene, run: u8, command: RunCommand) -> Result<Outcome, crate::Error> {
    let command = Command::Run { project: "default".into(), id: id(run), command: Box::new(command) };
    scene.submit(command).await
}

async fn run(scene: &Scene, n: u8) -> Run {
    scene.store.run(id(n)).await.unwrap().unwrap()
}

/// Starts a run, proposes a change, and asks for the verdict.
async fn asked(scene: &Scene) -> DecisionId {
    asked_for(scene, "T").await
}

/// Like [`asked`], for a task with a title.
pub(super) async fn asked_for(scene: &Scene, title: &str) -> DecisionId {
    let mut new = new(100);
    new.task.title = title.into();
    on(scene, 1, RunCommand::Start(Box::new(new))).await.unwrap();
    on(scene, 1, patch(10)).await.unwrap();
    on(scene, 1, RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] }).await.unwrap();
    run(scene, 1).await.decision.unwrap()
}

async fn answer(scene: &Scene, id: DecisionId, values: serde_json::Value) {
    let digest = Some(scene.decision(id).await.digest);
    let values = serde_json::from_value(values).unwrap();
    let input = AnswerInput { values, digest, ..AnswerInput::default() };
    scene.submit(Command::Answer { id, input: Box::new(input) }).await.unwrap();
}

fn conclude(decision: DecisionId, verdict: Verdict, next: Option<u8>) -> RunCommand {
    RunCommand::Conclude(Box::new(Conclusion {
        id: id(50),
        decision,
        verdict,
        commit: (verdict == Verdict::Commit).then(|| BASE.to_owned()),
        checkpoint: None,
        notes: vec![],
        next: next.map(|n| (id(n), BASE.to_owned())),
        job: None,
    }))
}

async fn sound(scene: &Scene) {
    assert_eq!(scene.store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

pub async fn a_run_is_what_its_events_say(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    assert_eq!(scene.store.run(id(1)).await.unwrap(), None);
    let decision = asked(&scene).await;
    let there = run(&scene, 1).await;
    assert_eq!((there.status, there.patchsets.len()), (RunStatus::Finished, 1));
    assert_eq!(scene.decision(decision).await.owner, Some(there.owner()));
    let events = scene.store.run_events(&there).await.unwrap();
    let tags: Vec<&str> = events.iter().map(|event| event.tag.as_str()).collect();
    assert_eq!(tags, ["run:started", "run:patched", "run:asked"]);
    sound(&scene).await;
}

pub async fn a_verdict_ends_a_run_once(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let decision = asked(&scene).await;
    let claim = |until: i64| Claim {
        lane: Lane::Git,
        pick: ClaimOrder::Oldest { only: Vec::new(), but: Vec::new() },
        lease: "one".into(),
        until: scene.now().checked_add(Span::from_secs(until)).unwrap(),
        now: scene.now(),
        limit: 5,
    };
    assert!(scene.store.claim(claim(10)).await.unwrap().is_empty());
    answer(&scene, decision, json!({"verdict": "commit", "patchset": id(10)})).await;
    let entries = scene.store.claim(claim(10)).await.unwrap();
    assert_eq!(entries.len(), 1, "one order, whatever the routes");
    assert_eq!(
        (entries[0].target.as_str(), entries[0].decision),
        (format!("run:{}", id(1)).as_str(), Some(decision))
    );
    on(&scene, 1, conclude(decision, Verdict::Commit, None)).await.unwrap();
    assert!(on(&scene, 1, conclude(decision, Verdict::Commit, None)).await.unwrap().replayed);
    let ended = run(&scene, 1).await;
    assert_eq!(ended.verdict.unwrap().commit.as_deref(), Some(BASE));
    assert!(on(&scene, 1, patch(11)).await.is_err());
    sound(&scene).await;
}

pub async fn a_verdict_that_fails_is_asked_for_again(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let decision = asked(&scene).await;
    answer(&scene, decision, json!({"verdict": "commit", "patchset": id(10)})).await;
    on(&scene, 1, RunCommand::Fail { decision, reason: "locked".into(), blocks: vec![] }).await.unwrap();
    let again = run(&scene, 1).await.decision.unwrap();
    assert_ne!(again, decision);
    answer(&scene, again, json!({"verdict": "retry", "parameters": "slower"})).await;
    on(&scene, 1, conclude(again, Verdict::Retry, Some(2))).await.unwrap();
    let next = run(&scene, 2).await;
    assert_eq!((next.status, next.parameters.as_deref()), (RunStatus::Running, Some("slower")));
    sound(&scene).await;
}

pub async fn pages_of_runs_meet(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    for n in 1..=5 {
        on(&scene, n, RunCommand::Start(Box::new(new(100 + n % 2)))).await.unwrap();
    }
    let scene = &scene;
    let list = |query: RunQuery| async move {
        let runs = scene.store.runs(&RunQuery { limit: 2, ..query }).await.unwrap();
        runs.into_iter().map(|run| run.id).collect::<Vec<_>>()
    };
    let first = list(RunQuery::default()).await;
    assert_eq!(first, [id(1), id(2)]);
    assert_eq!(list(RunQuery { after: Some(id(2)), ..RunQuery::default() }).await, [id(3), id(4)]);
    let newest = RunQuery { order: Order::NewestFirst, ..RunQuery::default() };
    assert_eq!(list(newest.clone()).await, [id(5), id(4)]);
    assert_eq!(list(RunQuery { after: Some(id(2)), ..newest.clone() }).await, [id(1)]);
    assert_eq!(list(RunQuery { task: Some(id(100)), ..newest.clone() }).await, [id(4), id(2)]);
    assert_eq!(list(RunQuery { project: Some("default".into()), ..newest.clone() }).await, [id(5), id(4)]);
    assert!(list(RunQuery { project: Some("web".into()), ..newest }).await.is_empty());
}

pub async fn runs_are_found_by_start_and_end(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    for n in 1..=5 {
        on(&scene, n, RunCommand::Start(Box::new(new(100)))).await.unwrap();
    }
    let scene = &scene;
    let named = |typed: String, after: Option<ObjectId>, limit: usize| async move {
        let part = NamePart::read(&typed).unwrap();
        let runs = scene.store.runs_named(&part, after, limit).await.unwrap();
        runs.into_iter().map(|run| run.id).collect::<Vec<_>>()
    };
    let whole = id(3).to_string();
    assert_eq!(named(whole.clone(), None, 9).await, [id(3)], "what starts and ends with it is there once");
    assert_eq!(named(whole[whole.len() - 4..].to_owned(), None, 9).await, [id(3)]);
    assert_eq!(named(whole[whole.len() - 9..].to_uppercase(), None, 9).await, [id(3)]);
    assert_eq!(named(format!(" {} ", &whole[..13]), None, 9).await, [id(3)]);
    let name = &whole[whole.len() - 8..];
    assert_eq!(named(name[..7].to_owned(), None, 9).await, [id(3)], "a short name by its start");
    let all = [id(5), id(4), id(3), id(2), id(1)];
    let start = whole[..9].to_owned();
    assert_eq!(named(start.clone(), None, 9).await, all, "the newest first");
    assert_eq!(named(start.clone(), None, 2).await, all[..2]);
    assert_eq!(named(start.clone(), Some(id(4)), 2).await, all[2..4]);
    assert_eq!(named(start, Some(id(1)), 2).await, []);
    // Ids that match only in part do not count.
    let (middle, wrong) = (whole[4..12].to_owned(), format!("f{}", &whole[whole.len() - 4..]));
    assert_eq!(named(middle, None, 9).await, []);
    assert_eq!(named(wrong, None, 9).await, []);
    assert_eq!(named("----".into(), None, 9).await, []);
    for bad in ["", "abc", "abcg", "ab%d", "ab_d", "é123"] {
        assert_eq!(NamePart::read(bad), None, "{bad}");
    }
}

pub async fn the_log_brings_runs_back(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    asked(&scene).await;
    on(&scene, 2, RunCommand::Start(Box::new(new(100)))).await.unwrap();
    on(&scene, 2, RunCommand::Usage(Usage { input_tokens: 1, ..Usage::default() })).await.unwrap();
    let before = run(&scene, 2).await;
    bench.tamper(Tampering::Runs).await;
    assert_eq!(scene.store.run(id(2)).await.unwrap(), None);
    let found = scene.store.inspect(Repair::Rebuild).await.unwrap();
    assert_eq!(found.findings.len(), 2);
    assert_eq!(run(&scene, 2).await, before);
    sound(&scene).await;
}

pub async fn a_retry_starts_the_job_that_worked_again(bench: &dyn StoreHarness) {
    let scene = Scene::new(bench).await;
    let job = super::jobs::ended(&scene).await;
    let started = NewRun { job: Some(job.clone()), ..new(100) };
    on(&scene, 1, RunCommand::Start(Box::new(started))).await.unwrap();
    on(&scene, 1, patch(10)).await.unwrap();
    on(&scene, 1, RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] }).await.unwrap();
    let decision = run(&scene, 1).await.decision.unwrap();
    answer(&scene, decision, json!({"verdict": "retry"})).await;
    let RunCommand::Conclude(conclusion) = conclude(decision, Verdict::Retry, Some(2)) else { return };
    let conclusion = Conclusion { job: Some(job.clone()), ..*conclusion };
    for _ in 0..2 {
        // A process that repeats this after a kill does not start a second one.
        on(&scene, 1, RunCommand::Conclude(Box::new(conclusion.clone()))).await.unwrap();
    }
    let again = job_of(id(2));
    assert_eq!(run(&scene, 2).await.job, Some(again.clone()));
    let known = scene.store.jobs(&crate::JobQuery { limit: 10, ..crate::JobQuery::default() }).await.unwrap();
    let mut ids: Vec<String> = known.iter().map(|job| job.id.clone()).collect();
    ids.sort();
    let mut wanted = vec![job.clone(), again.clone()];
    wanted.sort();
    assert_eq!(ids, wanted);
    let before = scene.store.job(&job).await.unwrap().unwrap();
    assert_eq!(before.next, Some(again.clone()));
    let after = scene.store.job(&again).await.unwrap().unwrap();
    assert_eq!(after.again.map(|again| (again.job, again.run)), Some((job, id(2))));
    sound(&scene).await;
}
