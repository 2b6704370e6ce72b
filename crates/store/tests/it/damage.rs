//! A damaged file: found, named, and never taken for sound.

use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};

use holdpoint_store::conformance::{Scene, question};
use holdpoint_store::{Error, Options, Repair, Store, audit, sqlite};
use rusqlite::{Connection, params};

use crate::bench::Folder;

/// A store with ten answered decisions, all of it in the file itself.
async fn settled() -> Folder {
    let folder = Folder::new();
    let scene = Scene::new(&folder).await;
    for _ in 0..10 {
        let id = scene.ask(question()).await.id;
        scene.answer(id, "a").await.unwrap();
    }
    drop(scene);
    folder.raw().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    folder
}

async fn faults(folder: &Folder) -> Vec<String> {
    let report = audit::verify(&folder.store(), &[], None).await.unwrap();
    report.faults.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn one_changed_byte_of_an_answer_is_named() {
    let folder = settled().await;
    let text = br#""by":"ana""#;
    // In the file itself, as a hand with an editor would: the answer of some event gets another name.
    let mut file = fs::OpenOptions::new().read(true).write(true).open(folder.path()).unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).unwrap();
    let body = folder
        .raw()
        .query_row("SELECT body FROM event WHERE seq = 8", [], |row| row.get::<_, String>(0))
        .unwrap();
    let at = bytes.windows(body.len()).position(|window| window == body.as_bytes()).unwrap();
    let name = at + body.as_bytes().windows(text.len()).position(|window| window == text).unwrap() + 6;
    file.seek(SeekFrom::Start(u64::try_from(name).unwrap())).unwrap();
    file.write_all(b"e").unwrap();
    drop(file);
    assert_eq!(faults(&folder).await, ["event 8 was tampered with: its body is not the one recorded"]);
}

#[tokio::test]
async fn every_touched_column_is_named() {
    for (column, value) in [("stream", "x"), ("type", "decision:cancelled"), ("body", "{}")] {
        let folder = settled().await;
        folder.raw().execute(&format!("UPDATE event SET {column} = ?1 WHERE seq = 5"), [value]).unwrap();
        let faults = faults(&folder).await;
        assert_eq!(faults.len(), 1, "{column}: {faults:?}");
        assert!(faults[0].starts_with("event 5 was tampered with"), "{column}: {faults:?}");
    }
    for column in ["body_hash", "prev", "hash"] {
        let folder = settled().await;
        let touch = format!("UPDATE event SET {column} = zeroblob(32) WHERE seq = 5");
        folder.raw().execute(&touch, params![]).unwrap();
        let faults = faults(&folder).await;
        assert!(faults[0].starts_with("event 5 was tampered with"), "{column}: {faults:?}");
        assert!(faults.iter().all(|fault| fault.contains("event 5")), "{column}: {faults:?}");
    }
}

#[tokio::test]
async fn a_removed_row_is_named() {
    let folder = settled().await;
    folder.raw().execute("DELETE FROM event WHERE seq IN (6, 7)", []).unwrap();
    assert_eq!(faults(&folder).await, ["events 6 to 7 are missing"]);
    assert!(!folder.store().inspect(Repair::No).await.unwrap().findings.is_empty());
}

#[tokio::test]
async fn lost_projections_come_back_from_the_log() {
    let folder = settled().await;
    let raw = folder.raw();
    let all = |raw: &Connection| -> Vec<(i64, String)> {
        let mut statement =
            raw.prepare("SELECT n, status || version || doc FROM decision ORDER BY n").unwrap();
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    let before = all(&raw);
    raw.execute_batch(
        "DELETE FROM decision WHERE n % 2 = 0; UPDATE decision SET doc = '{}' WHERE n = 3; \
         UPDATE decision SET version = 9 WHERE n = 5; DELETE FROM counter; UPDATE meta SET value = 0 WHERE name = 'last_number';",
    )
    .unwrap();
    let store = folder.store();
    let found = store.inspect(Repair::Rebuild).await.unwrap();
    assert!(found.rebuilt && found.findings.len() >= 8, "{found:?}");
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    assert_eq!(all(&raw), before);
}

#[tokio::test]
async fn a_truncated_file_is_corrupt() {
    let folder = settled().await;
    let length = fs::metadata(folder.path()).unwrap().len();
    let file = fs::OpenOptions::new().write(true).open(folder.path()).unwrap();
    file.set_len(length / 2).unwrap();
    drop(file);
    let told = match sqlite::open(&folder.path(), Options::default()) {
        Err(error) => error,
        Ok(store) => match store.inspect(Repair::No).await {
            Err(error) => error,
            Ok(inspection) => {
                assert!(!inspection.findings.is_empty());
                return;
            }
        },
    };
    assert!(matches!(told, Error::Corrupt(_)), "{told:?}");
}

#[tokio::test]
async fn a_scribbled_page_is_corrupt_and_not_a_crash() {
    let folder = settled().await;
    let length = fs::metadata(folder.path()).unwrap().len();
    for page in 1..length / 4096 {
        let folder = settled().await;
        let mut file = fs::OpenOptions::new().write(true).open(folder.path()).unwrap();
        file.seek(SeekFrom::Start(page * 4096)).unwrap();
        file.write_all(&[0xA5; 4096]).unwrap();
        drop(file);
        let Ok(store) = sqlite::open(&folder.path(), Options::default()) else { continue };
        match store.inspect(Repair::No).await {
            Ok(inspection) => assert!(!inspection.findings.is_empty(), "page {page}"),
            Err(error) => assert!(matches!(error, Error::Corrupt(_)), "page {page}: {error:?}"),
        }
    }
}

#[tokio::test]
async fn a_damaged_decision_does_not_stop_the_others() {
    let folder = Folder::new();
    let scene = Scene::new(&folder).await;
    let timeout = Some(holdpoint_core::Span::from_secs(5));
    let damaged = scene.ask(holdpoint_core::decision::New { timeout, ..question() }).await.id;
    folder.raw().execute("UPDATE decision SET doc = '{'", []).unwrap();
    scene.at(10);
    let other = scene.ask(question()).await.id;
    scene.answer(other, "a").await.unwrap();
    assert!(matches!(scene.answer(damaged, "a").await, Err(Error::Corrupt(_))));
    assert!(matches!(scene.store.decision(damaged).await, Err(Error::Corrupt(_))));
    scene.store.inspect(Repair::Rebuild).await.unwrap();
    assert_eq!(scene.decision(damaged).await.id, damaged);
}
