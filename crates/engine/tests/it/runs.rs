//! Runs on a real repository: every verdict to its end, and from every place where it may have been cut off.

use std::path::Path;

use holdpoint_core::decision::AnswerInput;
use holdpoint_core::run::{RunOrigin, Usage, Verdict};
use holdpoint_core::{Command, DecisionId, Run, RunStatus};
use holdpoint_engine::auth::Caller;
use holdpoint_engine::run::{CarryOutcome, CarryStep, FinishRun, PatchFrom, StartRun};
use holdpoint_engine::{Error, Result};
use serde_json::{Value, json};

use crate::scene::Scene;
use crate::workshop::{Workshop, run as git};

pub(crate) fn agent() -> Caller {
    Caller::claimed("agent-7", "cli")
}

pub(crate) fn start(repo: &Path) -> StartRun {
    StartRun {
        task: "Cache it".into(),
        intent: Some("Make it fast".into()),
        repo: repo.to_owned(),
        ..StartRun::default()
    }
}

/// A run with one change and one finding, whose verdict is asked for; the work tree is as it was.
pub(crate) async fn finished(scene: &Scene, workshop: &Workshop) -> Run {
    let engine = &scene.engine;
    let run = engine.start_run(&agent(), start(&workshop.path())).await.unwrap();
    workshop.write("a.txt", "one\n2\nthree\nfour\nfive\nsix\nseven\n");
    let run = engine
        .patch_run(&agent(), &run, PatchFrom::Worktree(&workshop.path()), Some("why".into()))
        .await
        .unwrap();
    workshop.git(&["checkout", "-q", "."]);
    let words = ["sh", "-c", "echo out; echo err >&2; exit 3"].map(str::to_owned);
    let (run, found) = engine.prove(&agent(), &run, "test", None, &words, &workshop.path()).await.unwrap();
    assert_eq!((found.exit_code, found.tail().as_str()), (Some(3), "out\nerr\n"));
    let run = engine.use_in_run(&agent(), &run, Usage { input_tokens: 7, ..Usage::default() }).await.unwrap();
    engine.finish_run(&agent(), &run, FinishRun::default()).await.unwrap()
}

async fn answer(scene: &Scene, run: &Run, values: Value) -> DecisionId {
    let id = run.decision.unwrap();
    let values = serde_json::from_value(values).unwrap();
    let ana = Caller::claimed("ana", "cli");
    let digest = Some(scene.engine.find_for(&ana, &id.to_string()).await.unwrap().digest);
    let input =
        Box::new(AnswerInput { values, message: Some("go".into()), digest, ..AnswerInput::default() });
    scene.engine.submit_for(&ana, Command::Answer { id, input }, None).await.unwrap();
    id
}

pub(crate) async fn commit(scene: &Scene, run: &Run) -> DecisionId {
    answer(scene, run, json!({"verdict": "commit", "patchset": run.patchsets[0].id})).await
}

pub(crate) async fn again(scene: &Scene, run: &Run) -> Run {
    scene.engine.store().run_there(run).await
}

trait There {
    async fn run_there(&self, run: &Run) -> Run;
}

impl There for std::sync::Arc<dyn holdpoint_store::Store> {
    async fn run_there(&self, run: &Run) -> Run {
        self.run(run.id).await.unwrap().unwrap()
    }
}

async fn sound(scene: &Scene) {
    let found = scene.engine.store().inspect(holdpoint_store::Repair::No).await.unwrap();
    assert_eq!(found.findings, Vec::<String>::new());
}

#[tokio::test]
async fn a_commit_lands_on_its_branch_and_nowhere_else() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished(&scene, &workshop).await;
    workshop.write("b.txt", "somebody's own work\n");
    let state = workshop.state();
    commit(&scene, &run).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    let ended = again(&scene, &run).await;
    let verdict = ended.verdict.clone().unwrap();
    assert_eq!(
        (ended.status, verdict.verdict, verdict.by.as_str()),
        (RunStatus::Decided, Verdict::Commit, "ana")
    );
    let made = verdict.commit.unwrap();
    assert_eq!(workshop.git(&["rev-parse", &run.branch]), made);
    assert!(
        workshop.git(&["log", "-1", "--format=%B", &made]).contains(&format!("Holdpoint-Run: {}", run.id))
    );
    assert_eq!(workshop.state(), state, "nobody's work tree was touched");
    assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "");
    // Once is enough.
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert_eq!(workshop.git(&["rev-parse", &run.branch]), made);
    let shared = scene.engine.export_task(&ended).await.unwrap();
    assert_eq!(scene.engine.export_task(&ended).await.unwrap(), shared, "the same again changes nothing");
    let names = workshop.git(&["ls-tree", "-r", "--name-only", "refs/libra/intent"]);
    for folder in
        ["intent/", "task/", "run/", "patchset/", "evidence/", "decision/", "task_event/", "intent_event/"]
    {
        assert!(names.contains(folder), "{folder} in {names}");
    }
    sound(&scene).await;
}

/// Carries a verdict out until a step, as if killed there; then another comes and finishes.
pub(crate) async fn cut_off(scene: &Scene, id: DecisionId, at: CarryStep) {
    let stop = |step: CarryStep| -> Result<()> {
        if step == at { Err(Error::Settings("killed".into())) } else { Ok(()) }
    };
    let cut = scene.engine.carry_out(id, &stop).await;
    assert!(matches!(cut, Err(Error::Settings(_))), "{at:?}: {cut:?}");
}

#[tokio::test]
async fn wherever_it_is_cut_off_it_ends_once() {
    for at in [CarryStep::Made, CarryStep::Noted, CarryStep::Done, CarryStep::Recorded] {
        let (scene, workshop) = (Scene::new(), Workshop::new());
        let run = finished(&scene, &workshop).await;
        let base = workshop.head();
        let id = commit(&scene, &run).await;
        cut_off(&scene, id, at).await;
        let moved = scene_branch(&workshop, &run);
        let between = again(&scene, &run).await;
        match at {
            CarryStep::Made | CarryStep::Noted => {
                assert_eq!((moved, between.verdict.is_none()), (None, true));
            }
            CarryStep::Done => assert!(moved.is_some() && between.verdict.is_none()),
            CarryStep::Recorded => assert!(moved.is_some() && between.verdict.is_some()),
        }
        assert!(matches!(scene.engine.carry_out(id, &|_| Ok(())).await.unwrap(), CarryOutcome::Out(_)));
        let ended = again(&scene, &run).await;
        let made = ended.verdict.unwrap().commit.unwrap();
        assert_eq!(scene_branch(&workshop, &run), Some(made.clone()), "{at:?}");
        assert_eq!(workshop.git(&["rev-list", "--count", &format!("{base}..{made}")]), "1", "{at:?}");
        assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "", "{at:?}");
        sound(&scene).await;
    }
}

#[tokio::test]
async fn what_hooks_added_is_recorded_wherever_it_is_cut_off() {
    for at in [None, Some(CarryStep::Noted), Some(CarryStep::Done)] {
        let (scene, workshop) = (Scene::new(), Workshop::new());
        workshop.hook("pre-commit", "echo x > stamp && git add stamp");
        let run = finished(&scene, &workshop).await;
        let id = commit(&scene, &run).await;
        if let Some(at) = at {
            cut_off(&scene, id, at).await;
        }
        assert!(matches!(scene.engine.carry_out(id, &|_| Ok(())).await.unwrap(), CarryOutcome::Out(_)));
        let notes = again(&scene, &run).await.verdict.unwrap().notes;
        assert_eq!(notes.len(), 1, "{at:?}");
        assert!(notes[0].contains("\"stamp\""), "{at:?}: {notes:?}");
    }
}

#[tokio::test]
async fn a_rollback_that_is_cut_off_ends_once() {
    for at in [CarryStep::Made, CarryStep::Noted, CarryStep::Done, CarryStep::Recorded] {
        let (scene, workshop) = (Scene::new(), Workshop::new());
        let run = finished(&scene, &workshop).await;
        let base = workshop.head();
        commit(&scene, &run).await;
        scene.engine.carry_out_verdicts().await.unwrap();
        let done = again(&scene, &run).await;
        let back = scene.engine.rollback_run(&Caller::claimed("ana", "cli"), &done).await.unwrap();
        assert_eq!(back.origin, Some(RunOrigin::Rollback { run: run.id }));
        let id = answer(&scene, &back, json!({"verdict": "rollback"})).await;
        cut_off(&scene, id, at).await;
        scene.engine.carry_out(id, &|_| Ok(())).await.unwrap();
        let ended = again(&scene, &back).await;
        let made = ended.verdict.unwrap().commit.unwrap();
        assert_eq!(scene_branch(&workshop, &run), Some(made.clone()));
        assert_eq!(workshop.git(&["diff", "--stat", &base, &made]), "", "{at:?}: all is as it was");
        assert_eq!(workshop.git(&["rev-list", "--count", &format!("{base}..{made}")]), "2", "{at:?}");
    }
}

fn scene_branch(workshop: &Workshop, run: &Run) -> Option<String> {
    let found = workshop.git(&["for-each-ref", "--format=%(objectname)", &run.branch]);
    Some(found).filter(|found| !found.is_empty())
}

#[tokio::test]
async fn a_note_that_was_overtaken_is_made_anew() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished(&scene, &workshop).await;
    let id = commit(&scene, &run).await;
    cut_off(&scene, id, CarryStep::Noted).await;
    // Meanwhile somebody else puts a commit on the branch.
    workshop.write("b.txt", "other\n");
    let other = workshop.commit("other");
    workshop.git(&["branch", run.branch.trim_start_matches("refs/heads/"), &other]);
    scene.engine.carry_out(id, &|_| Ok(())).await.unwrap();
    let made = scene_branch(&workshop, &run).unwrap();
    assert_eq!(workshop.git(&["rev-parse", &format!("{made}^1")]), other);
    assert_eq!(workshop.git(&["show", &format!("{made}:b.txt")]), "other");
    assert_eq!(again(&scene, &run).await.verdict.unwrap().commit, Some(made));
}

#[tokio::test]
async fn checkpoint_resume_retry_and_abandon() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished(&scene, &workshop).await;
    answer(&scene, &run, json!({"verdict": "checkpoint"})).await;
    scene.engine.carry_out_verdicts().await.unwrap();
    let saved = again(&scene, &run).await;
    let name = saved.verdict.clone().unwrap().checkpoint.unwrap();
    let at = workshop.git(&["rev-parse", &format!("refs/holdpoint/checkpoints/{name}")]);
    assert!(workshop.git(&["show", &format!("{at}:a.txt")]).contains("\n2\n"));
    let resumed = scene.engine.resume_run(&agent(), &saved).await.unwrap();
    assert_eq!(
        (resumed.base.as_str(), resumed.origin),
        (at.as_str(), Some(RunOrigin::Resume { run: run.id }))
    );
    // What was saved and what came after it are committed together.
    let more = b"diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n".to_vec();
    let resumed = scene.engine.patch_run(&agent(), &resumed, PatchFrom::Bytes(more), None).await.unwrap();
    let resumed = scene.engine.finish_run(&agent(), &resumed, FinishRun::default()).await.unwrap();
    answer(&scene, &resumed, json!({"verdict": "retry", "parameters": "slower"})).await;
    scene.engine.carry_out_verdicts().await.unwrap();
    let next = again(&scene, &resumed).await.verdict.unwrap().next.unwrap();
    let next = scene.engine.store().run(next).await.unwrap().unwrap();
    assert_eq!((next.guidance.as_deref(), next.parameters.as_deref()), (Some("go"), Some("slower")));
    let next = scene.engine.finish_run(&agent(), &next, FinishRun::default()).await.unwrap();
    answer(&scene, &next, json!({"verdict": "abandon"})).await;
    scene.engine.carry_out_verdicts().await.unwrap();
    assert_eq!(again(&scene, &next).await.verdict.unwrap().verdict, Verdict::Abandon);
    assert_eq!(scene.engine.attempts(run.task.id).await.unwrap().len(), 3);
    sound(&scene).await;
}

#[tokio::test]
async fn what_was_saved_is_committed_with_what_came_after() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished(&scene, &workshop).await;
    answer(&scene, &run, json!({"verdict": "checkpoint"})).await;
    scene.engine.carry_out_verdicts().await.unwrap();
    let resumed = scene.engine.resume_run(&agent(), &again(&scene, &run).await).await.unwrap();
    let more = b"diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n".to_vec();
    let resumed = scene.engine.patch_run(&agent(), &resumed, PatchFrom::Bytes(more), None).await.unwrap();
    let resumed = scene.engine.finish_run(&agent(), &resumed, FinishRun::default()).await.unwrap();
    // The branch exists and stands at the first commit.
    workshop.git(&["branch", run.branch.trim_start_matches("refs/heads/"), "HEAD"]);
    // What was saved is the first patch set.
    answer(&scene, &resumed, json!({"verdict": "commit", "patchset": resumed.patchsets[1].id})).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    let made = scene_branch(&workshop, &run).unwrap();
    assert_eq!(workshop.git(&["show", &format!("{made}:b.txt")]), "c");
    assert!(workshop.git(&["show", &format!("{made}:a.txt")]).contains("\n2\n"));
    assert_eq!(workshop.git(&["rev-parse", &format!("{made}^1")]), workshop.head());
}

#[tokio::test]
async fn what_cannot_be_done_is_asked_again_and_leaves_no_trace() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    workshop.hook("pre-commit", "echo 'too slow' >&2; exit 1");
    let run = finished(&scene, &workshop).await;
    let (refs, state) = (workshop.git(&["for-each-ref"]), workshop.state());
    commit(&scene, &run).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("too slow"), "{words:?}");
    let after = again(&scene, &run).await;
    assert_eq!((after.status, after.verdict.as_ref()), (RunStatus::Finished, None));
    assert_ne!(after.decision, run.decision);
    assert_eq!((workshop.git(&["for-each-ref"]), workshop.state()), (refs, state));
    // The same verdict goes through once the hook is content.
    workshop.hook("pre-commit", "exit 0");
    commit(&scene, &after).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    // A branch that somebody has checked out is not moved.
    let second = finished_on(&scene, &workshop, "main").await;
    let main = workshop.head();
    commit(&scene, &second).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("is checked out at"), "{words:?}");
    assert_eq!(workshop.head(), main);
    // A repository that is gone.
    let third = finished_on(&scene, &workshop, "other").await;
    std::fs::rename(workshop.path(), workshop.path().with_extension("away")).unwrap();
    commit(&scene, &third).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("not a folder"), "{words:?}");
    sound(&scene).await;
}

pub(crate) async fn finished_on(scene: &Scene, workshop: &Workshop, branch: &str) -> Run {
    let named = StartRun { branch: Some(branch.into()), ..start(&workshop.path()) };
    let run = scene.engine.start_run(&agent(), named).await.unwrap();
    let more = b"diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\n".to_vec();
    let run = scene.engine.patch_run(&agent(), &run, PatchFrom::Bytes(more), None).await.unwrap();
    scene.engine.finish_run(&agent(), &run, FinishRun::default()).await.unwrap()
}

#[tokio::test]
async fn a_lock_is_waited_for() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished_on(&scene, &workshop, "side").await;
    workshop.git(&["branch", "side"]);
    let lock = workshop.path().join(".git/refs/heads/side.lock");
    std::fs::write(&lock, "").unwrap();
    commit(&scene, &run).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("not carried out yet"), "{words:?}");
    assert_eq!(again(&scene, &run).await.decision, run.decision, "nobody is asked again for that");
    std::fs::remove_file(lock).unwrap();
    scene.pass(5);
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert!(again(&scene, &run).await.verdict.is_some());
}

#[tokio::test]
async fn a_bare_repository_gets_its_commit() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let bare = workshop.bare();
    let run = scene.engine.start_run(&agent(), start(&bare)).await.unwrap();
    assert_eq!(run.branch, "refs/heads/main");
    workshop.write("b.txt", "c\n");
    // A work tree of another repository that knows the commit will do: what is kept is the diff.
    let from = PatchFrom::Worktree(&workshop.path());
    let run = scene.engine.patch_run(&agent(), &run, from, None).await.unwrap();
    let run = scene.engine.finish_run(&agent(), &run, FinishRun::default()).await.unwrap();
    commit(&scene, &run).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert_eq!(git(&bare, &["show", "main:b.txt"]), "c");
}
