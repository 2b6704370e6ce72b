//! Searching many decisions with the index, compared with reading each of them; and the effect of indexing on
//! concurrent questions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use holdpoint_core::Search;
use holdpoint_store::{Query, Store, sqlite};

use crate::commit::submitters;
use crate::process::Setup;
use crate::sample::{in_turn, middle};
use crate::seed::{self, Settled};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, say};

const ROUNDS: usize = 20;
/// The duration of one side's turn.
const TURN: Duration = Duration::from_millis(700);
/// The same as in a server.
const BATCH: usize = 32;
const PAUSE: Duration = Duration::from_millis(5);
const LOOK: Duration = Duration::from_millis(500);
const MANY: u64 = 64;
/// How long a search may take.
const MOST: Quantity = Quantity::Time(Duration::from_millis(50));

pub(crate) fn measure(setup: &Setup, stores: &[Settled], extent: Extent) -> Result<Vec<Row>> {
    let settled = stores.first().ok_or("no store was made")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let store = seed::open(&settled.file())?;
    let find = |text: &str| {
        let start = Instant::now();
        let found = runtime.block_on(found(&store, text))?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>((start.elapsed(), found))
    };
    // Nothing is indexed yet, so every decision is read.
    let scans =
        (0..3).map(|_| Ok(find("4711 failed payments")?.0.as_secs_f64())).collect::<Result<Vec<_>>>()?;
    let scan = Quantity::Time(Duration::from_secs_f64(middle(scans)));
    let start = Instant::now();
    while runtime.block_on(store.index(BATCH))? > 0 {}
    let indexing = start.elapsed();
    say(&format!("indexed {} decisions in {:.1} s", settled.count, indexing.as_secs_f64()))?;
    let one = |text: &'static str| move || Ok(find(text)?.0);
    let (mut rare, mut common, mut starts, mut none) =
        (one("4711 failed payments"), one("failed payments"), one("b f p"), one("nowhere to be found"));
    let [rare, common, starts, none] = in_turn(ROUNDS, [&mut rare, &mut common, &mut starts, &mut none])?;
    let row = |what: &str, time: Duration| Row {
        what: format!("search in {}: {what}", settled.count),
        measured: Quantity::Time(time),
        peer: Some((scan, "reading each decision")),
        target: Target::Under(MOST),
    };
    let mut rows = vec![
        row("a word that one has", rare.median()),
        row("words that all have, the first 50", common.median()),
        row("three single letters, the first 50", starts.median()),
        row("words that none has", none.median()),
        Row {
            what: "  indexing, decisions".into(),
            measured: Quantity::Rate(f64::from(u32::try_from(settled.count)?) / indexing.as_secs_f64()),
            peer: None,
            target: Target::None,
        },
    ];
    rows.extend(while_asking(setup, extent)?);
    Ok(rows)
}

/// Asks and answers, in turn with and without a concurrent indexer.
fn while_asking(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 9 } else { 3 };
    let (plain, indexed) =
        (seed::open(&setup.home("unindexed").store())?, seed::open(&setup.home("indexed").store())?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    let (mut without, mut with) = <([Vec<f64>; 2], [Vec<f64>; 2])>::default();
    for _ in 0..rounds {
        for (at, submitting) in [1, 64].into_iter().enumerate() {
            without[at].push(runtime.block_on(submitters(&plain, submitting, TURN))?);
            let stop = Arc::new(AtomicBool::default());
            let task = runtime.spawn(index(Arc::clone(&indexed), Arc::clone(&stop)));
            with[at].push(runtime.block_on(submitters(&indexed, submitting, TURN))?);
            stop.store(true, Ordering::Relaxed);
            runtime.block_on(task)??;
        }
    }
    let names =
        ["commands by 1 submitter, indexed meanwhile", "commands by 64 submitters, indexed meanwhile"];
    let rows = names.into_iter().zip(without.into_iter().zip(with));
    Ok(rows
        .map(|(what, (without, with))| Row {
            what: what.into(),
            measured: Quantity::Rate(middle(with)),
            peer: Some((Quantity::Rate(middle(without)), "not indexed")),
            target: Target::AtLeast(0.9),
        })
        .collect())
}

async fn index(store: Arc<sqlite::Sqlite>, stop: Arc<AtomicBool>) -> holdpoint_store::Result<()> {
    while !stop.load(Ordering::Relaxed) {
        let left = store.index(BATCH).await?;
        tokio::time::sleep(if left < MANY { LOOK } else { PAUSE }).await;
    }
    Ok(())
}

/// Returns how many results were found, at most 50.
async fn found(store: &sqlite::Sqlite, text: &str) -> Result<usize> {
    let (mut cursor, mut found) = (None, 0);
    loop {
        let query = Query { search: Some(Search::of(text)), cursor, limit: 50 - found, ..Query::default() };
        let page = store.list(&query).await?;
        (cursor, found) = (page.next, found + page.items.len());
        if cursor.is_none() || found >= 50 {
            return Ok(found);
        }
    }
}
