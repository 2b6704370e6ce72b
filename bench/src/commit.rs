//! Group commit: commands a second through the store, beside what bare SQLite does with rows of the same size.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_store::{Store, sqlite};
use tokio::task::JoinSet;

use crate::bare::{self, BATCH, Bare};
use crate::process::Place;
use crate::sample::{Times, middle};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};

/// One turn of one side.
const TURN: Duration = Duration::from_millis(700);

pub(crate) fn measure(place: &Place, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 9 } else { 3 };
    let home = place.home("commit");
    let store = seed::open(&home.store())?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let asked = runtime.block_on(store.submit(seed::ask(1)))?.decision.ok_or("nothing was asked")?;
    let pending = bare::doc(&home.store(), 1)?;
    runtime.block_on(store.submit(seed::answer(asked.id)))?;
    let mut peer = Bare::new(&place.folder.join("commit-bare.db"), bare::texts(&home.store(), 1, pending)?)?;
    let mut file = File::create(place.folder.join("commit-sync"))?;
    let (mut few, mut many, mut bare, mut syncs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        few.push(runtime.block_on(submitters(&store, 64, TURN))?);
        bare.push(peer.run(BATCH, TURN)?);
        many.push(runtime.block_on(submitters(&store, 256, TURN))?);
        syncs.push(sync(&mut file, 100)?.median().as_secs_f64());
    }
    let (bare, sync) = (Quantity::Rate(middle(bare)), middle(syncs));
    let rate = |what: String, rate: f64| Row {
        what,
        measured: Quantity::Rate(rate),
        peer: Some((bare, "bare, batches of 64")),
        target: Target::AtLeast(0.7),
    };
    let limit = Quantity::Rate(f64::from(i32::try_from(BATCH)?) / sync);
    Ok(vec![
        rate("group commit: commands by 64 submitters".into(), middle(few)),
        rate("group commit: commands by 256 submitters".into(), middle(many)),
        Row {
            what: "  bare SQLite itself, 64 commands a commit".into(),
            measured: bare,
            peer: Some((limit, "if fdatasync were all")),
            target: Target::None,
        },
    ])
}

/// Lets so many ask and answer, each waiting for its own commits; returns commands per second.
async fn submitters(store: &Arc<sqlite::Sqlite>, count: usize, time: Duration) -> Result<f64> {
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for number in 0..count {
        let store = Arc::clone(store);
        tasks.spawn(async move {
            let mut commands = 0_u32;
            while start.elapsed() < time {
                let asked = store.submit(seed::ask(number)).await?;
                if let Some(decision) = asked.decision {
                    store.submit(seed::answer(decision.id)).await?;
                }
                commands += 2;
            }
            Ok::<u32, holdpoint_store::Error>(commands)
        });
    }
    let mut commands = 0;
    while let Some(done) = tasks.join_next().await {
        commands += done??;
    }
    Ok(f64::from(commands) / start.elapsed().as_secs_f64())
}

/// Appends a page and syncs it, so many times.
fn sync(file: &mut File, times: usize) -> Result<Times> {
    let page = [7_u8; 4096];
    let mut took = Vec::with_capacity(times);
    for _ in 0..times {
        let start = Instant::now();
        file.write_all(&page)?;
        file.sync_data()?;
        took.push(start.elapsed());
    }
    Ok(Times::new(took))
}
