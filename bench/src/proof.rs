//! The cost of proving every batch: the same commands through a store with a key and one without.

use std::sync::Arc;
use std::time::{Duration, Instant};

use holdpoint_engine::keys::Key;
use holdpoint_engine::{Clock, Engine, Settings};
use holdpoint_store::{CheckpointPolicy, Options, Store, sqlite};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::commit::submitters;
use crate::process::Setup;
use crate::sample::{in_turn, middle};
use crate::table::{Quantity, Row, Target};
use crate::wake::wake_task;
use crate::{Extent, Result, seed};

/// The duration of one side's turn.
const TURN: Duration = Duration::from_millis(500);
/// How many sequential commands make a turn.
const SINGLES: usize = 200;

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 15 } else { 5 };
    let (with, without) = (setup.home("proof-with"), setup.home("proof-without"));
    let signer = Arc::new(Key::load_or_make(&with)?);
    let options = Options { signer: Some(signer), policy: CheckpointPolicy::ByCaller, ..Options::default() };
    let proven = Arc::new(sqlite::open(&with.store(), options)?);
    let plain = seed::open(&without.store())?;
    // A server watches its store whether or not it proves batches.
    let _watched = (proven.watch()?, plain.watch()?);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    // A server also signs checkpoints concurrently, so this does too, by the same rule.
    let server = Engine::new(Arc::clone(&proven) as Arc<dyn Store>, Clock::System, Settings::default());
    let (stop, stopped) = watch::channel(false);
    let signing = runtime.spawn(server.clone().run_checkpoints(stopped));
    let (mut many, mut many_plain, mut one, mut one_plain) = (vec![], vec![], vec![], vec![]);
    for _ in 0..rounds {
        many.push(runtime.block_on(submitters(&proven, 64, TURN))?);
        many_plain.push(runtime.block_on(submitters(&plain, 64, TURN))?);
        one.push(single(&runtime, &proven)?);
        one_plain.push(single(&runtime, &plain)?);
    }
    let bare = Engine::new(Arc::clone(&plain) as Arc<dyn Store>, Clock::System, Settings::default());
    let mut number = 0;
    let mut woken = |engine: &Engine| {
        number += 1;
        runtime.block_on(wake_task(engine, number))
    };
    let wakes = std::cell::RefCell::new(&mut woken);
    let [wake, wake_plain] =
        in_turn(rounds * 40, [&mut || wakes.borrow_mut()(&server), &mut || wakes.borrow_mut()(&bare)])?;
    stop.send_replace(true);
    runtime.block_on(signing)?;
    let rate = |what: &str, with: Vec<f64>, without: Vec<f64>| Row {
        what: what.into(),
        measured: Quantity::Rate(middle(with)),
        peer: Some((Quantity::Rate(middle(without)), "without proofs")),
        target: Target::AtLeast(0.95),
    };
    Ok(vec![
        rate("proven batches: commands by 64 submitters", many, many_plain),
        rate("proven batches: commands one after the other", one, one_plain),
        Row {
            what: "proven batches: answer sent → waiter has it, p50".into(),
            measured: Quantity::Time(wake.median()),
            peer: Some((Quantity::Time(wake_plain.median()), "without proofs")),
            target: Target::AtMost(1.05),
        },
    ])
}

/// Asks and answers, each in a separate commit; returns commands per second.
fn single(runtime: &Runtime, store: &Arc<sqlite::Sqlite>) -> Result<f64> {
    let start = Instant::now();
    runtime.block_on(async {
        for number in 0..SINGLES / 2 {
            let asked = store.submit(seed::ask(number)).await?;
            if let Some(decision) = asked.decision {
                store.submit(seed::answer(decision.id)).await?;
            }
        }
        Ok::<(), holdpoint_store::Error>(())
    })?;
    Ok(f64::from(u32::try_from(SINGLES)?) / start.elapsed().as_secs_f64())
}
