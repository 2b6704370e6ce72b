//! Lock files in a repository: those that killed gits of ours left go, those of others are waited for and then named.

use std::path::{Path, PathBuf};
use std::time::Duration;

use holdpoint_core::RunStatus;
use holdpoint_engine::run::CarryStep;

use crate::runs::{again, commit, finished, finished_on};
use crate::scene::Scene;
use crate::workshop::Workshop;

/// Leaves what a git of ours leaves that is killed while it carries out an order.
fn left(workshop: &Workshop, order: &str) -> PathBuf {
    let place = workshop.path().join(".git/.holdpoint");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("lock"), "").unwrap();
    let path = place.join("00000000000000aa");
    std::fs::write(&path, format!("{order:<2047}\n")).unwrap();
    path
}

fn lock(workshop: &Workshop, name: &str, content: &str) -> PathBuf {
    let path = workshop.path().join(".git").join(format!("{name}.lock"));
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

fn aged(path: &Path, seconds: u64) {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    let made = file.metadata().unwrap().modified().unwrap();
    file.set_modified(made - Duration::from_secs(seconds)).unwrap();
}

#[tokio::test]
async fn what_a_killed_git_left_is_cleared() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished_on(&scene, &workshop, "side").await;
    workshop.git(&["branch", "side"]);
    let id = commit(&scene, &run).await;
    // The lock of its note, whatever is in it: nobody else writes there.
    let note = format!("refs/holdpoint/verdicts/{id}");
    let mut ledger = left(&workshop, &format!("create {note} {}", workshop.head()));
    let mut locks = vec![lock(&workshop, &note, "")];
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert!(again(&scene, &run).await.verdict.is_some());
    assert!(!ledger.exists() && !locks.iter().any(|lock| lock.exists()));

    // The lock of the branch, which holds the commit that was ordered; one that holds nothing yet must fit in time.
    let run = finished_on(&scene, &workshop, "other").await;
    workshop.git(&["branch", "other"]);
    let (head, main) = (workshop.head(), "1".repeat(40));
    ledger = left(&workshop, &format!("update refs/heads/other {main} {head}"));
    locks = vec![lock(&workshop, "refs/heads/other", &format!("{main}\n")), lock(&workshop, "HEAD", "")];
    aged(&ledger, 60);
    aged(&locks[1], 60);
    commit(&scene, &run).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert!(again(&scene, &run).await.verdict.is_some());
    assert!(!ledger.exists() && !locks.iter().any(|lock| lock.exists()));
    assert_eq!(std::fs::read_dir(workshop.path().join(".git/.holdpoint")).unwrap().count(), 2);
}

#[tokio::test]
async fn a_lock_that_may_be_somebody_elses_stays_and_is_named() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished_on(&scene, &workshop, "side").await;
    workshop.git(&["branch", "side"]);
    // Ours was killed, but long before; and what theirs is about to write is not what ours was.
    let ledger = left(&workshop, &format!("update refs/heads/side {}", "1".repeat(40)));
    aged(&ledger, 600);
    let theirs = lock(&workshop, "refs/heads/side", &format!("{}\n", "2".repeat(40)));
    let asked = commit(&scene, &run).await;
    for _ in 0..9 {
        let words = scene.engine.carry_out_verdicts().await.unwrap();
        assert!(words[0].contains("not carried out yet"), "{words:?}");
        assert_eq!(again(&scene, &run).await.decision, Some(asked));
        scene.pass(5);
    }
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("asked again") && words[0].contains("side.lock"), "{words:?}");
    let after = again(&scene, &run).await;
    assert_eq!((after.status, after.verdict.is_none()), (RunStatus::Finished, true));
    assert!(after.trouble.as_ref().unwrap().contains("remove that file"), "{after:?}");
    assert!(theirs.exists());
    assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "", "no note is left");
    std::fs::remove_file(theirs).unwrap();
    commit(&scene, &after).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert!(again(&scene, &run).await.verdict.is_some());
}

#[tokio::test]
async fn a_lock_whose_git_lives_is_left_to_it() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished_on(&scene, &workshop, "side").await;
    workshop.git(&["branch", "side"]);
    let id = commit(&scene, &run).await;
    let ledger = left(&workshop, &format!("create refs/holdpoint/verdicts/{id} {}", workshop.head()));
    let held = std::fs::File::open(&ledger).unwrap();
    held.lock().unwrap();
    let lock = lock(&workshop, &format!("refs/holdpoint/verdicts/{id}"), "");
    aged(&lock, 600);
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("not carried out yet"), "{words:?}");
    assert!(lock.exists() && ledger.exists());
    drop(held);
    scene.pass(5);
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert!(again(&scene, &run).await.verdict.is_some());
}

#[tokio::test]
async fn a_branch_in_the_way_is_no_lock() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished(&scene, &workshop).await;
    assert!(run.branch.starts_with("refs/heads/holdpoint/"));
    workshop.git(&["branch", "holdpoint"]);
    commit(&scene, &run).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("asked again") && words[0].contains("rename or delete holdpoint"), "{words:?}");
    assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "", "no note is left");
    // The next run gets a branch that git can have.
    let next = finished(&scene, &workshop).await;
    assert!(next.branch.starts_with("refs/heads/holdpoint-"), "{}", next.branch);
    commit(&scene, &next).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    workshop.git(&["branch", "-m", "holdpoint", "mine"]);
    commit(&scene, &again(&scene, &run).await).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn notes_go_whatever_becomes_of_the_verdict() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    // A hook that lets the note be written, and the branch not be moved.
    workshop.hook("reference-transaction", "[ $1 = prepared ] || exit 0; ! grep -q refs/heads/");
    let run = finished(&scene, &workshop).await;
    commit(&scene, &run).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("hook reference-transaction refused"), "{words:?}");
    assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "");
    std::fs::remove_file(workshop.path().join(".git/hooks/reference-transaction")).unwrap();
    // Somebody packs refs while the note is to go: it goes when they are done.
    let packing = workshop.path().join(".git/packed-refs.lock");
    std::fs::write(&packing, "").unwrap();
    let run = again(&scene, &run).await;
    commit(&scene, &run).await;
    scene.engine.carry_out_verdicts().await.unwrap();
    assert!(again(&scene, &run).await.verdict.is_some());
    assert_ne!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "");
    assert!(packing.exists(), "it may be somebody else's");
    std::fs::remove_file(&packing).unwrap();
    scene.pass(5);
    scene.engine.carry_out_verdicts().await.unwrap();
    assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "");
}

#[tokio::test]
async fn a_hook_that_leaves_nothing_to_commit_asks_again() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    workshop.hook("pre-commit", "git reset -q --hard HEAD");
    let run = finished(&scene, &workshop).await;
    commit(&scene, &run).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("nothing was left to commit"), "{words:?}");
    assert!(again(&scene, &run).await.verdict.is_none());
    workshop.hook("pre-commit", "true");
    workshop.hook("commit-msg", "exit 7");
    commit(&scene, &again(&scene, &run).await).await;
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("hook commit-msg ended with exit code 7 and printed nothing"), "{words:?}");
    assert_eq!(workshop.git(&["for-each-ref", &run.branch]), "");
}

#[tokio::test]
async fn what_is_refused_leaves_no_objects() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run =
        scene.engine.start_run(&crate::runs::agent(), crate::runs::start(&workshop.path())).await.unwrap();
    let before = workshop.git(&["count-objects", "-v"]);
    // Chance does not compress.
    let mut chance = vec![0; 48 << 20];
    getrandom::fill(&mut chance).unwrap();
    workshop.write("big", &chance);
    let from = holdpoint_engine::run::PatchFrom::Worktree(&workshop.path());
    let refused = scene.engine.patch_run(&crate::runs::agent(), &run, from, None).await.unwrap_err();
    assert!(refused.to_string().contains("more than 32 MiB"), "{refused}");
    std::fs::remove_file(workshop.path().join("big")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", workshop.path().join("link")).unwrap();
    let from = holdpoint_engine::run::PatchFrom::Worktree(&workshop.path());
    scene.engine.patch_run(&crate::runs::agent(), &run, from, None).await.unwrap_err();
    assert_eq!(workshop.git(&["count-objects", "-v"]), before);
}

#[tokio::test]
async fn what_was_done_before_it_was_asked_again_is_done_once() {
    let (scene, workshop) = (Scene::new(), Workshop::new());
    let run = finished(&scene, &workshop).await;
    let base = workshop.head();
    let id = commit(&scene, &run).await;
    crate::runs::cut_off(&scene, id, CarryStep::Done).await;
    let made = workshop.git(&["rev-parse", &run.branch]);
    // The next process cannot look: the repository is away for a while.
    let away = workshop.path().with_extension("away");
    std::fs::rename(workshop.path(), &away).unwrap();
    let words = scene.engine.carry_out_verdicts().await.unwrap();
    assert!(words[0].contains("asked again"), "{words:?}");
    std::fs::rename(&away, workshop.path()).unwrap();
    let asked = again(&scene, &run).await;
    commit(&scene, &asked).await;
    assert_eq!(scene.engine.carry_out_verdicts().await.unwrap(), Vec::<String>::new());
    assert_eq!(again(&scene, &run).await.verdict.unwrap().commit, Some(made.clone()));
    assert_eq!(workshop.git(&["rev-list", "--count", &format!("{base}..{made}")]), "1");
    // The next process to start a run takes the note of the first answer away.
    finished(&scene, &workshop).await;
    assert_eq!(workshop.git(&["for-each-ref", "refs/holdpoint/verdicts"]), "");
}
