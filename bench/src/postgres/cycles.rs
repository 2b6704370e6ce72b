//! Full cycles: asked on one node, waited for on a second, answered on a third, woken.

use std::time::{Duration, Instant};

use holdpoint_engine::Engine;
use tokio::task::JoinSet;

use crate::{Result, seed};

/// Runs this many workers, each in a closed loop; returns cycles per second.
pub(super) async fn cycles(nodes: &[Engine], workers: usize, time: Duration) -> Result<f64> {
    let start = Instant::now();
    let mut tasks = JoinSet::new();
    for number in 0..workers {
        let [here, there, elsewhere] = from_fn(nodes, number);
        tasks.spawn(async move {
            let mut done = 0_u32;
            while start.elapsed() < time {
                cycle(&here, &there, &elsewhere, number).await?;
                done += 1;
            }
            Ok::<u32, Box<dyn std::error::Error + Send + Sync>>(done)
        });
    }
    let mut done = 0;
    while let Some(worker) = tasks.join_next().await {
        done += worker??;
    }
    Ok(f64::from(done) / start.elapsed().as_secs_f64())
}

/// Returns how long after an answer is sent a waiter on another node has it.
pub(super) async fn wake(nodes: &[Engine]) -> Result<Duration> {
    let [here, there, elsewhere] = from_fn(nodes, 0);
    let took = cycle(&here, &there, &elsewhere, 0).await?;
    Ok(took)
}

fn from_fn(nodes: &[Engine], number: usize) -> [Engine; 3] {
    std::array::from_fn(|at| nodes[(number + at) % nodes.len()].clone())
}

/// Runs one cycle; returns how long it took from the answer to the wake.
async fn cycle(here: &Engine, there: &Engine, elsewhere: &Engine, number: usize) -> Result<Duration> {
    let asked = here.store().submit(seed::ask(number)).await?.decision.ok_or("nothing was asked")?.id;
    let waiting = there.clone();
    let waiter = tokio::spawn(async move { waiting.wait(asked, None).await.map(|_| Instant::now()) });
    // Until the waiter is registered; if it misses the wake, it finds the answer by polling.
    tokio::task::yield_now().await;
    let start = Instant::now();
    elsewhere.store().submit(seed::answer(asked)).await?;
    Ok(waiter.await??.saturating_duration_since(start))
}
