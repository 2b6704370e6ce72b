//! Where a task stands follows from its attempts and their objects.

use holdpoint_core::run::{
    Intent, ObjectId, Reverts, Run, RunOrigin, RunStatus, RunVerdict, Standing, Task, Usage, Verdict,
};
use holdpoint_core::{Auth, Timestamp};
use holdpoint_protocols::gitai::state::{Attempt, Release, TaskState, TaskStatus, project};
use holdpoint_protocols::gitai::{Object, translate};
use serde_json::{Value, json};

const BASE: &str = "11f6ad8ec52a2984abaafd7c3b516503785c2072";

fn at(second: u8) -> Timestamp {
    Timestamp::from_millis(1_763_164_800_000 + i64::from(second) * 1_000)
}

fn id(n: u8) -> ObjectId {
    ObjectId::at(at(n), [n; 10])
}

/// An attempt that began in a second, and ended in another with a verdict.
fn run(n: u8, ended: Option<(u8, Verdict)>) -> Run {
    let task =
        Task { id: id(0), title: "T".into(), description: None, created_by: "ana".into(), created_at: at(0) };
    let verdict = ended.map(|(when, verdict)| RunVerdict {
        id: id(when),
        verdict,
        patchset: None,
        commit: matches!(verdict, Verdict::Commit | Verdict::Rollback).then(|| format!("{n:040}")),
        checkpoint: None,
        rationale: None,
        parameters: None,
        decision: None,
        judge: None,
        notes: vec![],
        next: None,
        by: "ana".into(),
        auth: Auth::Claimed,
        at: at(when),
    });
    Run {
        id: id(n),
        project: "default".into(),
        status: if verdict.is_some() { RunStatus::Decided } else { RunStatus::Running },
        task,
        intent: Some(Intent {
            id: id(1),
            prompt: "Make it fast".into(),
            created_by: "ana".into(),
            created_at: at(1),
        }),
        repo: "/r".into(),
        base: BASE.into(),
        branch: "refs/heads/x".into(),
        origin: None,
        job: None,
        reverts: None,
        guidance: None,
        parameters: None,
        patchsets: vec![],
        evidence: vec![],
        usage: Usage::default(),
        recorded: 0,
        objects: vec![],
        imported: false,
        comments: vec![],
        decision: None,
        judge: None,
        trouble: None,
        decided_at: ended.map(|(when, _)| at(when)),
        verdict,
        created_by: "agent-7".into(),
        created_at: at(n),
    }
}

fn header(n: u8, kind: &str) -> Value {
    json!({"object_id": id(n), "object_type": kind, "version": 1, "created_at": format!("2025-11-15T00:00:{n:02}Z"),
        "created_by": {"kind": "human", "id": "ana"}})
}

fn object(n: u8, kind: &str, more: &Value) -> Object {
    let mut whole = header(n, kind);
    let more = more.as_object().cloned().unwrap_or_default();
    whole.as_object_mut().unwrap().extend(more);
    Object::read_any(&whole.to_string()).unwrap()
}

fn plan(n: u8, parents: &[u8], steps: &[u8]) -> Object {
    let parents: Vec<ObjectId> = parents.iter().copied().map(id).collect();
    let step = |n: &u8| json!({"step_id": id(*n), "description": "do"});
    let steps: Vec<Value> = steps.iter().map(step).collect();
    object(n, "plan", &json!({"intent": id(1), "parents": parents, "steps": steps}))
}

fn step(n: u8, plan: u8, step: u8, run: u8, status: &str) -> Object {
    object(
        n,
        "plan_step_event",
        &json!({"plan_id": id(plan), "step_id": id(step), "run_id": id(run), "status": status}),
    )
}

fn stands(runs: &[(Run, Vec<Object>)]) -> TaskState {
    let standings: Vec<Standing> = runs.iter().map(|(run, _)| Standing::of(run, None)).collect();
    let mut attempts = Vec::new();
    for ((run, more), standing) in runs.iter().zip(&standings) {
        let mut objects = translate::objects(run).unwrap();
        objects.extend(more.iter().cloned());
        attempts.push(Attempt { run, standing, objects });
    }
    let state = project(&attempts);
    // In whatever order they are read, they come to the same.
    attempts.reverse();
    for attempt in &mut attempts {
        attempt.objects.reverse();
    }
    assert_eq!(project(&attempts), state);
    state
}

#[test]
fn a_commit_releases_and_a_rollback_takes_back() {
    let open = stands(&[(run(2, None), vec![])]);
    assert_eq!((open.status, open.release), (TaskStatus::Open, Release::None));
    assert_eq!((open.thread.heads[0].status.as_str(), open.ui.run), ("open", Some(id(2))));
    let committed = (run(2, Some((3, Verdict::Commit))), vec![]);
    let done = stands(std::slice::from_ref(&committed));
    assert_eq!((done.status, done.thread.heads[0].status.as_str()), (TaskStatus::Done, "completed"));
    let Release::Committed { run: by, commit, .. } = done.release else { panic!("{:?}", done.release) };
    assert_eq!((by, commit), (id(2), format!("{:040}", 2)));
    let reverts = Some(Reverts { run: id(2), commit: format!("{:040}", 2) });
    // While it is only asked whether to take it back, it stands.
    let asked =
        Run { reverts: reverts.clone(), origin: Some(RunOrigin::Rollback { run: id(2) }), ..run(4, None) };
    assert_eq!(stands(&[committed.clone(), (asked, vec![])]).status, TaskStatus::Done);
    let back = Run { reverts, ..run(4, Some((5, Verdict::Rollback))) };
    let state = stands(&[committed, (back, vec![])]);
    assert_eq!((state.status, state.thread.heads[0].status.as_str()), (TaskStatus::Open, "open"));
    assert!(matches!(state.release, Release::RolledBack { run, .. } if run == id(4)), "{:?}", state.release);
    // Readers of the objects alone see that it is open again, and that what stands was not given up.
    let back =
        |verdict| Run { origin: Some(RunOrigin::Rollback { run: id(2) }), ..run(4, Some((5, verdict))) };
    let kinds = |run: &Run| {
        let objects = translate::objects(run).unwrap();
        let kind = |object: &Object| {
            let object: Value = serde_json::from_str(&object.text().unwrap()).unwrap();
            let is_event = ["task_event", "intent_event"].contains(&object["object_type"].as_str().unwrap());
            is_event.then(|| object["kind"].as_str().unwrap().to_owned())
        };
        objects.iter().filter_map(kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&back(Verdict::Rollback)), ["created"]);
    assert_eq!(kinds(&back(Verdict::Abandon)), ["failed"]);
    assert_eq!(kinds(&run(2, Some((3, Verdict::Abandon)))), ["failed", "cancelled"]);
}

#[test]
fn an_earlier_commit_stands_where_only_the_later_was_taken_back() {
    let runs = [
        (run(2, Some((3, Verdict::Commit))), vec![]),
        (run(4, Some((5, Verdict::Commit))), vec![]),
        (
            Run {
                reverts: Some(Reverts { run: id(4), commit: format!("{:040}", 4) }),
                ..run(6, Some((7, Verdict::Rollback)))
            },
            vec![],
        ),
    ];
    let state = stands(&runs);
    assert!(matches!(state.release, Release::Committed { run, .. } if run == id(2)), "{:?}", state.release);
    assert_eq!(state.status, TaskStatus::Done);
}

#[test]
fn a_task_that_was_given_up_has_failed_until_somebody_begins_again() {
    let given_up = (run(2, Some((3, Verdict::Abandon))), vec![]);
    let failed = stands(std::slice::from_ref(&given_up));
    assert_eq!((failed.status, failed.thread.heads[0].status.as_str()), (TaskStatus::Failed, "cancelled"));
    let open = stands(&[given_up.clone(), (run(4, None), vec![])]);
    assert_eq!((open.status, open.thread.heads[0].status.as_str()), (TaskStatus::Open, "open"));
    // A commit stands, whatever else was given up later.
    let done = stands(&[(run(1, Some((2, Verdict::Commit))), vec![]), given_up]);
    assert_eq!((done.status, done.thread.heads[0].status.as_str()), (TaskStatus::Done, "completed"));
    for verdict in [Verdict::Retry, Verdict::Checkpoint] {
        assert_eq!(stands(&[(run(2, Some((3, verdict))), vec![])]).status, TaskStatus::Open);
    }
}

#[test]
fn heads_are_what_nothing_follows() {
    let second = object(5, "intent", &json!({"parents": [id(1)], "prompt": "Faster"}));
    let aside = object(6, "intent", &json!({"prompt": "And smaller"}));
    let dropped = object(7, "intent_event", &json!({"intent_id": id(6), "kind": "cancelled"}));
    let analyzed = object(8, "intent_event", &json!({"intent_id": id(5), "kind": "analyzed"}));
    let state = stands(&[(run(2, None), vec![second, aside, dropped, analyzed])]);
    assert_eq!(state.thread.intents, [id(1), id(5), id(6)]);
    assert_eq!(state.thread.latest, Some(id(6)));
    let heads: Vec<(ObjectId, &str)> =
        state.thread.heads.iter().map(|head| (head.id, head.status.as_str())).collect();
    assert_eq!(heads, [(id(5), "open"), (id(6), "cancelled")]);
    let next = object(
        9,
        "intent_event",
        &json!({"intent_id": id(1), "kind": "completed", "next_intent_id": id(10)}),
    );
    let follower = object(10, "intent", &json!({"prompt": "Then this"}));
    let state = stands(&[(run(2, None), vec![next, follower])]);
    assert_eq!(state.thread.heads.iter().map(|head| head.id).collect::<Vec<_>>(), [id(10)]);
}

#[test]
fn the_plan_that_counts_is_that_of_the_attempt_that_counts() {
    let first = plan(11, &[], &[21, 22]);
    let revised = plan(12, &[11], &[23, 24, 25]);
    let steps = vec![
        step(30, 12, 23, 4, "progressing"),
        step(31, 12, 23, 4, "completed"),
        step(32, 12, 24, 4, "skipped"),
        step(33, 12, 25, 4, "failed"),
    ];
    let tried = (run(2, Some((3, Verdict::Retry))), vec![first.clone()]);
    // Another attempt follows the same plan until it brings its own.
    let state = stands(&[tried.clone(), (run(4, None), vec![])]);
    let selected = state.plan.selected.unwrap();
    assert_eq!((selected.id, selected.run, selected.steps, selected.completed), (id(11), id(2), 2, 0));
    let brought: Vec<Object> = std::iter::once(revised).chain(steps).collect();
    let state = stands(&[tried.clone(), (run(4, None), brought.clone())]);
    assert_eq!(state.plan.heads, [id(12)]);
    let selected = state.plan.selected.unwrap();
    assert_eq!((selected.id, selected.run, selected.steps, selected.completed), (id(12), id(4), 3, 2));
    let given_up = (run(4, Some((5, Verdict::Abandon))), brought);
    let state = stands(&[tried, given_up]);
    assert_eq!((state.plan.selected, state.plan.heads), (None, vec![id(12)]));
}

#[test]
fn it_writes_as_it_reads() {
    let runs = [(run(2, Some((3, Verdict::Commit))), vec![plan(11, &[], &[21])]), (run(4, None), vec![])];
    let state = stands(&runs);
    let json = serde_json::to_value(&state).unwrap();
    assert_eq!((&json["status"], &json["release"]["status"]), (&json!("done"), &json!("committed")));
    assert_eq!(serde_json::from_value::<TaskState>(json).unwrap(), state);
}

#[test]
fn a_rollback_that_is_taken_back_has_the_change_again() {
    let back =
        |of: u8, run: Run| Run { reverts: Some(Reverts { run: id(of), commit: format!("{of:040}") }), ..run };
    let runs = [
        (run(2, Some((3, Verdict::Commit))), vec![]),
        (back(2, run(4, Some((5, Verdict::Rollback)))), vec![]),
        (back(4, run(6, Some((7, Verdict::Rollback)))), vec![]),
    ];
    let state = stands(&runs);
    assert!(matches!(state.release, Release::Committed { run, .. } if run == id(6)), "{:?}", state.release);
    assert_eq!(state.status, TaskStatus::Done);
}

#[test]
fn a_task_is_given_up_once_no_attempt_is_left() {
    for (first, second) in [(5, 7), (7, 5)] {
        let given_up = |id, at| (run(id, Some((at, Verdict::Abandon))), vec![]);
        assert_eq!(stands(&[given_up(2, first), given_up(4, second)]).status, TaskStatus::Failed);
    }
    let runs = [(run(2, Some((5, Verdict::Abandon))), vec![]), (run(4, None), vec![])];
    assert_eq!(stands(&runs).status, TaskStatus::Open);
}
