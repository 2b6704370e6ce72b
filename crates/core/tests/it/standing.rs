//! Where a run stands follows from the run and the question about it.

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::run::{
    Conclusion, Judge, Judgement, NewRun, ObjectId, RunCommand, Standing, Task, Verdict,
};
use holdpoint_core::{Actor, Command, DecisionId, Project, ProjectChange, Timestamp};
use serde_json::json;

use crate::world::World;

const BASE: &str = "11f6ad8ec52a2984abaafd7c3b516503785c2072";

fn id(n: u8) -> ObjectId {
    ObjectId::at(Timestamp::from_millis(1_763_164_800_000), [n; 10])
}

fn on(world: &mut World, command: RunCommand) {
    let command = Command::Run { project: "default".into(), id: id(1), command: Box::new(command) };
    world.submit(&Actor::claimed("agent-7", "cli"), &command).unwrap();
}

fn begun() -> World {
    let mut world = World::new();
    let created_at = Timestamp::from_millis(1_763_164_800_000);
    let task =
        Task { id: id(9), title: "Cache it".into(), description: None, created_by: "ana".into(), created_at };
    on(
        &mut world,
        RunCommand::Start(Box::new(NewRun {
            task,
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
        })),
    );
    world
}

fn finish(world: &mut World) -> DecisionId {
    on(world, RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] });
    world.runs[&id(1)].decision.unwrap()
}

fn answer(world: &mut World, decision: DecisionId, verdict: &str) {
    let values = serde_json::from_value(json!({ "verdict": verdict })).unwrap();
    let digest = Some(world.decisions[&decision].digest.clone());
    let input = AnswerInput { values, digest, ..AnswerInput::default() };
    world
        .submit(&Actor::claimed("ana", "cli"), &Command::Answer { id: decision, input: Box::new(input) })
        .unwrap();
}

fn stands(world: &World) -> Standing {
    let run = &world.runs[&id(1)];
    Standing::of(run, run.decision.and_then(|id| world.decisions.get(&id)))
}

#[test]
fn it_waits_then_is_carried_out_then_has_ended() {
    let mut world = begun();
    assert_eq!(stands(&world), Standing::Running);
    let decision = finish(&mut world);
    assert_eq!(stands(&world), Standing::Waiting { decision, trouble: None });
    answer(&mut world, decision, "abandon");
    let by = "ana".to_owned();
    assert_eq!(
        stands(&world),
        Standing::Carrying { decision, verdict: Verdict::Abandon, by, trouble: None, at_work: None }
    );
    assert!(!stands(&world).is_settled());
    let conclusion = Conclusion {
        id: id(50),
        decision,
        verdict: Verdict::Abandon,
        commit: None,
        checkpoint: None,
        notes: vec![],
        next: None,
        job: None,
    };
    on(&mut world, RunCommand::Conclude(Box::new(conclusion)));
    assert_eq!(stands(&world), Standing::Abandoned);
    assert!(stands(&world).is_settled());
}

#[test]
fn what_could_not_be_done_is_asked_again_and_says_why() {
    let mut world = begun();
    let first = finish(&mut world);
    answer(&mut world, first, "checkpoint");
    on(&mut world, RunCommand::Fail { decision: first, reason: "the disk is full".into(), blocks: vec![] });
    let decision = world.runs[&id(1)].decision.unwrap();
    assert_ne!(decision, first);
    assert_eq!(stands(&world), Standing::Waiting { decision, trouble: Some("the disk is full".into()) });
}

#[test]
fn a_question_that_is_taken_back_leaves_the_run_withdrawn_until_it_is_asked_again() {
    let mut world = begun();
    let decision = finish(&mut world);
    let reason = Some("Not yet".to_owned());
    world
        .submit(&Actor::claimed("ana", "cli"), &Command::Cancel { id: decision, reason: reason.clone() })
        .unwrap();
    assert_eq!(stands(&world), Standing::Withdrawn { decision, reason });
    assert!(stands(&world).is_settled());
    let again = finish(&mut world);
    assert_eq!(stands(&world), Standing::Waiting { decision: again, trouble: None });
}

#[test]
fn one_whose_question_is_gone_is_unanswered() {
    let mut world = begun();
    let decision = finish(&mut world);
    let run = &world.runs[&id(1)];
    assert_eq!(Standing::of(run, None), Standing::Unanswered { decision: None }, "it is gone");
    // Another's decision says nothing about it.
    let mut other = world.decisions[&decision].clone();
    other.id = "dcn-000000000000".parse().unwrap();
    assert_eq!(Standing::of(run, Some(&other)), Standing::Unanswered { decision: None });
}

#[test]
fn a_verdict_that_nobody_is_asked_for_is_being_carried_out_at_once() {
    let mut world = begun();
    let verdicts = Some([Judge::Agent].into());
    let change = ProjectChange { verdicts, ..ProjectChange::default() };
    world
        .submit(
            &Actor::claimed("ana", "cli"),
            &Command::UpdateProject { name: Project::DEFAULT.into(), change },
        )
        .unwrap();
    let judgement = Judgement {
        judge: Judge::Agent,
        verdict: Some(Verdict::Checkpoint),
        patchset: None,
        parameters: None,
        rationale: None,
    };
    on(&mut world, RunCommand::Judge(Box::new(judgement)));
    assert_eq!(stands(&world).name(), "carrying");
    let json = serde_json::to_value(stands(&world)).unwrap();
    assert_eq!(
        (&json["is"], &json["verdict"], &json["by"]),
        (&json!("carrying"), &json!("checkpoint"), &json!("agent-7"))
    );
}
