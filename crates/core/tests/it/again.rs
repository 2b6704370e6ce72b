//! A retry of what a job did starts the job again, in the transaction that records the retry.

use std::collections::BTreeMap;
use std::sync::Arc;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::job::{Definition, JobCommand, NewJob, Run as StepRun, Runbook, Step};
use holdpoint_core::run::{
    Artifact, Change, Conclusion, NewRun, ObjectId, PatchSet, Run, RunCommand, Task, Touched, Verdict, job_of,
};
use holdpoint_core::{
    Actor, Auth, Command, Decision, Event, Job, JobKind, JobStatus, Numbering, Owner, OwnerKind, Refusal,
    Ruling, State, Timestamp, apply, decide, job, run,
};
use serde_json::json;

const BASE: &str = "11f6ad8ec52a2984abaafd7c3b516503785c2072";
fn now() -> Timestamp {
    Timestamp::from_millis(1_763_164_800_000)
}

fn id(n: u8) -> ObjectId {
    ObjectId::at(now(), [n; 10])
}

fn system() -> Actor {
    Actor::supervisor()
}

/// What a store would hold: one job, one run, one decision.
struct Scene {
    job: Option<Job>,
    run: Run,
    decision: Decision,
}

fn runbook() -> Runbook {
    let step = |name: &str, run: StepRun| Step {
        name: name.into(),
        run,
        on_done: None,
        on_fail: None,
        on_cancel: None,
    };
    let steps =
        vec![step("prepare", StepRun::Shell("true".into())), step("work", StepRun::Agent("w".into()))];
    let vars = BTreeMap::from([("task".to_owned(), None), ("branch".to_owned(), Some("main".to_owned()))]);
    let definition = Definition { vars, steps, worktree: true, ..Definition::default() };
    Runbook { jobs: BTreeMap::from([("build".to_owned(), definition)]), agents: BTreeMap::new() }
}

fn started() -> Job {
    let new = NewJob {
        kind: JobKind::Job,
        definition: "build".into(),
        name: Some("Build it".into()),
        runbook: runbook(),
        vars: BTreeMap::from([("task".to_owned(), "cache".to_owned())]),
        cwd: "/src".into(),
        item: Some("bd-1".into()),
        parent: None,
    };
    let owner = Owner::new(OwnerKind::Job, "job-1");
    let command =
        Command::Job { project: "web".into(), owner, command: Box::new(JobCommand::Start(Box::new(new))) };
    let ruling = decide(&State::default(), &Actor::claimed("ana", "cli"), &command, now()).unwrap();
    ruling.events.iter().fold(None, |job, event| job::apply(job, event, now())).unwrap()
}

/// A job that ended, and its run, which was answered with a retry.
fn answered(status: JobStatus, parameters: Option<&str>) -> Scene {
    let job = Job { status, ..started() };
    let task = Task {
        id: id(9),
        title: "Build it".into(),
        description: None,
        created_by: "ana".into(),
        created_at: now(),
    };
    let new = NewRun {
        task,
        intent: None,
        repo: "/src".into(),
        base: BASE.into(),
        branch: "refs/heads/holdpoint/x".into(),
        origin: None,
        reverts: None,
        guidance: None,
        parameters: None,
        job: Some("job-1".into()),
        saved: None,
    };
    let patchset = PatchSet {
        id: id(10),
        sequence: 0,
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
        rationale: None,
        created_by: String::new(),
        created_at: now(),
    };
    let mut known: Option<Run> = None;
    let mut decision: Option<Decision> = None;
    let fresh = Numbering::new(7).id(1);
    for command in [
        RunCommand::Start(Box::new(new)),
        RunCommand::Patch(Box::new(patchset)),
        RunCommand::Finish { message: None, assignees: vec![], blocks: vec![] },
    ] {
        let state = State { run: known.clone().map(Arc::new), fresh: Some(fresh), ..State::default() };
        let command = Command::Run { project: "web".into(), id: id(1), command: Box::new(command) };
        for event in decide(&state, &system(), &command, now()).unwrap().events {
            match event.decision() {
                Some(_) => decision = apply(decision, &event, now()),
                None => known = run::apply(known, &event, now()),
            }
        }
    }
    let mut decision = decision.unwrap();
    let mut values = json!({"verdict": "retry"});
    if let Some(parameters) = parameters {
        values["parameters"] = json!(parameters);
    }
    let values = serde_json::from_value(values).unwrap();
    let input = AnswerInput {
        values,
        message: Some("Use the cache.".into()),
        digest: Some(decision.digest.clone()),
        ..AnswerInput::default()
    };
    let state = State { decision: Some(Arc::new(decision.clone())), ..State::default() };
    let command = Command::Answer { id: decision.id, input: Box::new(input) };
    for event in decide(&state, &Actor::claimed("bob", "cli"), &command, now()).unwrap().events {
        decision = apply(Some(decision), &event, now()).unwrap();
    }
    Scene { job: Some(job), run: known.unwrap(), decision }
}

fn conclude(scene: &Scene, job: Option<&str>) -> Result<Ruling, Refusal> {
    let conclusion = Conclusion {
        id: id(50),
        decision: scene.decision.id,
        verdict: Verdict::Retry,
        commit: None,
        checkpoint: None,
        notes: vec![],
        next: Some((id(2), BASE.into())),
        job: job.map(str::to_owned),
    };
    let state = State {
        run: Some(Arc::new(scene.run.clone())),
        job: scene.job.clone().map(Arc::new),
        decision: Some(Arc::new(scene.decision.clone())),
        ..State::default()
    };
    let command = RunCommand::Conclude(Box::new(conclusion));
    decide(
        &state,
        &system(),
        &Command::Run { project: "web".into(), id: id(1), command: Box::new(command) },
        now(),
    )
}

fn tags(ruling: &Ruling) -> Vec<&'static str> {
    ruling.events.iter().map(Event::tag).collect()
}

fn created(ruling: &Ruling) -> &Job {
    ruling
        .events
        .iter()
        .find_map(|event| if let Event::JobCreated(job) = event { Some(&**job) } else { None })
        .unwrap()
}

fn next_run(ruling: &Ruling) -> &Run {
    ruling
        .events
        .iter()
        .find_map(|event| if let Event::RunStarted(run) = event { Some(&**run) } else { None })
        .unwrap()
}

#[test]
fn a_job_that_ended_is_started_again() {
    for status in [JobStatus::Done, JobStatus::Failed, JobStatus::Cancelled] {
        let scene = answered(status, None);
        let ruling = conclude(&scene, Some("job-1")).unwrap();
        assert_eq!(tags(&ruling), ["run:decided", "run:started", "job:retried", "job:created"]);
        let (before, job) = (scene.job.unwrap(), created(&ruling));
        assert_eq!(job.id, job_of(id(2)));
        assert_eq!(next_run(&ruling).job.as_deref(), Some(job.id.as_str()));
        assert_eq!(
            (&job.runbook, &job.vars, &job.cwd, &job.item),
            (&before.runbook, &before.vars, &before.cwd, &before.item)
        );
        assert_eq!((job.status, job.step.as_str(), job.visit), (JobStatus::Pending, "prepare", 0));
        assert_eq!((job.by.as_str(), job.name.as_str()), ("bob", "Build it"));
        let again = job.again.as_ref().unwrap();
        assert_eq!((again.job.as_str(), again.run, again.attempt), ("job-1", id(2), 2));
        assert_eq!(again.describe().as_deref(), Some("Use the cache."));
        // The one before says so, and does not go on beside it.
        let before = job::apply(Some(before), &ruling.events[2], now()).unwrap();
        assert_eq!(before.next.as_ref(), Some(&job.id));
        let state = State { job: Some(Arc::new(before.clone())), ..State::default() };
        let resume = JobCommand::Resume { message: None, restart: false };
        let command =
            Command::Job { project: "web".into(), owner: before.owner(), command: Box::new(resume) };
        let refused = decide(&state, &Actor::claimed("ana", "cli"), &command, now()).unwrap_err();
        assert!(refused.to_string().contains(&job.id), "{refused}");
    }
}

#[test]
fn every_step_hears_the_guidance_once() {
    let scene = answered(JobStatus::Done, Some("Try harder"));
    let mut job = created(&conclude(&scene, Some("job-1")).unwrap()).clone();
    job.node = Some("n1".into());
    let mut heard = Vec::new();
    for (step, visit) in [("prepare", 0), ("work", 1), ("work", 2)] {
        job.status = JobStatus::Pending;
        step.clone_into(&mut job.step);
        let report =
            holdpoint_core::job::Report::Began { agent_id: format!("agt-{visit}"), own_account: false };
        let report = JobCommand::Report { node: "n1".into(), visit, report };
        let command = Command::Job { project: "web".into(), owner: job.owner(), command: Box::new(report) };
        let state = State { job: Some(Arc::new(job.clone())), ..State::default() };
        for event in decide(&state, &system(), &command, now()).unwrap().events {
            job = job::apply(Some(job), &event, now()).unwrap();
        }
        heard.push(job.history.last().unwrap().words.clone());
    }
    let words = Some("Use the cache.\n\nParameters: Try harder".to_owned());
    assert_eq!(heard, [words.clone(), words, None]);
}

#[test]
fn parameters_that_name_variables_set_them_and_other_words_do_not() {
    for (parameters, task, branch) in [
        ("branch = next\n\ntask=a=b", "a=b", "next"),
        ("branch=next\nnonsense=1", "cache", "main"),
        ("branch=next\nand be quick", "cache", "main"),
        ("be quick", "cache", "main"),
    ] {
        let scene = answered(JobStatus::Done, Some(parameters));
        let ruling = conclude(&scene, Some("job-1")).unwrap();
        let job = created(&ruling);
        assert_eq!(
            (job.vars["task"].as_str(), job.vars["branch"].as_str()),
            (task, branch),
            "{parameters:?}"
        );
        assert_eq!(job.again.as_ref().unwrap().parameters.as_deref(), Some(parameters));
    }
}

#[test]
fn one_that_still_works_goes_on_with_the_next_run_itself() {
    for status in [JobStatus::Running, JobStatus::Waiting, JobStatus::Suspended] {
        let ruling = conclude(&answered(status, None), Some("job-1")).unwrap();
        assert_eq!(tags(&ruling), ["run:decided", "run:started"]);
        assert_eq!(next_run(&ruling).job.as_deref(), Some("job-1"));
    }
}

#[test]
fn one_that_is_gone_or_another_is_not_started() {
    let gone = Scene { job: None, ..answered(JobStatus::Done, None) };
    assert_eq!(tags(&conclude(&gone, Some("job-1")).unwrap()), ["run:decided", "run:started"]);
    let other = started();
    let other = Job { id: "job-2".into(), status: JobStatus::Done, ..other };
    let scene = Scene { job: Some(other), ..answered(JobStatus::Done, None) };
    let ruling = conclude(&scene, Some("job-1")).unwrap();
    assert_eq!((tags(&ruling), next_run(&ruling).job.clone()), (vec!["run:decided", "run:started"], None));
    let refused = conclude(&answered(JobStatus::Done, None), Some("job-2")).unwrap_err();
    assert!(refused.to_string().contains("not the one that worked"), "{refused}");
}

#[test]
fn a_decision_names_one_job_however_often_it_is_asked() {
    assert_eq!(job_of(id(2)), job_of(id(2)));
    assert_ne!(job_of(id(2)), job_of(id(3)));
    let name = job_of(id(2));
    assert!(name.len() == 16 && name.starts_with("job-"), "{name}");
}

#[test]
fn whoever_may_not_start_a_job_does_not_change_its_values() {
    for auth in [Auth::Token, Auth::Session, Auth::Link] {
        let mut scene = answered(JobStatus::Done, Some("branch=next"));
        scene.decision.answer.as_mut().unwrap().auth = auth;
        let ruling = conclude(&scene, Some("job-1")).unwrap();
        let job = created(&ruling);
        assert_eq!(job.vars["branch"], "main");
        assert!(job.again.as_ref().unwrap().describe().unwrap().contains("branch=next"));
    }
}
