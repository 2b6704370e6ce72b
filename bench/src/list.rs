//! Listing pending decisions, however many are settled.

use std::time::Duration;

use crate::process::{Setup, time};
use crate::sample::in_turn;
use crate::seed::{PENDING, Settled};
use crate::table::{Quantity, Row, Target};
use crate::{Result, largest};

const ROUNDS: usize = 100;
/// How long a list may take, warm.
const MOST: Quantity = Quantity::Time(Duration::from_millis(20));

pub(crate) fn measure(setup: &Setup, stores: &[Settled]) -> Result<Vec<Row>> {
    let (least, most) = (stores.first().ok_or("no store was made")?, largest(stores)?);
    let row = most.numbering.number(*most.pending.first().ok_or("nothing is pending")?);
    let list = |store: &Settled| time(setup.hold(&store.home, &["list", "--json"]));
    let [few, many, minimal] = in_turn(
        ROUNDS,
        [&mut || list(least), &mut || list(most), &mut || time(setup.minimal(&most.file(), row))],
    )?;
    let line = |store: &Settled, time: Duration, peer| Row {
        what: format!("`hold list --json`, {PENDING} pending behind {} settled", store.count),
        measured: Quantity::Time(time),
        peer: Some(peer),
        target: Target::Under(MOST),
    };
    let minimal = (Quantity::Time(minimal.median()), "minimal program");
    let mut rows = vec![line(least, few.median(), minimal)];
    if most.count > least.count {
        rows.push(line(most, many.median(), minimal));
        rows.push(Row {
            what: "  ten times as many settled".into(),
            measured: Quantity::Time(many.median()),
            peer: Some((Quantity::Time(few.median()), "behind 100000")),
            target: Target::AtMost(1.3),
        });
    }
    Ok(rows)
}
