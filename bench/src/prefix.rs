//! Finding a decision by a prefix of its id, where ids have no index.

use std::time::{Duration, Instant};

use holdpoint_store::Store;

use crate::process::{Setup, time};
use crate::sample::in_turn;
use crate::seed::{self, PENDING, Settled};
use crate::table::{Quantity, Row, Target};
use crate::{Result, largest};

const ROUNDS: usize = 30;
/// A delay that people do not notice.
const MOST: Quantity = Quantity::Time(Duration::from_millis(50));
/// Nearly always enough characters to identify one of a million.
const TYPED: usize = 6;

pub(crate) fn measure(setup: &Setup, stores: &[Settled]) -> Result<Vec<Row>> {
    let all = largest(stores)?;
    let store = seed::open(&all.file())?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let id = *all.pending.first().ok_or("nothing is pending")?;
    let typed = &id.suffix()[..TYPED];
    let whole = id.to_string();
    let [found, lengths, by_prefix, by_id, listed] = in_turn(
        ROUNDS,
        [
            &mut || {
                let start = Instant::now();
                runtime.block_on(store.find(typed, 9))?;
                Ok(start.elapsed())
            },
            &mut || {
                let start = Instant::now();
                runtime.block_on(store.prefix_lengths(&all.pending))?;
                Ok(start.elapsed())
            },
            &mut || time(setup.hold(&all.home, &["show", typed])),
            &mut || time(setup.hold(&all.home, &["show", &whole])),
            &mut || time(setup.hold(&all.home, &["list"])),
        ],
    )?;
    let behind = format!("of {} decisions", all.count);
    let row = |what: String, measured: Duration, peer: Option<(Duration, &'static str)>, target| Row {
        what,
        measured: Quantity::Time(measured),
        peer: peer.map(|(time, name)| (Quantity::Time(time), name)),
        target,
    };
    let whole = Some((by_id.median(), "by the whole id"));
    Ok(vec![
        row(
            format!("`hold show` by {TYPED} characters {behind}"),
            by_prefix.median(),
            whole,
            Target::Under(MOST),
        ),
        row(
            format!("`hold list` with the shortest prefixes {behind}"),
            listed.median(),
            whole,
            Target::Under(MOST),
        ),
        row(format!("  in process: find by {TYPED} characters"), found.median(), None, Target::None),
        row(format!("  in process: shortest prefixes of {PENDING}"), lengths.median(), None, Target::None),
    ])
}
