//! How long after an answer is sent its waiter over HTTP has it.

use std::fs::File;
use std::time::{Duration, Instant};

use super::peer::{Pair, RedisPair, question};
use super::start::{Hold, Server};
use super::wire::Wire;
use crate::process::Setup;
use crate::sample::Times;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, commit};

pub(crate) async fn measure(
    setup: &Setup,
    hold: &Hold,
    echo: &Server,
    redis: Option<&Server>,
    extent: Extent,
) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 1_000 } else { 300 };
    let mut ours = Pair::connect(hold).await?;
    let mut theirs = match redis {
        Some(redis) => Some(RedisPair::connect(redis, 0).await?),
        None => None,
    };
    let mut least = Wire::connect(&echo.address, "").await?;
    let mut file = File::create(setup.folder.join("server-sync"))?;
    let body = question()?;
    let (mut woken, mut peer, mut trip, mut synced) = <(Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
    for round in 0..=rounds {
        let took = ours.cycle(true).await?;
        let other = match &mut theirs {
            Some(pair) => Some(pair.cycle(true).await?),
            None => None,
        };
        let start = Instant::now();
        least.ask("POST", "/", &body).await?;
        let there_and_back = start.elapsed();
        let sync = commit::sync(&mut file, 1)?.median();
        // The first turn is a warm-up.
        if round > 0 {
            woken.push(took);
            peer.extend(other);
            trip.push(there_and_back);
            synced.push(sync);
        }
    }
    let (woken, trip, synced) = (Times::new(woken), Times::new(trip), Times::new(synced));
    let row = |what: &str, measured: Duration, beside: Duration, name, target| Row {
        what: what.into(),
        measured: Quantity::Time(measured),
        peer: Some((Quantity::Time(beside), name)),
        target,
    };
    let mut rows = Vec::new();
    if redis.is_some() {
        let peer = Times::new(peer);
        let at_most = Target::AtMost(0.85);
        rows.push(row(
            "server: answer sent → waiter has it, p50",
            woken.median(),
            peer.median(),
            REDIS,
            at_most,
        ));
        rows.push(row("  p99", woken.at(99), peer.at(99), REDIS, Target::None));
    } else {
        rows.push(row(
            "server: answer sent → waiter has it, p50",
            woken.median(),
            trip.median(),
            ECHO,
            Target::None,
        ));
        rows.push(row("  p99", woken.at(99), trip.at(99), ECHO, Target::None));
    }
    let limit = trip.median() + synced.median();
    rows.push(row(
        "  p50 beside the bare limits",
        woken.median(),
        limit,
        "one echo + one fdatasync",
        Target::None,
    ));
    rows.push(row("  one echo itself", trip.median(), synced.median(), "one fdatasync", Target::None));
    Ok(rows)
}

/// The peer's name.
pub(crate) const REDIS: &str = "Redis, appendfsync always";
/// The minimal server's name.
pub(crate) const ECHO: &str = "HTTP echo";
