//! Stores of every schema version since the first open, verify and go on.

use ed25519_dalek::{Signer as _, SigningKey};
use holdpoint_core::Timestamp;
use holdpoint_store::chain::{GENESIS, body_hash, checkpoint_message, event_hash, hex, key_id};
use holdpoint_store::conformance::{Scene, question, signer};
use holdpoint_store::{CheckpointPolicy, Options, Repair, audit, sqlite, vouch};
use rusqlite::{Connection, params};

use crate::bench::Folder;

const MIGRATIONS: [&str; 9] = [
    include_str!("../../src/sqlite/migrations/0001.sql"),
    include_str!("../../src/sqlite/migrations/0002.sql"),
    include_str!("../../src/sqlite/migrations/0003.sql"),
    include_str!("../../src/sqlite/migrations/0004.sql"),
    include_str!("../../src/sqlite/migrations/0005.sql"),
    include_str!("../../src/sqlite/migrations/0006.sql"),
    include_str!("../../src/sqlite/migrations/0007.sql"),
    include_str!("../../src/sqlite/migrations/0008.sql"),
    include_str!("../../src/sqlite/migrations/0009.sql"),
];

/// Makes the file of an older program: two events, and a checkpoint by key 1 as it was signed then.
fn old(folder: &Folder, version: usize) {
    std::fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    #[expect(clippy::disallowed_methods, reason = "it makes the file of an older program")]
    let raw = Connection::open(folder.path()).unwrap();
    for script in &MIGRATIONS[..version] {
        raw.execute_batch(script).unwrap();
    }
    raw.execute_batch("INSERT INTO meta (name, value) VALUES ('key', 42), ('last_number', 0)").unwrap();
    let mut prev = GENESIS;
    for seq in 1..=2_i64 {
        let body = format!(r#"{{"by":"ana","id":"web","min_timeout":"{seq}m","project":"web"}}"#);
        let of_body = body_hash(&body);
        let (stream, tag, at) = ("project/web", "project:updated", 1_000 * seq);
        let hash = event_hash(seq, stream, seq, tag, at, &hex(&of_body), &hex(&prev));
        raw.execute(
            "INSERT INTO event (seq, stream, version, type, at, body, body_hash, prev, hash) \
             VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![seq, stream, tag, at, body, of_body, prev, hash],
        )
        .unwrap();
        prev = hash;
    }
    let secret = SigningKey::from_bytes(&[1; 32]);
    let public = hex(secret.verifying_key().as_bytes());
    let at = Timestamp::from_millis(3_000);
    let message = checkpoint_message(2, &hex(&prev), &at.to_string(), &key_id(&public));
    let signature = hex(&secret.sign(&message).to_bytes());
    raw.execute("INSERT INTO key (id, public_key) VALUES (?1, ?2)", [key_id(&public), public]).unwrap();
    raw.execute(
        "INSERT INTO checkpoint (seq, hash, at, key, signature) VALUES (2, ?1, ?2, ?3, ?4)",
        params![hex(&prev), at.as_millis(), key_id(&hex(secret.verifying_key().as_bytes())), signature],
    )
    .unwrap();
    raw.execute_batch(&format!("PRAGMA journal_mode = WAL; PRAGMA user_version = {version};")).unwrap();
}

#[tokio::test]
async fn stores_of_every_version_open_verify_and_go_on() {
    for version in 1..=MIGRATIONS.len() {
        let folder = Folder::new();
        old(&folder, version);
        assert_eq!(sqlite::schema_of(&folder.path()), i64::try_from(version).ok());
        assert!(sqlite::schema_of(&folder.path()) < Some(sqlite::known_schema()), "an older one");
        let key = signer(1);
        let options = Options {
            signer: Some(std::sync::Arc::clone(&key)),
            policy: CheckpointPolicy::EveryCommit,
            ..Options::default()
        };
        let scene = Scene::with(&folder, options).await;
        let store = scene.store.as_ref();
        let report = audit::verify(store, &[key.public_key()], Some(key.as_ref())).await.unwrap();
        assert_eq!((report.faults, report.vouched_to, report.head), (vec![], 2, 2), "version {version}");
        scene.ask(question()).await;
        let report = audit::verify(store, &[key.public_key()], Some(key.as_ref())).await.unwrap();
        assert_eq!((report.faults, report.vouched_to, report.head), (vec![], 3, 3), "version {version}");
        assert_eq!(store.vouching().broken(), None);
        store.inspect(Repair::Rebuild).await.unwrap();
        assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    }
}

#[tokio::test]
async fn an_old_store_that_was_rewritten_before_it_was_first_seen_is_not_signed() {
    let folder = Folder::new();
    old(&folder, 9);
    let body = r#"{"by":"eve","id":"web","min_timeout":"0s","project":"web"}"#;
    let of_body = body_hash(body);
    let raw = folder.raw();
    let prev: Vec<u8> = raw.query_row("SELECT prev FROM event WHERE seq = 2", [], |row| row.get(0)).unwrap();
    let hash = event_hash(2, "project/web", 2, "project:updated", 2_000, &hex(&of_body), &hex(&prev));
    raw.execute(
        "UPDATE event SET body = ?1, body_hash = ?2, hash = ?3 WHERE seq = 2",
        params![body, of_body, hash],
    )
    .unwrap();
    drop(raw);
    let options =
        Options { signer: Some(signer(1)), policy: CheckpointPolicy::EveryCommit, ..Options::default() };
    let scene = Scene::with(&folder, options).await;
    scene.ask(question()).await;
    let found = scene.store.vouching().broken().unwrap();
    assert!(found.to_string().contains("event 2 or one before it was rewritten"), "{found}");
    assert_eq!(vouch::sign(scene.store.as_ref(), scene.now()).await.unwrap(), None);
}
