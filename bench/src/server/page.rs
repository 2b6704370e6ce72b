//! The first page of pending decisions over HTTP, however many are settled.

use std::time::Instant;

use super::start::{self, Hold};
use super::wire::Wire;
use crate::Result;
use crate::process::Setup;
use crate::sample::Times;
use crate::seed::{PENDING, Settled};
use crate::table::{Quantity, Row, Target};

const ROUNDS: usize = 500;
/// How many times as long as the echo a page may take.
const MOST: f64 = 2.5;

pub(crate) fn measure(setup: &Setup, stores: &[Settled]) -> Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let echo = start::echo(setup)?;
        let mut least = Wire::connect(&echo.address, "").await?;
        let mut sides = Vec::new();
        for store in stores {
            let hold = Hold::start(setup, &store.home).await?;
            sides.push((hold.answerer().await?, hold, store.count, Vec::new()));
        }
        let mut trips = Vec::new();
        for round in 0..=ROUNDS {
            let mut page = Vec::new();
            for (wire, _, _, times) in &mut sides {
                let start = Instant::now();
                page = wire.ask("GET", "/v1/decisions", "").await?;
                if round > 0 {
                    times.push(start.elapsed());
                }
            }
            let page = String::from_utf8(page)?;
            let start = Instant::now();
            least.ask("POST", "/", &page).await?;
            trips.push(start.elapsed());
        }
        let trip = Times::new(trips).median();
        let mut rows = Vec::new();
        let mut first = None;
        for (_, _, count, times) in sides {
            let took = Times::new(times).median();
            rows.push(Row {
                what: format!("server: first page, {PENDING} pending behind {count} settled"),
                measured: Quantity::Time(took),
                peer: Some((Quantity::Time(trip), "echo of as many bytes")),
                target: Target::AtMost(MOST),
            });
            match first {
                None => first = Some(took),
                Some(few) => rows.push(Row {
                    what: "  ten times as many settled".into(),
                    measured: Quantity::Time(took),
                    peer: Some((Quantity::Time(few), "a tenth of them")),
                    target: Target::AtMost(1.3),
                }),
            }
        }
        Ok(rows)
    })
}
