//! Notices in a burst: how many are claimed and recorded as sent per second, with few queued and with many, on both
//! stores. The targets answer at once, so that only the cost of the outbox is measured.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::{Lane, Occasion, Span};
use holdpoint_engine::{Clock, Engine, Role};
use holdpoint_store::{Claim, ClaimOrder, Delivery, Rotation, Route, Store, Submission};
use tokio::task::JoinSet;

use crate::postgres::Cluster;
use crate::process::Setup;
use crate::sample::middle;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, say, seed};

const FEW: usize = 1_000;
const MANY: usize = 100_000;
/// How many are sent in one turn; as many are queued again afterwards.
const TURN: usize = 400;
const PROJECTS: usize = 10;
const TARGETS: [&str; 4] = ["w0", "w1", "w2", "w3"];
/// How many notices a server sends concurrently with this many targets.
const AT_ONCE: usize = 16;

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 15 } else { 7 };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let few: Arc<dyn Store> = seed::open(&setup.home("outbox-few").store())?;
        let many: Arc<dyn Store> = seed::open(&setup.home("outbox-many").store())?;
        let mut rows = vec![compared("SQLite", &few, &many, rounds).await?];
        let Some(cluster) = Cluster::start(setup)? else {
            say("outbox: PostgreSQL is SKIPPED, it is not installed")?;
            return Ok(rows);
        };
        let open = async |schema: &str| -> Result<Arc<dyn Store>> {
            let address = format!("{}&schema={schema}", cluster.address());
            let engine = Engine::open(&setup.home(schema), Some(&address), Role::Server).await?;
            Ok(Arc::clone(engine.store()))
        };
        let (few, many) = (open("outbox_few").await?, open("outbox_many").await?);
        rows.push(compared("PostgreSQL", &few, &many, rounds).await?);
        Ok(rows)
    })
}

/// Runs both in turn; returns the rate with many queued compared with that with few.
async fn compared(name: &str, few: &Arc<dyn Store>, many: &Arc<dyn Store>, rounds: usize) -> Result<Row> {
    let start = Instant::now();
    queue(few, FEW).await?;
    queue(many, MANY).await?;
    say(&format!("outbox: {MANY} queued on {name} in {:.1} s", start.elapsed().as_secs_f64()))?;
    let (mut with_few, mut with_many) = (Vec::new(), Vec::new());
    let mut turns = [Rotation::default(), Rotation::default()];
    for _ in 0..rounds {
        with_few.push(turn(few, &mut turns[0]).await?);
        with_many.push(turn(many, &mut turns[1]).await?);
    }
    Ok(Row {
        what: format!("notices claimed and recorded, {MANY} queued, {name}"),
        measured: Quantity::Rate(middle(with_many)),
        peer: Some((Quantity::Rate(middle(with_few)), "with 1,000 queued")),
        target: Target::AtLeast(0.834),
    })
}

/// Sends some and queues as many again; returns how many were sent per second.
async fn turn(store: &Arc<dyn Store>, turns: &mut Rotation) -> Result<f64> {
    let start = Instant::now();
    let mut sent = 0;
    while sent < TURN {
        let now = Clock::System.now();
        let claim = Claim {
            lane: Lane::Webhook,
            pick: ClaimOrder::InTurn { each: 4, busy: BTreeMap::new(), turns: turns.clone() },
            lease: "bench".into(),
            until: now.checked_add(Span::from_secs(30)).ok_or("the clock is at its end")?,
            now,
            limit: AT_ONCE,
        };
        let outbox_entries = store.claim(claim).await?;
        if outbox_entries.len() != AT_ONCE {
            return Err(format!("{} were claimed of {AT_ONCE}", outbox_entries.len()).into());
        }
        for entry in &outbox_entries {
            turns.took(entry);
        }
        let done = outbox_entries.iter().map(|entry| (entry.id, Delivery::Done)).collect();
        store.deliver("bench", done).await?;
        sent += outbox_entries.len();
    }
    let rate = f64::from(u32::try_from(sent)?) / start.elapsed().as_secs_f64();
    queue(store, sent).await?;
    // Pending writes of this measurement must not delay the next.
    tokio::time::sleep(Duration::from_millis(20)).await;
    Ok(rate)
}

/// Queues this many notices by asking, as a burst does.
async fn queue(store: &Arc<dyn Store>, count: usize) -> Result<()> {
    let routes: Arc<[Route]> =
        TARGETS.iter().map(|name| Route::new(Occasion::Create, Lane::Webhook, *name)).collect();
    let mut asking = JoinSet::new();
    for number in 0..count / TARGETS.len() {
        let submission = Submission {
            routes: Arc::clone(&routes),
            ..seed::ask_in(&format!("p{}", number % PROJECTS), number)
        };
        let store = Arc::clone(store);
        asking.spawn(async move { store.submit(submission).await.map(drop) });
        if asking.len() >= 512
            && let Some(asked) = asking.join_next().await
        {
            asked??;
        }
    }
    while let Some(asked) = asking.join_next().await {
        asked??;
    }
    Ok(())
}
