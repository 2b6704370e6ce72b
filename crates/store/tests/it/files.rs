//! The file itself: who may read it, where it may be, what is put in its place.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::sync::Arc;

use holdpoint_core::decision::New;
use holdpoint_core::{Command, Status};
use holdpoint_store::conformance::{Scene, StoreHarness, question};
use holdpoint_store::{Error, Options, Repair, Store, audit, sqlite};
use rusqlite::{Connection, OpenFlags};

use crate::bench::Folder;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn only_the_owner_may_look() {
    let folder = Folder::new();
    let scene = Scene::new(&folder).await;
    scene.ask(question()).await;
    let path = folder.path();
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for file in [path.clone(), path.with_extension("db-wal"), path.with_extension("db-shm")] {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    let copy = path.with_extension("copy");
    scene.store.backup(&copy).await.unwrap();
    assert_eq!(mode(&copy), 0o600);
}

#[tokio::test]
async fn words_of_what_is_removed_are_not_left_in_the_file() {
    let folder = Folder::new();
    let path = folder.path();
    let has = |word: &str| {
        let files = [path.clone(), path.with_extension("db-wal")];
        let read = files.map(|file| fs::read(file).unwrap_or_default());
        read.iter().any(|bytes| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
    };
    let scene = Scene::new(&folder).await;
    let ask = |word: &str| scene.ask(New { prompt: Some(word.to_uppercase()), ..question() });
    for word in ["apple", "zebra"] {
        ask(word).await;
    }
    let gone = ask("xylophone").await.id;
    for word in ["quince", "yonder"] {
        ask(word).await;
    }
    assert_eq!(scene.store.index(9).await.unwrap(), 0);
    scene.answer(gone, "a").await.unwrap();
    assert!(has("xylophone"), "folded, so only the index has it");
    scene.submit(Command::Prune { id: gone }).await.unwrap();
    drop(scene);
    assert!(!has("xylophone") && !has("XYLOPHONE"));
    assert!(has("quince") && has("QUINCE"));
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let folder = Folder::new();
    let store = folder.store();
    folder.raw().pragma_update(None, "user_version", 99).unwrap();
    let error = sqlite::open(&folder.path(), Options::default()).unwrap_err();
    assert!(matches!(error, Error::TooNew { found: 99, .. }), "{error}");
    // Also by a process that had it open before.
    assert!(matches!(store.head().await.unwrap_err(), Error::TooNew { found: 99, .. }));
    let scene = Scene::new(&Folder::new()).await;
    let submission = scene.submission(Command::Create(Box::new(question())));
    assert!(matches!(store.submit(submission).await.unwrap_err(), Error::TooNew { found: 99, .. }));
}

/// SQLite takes back what a killed process had written, and the file is empty again.
#[tokio::test]
async fn a_store_whose_maker_was_killed_is_made_anew() {
    let (folder, maker) = (Folder::new(), tempfile::tempdir().unwrap());
    let path = folder.path();
    let half = maker.path().join("half.db");
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let made = Connection::open_with_flags(&half, flags).unwrap();
    made.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE t (words)").unwrap();
    let fill = "INSERT INTO t SELECT randomblob(9999) FROM json_each('[1,2,3,4,5,6,7,8,9]')";
    made.execute(fill, []).unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::set_permissions(path.parent().unwrap(), fs::Permissions::from_mode(0o700)).unwrap();
    for (from, to) in [("half.db", path.clone()), ("half.db-journal", path.with_extension("db-journal"))] {
        assert!(fs::copy(maker.path().join(from), to).unwrap() > 0, "{from}");
    }
    drop(made);
    let scene = Scene::new(&folder).await;
    let asked = scene.ask(question()).await;
    assert_eq!(scene.answer(asked.id, "a").await.unwrap().decision.unwrap().status, Status::Answered);
}

#[test]
fn a_file_of_another_program_is_left_alone() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    fs::write(folder.path(), b"").unwrap();
    folder.raw().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    let error = sqlite::open(&folder.path(), Options::default()).unwrap_err();
    assert!(matches!(error, Error::Unsuitable(_)), "{error}");
    assert!(error.to_string().contains("recipes"));
}

#[test]
fn text_is_no_store() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    fs::write(folder.path(), "this is a letter, not a store\n".repeat(100)).unwrap();
    assert!(matches!(sqlite::open(&folder.path(), Options::default()), Err(Error::Corrupt(_))));
}

#[tokio::test]
async fn many_may_make_it_at_once() {
    let folder = Arc::new(Folder::new());
    let threads: Vec<_> = (0..8)
        .map(|_| {
            let folder = Arc::clone(&folder);
            std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async { Scene::new(folder.as_ref()).await.ask(question()).await.id })
            })
        })
        .collect();
    let mut ids: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 8);
    assert_eq!(folder.store().inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_whole_while_others_write() {
    let folder = Folder::new();
    let scene = Arc::new(Scene::new(&folder).await);
    scene.ask(question()).await;
    let writing = tokio::spawn({
        let scene = Arc::clone(&scene);
        async move {
            for _ in 0..200 {
                scene.ask(question()).await;
            }
        }
    });
    let copies: Vec<_> = (0..3).map(|at| folder.path().with_extension(format!("copy{at}"))).collect();
    for copy in &copies {
        scene.store.backup(copy).await.unwrap();
    }
    writing.await.unwrap();
    for copy in &copies {
        let store = sqlite::open(copy, Options::default()).unwrap();
        let head = store.head().await.unwrap().seq;
        assert!(head >= 1);
        assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
        assert_eq!(audit::verify(&store, &[], None).await.unwrap().faults, vec![]);
        // It is a store like any other.
        let submission = scene.submission(Command::Create(Box::new(question())));
        assert_eq!(store.submit(submission).await.unwrap().seq, head + 1);
    }
    let error = scene.store.backup(&copies[0]).await.unwrap_err();
    assert!(error.to_string().contains("overwrites nothing"), "{error}");
}

/// Asks until the write-ahead log was moved into the file at least once.
async fn ask_much(scene: &Scene, path: &Path) {
    let before = fs::metadata(path).unwrap().len();
    while fs::metadata(path).unwrap().len() < before + 100_000 {
        scene.ask(New { prompt: Some("words ".repeat(200)), ..question() }).await;
    }
}

#[tokio::test]
async fn a_backup_in_place_of_an_open_store_is_refused_until_it_is_opened_anew() {
    for with_log in [false, true] {
        let folder = Folder::new();
        let path = folder.path();
        let scene = Scene::new(&folder).await;
        let id = scene.ask(question()).await.id;
        let copy = path.with_extension("copy");
        scene.store.backup(&copy).await.unwrap();
        ask_much(&scene, &path).await;
        let kept = path.with_extension("kept");
        fs::rename(&path, &kept).unwrap();
        fs::rename(&copy, &path).unwrap();
        if with_log {
            for ending in ["db-wal", "db-shm"] {
                fs::remove_file(path.with_extension(ending)).unwrap();
            }
        }
        for _ in 0..3 {
            let submission = scene.submission(Command::Create(Box::new(question())));
            for error in [
                scene.store.submit(submission).await.unwrap_err(),
                scene.store.decision(id).await.unwrap_err(),
                scene.store.ready().await.unwrap_err(),
            ] {
                assert!(matches!(error, Error::Gone(_)), "{error:?}");
                assert!(error.to_string().contains("was replaced"), "{error}");
            }
        }
        drop(scene);
        // What lies there now is the backup and nothing else.
        let restored = folder.store();
        assert_eq!(restored.head().await.unwrap().seq, 1);
        assert_eq!(restored.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
        assert_eq!(restored.decision(id).await.unwrap().unwrap().status, Status::Pending);
        // And what lies elsewhere is all that was committed.
        let kept = sqlite::open(&kept, Options::default()).unwrap();
        assert!(kept.head().await.unwrap().seq > 10);
        assert_eq!(kept.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_store_overwritten_with_its_backup_is_refused() {
    let folder = Folder::new();
    let path = folder.path();
    let scene = Scene::new(&folder).await;
    scene.ask(question()).await;
    let copy = path.with_extension("copy");
    scene.store.backup(&copy).await.unwrap();
    ask_much(&scene, &path).await;
    scene.store.ready().await.unwrap();
    // Nothing is being moved back meanwhile: that would make it longer again before anybody looks.
    let is_busy =
        || folder.raw().query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get::<_, bool>(0));
    while is_busy().unwrap() {}
    // As cp does it.
    fs::copy(&copy, &path).unwrap();
    for _ in 0..3 {
        let submission = scene.submission(Command::Create(Box::new(question())));
        for error in [
            scene.store.submit(submission).await.unwrap_err(),
            scene.store.head().await.unwrap_err(),
            scene.store.ready().await.unwrap_err(),
        ] {
            assert!(matches!(error, Error::Gone(_)), "{error:?}");
            assert!(error.to_string().contains("was overwritten"), "{error}");
        }
    }
}

/// A small disk of its own, if this may be had here.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mounted =
            Process::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            Some(Self(folder))
        } else {
            println!("SKIPPED: a disk of {options} cannot be mounted here; it takes root");
            None
        }
    }

    fn store(&self) -> Result<sqlite::Sqlite, Error> {
        sqlite::open(&self.0.path().join("hold.db"), Options::default())
    }
}

impl Disk {
    fn path(&self) -> PathBuf {
        self.0.path().join("hold.db")
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let status = Process::new("mount").args(["-o", &options]).arg(self.0.path()).status().unwrap();
        assert!(status.success());
    }

    /// Takes all the room that is left.
    fn fill(&self) -> PathBuf {
        let filler = self.0.path().join("filler");
        let mut file = fs::File::create(&filler).unwrap();
        let mut size = 1 << 20;
        while size > 0 {
            if file.write_all(&vec![b'x'; size]).is_err() {
                size /= 2;
            }
        }
        filler
    }
}

/// Moves the log of a store back and removes it, as the last program to close it may.
fn close(path: &Path) {
    let raw = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap();
    raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(raw);
    assert!(!path.with_extension("db-wal").exists() && !path.with_extension("db-shm").exists());
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Process::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_is_told_and_nothing_is_lost() {
    let Some(disk) = Disk::new("size=1m") else { return };
    let store = disk.store().unwrap();
    let scene = Scene::new(&Folder::new()).await;
    let ask = || scene.submission(Command::Create(Box::new(question())));
    let mut asked = Vec::new();
    let error = loop {
        match store.submit(ask()).await {
            Ok(outcome) => asked.push(outcome.decision.unwrap().id),
            Err(error) => break error,
        }
        assert!(asked.len() < 10_000);
    };
    assert!(matches!(error, Error::Full(_)), "{error:?}");
    assert!(!asked.is_empty());
    assert_eq!(store.head().await.unwrap().seq, i64::try_from(asked.len()).unwrap());
    assert!(store.decision(asked[asked.len() - 1]).await.unwrap().is_some());
    let remount = Process::new("mount").args(["-o", "remount,size=8m"]).arg(disk.0.path()).status().unwrap();
    assert!(remount.success());
    store.submit(ask()).await.unwrap();
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

#[tokio::test]
async fn a_read_only_store_is_read() {
    let Some(disk) = Disk::new("size=8m") else { return };
    let scene = Scene::new(&Folder::new()).await;
    let ask = || scene.submission(Command::Create(Box::new(question())));
    let id = disk.store().unwrap().submit(ask()).await.unwrap().decision.unwrap().id;
    let remount = Process::new("mount").args(["-o", "remount,ro"]).arg(disk.0.path()).status().unwrap();
    assert!(remount.success());
    let store = disk.store().unwrap();
    assert!(store.decision(id).await.unwrap().is_some());
    let error = store.submit(ask()).await.unwrap_err();
    assert!(matches!(error, Error::ReadOnly(_)), "{error:?}");
}

#[tokio::test]
async fn a_closed_store_is_read_on_a_full_disk() {
    let Some(disk) = Disk::new("size=4m") else { return };
    let scene = Scene::new(&Folder::new()).await;
    let ask = || scene.submission(Command::Create(Box::new(question())));
    let id = disk.store().unwrap().submit(ask()).await.unwrap().decision.unwrap().id;
    close(&disk.path());
    let filler = disk.fill();
    let store = disk.store().unwrap();
    assert!(store.decision(id).await.unwrap().is_some());
    let error = store.submit(ask()).await.unwrap_err();
    assert!(matches!(error, Error::Full(_)), "{error:?}");
    assert_eq!(store.head().await.unwrap().seq, 1);
    let copy = Folder::new();
    fs::create_dir_all(copy.path().parent().unwrap()).unwrap();
    store.backup(&copy.path()).await.unwrap();
    assert!(copy.store().decision(id).await.unwrap().is_some());
    // Somebody makes room, and another process is the first to use it.
    fs::remove_file(&filler).unwrap();
    disk.store().unwrap().submit(ask()).await.unwrap();
    assert_eq!(store.head().await.unwrap().seq, 2);
    store.submit(ask()).await.unwrap();
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

#[tokio::test]
async fn a_closed_store_is_read_on_a_read_only_disk() {
    let Some(disk) = Disk::new("size=8m") else { return };
    let scene = Scene::new(&Folder::new()).await;
    let ask = || scene.submission(Command::Create(Box::new(question())));
    let id = disk.store().unwrap().submit(ask()).await.unwrap().decision.unwrap().id;
    close(&disk.path());
    disk.remount("ro");
    let store = disk.store().unwrap();
    assert!(store.decision(id).await.unwrap().is_some());
    let error = store.submit(ask()).await.unwrap_err();
    assert!(matches!(error, Error::ReadOnly(_)), "{error:?}");
    let copy = Folder::new();
    fs::create_dir_all(copy.path().parent().unwrap()).unwrap();
    store.backup(&copy.path()).await.unwrap();
    assert!(copy.store().decision(id).await.unwrap().is_some());
}

#[tokio::test]
async fn who_may_only_read_sees_what_others_write() {
    let Some(disk) = Disk::new("size=8m") else { return };
    let scene = Scene::new(&Folder::new()).await;
    let ask = || scene.submission(Command::Create(Box::new(question())));
    disk.store().unwrap().submit(ask()).await.unwrap();
    close(&disk.path());
    // The same folder, where it may only be read.
    let folder = tempfile::tempdir().unwrap();
    let bound = Process::new("mount").arg("--bind").args([disk.0.path(), folder.path()]).status().unwrap();
    assert!(bound.success());
    let view = Disk(folder);
    view.remount("bind,ro");
    let store = view.store().unwrap();
    let mut seen = store.watch().unwrap();
    assert_eq!(*seen.borrow_and_update(), 1);
    let writer = disk.store().unwrap();
    for expected in 2..5 {
        writer.submit(ask()).await.unwrap();
        assert_eq!(store.head().await.unwrap().seq, expected);
        seen.wait_for(|seq| *seq == expected).await.unwrap();
    }
}

#[tokio::test]
async fn a_store_that_cannot_be_made_says_why() {
    let folder = Folder::new();
    let path = folder.path();
    fs::write(path.parent().unwrap(), "in the way").unwrap();
    let error = sqlite::open(&path, Options::default()).unwrap_err();
    assert!(error.to_string().contains("cannot make the folder"), "{error}");
}

#[tokio::test]
async fn handles_of_one_bench_are_one_store() {
    let folder = Folder::new();
    let (one, two) = (folder.open(Options::default()).await, folder.open(Options::default()).await);
    let scene = Scene::new(&folder).await;
    let id = scene.ask(question()).await.id;
    for store in [one, two] {
        assert!(store.decision(id).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn the_last_writer_leaves_a_short_log() {
    let folder = Folder::new();
    let log = folder.path().with_extension("db-wal");
    let length = || fs::metadata(&log).map_or(0, |file| file.len());
    let scene = Scene::new(&folder).await;
    for _ in 0..40 {
        scene.ask(question()).await;
    }
    assert!(length() > 64 * 4096);
    let other = folder.store();
    drop(scene);
    assert!(length() > 64 * 4096, "others have it open");
    drop(other);
    let scene = Scene::new(&folder).await;
    scene.ask(question()).await;
    drop(scene);
    assert_eq!(length(), 0);
    assert_eq!(folder.store().head().await.unwrap().seq, 41);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_log_is_moved_back_while_others_write() {
    let folder = Folder::new();
    let scene = Arc::new(Scene::new(&folder).await);
    let text = "x".repeat(100_000);
    for _ in 0..100 {
        let new = holdpoint_core::decision::New { prompt: Some(text.clone()), ..question() };
        scene.ask(new).await;
    }
    drop(scene);
    assert!(fs::metadata(folder.path()).unwrap().len() > 10_000_000);
    assert_eq!(folder.store().inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
