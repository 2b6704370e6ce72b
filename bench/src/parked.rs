//! The cost of a waiting `hold wait`.

use std::fs;
use std::time::Duration;

use holdpoint_engine::{Engine, Role};

use crate::process::{Running, Setup, cpu, quiet};
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result, seed};

/// How many wait at the same time; the cost of one is their mean.
const WAITERS: u32 = 10;
/// How long a process may take to start.
const SETTLE: Duration = Duration::from_millis(500);

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let seconds = if extent == Extent::Full { 10 } else { 4 };
    let home = setup.home("parked");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let engine = runtime.block_on(Engine::open(&home, None, Role::Writer))?;
    let asked = runtime.block_on(engine.store().submit(seed::ask(1)))?;
    let id = asked.decision.ok_or("nothing was asked")?.id.to_string();
    let mut waiters = Vec::new();
    for _ in 0..WAITERS {
        waiters.push(Running(setup.hold(&home, &["wait", &id]).spawn()?));
    }
    let idle = Running(quiet("sleep".as_ref(), &["1000"]).spawn()?);
    std::thread::sleep(SETTLE);
    let before = mean(&waiters, cpu)?;
    std::thread::sleep(Duration::from_secs(seconds));
    let after = mean(&waiters, cpu)?;
    let burnt =
        Duration::from_secs_f64((after - before).max(0.0) / Duration::from_secs(seconds).as_secs_f64());
    let memory = mean(&waiters, memory)?;
    Ok(vec![
        Row {
            what: "parked `hold wait`: CPU burnt in a second".into(),
            measured: Quantity::Time(burnt),
            peer: Some((Quantity::Time(Duration::from_secs(1)), "one core")),
            target: Target::Under(Quantity::Time(Duration::from_millis(1))),
        },
        Row {
            what: "parked `hold wait`: memory of its own".into(),
            measured: Quantity::Memory(memory),
            peer: Some((Quantity::Memory(self::memory(idle.0.id())?), "sleep")),
            target: Target::None,
        },
    ])
}

fn mean(waiters: &[Running], of: impl Fn(u32) -> Result<f64>) -> Result<f64> {
    let sum = waiters.iter().map(|waiter| of(waiter.0.id())).sum::<Result<f64>>()?;
    Ok(sum / f64::from(WAITERS))
}

/// Returns the private memory of a process, in KiB.
pub(crate) fn memory(process: u32) -> Result<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let kib = |line: &str| line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    Ok(text.lines().filter(|line| line.starts_with("Private_")).filter_map(kib).sum())
}
