//! How long after an answer its waiter has it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_core::DecisionId;
use holdpoint_engine::{Clock, Engine, Home, Role, Settings};
use holdpoint_store::Store;

use crate::bare::{self, Bare, Tables};
use crate::process::{Running, Setup, time};
use crate::sample::{Times, in_turn};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};

/// How long a process may take to go to sleep.
const SETTLE: Duration = Duration::from_millis(30);

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let mut rows = between_processes(setup, if extent == Extent::Full { 60 } else { 25 })?;
    rows.extend(in_process(setup, if extent == Extent::Full { 1_000 } else { 300 })?);
    Ok(rows)
}

/// Measures from the start of `hold answer` until a `hold wait` has ended.
fn between_processes(setup: &Setup, rounds: usize) -> Result<Vec<Row>> {
    let home = setup.home("wake");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let engine = runtime.block_on(Engine::open(&home, None, Role::Writer))?;
    let ask = || -> Result<DecisionId> {
        let asked = runtime.block_on(engine.store().submit(seed::ask(1)))?;
        Ok(asked.decision.ok_or("nothing was asked")?.id)
    };
    let [woken, alone, start] = in_turn(
        rounds,
        [
            &mut || wake(setup, &home, ask()?),
            &mut || time(setup.hold(&home, &["answer", &ask()?.to_string(), "pin"])),
            &mut || time(setup.hold(&home, &["--version"])),
        ],
    )?;
    let beyond = woken.median().saturating_sub(start.median());
    Ok(vec![
        row(
            "wake: `hold answer` starts → `hold wait` ended, p50",
            woken.median(),
            Some((alone.median(), "answer alone")),
        ),
        Row {
            target: Target::Under(Quantity::Time(Duration::from_millis(5))),
            ..row("  beyond the start of a process", beyond, Some((start.median(), "hold --version")))
        },
    ])
}

fn wake(setup: &Setup, home: &Home, id: DecisionId) -> Result<Duration> {
    let id = id.to_string();
    let mut waiter = Running(setup.hold(home, &["wait", &id]).spawn()?);
    std::thread::sleep(SETTLE);
    let start = Instant::now();
    let mut answerer = Running(setup.hold(home, &["answer", &id, "pin"]).spawn()?);
    let ended = waiter.0.wait()?;
    let took = start.elapsed();
    let given = answerer.0.wait()?;
    if ended.success() && given.success() { Ok(took) } else { Err("nobody was woken".into()) }
}

/// Measures from the start of an answer until another task of the same process has it.
fn in_process(setup: &Setup, rounds: usize) -> Result<Vec<Row>> {
    let home = setup.home("wake-inside");
    let store = seed::open(&home.store())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let engine = Engine::new(Arc::clone(&store) as Arc<dyn Store>, Clock::System, Settings::default());
    let asked = runtime.block_on(store.submit(seed::ask(1)))?.decision.ok_or("nothing was asked")?;
    let pending = bare::doc(&home.store(), 1)?;
    runtime.block_on(store.submit(seed::answer(asked.id)))?;
    let mut peer = Bare::new(
        &setup.folder.join("wake-bare.db"),
        bare::texts(&home.store(), 1, pending)?,
        Tables::Plain,
    )?;
    let mut number = 1;
    let [woken, commit]: [Times; 2] = in_turn(
        rounds,
        [
            &mut || {
                number += 1;
                runtime.block_on(wake_task(&engine, number))
            },
            &mut || peer.one(),
        ],
    )?;
    Ok(vec![
        row(
            "wake in one process: answer sent → waiter has it, p50",
            woken.median(),
            Some((commit.median(), "bare commit")),
        ),
        row("  p99", woken.at(99), Some((commit.at(99), "bare commit"))),
    ])
}

pub(crate) async fn wake_task(engine: &Engine, number: usize) -> Result<Duration> {
    let asked = engine.store().submit(seed::ask(number)).await?.decision.ok_or("nothing was asked")?.id;
    let waiting = engine.clone();
    let waiter = tokio::spawn(async move { waiting.wait(asked, None).await.map(|_| Instant::now()) });
    tokio::task::yield_now().await;
    let start = Instant::now();
    engine.store().submit(seed::answer(asked)).await?;
    let woken = waiter.await??;
    Ok(woken.saturating_duration_since(start))
}

fn row(what: &str, measured: Duration, peer: Option<(Duration, &'static str)>) -> Row {
    Row {
        what: what.to_owned(),
        measured: Quantity::Time(measured),
        peer: peer.map(|(time, name)| (Quantity::Time(time), name)),
        target: Target::None,
    }
}
