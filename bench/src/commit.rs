//! Group commit: commands per second through the store, compared with bare SQLite and rows of the same size.

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_store::{Store, sqlite};
use tokio::task::JoinSet;

use crate::bare::{self, BATCH, Bare, Tables};
use crate::process::{Setup, cpu};
use crate::sample::{Times, middle};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};

/// The duration of one side's turn.
const TURN: Duration = Duration::from_millis(700);

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 9 } else { 3 };
    let home = setup.home("commit");
    let store = seed::open(&home.store())?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let asked = runtime.block_on(store.submit(seed::ask(1)))?.decision.ok_or("nothing was asked")?;
    let pending = bare::doc(&home.store(), 1)?;
    runtime.block_on(store.submit(seed::answer(asked.id)))?;
    let texts = bare::texts(&home.store(), 1, pending)?;
    let mut plain = Bare::new(&setup.folder.join("commit-plain.db"), texts.clone(), Tables::Plain)?;
    let mut indexed = Bare::new(&setup.folder.join("commit-indexed.db"), texts, Tables::OfStore)?;
    let mut file = File::create(setup.folder.join("commit-sync"))?;
    let (mut few, mut many, mut bare, mut same, mut syncs) =
        <(Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    for _ in 0..rounds {
        few.push(turn(|| runtime.block_on(submitters(&store, 64, TURN)))?);
        bare.push(turn(|| plain.run(BATCH, TURN))?);
        many.push(turn(|| runtime.block_on(submitters(&store, 256, TURN)))?);
        same.push(turn(|| indexed.run(BATCH, TURN))?);
        syncs.push(sync(&mut file, 100)?.median().as_secs_f64());
    }
    let (few, many, bare, same) = (Turns::new(&few), Turns::new(&many), Turns::new(&bare), Turns::new(&same));
    let rate = |what: &str, turns: &Turns, peer: &Turns, name, target| Row {
        what: what.into(),
        measured: Quantity::Rate(turns.rate),
        peer: Some((Quantity::Rate(peer.rate), name)),
        target,
    };
    let (plain, indexed) = ("bare, plain tables", "bare, our tables and indexes");
    let target = Target::AtLeast(0.7);
    let limit = Quantity::Rate(f64::from(i32::try_from(BATCH)?) / middle(syncs));
    Ok(vec![
        rate("group commit: commands by 64 submitters", &few, &bare, plain, target),
        rate("group commit: commands by 256 submitters", &many, &bare, plain, target),
        rate("  64 submitters", &few, &same, indexed, Target::None),
        rate("  256 submitters", &many, &same, indexed, Target::None),
        Row {
            what: "  CPU of one command, 64 submitters, all threads".into(),
            measured: Quantity::Time(few.cpu),
            peer: Some((Quantity::Time(bare.cpu), plain)),
            target: Target::None,
        },
        Row {
            what: "  bare SQLite itself, 64 commands a commit".into(),
            measured: Quantity::Rate(bare.rate),
            peer: Some((limit, "if fdatasync were all")),
            target: Target::None,
        },
    ])
}

/// The results of one side's turns.
struct Turns {
    rate: f64,
    /// The CPU time of one command.
    cpu: Duration,
}

impl Turns {
    fn new(turns: &[(f64, f64)]) -> Self {
        let rate = middle(turns.iter().map(|(rate, _)| *rate).collect());
        let cpu = middle(turns.iter().map(|(_, cpu)| *cpu).collect());
        Self { rate, cpu: Duration::from_secs_f64(cpu) }
    }
}

/// Runs one turn; returns commands per second, and the CPU time of one command in seconds.
fn turn(run: impl FnOnce() -> Result<f64>) -> Result<(f64, f64)> {
    let (start, before) = (Instant::now(), cpu(std::process::id())?);
    let rate = run()?;
    let commands = rate * start.elapsed().as_secs_f64();
    Ok((rate, (cpu(std::process::id())? - before) / commands))
}

/// Runs this many submitters that ask and answer, each waiting for its own commits; returns commands per second.
pub(crate) async fn submitters(store: &Arc<sqlite::Sqlite>, count: usize, time: Duration) -> Result<f64> {
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

/// Appends a page and syncs it, this many times.
pub(crate) fn sync(file: &mut File, times: usize) -> Result<Times> {
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
