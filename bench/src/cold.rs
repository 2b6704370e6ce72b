//! What one call of the command line costs beside the least program that reads the same row.

use crate::process::{Place, quiet, time};
use crate::sample::in_turn;
use crate::seed::Settled;
use crate::table::{Quantity, Row, Target};
use crate::{Result, largest};

const ROUNDS: usize = 300;

pub(crate) fn measure(place: &Place, stores: &[Settled]) -> Result<Vec<Row>> {
    let store = largest(stores)?;
    let id = *store.pending.first().ok_or("nothing is pending")?;
    let row = store.numbering.number(id);
    let id = id.to_string();
    let [show, minimal, nothing] = in_turn(
        ROUNDS,
        [
            &mut || time(place.hold(&store.home, &["show", &id])),
            &mut || time(place.minimal(&store.file(), row)),
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
