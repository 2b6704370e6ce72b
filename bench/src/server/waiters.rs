//! The cost of ten thousand waiters that get no answer.

use std::fs;
use std::time::{Duration, Instant};

use holdpoint_store::Store as _;
use rustix::process::{Resource, getrlimit};

use super::latency::REDIS;
use super::start::{Hold, Server};
use super::wire::{Resp, Wire};
use crate::process::Setup;
use crate::table::{Quantity, Row, Target};
use crate::{Result, say, seed};

/// How much memory one waiting connection may take.
const MOST: Quantity = Quantity::Memory(8.0);
/// How long the server may take to park them all.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Files that are open besides connections.
const SPARE: u64 = 200;

/// How many waiters there are.
const WAITERS: usize = 10_000;
/// How many of them share a credential: the server gives one only a part of all connections.
const PER_PERSON: usize = 1_000;

pub(crate) async fn measure(setup: &Setup, redis: Option<&Server>) -> Result<Vec<Row>> {
    let may = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX).saturating_sub(SPARE);
    let count = WAITERS.min(usize::try_from(may)?);
    if count < WAITERS {
        say(&format!("only {count} waiters instead of {WAITERS}: no more files may be open (ulimit -n)"))?;
    }
    let home = setup.home("waiters");
    let mut ids = Vec::with_capacity(count);
    let store = seed::open(&home.store())?;
    for number in 0..count {
        ids.push(store.submit(seed::ask(number)).await?.decision.ok_or("nothing was asked")?.id);
    }
    drop(store);
    let mut hold = Hold::start(setup, &home).await?;
    let mut metrics = hold.answerer().await?;
    let mut people = Vec::new();
    for number in 0..=count / PER_PERSON {
        people.push(hold.another_person(&format!("person-{number}")).await?);
    }
    metrics.ask("GET", "/v1/decisions", "").await?;
    let before = memory(hold.server.process())?;
    let mut waiters = Vec::with_capacity(count);
    for (number, id) in ids.into_iter().enumerate() {
        let mut waiter = Wire::connect(&hold.server.address, &people[number / PER_PERSON]).await?;
        waiter.send("GET", &format!("/v1/decisions/{id}/wait?timeout=300s"), "").await?;
        waiters.push(waiter);
    }
    all_parked(&mut metrics, count).await?;
    let each = (memory(hold.server.process())? - before) / f64::from(u32::try_from(count)?);
    // The peer needs as many open files.
    drop((waiters, hold));
    let peer = match redis {
        Some(redis) => Some((Quantity::Memory(parked_in_redis(redis, count).await?), REDIS)),
        None => None,
    };
    Ok(vec![Row {
        what: format!("server: memory of one waiter, {count} parked"),
        measured: Quantity::Memory(each),
        peer,
        target: Target::Under(MOST),
    }])
}

async fn all_parked(metrics: &mut Wire, count: usize) -> Result<()> {
    let (start, line) = (Instant::now(), format!("hold_waiters {count}\n"));
    while !String::from_utf8_lossy(&metrics.ask("GET", "/metrics", "").await?).contains(&line) {
        if start.elapsed() > TIMEOUT {
            return Err("not all waiters were parked".into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}

async fn parked_in_redis(redis: &Server, count: usize) -> Result<f64> {
    let before = memory(redis.process())?;
    let mut waiters = Vec::with_capacity(count);
    for number in 0..count {
        let mut waiter = Resp::connect(&redis.address).await?;
        waiter.send(&[&["BLPOP", &format!("parked:{number}"), "300"]]).await?;
        waiters.push(waiter);
    }
    // Once this is answered, everything sent before it has been processed.
    let mut last = Resp::connect(&redis.address).await?;
    last.send(&[&["PING"]]).await?;
    last.receive(1).await?;
    Ok((memory(redis.process())? - before) / f64::from(u32::try_from(count)?))
}

/// Returns the private memory of a process, in KiB.
fn memory(process: u32) -> Result<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let kib = |line: &str| line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    Ok(text.lines().filter(|line| line.starts_with("Private_")).filter_map(kib).sum())
}
