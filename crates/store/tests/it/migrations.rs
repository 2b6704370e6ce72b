//! A store that an older program made is brought up to date and keeps what it has.

use holdpoint_core::decision::New;
use holdpoint_core::{Actor, Command, Field, Kind, Status, Timestamp};
use holdpoint_store::{Credentials as _, Options, Query, Repair, Store as _, Submission, sqlite};
use rusqlite::Connection;

use crate::bench::Folder;

const FIRST: &str = include_str!("../../src/sqlite/migrations/0001.sql");

fn create() -> Submission {
    let fields = vec![Field::new("text", Kind::Text, "Why?")];
    let new = New { prompt: Some("Why?".into()), fields, ..New::default() };
    let now = Timestamp::from_millis(1_000);
    Submission::new(Command::Create(Box::new(new)), Actor::claimed("ana", "cli"), now)
}

#[tokio::test]
async fn a_store_without_credentials_gets_them_and_stays_open() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().parent().unwrap()).unwrap();
    // Opened by hand, as the older program would.
    #[expect(clippy::disallowed_methods, reason = "it makes the file of an older program")]
    let old = Connection::open(folder.path()).unwrap();
    old.execute_batch(FIRST).unwrap();
    old.execute_batch(
        "INSERT INTO meta (name, value) VALUES ('key', 42), ('last_number', 0); \
         PRAGMA journal_mode = WAL; PRAGMA user_version = 1;",
    )
    .unwrap();
    drop(old);
    let store = folder.store();
    assert!(!store.auth_required().await.unwrap());
    let asked = store.submit(create()).await.unwrap().decision.unwrap();
    assert_eq!(asked.status, Status::Pending);
    let again = sqlite::open(&folder.path(), Options::default()).unwrap();
    let listed = again.list(&Query { limit: 5, ..Query::default() }).await.unwrap().items;
    assert_eq!(listed, [asked]);
    assert_eq!(again.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
