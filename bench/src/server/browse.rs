//! The web inbox: the size and cost of its first page, how soon it is notified, and how many open inboxes affect the
//! person who answers.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::task::JoinSet;

use super::peer::{ANSWER, question};
use super::start::Server;
use super::wire::Wire;
use crate::Result;
use crate::process::Setup;
use crate::sample::Times;
use crate::seed::{PENDING, Settled};
use crate::table::{Quantity, Row, Target};

/// How many decisions are pending; the first page shows some of them.
const WAITING: usize = 1_000;
/// How many inboxes are open.
const OPEN: usize = 500;
const ROUNDS: usize = 100;
const ANSWERS: usize = 2_000;
/// How many rows a page has at first.
const SHOWN: usize = 40;

pub(crate) fn measure(setup: &Setup, stores: &[Settled]) -> Result<Vec<Row>> {
    super::raise_limit()?;
    let store = stores.last().ok_or("no store to look at")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--no-auth"];
        let server = Server::start(setup.hold(&store.home, &arguments))?;
        let mut wire = Wire::connect(&server.address, "").await?;
        let mut last = String::new();
        for number in PENDING..WAITING {
            last = ask(&mut wire, number).await?;
        }
        let mut rows = first_page(&mut wire, store.count).await?;
        // Makes room: further decisions are not ranked.
        wire.ask("POST", &format!("/v1/decisions/{last}/answer"), ANSWER).await?;
        rows.extend(heard(&server, &mut wire).await?);
        rows.push(answering(&server, &mut wire).await?);
        Ok(rows)
    })
}

async fn first_page(wire: &mut Wire, settled: usize) -> Result<Vec<Row>> {
    let mut times = Vec::new();
    let mut page = String::new();
    for round in 0..=ROUNDS {
        let start = Instant::now();
        page = String::from_utf8(wire.ask("GET", "/", "").await?)?;
        if round > 0 {
            times.push(start.elapsed());
        }
    }
    let itself = wire.weigh("/").await?;
    let mut kept = 0;
    for rest in page.split("\"/assets/").skip(1) {
        let name = rest.split('"').next().unwrap_or_default();
        kept += wire.weigh(&format!("/assets/{name}")).await?;
    }
    let kib = |bytes: usize| u32::try_from(bytes / 1024).map(|kib| Quantity::Memory(kib.into()));
    Ok(vec![
        Row {
            what: format!("inbox: first page, {WAITING} pending behind {settled} settled"),
            measured: Quantity::Time(Times::new(times).median()),
            peer: None,
            target: Target::Under(Quantity::Time(Duration::from_millis(10))),
        },
        Row {
            what: "  its weight on the wire".into(),
            measured: kib(itself)?,
            peer: None,
            target: Target::Under(Quantity::Memory(25.0)),
        },
        Row {
            what: "  style, scripts and icon, which a browser fetches once".into(),
            measured: kib(kept)?,
            peer: None,
            target: Target::None,
        },
    ])
}

/// An open inbox: it is notified of changes, and fetches the list.
struct Open {
    live: Wire,
    list: Wire,
    shown: usize,
}

impl Open {
    async fn open(server: &Server, shown: usize) -> Result<Self> {
        let (mut live, list) =
            (Wire::connect(&server.address, "").await?, Wire::connect(&server.address, "").await?);
        live.follow("/live").await?;
        Ok(Self { live, list, shown })
    }

    /// Returns the list once it has changed.
    async fn changed(&mut self) -> Result<Vec<u8>> {
        let seq = String::from_utf8(self.live.data().await?)?;
        self.list.ask("GET", &format!("/rows?shown={}&seq={}", self.shown, seq.trim()), "").await
    }
}

async fn heard(server: &Server, wire: &mut Wire) -> Result<Vec<Row>> {
    let mut page = Open::open(server, WAITING).await?;
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let start = Instant::now();
        let id = ask(wire, WAITING + round).await?;
        while !page.changed().await?.windows(id.len()).any(|part| part == id.as_bytes()) {}
        times.push(start.elapsed());
        wire.ask("POST", &format!("/v1/decisions/{id}/answer"), ANSWER).await?;
    }
    let times = Times::new(times);
    let row = |what: &str, measured| Row {
        what: what.into(),
        measured: Quantity::Time(measured),
        peer: None,
        target: Target::Under(Quantity::Time(Duration::from_millis(200))),
    };
    Ok(vec![row("inbox: asked → an open page shows it, p50", times.median()), row("  p99", times.at(99))])
}

async fn answering(server: &Server, wire: &mut Wire) -> Result<Row> {
    let alone = rate(wire).await?;
    // On separate threads, so that the answerer does not wait for the readers.
    let others = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let mut pages = JoinSet::new();
    for _ in 0..OPEN {
        let mut page = Open::open(server, SHOWN).await?;
        pages.spawn_on(async move { while page.changed().await.is_ok() {} }, others.handle());
    }
    let watched = rate(wire).await?;
    pages.abort_all();
    others.shutdown_background();
    Ok(Row {
        what: format!("inbox: answers a second with {OPEN} inboxes open"),
        measured: Quantity::Rate(watched),
        peer: Some((Quantity::Rate(alone), "none open")),
        target: Target::None,
    })
}

/// Answers decisions one after the other, and returns the rate per second.
async fn rate(wire: &mut Wire) -> Result<f64> {
    let mut ids = Vec::new();
    for number in 0..ANSWERS {
        ids.push(ask(wire, 2 * WAITING + number).await?);
    }
    let start = Instant::now();
    for id in &ids {
        wire.ask("POST", &format!("/v1/decisions/{id}/answer"), ANSWER).await?;
    }
    Ok(f64::from(u32::try_from(ids.len())?) / start.elapsed().as_secs_f64())
}

/// Asks a unique question, because identical ones share a row.
async fn ask(wire: &mut Wire, number: usize) -> Result<String> {
    let mut new: Value = serde_json::from_str(&question()?)?;
    new["title"] = format!("Question {number}").into();
    let made: Value = serde_json::from_slice(&wire.ask("POST", "/v1/decisions", &new.to_string()).await?)?;
    Ok(made["id"].as_str().ok_or("a decision without an id")?.to_owned())
}
