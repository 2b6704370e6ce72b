//! Several nodes on one database: who hears of what, whose clock counts, who makes the tables.

use std::collections::BTreeMap;
use std::time::Duration;

use holdpoint_core::decision::New;
use holdpoint_core::{Actor, Command, Lane, Occasion, Span, Status, Timestamp};
use holdpoint_store::conformance::{choose, question};
use holdpoint_store::postgres::{self, Address};
use holdpoint_store::{Claim, ClaimOrder, Error, Options, Repair, Rotation, Route, Store, Submission, audit};

use super::bench::Schema;
use super::cluster::cluster;

const TIMEOUT: Duration = Duration::from_secs(10);

fn submission(command: Command) -> Submission {
    // A clock that is years behind: it must not count.
    Submission::new(command, Actor::claimed("ana", "cli"), Timestamp::from_millis(1_000))
}

fn create(new: New) -> Submission {
    submission(Command::Create(Box::new(new)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tables_are_made_once() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let mut opening = Vec::new();
    for _ in 0..8 {
        let address = schema.address();
        opening.push(tokio::spawn(async move { postgres::open(address, Options::default()).await.unwrap() }));
    }
    let mut stores = Vec::new();
    for one in opening {
        stores.push(one.await.unwrap());
    }
    let id = stores[0].submit(create(question())).await.unwrap().decision.unwrap().id;
    for store in &stores {
        assert_eq!(store.decision(id).await.unwrap().unwrap().id, id);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_of_the_database_counts() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let store = schema.store().await;
    let before = store.head().await.unwrap().clock.unwrap();
    let made = store.submit(create(New { timeout: Some(Span::from_secs(60)), ..question() })).await.unwrap();
    let made = made.decision.unwrap();
    assert!(made.created_at >= before, "{} is before {before}", made.created_at);
    let far = Timestamp::from_millis(i64::MAX / 4);
    assert_eq!(store.due(far, 10).await.unwrap(), [], "a caller's clock that is ahead fires no deadline");
    let expire =
        Submission { actor: Actor::system(), now: far, ..submission(Command::Expire { id: made.id }) };
    let outcome = store.submit(expire).await;
    let status = store.decision(made.id).await.unwrap().unwrap().status;
    assert_eq!(status, Status::Pending, "{outcome:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_feed_tells_of_own_and_others_commits() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let (here, there) = (schema.store().await, schema.store().await);
    let (listener, mut feed) = tokio::sync::mpsc::unbounded_channel();
    here.subscribe(std::sync::Arc::new(listener)).unwrap();
    let id = there.submit(create(question())).await.unwrap().decision.unwrap().id;
    let foreign = tokio::time::timeout(TIMEOUT, feed.recv()).await.unwrap().unwrap();
    assert_eq!((foreign.seq, foreign.foreign, foreign.changed.len()), (1, true, 0));
    here.submit(submission(choose(id, "a"))).await.unwrap();
    let own = tokio::time::timeout(TIMEOUT, feed.recv()).await.unwrap().unwrap();
    assert_eq!((own.seq, own.foreign, own.changed[0].decision.status), (2, false, Status::Answered));
    // Word of our own commit comes back from the database, too; it is not told twice.
    there.submit(create(question())).await.unwrap();
    let third = tokio::time::timeout(TIMEOUT, feed.recv()).await.unwrap().unwrap();
    assert_eq!((third.seq, third.foreign), (3, true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_never_take_the_same_row() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let route = Route::new(Occasion::Create, Lane::Hook, "t");
    let store = schema.store().await;
    for _ in 0..40 {
        let routes = std::sync::Arc::from([route.clone()]);
        store.submit(Submission { routes, ..create(question()) }).await.unwrap();
    }
    let mut claiming = Vec::new();
    for node in 0..4 {
        let store = schema.store().await;
        claiming.push(tokio::spawn(async move {
            let (now, until) = (Timestamp::from_millis(0), Timestamp::from_millis(60_000));
            let mut taken = Vec::new();
            loop {
                let (each, busy, turns) = (40, BTreeMap::new(), Rotation::default());
                let claim = Claim {
                    lane: Lane::Hook,
                    pick: ClaimOrder::InTurn { each, busy, turns },
                    lease: node.to_string(),
                    until,
                    now,
                    limit: 3,
                };
                let entries = store.claim(claim).await.unwrap();
                if entries.is_empty() {
                    return taken;
                }
                taken.extend(entries.iter().map(|entry| entry.id));
            }
        }));
    }
    let mut taken = Vec::new();
    for one in claiming {
        taken.extend(one.await.unwrap());
    }
    taken.sort_unstable();
    assert_eq!(taken.len(), 40);
    taken.dedup();
    assert_eq!(taken.len(), 40);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_need_no_names() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let address =
        Address::parse(&format!("{}&prepared_statements=off", cluster.address(&schema.name))).unwrap();
    let store = postgres::open(address, Options::default()).await.unwrap();
    for _ in 0..5 {
        let id = store.submit(create(question())).await.unwrap().decision.unwrap().id;
        store.submit(submission(choose(id, "a"))).await.unwrap();
        assert!(store.decision(id).await.unwrap().is_some());
    }
    assert_eq!(audit::verify(&store, &[], None).await.unwrap().faults, vec![]);
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_fit_is_told() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let store = schema.store().await;
    let error = store.backup(std::path::Path::new("/nowhere")).await.unwrap_err();
    assert!(error.to_string().contains("pg_dump"), "{error}");
    let raw = schema.raw().await;
    raw.batch_execute("UPDATE meta SET value = 99 WHERE name = 'schema'").await.unwrap();
    let error = postgres::open(schema.address(), Options::default()).await.unwrap_err();
    assert!(matches!(error, Error::TooNew { found: 99, .. }), "{error:?}");
    let error = store.submit(create(question())).await.unwrap_err();
    assert!(matches!(error, Error::TooNew { found: 99, .. }), "{error:?}");
    // A readiness check hears of it, too.
    let error = store.head().await.unwrap_err();
    assert!(matches!(error, Error::TooNew { found: 99, .. }), "{error:?}");
    let foreign = Schema::new(cluster);
    raw.batch_execute(&format!("CREATE SCHEMA {0}; CREATE TABLE {0}.theirs ()", foreign.name)).await.unwrap();
    let error = postgres::open(foreign.address(), Options::default()).await.unwrap_err();
    assert!(error.to_string().contains("another program"), "{error}");
}

#[tokio::test]
async fn no_password_is_told() {
    let url = "postgres://me:s3cret@127.0.0.1:1/hold?connect_timeout=1";
    let address = Address::parse(url).unwrap();
    let error = postgres::open(address, Options::default()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable(_)), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("s3cret"));
}
