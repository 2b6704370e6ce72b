//! Full cycles per second: ask, wait, answer, wake; with 1, 64 and 512 workers.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::inbox::{Asker, Inbox};
use super::latency::{ECHO, REDIS};
use super::peer::{Pair, RedisPair, question};
use super::start::{Hold, Server};
use super::wire::Wire;
use crate::bare::{self, BATCH, Bare, Tables};
use crate::process::{Setup, cpu};
use crate::sample::middle;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};
use holdpoint_store::Store as _;

/// The duration of one side's turn.
const TURN: Duration = Duration::from_secs(1);
const WORKERS: [usize; 3] = [1, 64, 512];
/// How many connections the answerer has.
const ANSWERERS: usize = 64;

pub(crate) async fn measure(
    setup: &Setup,
    hold: &Hold,
    echo: &Server,
    redis: Option<&Server>,
    extent: Extent,
) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 5 } else { 2 };
    let mut bare = bare(setup).await?;
    let mut rows = Vec::new();
    for workers in WORKERS {
        let (mut pairs, mut askers, mut peers, mut echoes) = <(Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
        let mut inbox = Inbox::open(hold, workers.min(ANSWERERS)).await?;
        for number in 0..workers {
            askers.push(Asker::connect(hold).await?);
            pairs.push(Pair::connect(hold).await?);
            echoes.push(Wire::connect(&echo.address, "").await?);
            if let Some(redis) = redis {
                peers.push(RedisPair::connect(redis, number + 1_000 * workers).await?);
            }
        }
        let (mut ours, mut inboxes, mut theirs, mut trips, mut commits, mut spent) =
            <(Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>, Vec<_>)>::default();
        let body = question()?;
        for _ in 0..rounds {
            let (rate, back) = turn(askers, async |asker: &mut Asker| asker.cycle().await).await?;
            inbox.check()?;
            inboxes.push(rate);
            askers = back;
        }
        drop(inbox);
        for _ in 0..rounds {
            let before = cpu(hold.server.process())?;
            let (rate, back) = turn(pairs, async |pair: &mut Pair| pair.cycle(false).await.map(drop)).await?;
            spent.push((cpu(hold.server.process())? - before) / (rate * TURN.as_secs_f64()));
            ours.push(rate);
            pairs = back;
            let (rate, back) =
                turn(peers, async |pair: &mut RedisPair| pair.cycle(false).await.map(drop)).await?;
            theirs.push(rate);
            peers = back;
            let body = body.clone();
            let ask = async move |wire: &mut Wire| wire.ask("POST", "/", &body).await.map(drop);
            let (rate, back) = turn(echoes, ask).await?;
            trips.push(rate);
            echoes = back;
            commits.push(bare.run(if workers == 1 { 1 } else { BATCH }, TURN / 2)? / 2.0);
        }
        let rate = middle(ours);
        let row = |what: String, peer: f64, name, target| Row {
            what,
            measured: Quantity::Rate(rate),
            peer: Some((Quantity::Rate(peer), name)),
            target,
        };
        if redis.is_some() {
            let what = format!("server: full cycles, {workers} at once");
            rows.push(row(what, middle(theirs), REDIS, Target::AtLeast(1.0)));
        }
        rows.push(Row {
            what: format!("  {workers} at once, two requests each, answered by who follows the events"),
            measured: Quantity::Rate(middle(inboxes)),
            peer: Some((Quantity::Rate(rate), "in three requests")),
            target: Target::None,
        });
        rows.push(row(
            format!("  {workers} at once, three requests each"),
            middle(trips) / 3.0,
            ECHO,
            Target::None,
        ));
        rows.push(row(
            format!("  {workers} at once, two commits each"),
            middle(commits),
            "bare SQLite",
            Target::None,
        ));
        rows.push(Row {
            what: format!("  CPU of the server in one cycle, {workers} at once"),
            measured: Quantity::Time(Duration::from_secs_f64(middle(spent))),
            peer: None,
            target: most_cpu(workers).map_or(Target::None, |most| Target::Under(Quantity::Time(most))),
        });
    }
    Ok(rows)
}

/// Returns how much of the server's CPU time one cycle may take.
fn most_cpu(workers: usize) -> Option<Duration> {
    match workers {
        1 => Some(Duration::from_micros(400)),
        64 => Some(Duration::from_micros(150)),
        _ => None,
    }
}

/// Runs all workers until the time is up; returns cycles per second, and the workers.
async fn turn<W: Send + 'static>(
    workers: Vec<W>,
    round: impl AsyncFn(&mut W) -> Result<()> + Clone + 'static,
) -> Result<(f64, Vec<W>)> {
    let local = tokio::task::LocalSet::new();
    let start = Instant::now();
    local
        .run_until(async move {
            let mut tasks = JoinSet::new();
            for mut worker in workers {
                let round = round.clone();
                tasks.spawn_local(async move {
                    let mut rounds = 0_u32;
                    while start.elapsed() < TURN {
                        round(&mut worker).await?;
                        rounds += 1;
                    }
                    Ok::<_, Box<dyn std::error::Error + Send + Sync>>((rounds, worker))
                });
            }
            let (mut rounds, mut back) = (0, Vec::new());
            while let Some(done) = tasks.join_next().await {
                let (done, worker) = done??;
                rounds += done;
                back.push(worker);
            }
            Ok((f64::from(rounds) / start.elapsed().as_secs_f64(), back))
        })
        .await
}

/// Creates bare SQLite with texts as the store writes them.
async fn bare(setup: &Setup) -> Result<Bare> {
    let home = setup.home("server-texts");
    let store = seed::open(&home.store())?;
    let asked = store.submit(seed::ask(1)).await?.decision.ok_or("nothing was asked")?;
    let pending = bare::doc(&home.store(), 1)?;
    store.submit(seed::answer(asked.id)).await?;
    let texts = bare::texts(&home.store(), 1, pending)?;
    Bare::new(&setup.folder.join("server-bare.db"), texts, Tables::Plain)
}
