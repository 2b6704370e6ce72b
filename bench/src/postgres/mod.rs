//! Several nodes on one PostgreSQL: full cycles per second and the time to wake another node, compared with the
//! embedded store and with hand-written PostgreSQL. Nodes are engines in this process, each with separate
//! connections.

mod cluster;
mod cycles;
mod growth;
mod peer;

use std::sync::Arc;
use std::time::Duration;

use holdpoint_engine::keys::Key;
use holdpoint_engine::{Clock, Engine, Home, Role, Settings};
use holdpoint_store::{Signer as _, Store};

pub(crate) use self::cluster::Cluster;
use self::cycles::{cycles, wake};
use self::peer::Peer;
use crate::process::Setup;
use crate::sample::{Times, middle};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, say, seed};

/// The duration of one side's turn.
const TURN: Duration = Duration::from_millis(1_500);
const BY_HAND: &str = "PostgreSQL by hand";
const EMBEDDED: &str = "SQLite, one process";

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let Some(cluster) = Cluster::start(setup)? else {
        say("postgres: SKIPPED, PostgreSQL is not installed")?;
        return Ok(Vec::new());
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(measured(setup, &cluster, extent))
}

async fn measured(setup: &Setup, cluster: &Cluster, extent: Extent) -> Result<Vec<Row>> {
    let (rounds, wakes) = if extent == Extent::Full { (5, 400) } else { (3, 100) };
    let mut nodes = Vec::new();
    let homes = [1, 2, 3].map(|number| setup.home(&format!("node-{number}")));
    for home in &homes {
        let key = Key::load_or_make(home)?.public_key();
        homes.iter().try_for_each(|other| Key::trust(other, &key))?;
    }
    for home in &homes {
        nodes.push(node(home, cluster).await?);
    }
    let embedded: Arc<dyn Store> = seed::open(&setup.home("postgres-embedded").store())?;
    let embedded = [Engine::new(embedded, Clock::System, Settings::default()).serving().await?];
    let peer = Peer::start(cluster).await?;
    let mut rows = Vec::new();
    let mut one_node = 0.0;
    for workers in [64, 512] {
        let mut rates = <[Vec<f64>; 4]>::default();
        for _ in 0..rounds {
            rates[0].push(cycles(&nodes[..1], workers, TURN).await?);
            rates[1].push(cycles(&nodes, workers, TURN).await?);
            rates[2].push(peer.cycles(workers, TURN).await?);
            rates[3].push(cycles(&embedded, workers, TURN).await?);
        }
        let [one, three, hand, file] = rates.map(middle);
        if workers == 64 {
            one_node = one;
        }
        rows.extend([
            row(format!("cycles on PostgreSQL, {workers} workers, one node"), one, (hand, BY_HAND), 1.0),
            row(format!("  three nodes, {workers} workers"), three, (hand, BY_HAND), 1.0),
            row("  three nodes beside one".into(), three, (one, "one node"), 0.0),
            row("  one node beside the embedded store".into(), one, (file, EMBEDDED), 0.0),
        ]);
    }
    let (mut told, mut hand) = (Vec::new(), Vec::new());
    for _ in 0..wakes {
        told.push(wake(&nodes).await?);
        hand.push(peer.wake().await?);
    }
    let (told, hand) = (Times::new(told), Times::new(hand));
    for (what, percent) in [("wake across nodes: answered on one, woken on another, p50", 50), ("  p99", 99)]
    {
        rows.push(Row {
            what: what.into(),
            measured: Quantity::Time(told.at(percent)),
            peer: Some((Quantity::Time(hand.at(percent)), BY_HAND)),
            target: Target::None,
        });
    }
    rows.extend(growth::measure(cluster, &nodes[..1], one_node, extent).await?);
    Ok(rows)
}

/// Opens a node with a separate data folder and connections.
async fn node(home: &Home, cluster: &Cluster) -> Result<Engine> {
    let engine = Engine::open(home, Some(&cluster.address()), Role::Server).await?;
    Ok(engine.serving().await?)
}

fn row(what: String, measured: f64, peer: (f64, &'static str), least: f64) -> Row {
    let target = if least > 0.0 { Target::AtLeast(least) } else { Target::None };
    let peer = Some((Quantity::Rate(peer.0), peer.1));
    Row { what, measured: Quantity::Rate(measured), peer, target }
}
