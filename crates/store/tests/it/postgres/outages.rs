//! Lost connections and a database that goes away: nothing acknowledged is lost, nothing happens twice.

use std::sync::Arc;
use std::time::Duration;

use holdpoint_core::{Actor, Command, Timestamp};
use holdpoint_store::conformance::question;
use holdpoint_store::postgres::{self, Address};
use holdpoint_store::{Error, Options, Repair, Store, Submission, audit};
use tokio::sync::mpsc;

use super::bench::Schema;
use super::cluster::{Cluster, cluster};
use super::line::{Cut, Line};

fn create(key: String) -> Submission {
    let now = Timestamp::from_millis(0);
    let command = Command::Create(Box::new(question()));
    Submission { key: Some(key), ..Submission::new(command, Actor::claimed("ana", "cli"), now) }
}

/// Submits until nobody counts any more, and returns what was acknowledged and what was left in doubt.
async fn busy(store: Arc<dyn Store>, node: usize, acknowledgements: mpsc::Sender<()>) -> (Vec<i64>, usize) {
    let (mut acknowledged, mut doubtful) = (Vec::new(), 0);
    for at in 0.. {
        // Every command is another one, so a replay can only come of a command that was carried out twice.
        match store.submit(create(format!("{node}/{at}"))).await {
            Ok(outcome) => {
                assert!(!outcome.replayed, "it was done before");
                acknowledged.push(outcome.seq);
                if acknowledgements.send(()).await.is_err() {
                    break;
                }
            }
            Err(Error::Unreachable(_)) => doubtful += 1,
            Err(other) => assert_eq!(other.to_string(), ""),
        }
    }
    (acknowledged, doubtful)
}

/// Checks the log against what was acknowledged.
async fn check(store: &dyn Store, nodes: Vec<(Vec<i64>, usize)>) {
    let doubtful: usize = nodes.iter().map(|(_, doubtful)| doubtful).sum();
    let mut acknowledged: Vec<i64> = nodes.into_iter().flat_map(|(acknowledged, _)| acknowledged).collect();
    let count = acknowledged.len();
    acknowledged.sort_unstable();
    acknowledged.dedup();
    let events = usize::try_from(store.head().await.unwrap().seq).unwrap();
    assert!(
        (count..=count + doubtful).contains(&events),
        "{count} acknowledged, {doubtful} in doubt, {events} there"
    );
    assert_eq!(audit::verify(store, &[], None).await.unwrap().faults, vec![]);
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cut_connections_are_no_loss() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let (counter, mut acknowledged) = mpsc::channel(1);
    let mut nodes = Vec::new();
    for node in 0..3 {
        let address = format!("{}&application_name={}", cluster.address(&schema.name), schema.name);
        let store = postgres::open(Address::parse(&address).unwrap(), Options::default()).await.unwrap();
        nodes.push(tokio::spawn(busy(Arc::new(store), node, counter.clone())));
    }
    drop(counter);
    let raw = schema.raw().await;
    // One node was just answered; what the others are at is cut wherever it is.
    for _ in 0..40 {
        acknowledged.recv().await.unwrap();
        let sql = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1";
        raw.query(sql, &[&schema.name]).await.unwrap();
    }
    drop(acknowledged);
    let mut done = Vec::new();
    for node in nodes {
        done.push(node.await.unwrap());
    }
    check(&schema.store().await, done).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restarted_database_is_found_again() {
    // Of its own: others go on using theirs meanwhile. It ends with the process.
    let cluster = Cluster::own();
    let cluster: &'static Cluster = Box::leak(Box::new(cluster));
    let schema = Schema::new(cluster);
    let (counter, mut acknowledged) = mpsc::channel(1);
    let mut nodes = Vec::new();
    for node in 0..2 {
        let store: Arc<dyn Store> = Arc::new(schema.store().await);
        nodes.push(tokio::spawn(busy(store, node, counter.clone())));
    }
    drop(counter);
    let watching = schema.store().await;
    let mut seen = watching.watch().unwrap();
    for _ in 0..2 {
        for _ in 0..20 {
            acknowledged.recv().await.unwrap();
        }
        let restart = tokio::task::spawn_blocking(|| {
            cluster.crash();
            cluster.start_server();
        });
        restart.await.unwrap();
    }
    // A watcher from before the outage is woken again.
    let from = *seen.borrow_and_update();
    for _ in 0..20 {
        acknowledged.recv().await.unwrap();
    }
    tokio::time::timeout(Duration::from_secs(20), seen.wait_for(|seq| *seq > from)).await.unwrap().unwrap();
    drop(acknowledged);
    let mut done = Vec::new();
    for node in nodes {
        done.push(node.await.unwrap());
    }
    check(&schema.store().await, done).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_whose_answer_is_lost_is_not_made_twice() {
    let cluster = cluster();
    for cut in [Cut::Answer, Cut::Commit] {
        let schema = Schema::new(cluster);
        // The tables are made before anything is cut.
        let direct = schema.store().await;
        let line = Line::new(&cluster.folder.join(".s.PGSQL.5432"), cut);
        let address =
            cluster.address(&schema.name).replace(&cluster.folder.display().to_string(), &line.folder());
        let store = postgres::open(Address::parse(&address).unwrap(), Options::default()).await.unwrap();
        let outcome = store.submit(create("k".into())).await.unwrap();
        assert!(line.was_cut(), "{cut:?}");
        assert!(!outcome.replayed, "{cut:?}");
        assert_eq!((outcome.seq, direct.head().await.unwrap().seq), (1, 1), "{cut:?}");
        assert!(direct.decision(outcome.decision.unwrap().id).await.unwrap().is_some());
        assert_eq!(direct.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadlock_is_tried_again() {
    let cluster = cluster();
    let schema = Schema::new(cluster);
    let store = Arc::new(schema.store().await);
    store.submit(create("first".into())).await.unwrap();
    let (mut raw, watching) = (schema.raw().await, schema.raw().await);
    let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (SELECT pid FROM pg_stat_activity \
        WHERE query LIKE $1)";
    let pattern = format!("%\"{}\".%", schema.name);
    let mut lost = 0;
    // The database picks whom it turns back; here it is to be us, once at least.
    for round in 1..=10 {
        // Someone takes the rows of a commit in the other order.
        let other = raw.transaction().await.unwrap();
        other.batch_execute("SET LOCAL deadlock_timeout = '3s'; UPDATE counter SET n = n").await.unwrap();
        let submitting = tokio::spawn({
            let store = Arc::clone(&store);
            async move { store.submit(create(round.to_string())).await }
        });
        while watching.query_one(waits, &[&pattern]).await.unwrap().get::<_, i64>(0) == 0 {
            tokio::task::yield_now().await;
        }
        let won = other.query("SELECT 1 FROM head FOR UPDATE", &[]).await.is_ok();
        drop(if won { other.commit().await } else { other.rollback().await });
        let outcome = submitting.await.unwrap().unwrap();
        assert_eq!((outcome.seq, outcome.replayed), (round + 1, false));
        lost += usize::from(won);
        if lost > 0 {
            break;
        }
    }
    assert!(lost > 0);
    assert_eq!(store.inspect(Repair::No).await.unwrap().findings, Vec::<String>::new());
}
