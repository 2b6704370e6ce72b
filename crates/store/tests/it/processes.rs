//! Several processes on one file. Each child is this test binary, told to run one of the parts below.

use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::Duration;

use holdpoint_core::{Command, Status};
use holdpoint_store::conformance::{Scene, choose, question};
use holdpoint_store::{Error, Options, Repair, Store, audit, sqlite};

use crate::bench::Folder;

const STORE: &str = "HOLD_TEST_STORE";

/// Starts a child that runs one part on a store.
fn start(part: &str, store: &Path) -> Child {
    Process::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("processes::{part}"), "--ignored", "--test-threads=1", "--nocapture"])
        .env(STORE, store)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// The store that the parent named.
fn named() -> sqlite::Sqlite {
    sqlite::open(Path::new(&std::env::var_os(STORE).unwrap()), Options::default()).unwrap()
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[tokio::test]
#[ignore = "a part: run by its parent, in a process of its own"]
async fn part_asks_thirty_times() {
    let store = named();
    let scene = Scene::new(&Folder::new()).await;
    for _ in 0..30 {
        store.submit(scene.submission(Command::Create(Box::new(question())))).await.unwrap();
    }
}

#[tokio::test]
#[ignore = "a part: run by its parent, in a process of its own"]
async fn part_answers_everything() {
    let store = named();
    let scene = Scene::new(&Folder::new()).await;
    for id in store.find("", 1_000).await.unwrap() {
        match store.submit(scene.submission(choose(id, "a"))).await {
            Ok(_) => {}
            Err(Error::Refused(refusal)) => assert_eq!(refusal.code(), "already_settled"),
            Err(other) => assert_eq!(other.to_string(), ""),
        }
    }
}

#[tokio::test]
#[ignore = "a part: run by its parent, in a process of its own"]
async fn part_counts_threads() {
    let before = threads();
    let store = named();
    store.head().await.unwrap();
    assert_eq!(
        store.list(&holdpoint_store::Query { limit: 9, ..Default::default() }).await.unwrap().items.len(),
        0
    );
    assert_eq!(threads(), before);
    let scene = Scene::new(&Folder::new()).await;
    store.submit(scene.submission(Command::Create(Box::new(question())))).await.unwrap();
    assert_eq!(threads(), before + 1);
    drop(store);
    drop(scene);
    // A joined thread may stand in the list for another moment.
    while threads() > before {
        tokio::task::yield_now().await;
    }
}

#[test]
fn reading_starts_no_thread() {
    let folder = Folder::new();
    assert!(start("part_counts_threads", &folder.path()).wait().unwrap().success());
}

#[tokio::test]
async fn processes_share_one_file() {
    let folder = Folder::new();
    let store = folder.store();
    let mut watch = store.watch().unwrap();
    let asking: Vec<Child> = (0..4).map(|_| start("part_asks_thirty_times", &folder.path())).collect();
    tokio::time::timeout(Duration::from_secs(60), watch.wait_for(|seq| *seq >= 120)).await.unwrap().unwrap();
    for mut child in asking {
        assert!(child.wait().unwrap().success());
    }
    let answering: Vec<Child> = (0..3).map(|_| start("part_answers_everything", &folder.path())).collect();
    for mut child in answering {
        assert!(child.wait().unwrap().success());
    }
    assert!(store.counts(None).await.unwrap().contains(&(Status::Answered, 120)));
    assert_eq!(store.head().await.unwrap().seq, 240);
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(audit::verify(&store, &[], None).await.unwrap().faults, vec![]);
}
