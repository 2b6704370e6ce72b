//! The cost of one call of the command line, compared with a minimal program that reads the same row.

use crate::process::{Setup, quiet, time};
use crate::sample::in_turn;
use crate::seed::{self, Settled};
use crate::table::{Quantity, Row, Target};
use crate::{Result, largest};

const ROUNDS: usize = 300;
/// A store of this size suffices where the size does not matter.
const FEW: usize = 100;

pub(crate) fn measure(setup: &Setup, stores: &[Settled]) -> Result<Vec<Row>> {
    let mut rows = in_company(setup, largest(stores)?)?;
    // The last process to close a store may clean up after the other, so each program has a separate store.
    let (ours, theirs) = (seed::settled(setup, "alone", FEW)?, seed::settled(setup, "alone-minimal", FEW)?);
    let (id, _) = first(&ours)?;
    let (_, row) = first(&theirs)?;
    let [show, minimal] = in_turn(
        ROUNDS,
        [&mut || time(setup.hold(&ours.home, &["show", &id])), &mut || {
            time(setup.minimal(&theirs.file(), row))
        }],
    )?;
    rows.push(Row {
        what: "  where nobody else has the store open".into(),
        measured: Quantity::Time(show.median()),
        peer: Some((Quantity::Time(minimal.median()), "minimal program")),
        target: Target::AtMost(1.5),
    });
    Ok(rows)
}

/// Measures while another process has the store open, as one that holds on a decision has.
fn in_company(setup: &Setup, store: &Settled) -> Result<Vec<Row>> {
    let _open = seed::open(&store.file())?;
    let (id, row) = first(store)?;
    let [show, minimal, nothing] = in_turn(
        ROUNDS,
        [
            &mut || time(setup.hold(&store.home, &["show", &id])),
            &mut || time(setup.minimal(&store.file(), row)),
            &mut || time(quiet("/bin/true".as_ref(), &[])),
        ],
    )?;
    Ok(vec![
        Row {
            what: "cold `hold show`".into(),
            measured: Quantity::Time(show.median()),
            peer: Some((Quantity::Time(minimal.median()), "minimal program")),
            target: Target::AtMost(1.5),
        },
        Row {
            what: "  the minimal program itself".into(),
            measured: Quantity::Time(minimal.median()),
            peer: Some((Quantity::Time(nothing.median()), "/bin/true")),
            target: Target::None,
        },
    ])
}

fn first(store: &Settled) -> Result<(String, i64)> {
    let id = *store.pending.first().ok_or("nothing is pending")?;
    Ok((id.to_string(), store.numbering.number(id)))
}
