//! Runs: what may be added when, how a verdict is asked for, and that it ends a run once.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::run::{
    Artifact, Change, Conclusion, Evidence, NewRun, ObjectId, PatchSet, Reverts, RunCommand, RunOrigin, Task,
    Touched, Usage, Verdict,
};
use holdpoint_core::{
    Actor, Command, DecisionId, Effect, Refusal, Ruling, Run, RunStatus, Status, Timestamp, run,
};
use proptest::prelude::*;
use serde_json::json;

use crate::world::World;

const BASE: &str = "11f6ad8ec52a2984abaafd7c3b516503785c2072";

fn id(n: u8) -> ObjectId {
    ObjectId::at(Timestamp::from_millis(1_763_164_800_000), [n; 10])
}

fn actor() -> Actor {
    Actor::claimed("agent-7", "cli")
}

fn new_run() -> NewRun {
    NewRun {
        task: Task {
            id: id(200),
            title: "Cache it".into(),
            description: Some("It is slow.".into()),
            created_by: "ana".into(),
            created_at: Timestamp::from_millis(1_763_164_800_000),
        },
        intent: None,
        repo: "/src/app".into(),
        base: BASE.into(),
        branch: "refs/heads/main".into(),
        origin: None,
        reverts: None,
        guidance: None,
        parameters: None,
        job: None,
        saved: None,
    }
}

fn patchset(n: u8) -> PatchSet {
    PatchSet {
        id: id(n),
        sequence: 9,
        base: BASE.into(),
        artifact: Artifact { blob: BASE.into(), sha256: "ab".repeat(32), size: 12 },
        touched: vec![Touched {
            path: "a.rs".into(),
            change: Change::Modify,
            added: 1,
            deleted: 0,
            from: None,
            mode: None,
            hook: false,
        }],
        rationale: Some("Because.".into()),
        created_by: "nobody".into(),
        created_at: Timestamp::from_millis(0),
    }
}

fn evidence(n: u8, about: Option<ObjectId>) -> Evidence {
    Evidence {
        id: id(n),
        patchset: about,
        kind: "test".into(),
        tool: "cargo".into(),
        command: Some("cargo test".into()),
        exit_code: Some(0),
        took_ms: Some(1_500),
        summary: Some("ok".into()),
        log: None,
        verdict: None,
        created_by: String::new(),
        created_at: Timestamp::from_millis(0),
    }
}

fn conclusion(decision: DecisionId, verdict: Verdict) -> Conclusion {
    Conclusion {
        id: id(250),
        decision,
        verdict,
        commit: matches!(verdict, Verdict::Commit | Verdict::Rollback).then(|| BASE.to_owned()),
        checkpoint: (verdict == Verdict::Checkpoint).then(|| "cp-1".to_owned()),
        notes: vec![],
        next: (verdict == Verdict::Retry).then(|| (id(2), BASE.to_owned())),
        job: None,
    }
}

fn on(world: &mut World, command: RunCommand) -> Result<Ruling, Refusal> {
    let command = Command::Run { project: "default".into(), id: id(1), command: Box::new(command) };
    world.submit(&actor(), &command)
}

fn finish(world: &mut World) -> DecisionId {
    on(world, RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] }).unwrap();
    world.runs[&id(1)].decision.unwrap()
}

fn answer(world: &mut World, id: DecisionId, values: serde_json::Value) -> Result<Ruling, Refusal> {
    let values = serde_json::from_value(values).unwrap();
    let digest = Some(world.decisions[&id].digest.clone());
    let input = AnswerInput { values, message: Some("why".into()), digest, ..AnswerInput::default() };
    world.submit(&Actor::claimed("ana", "cli"), &Command::Answer { id, input: Box::new(input) })
}

/// A run with one patch set and evidence, whose verdict is asked for.
fn asked() -> (World, DecisionId) {
    let mut world = World::new();
    let reverts = Some(Reverts { run: id(90), commit: BASE.into() });
    on(&mut world, RunCommand::Start(Box::new(NewRun { reverts, ..new_run() }))).unwrap();
    on(&mut world, RunCommand::Patch(Box::new(patchset(10)))).unwrap();
    on(&mut world, RunCommand::Evidence(Box::new(evidence(20, Some(id(10)))))).unwrap();
    on(&mut world, RunCommand::Usage(Usage { input_tokens: 10, output_tokens: 5, cost_micros: 3 })).unwrap();
    on(&mut world, RunCommand::Record { kind: "plan".into(), object: json!({"steps": []}) }).unwrap();
    let decision = finish(&mut world);
    (world, decision)
}

#[test]
fn a_run_gathers_and_asks() {
    let (world, decision) = asked();
    let run = &world.runs[&id(1)];
    assert_eq!((run.status, run.patchsets[0].sequence, run.recorded), (RunStatus::Finished, 0, 1));
    assert_eq!((run.patchsets[0].created_by.as_str(), run.usage.input_tokens), ("agent-7", 10));
    let asked = &world.decisions[&decision];
    assert_eq!(asked.owner, Some(run::owner(id(1))));
    let fields: Vec<&str> = asked.fields.iter().map(|field| field.id.as_str()).collect();
    assert_eq!(fields, ["verdict", "patchset", "parameters"]);
    let offered: Vec<&str> = asked.fields[0].options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!(offered, ["commit", "checkpoint", "retry", "abandon", "rollback"]);
    let refusing: Vec<bool> = asked.fields[0].options.iter().map(|option| option.refuses).collect();
    assert_eq!(refusing, [false, false, true, true, false]);
    let subject = asked.subject.as_ref().unwrap();
    assert_eq!(subject["patchsets"][0]["sha256"], "ab".repeat(32));
    assert_eq!(subject["evidence"][0]["exit_code"], 0);
    assert!(asked.prompt.as_ref().unwrap().contains("`cargo test` passed"));
}

#[test]
fn only_what_can_be_done_is_offered() {
    let mut world = World::new();
    on(&mut world, RunCommand::Start(Box::new(new_run()))).unwrap();
    let decision = finish(&mut world);
    let asked = &world.decisions[&decision];
    let offered: Vec<&str> = asked.fields[0].options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!(offered, ["checkpoint", "retry", "abandon"]);
    assert!(answer(&mut world, decision, json!({"verdict": "commit"})).is_err());
}

#[test]
fn each_verdict_ends_the_run_once() {
    for verdict in Verdict::ALL {
        let (mut world, decision) = asked();
        let mut values = json!({"verdict": verdict.name()});
        match verdict {
            Verdict::Commit => values["patchset"] = json!(id(10)),
            Verdict::Retry => values["parameters"] = json!("temperature 0"),
            _ => {}
        }
        let early =
            on(&mut world, RunCommand::Conclude(Box::new(conclusion(decision, verdict)))).unwrap_err();
        assert_eq!(early.code(), "still_pending");
        let ruling = answer(&mut world, decision, values).unwrap();
        assert!(ruling.effects.contains(&Effect::CarryOut { id: decision }), "{verdict:?}");
        for other in Verdict::ALL.into_iter().filter(|other| *other != verdict) {
            let wrong =
                on(&mut world, RunCommand::Conclude(Box::new(conclusion(decision, other)))).unwrap_err();
            assert_eq!(wrong.code(), "invalid", "{other:?}");
        }
        on(&mut world, RunCommand::Conclude(Box::new(conclusion(decision, verdict)))).unwrap();
        let run = world.runs[&id(1)].clone();
        let given = run.verdict.as_ref().unwrap();
        assert_eq!((run.status, given.verdict, given.by.as_str()), (RunStatus::Decided, verdict, "ana"));
        assert_eq!(given.patchset, (verdict == Verdict::Commit).then(|| id(10)));
        assert_eq!(given.rationale.as_deref(), Some("why"));
        // A killed process comes again; nobody else ends it a second time.
        let again = on(&mut world, RunCommand::Conclude(Box::new(conclusion(decision, verdict)))).unwrap();
        assert!(again.replayed);
        let late = on(&mut world, RunCommand::Patch(Box::new(patchset(11)))).unwrap_err();
        assert_eq!(late.code(), "run_over");
        assert_eq!(world.runs[&id(1)], run);
        let next = world.runs.get(&id(2));
        assert_eq!(next.is_some(), verdict == Verdict::Retry);
        if let Some(next) = next {
            assert_eq!(next.origin, Some(RunOrigin::Retry { run: id(1) }));
            assert_eq!(
                (next.guidance.as_deref(), next.parameters.as_deref()),
                (Some("why"), Some("temperature 0"))
            );
            assert_eq!(next.task, run.task);
        }
    }
}

#[test]
fn what_a_verdict_needs_it_must_have() {
    type Spoil = fn(&mut Conclusion);
    let spoil: [(Verdict, Spoil); 6] = [
        (Verdict::Commit, |it| it.commit = None),
        (Verdict::Commit, |it| it.commit = Some("HEAD".into())),
        (Verdict::Checkpoint, |it| it.checkpoint = None),
        (Verdict::Abandon, |it| it.commit = Some(BASE.into())),
        (Verdict::Retry, |it| it.next = None),
        (Verdict::Rollback, |it| it.checkpoint = Some("cp".into())),
    ];
    for (verdict, spoil) in spoil {
        let (mut world, decision) = asked();
        let mut values = json!({"verdict": verdict.name()});
        if verdict == Verdict::Commit {
            values["patchset"] = json!(id(10));
        }
        answer(&mut world, decision, values).unwrap();
        let mut wrong = conclusion(decision, verdict);
        spoil(&mut wrong);
        let refusal = on(&mut world, RunCommand::Conclude(Box::new(wrong))).unwrap_err();
        assert_eq!(refusal.code(), "invalid", "{verdict:?}");
        assert_eq!(world.runs[&id(1)].status, RunStatus::Finished);
    }
}

#[test]
fn a_patch_set_of_another_run_cannot_be_chosen() {
    let (mut world, decision) = asked();
    let stranger =
        answer(&mut world, decision, json!({"verdict": "commit", "patchset": id(77)})).unwrap_err();
    assert_eq!(stranger.code(), "invalid");
    assert_eq!(world.decisions[&decision].status, Status::Pending);
    // The only one need not be named, and is recorded as if it was.
    answer(&mut world, decision, json!({"verdict": "commit"})).unwrap();
    let answered = world.decisions[&decision].answer.clone().unwrap();
    assert_eq!(answered.values["patchset"], world.decisions[&decision].fields[1].options[0].id.as_str());
}

#[test]
fn what_could_not_be_carried_out_is_asked_again() {
    let (mut world, decision) = asked();
    answer(&mut world, decision, json!({"verdict": "commit", "patchset": id(10)})).unwrap();
    let fail = RunCommand::Fail { decision, reason: "~~~ it does not apply".into(), blocks: vec![] };
    on(&mut world, fail.clone()).unwrap();
    let run = &world.runs[&id(1)];
    let again = run.decision.unwrap();
    assert_ne!(again, decision);
    assert_eq!((run.verdict.as_ref(), run.trouble.as_deref()), (None, Some("~~~ it does not apply")));
    assert!(world.decisions[&again].prompt.as_ref().unwrap().contains("it does not apply"));
    // The old verdict counts no more.
    assert!(on(&mut world, fail).unwrap().replayed);
    let old =
        on(&mut world, RunCommand::Conclude(Box::new(conclusion(decision, Verdict::Commit)))).unwrap_err();
    assert_eq!(old.code(), "invalid");
    answer(&mut world, again, json!({"verdict": "abandon"})).unwrap();
    on(&mut world, RunCommand::Conclude(Box::new(conclusion(again, Verdict::Abandon)))).unwrap();
}

#[test]
fn a_verdict_that_was_taken_back_can_be_asked_for_again() {
    let (mut world, decision) = asked();
    let again = RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] };
    assert_eq!(on(&mut world, again.clone()).unwrap_err().code(), "run_over");
    world.submit(&actor(), &Command::Cancel { id: decision, reason: None }).unwrap();
    on(&mut world, again.clone()).unwrap();
    let now = world.runs[&id(1)].decision.unwrap();
    answer(&mut world, now, json!({"verdict": "abandon"})).unwrap();
    // Answered, and not yet carried out: it is too late to ask again.
    assert_eq!(on(&mut world, again).unwrap_err().code(), "run_over");
}

#[test]
fn bad_parts_are_refused() {
    let mut world = World::new();
    let start = |world: &mut World, change: fn(&mut NewRun)| {
        let mut new = new_run();
        change(&mut new);
        on(world, RunCommand::Start(Box::new(new)))
    };
    let nothing = on(&mut world, RunCommand::Patch(Box::new(patchset(1)))).unwrap_err();
    assert_eq!(nothing.code(), "not_found");
    let wrong: [fn(&mut NewRun); 3] = [
        |new| new.base = "main".into(),
        |new| new.task.title = " ".into(),
        |new| new.branch = "x".repeat(300),
    ];
    for change in wrong {
        assert_eq!(start(&mut world, change).unwrap_err().code(), "invalid");
    }
    start(&mut world, |_| {}).unwrap();
    assert!(start(&mut world, |_| {}).unwrap().replayed);
    assert_eq!(start(&mut world, |new| new.repo = "/other".into()).unwrap_err().code(), "key_reused");
    let other = Command::Run {
        project: "default".into(),
        id: id(5),
        command: Box::new(RunCommand::Start(Box::new(NewRun {
            task: Task { title: "Another".into(), ..new_run().task },
            ..new_run()
        }))),
    };
    assert_eq!(world.submit(&actor(), &other).unwrap_err().code(), "invalid", "a task is never rewritten");
    let wrong: [fn(&mut PatchSet); 4] = [
        |it| it.touched.clear(),
        |it| it.artifact.size = 200 << 20,
        |it| it.base = "x".into(),
        |it| it.rationale = Some("x".repeat(1 << 20)),
    ];
    for change in wrong {
        let mut patch = patchset(10);
        change(&mut patch);
        assert_eq!(on(&mut world, RunCommand::Patch(Box::new(patch))).unwrap_err().code(), "invalid");
    }
    let stray = on(&mut world, RunCommand::Evidence(Box::new(evidence(20, Some(id(99)))))).unwrap_err();
    assert_eq!(stray.code(), "invalid");
    let elsewhere = Command::Run {
        project: "web".into(),
        id: id(1),
        command: Box::new(RunCommand::Usage(Usage::default())),
    };
    assert_eq!(world.submit(&actor(), &elsewhere).unwrap_err().code(), "not_found");
}

fn any_command() -> impl Strategy<Value = (u8, u8)> {
    (0u8..10, 0u8..4)
}

proptest! {
    /// Whatever is sent in whatever order: one verdict a run, nothing but evidence after it, and nothing recorded ever changes.
    #[test]
    fn any_order_keeps_the_rules(steps in proptest::collection::vec(any_command(), 1..40)) {
        let mut world = World::new();
        for (verb, which) in steps {
            let before = world.runs.get(&id(1)).cloned();
            let decision = before.as_ref().and_then(|run| run.decision);
            let verdict = Verdict::ALL[usize::from(which) % 5];
            match verb {
                0 => drop(on(&mut world, RunCommand::Start(Box::new(new_run())))),
                1 | 2 => drop(on(&mut world, RunCommand::Patch(Box::new(patchset(10 + which))))),
                3 => drop(on(&mut world, RunCommand::Evidence(Box::new(evidence(20 + which, None))))),
                4 => drop(on(&mut world, RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] })),
                5 | 6 => if let Some(decision) = decision {
                    let mut values = json!({"verdict": verdict.name()});
                    if verdict == Verdict::Commit {
                        values["patchset"] = json!(id(10 + which));
                    }
                    drop(answer(&mut world, decision, values));
                },
                7 => if let Some(decision) = decision {
                    drop(on(&mut world, RunCommand::Conclude(Box::new(conclusion(decision, verdict)))));
                },
                8 => if let Some(decision) = decision {
                    drop(on(&mut world, RunCommand::Fail { decision, reason: "no".into(), blocks: vec![] }));
                },
                _ => if let Some(id) = decision {
                    drop(world.submit(&actor(), &Command::Cancel { id, reason: None }));
                },
            }
            let Some(after) = world.runs.get(&id(1)) else { continue };
            if let Some(before) = before {
                prop_assert_eq!(&after.patchsets[..before.patchsets.len()], &before.patchsets[..]);
                prop_assert_eq!(&after.evidence[..before.evidence.len()], &before.evidence[..]);
                prop_assert_eq!((&after.task, &after.base), (&before.task, &before.base));
                if before.verdict.is_some() {
                    // What is found afterwards refers to the verdict, and is all that can be added.
                    let found = &after.evidence[before.evidence.len()..];
                    prop_assert!(found.iter().all(|found| found.verdict == before.decision));
                    prop_assert_eq!(&Run { evidence: before.evidence.clone(), ..after.clone() }, &before);
                }
            }
            prop_assert_eq!(after.verdict.is_some(), after.status == RunStatus::Decided);
            if let Some(verdict) = &after.verdict {
                prop_assert!(verdict.patchset.is_none_or(|id| after.patchset(id).is_some()));
                prop_assert_eq!(verdict.verdict == Verdict::Commit, verdict.patchset.is_some());
            }
        }
        let mut replayed = std::collections::BTreeMap::new();
        for (event, at) in &world.log {
            if let Some((id, _)) = event.run() {
                let next = run::apply(replayed.remove(&id), event, *at).unwrap();
                replayed.insert(id, next);
            }
        }
        prop_assert_eq!(replayed, world.runs);
    }
}
