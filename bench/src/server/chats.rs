//! Two hundred concurrent conversations on one node: how long a turn takes, and how many are taken per second.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::start::Hold;
use super::wire::Wire;
use crate::process::Setup;
use crate::sample::Times;
use crate::table::{Quantity, Row, Target};
use crate::{Extent, Result};

/// How many people talk at the same time.
const PEOPLE: usize = 200;
/// The messages of each of them, from hello to sent.
const SAID: [&str; 5] = [
    "",
    "Hi, I'd like annual leave from 2 to 6 March 2027, please",
    "my sister is getting married",
    "actually make it a day longer",
    "thanks",
];
const FORM: &str = include_str!("../../../examples/forms/leave_request.json");

pub(crate) fn measure(setup: &Setup, extent: Extent) -> Result<Vec<Row>> {
    let rounds = if extent == Extent::Full { 5 } else { 2 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let hold = Hold::start(setup, &setup.home("chats")).await?;
        let form: Value = serde_json::from_str(FORM)?;
        let mut people = Vec::new();
        for _ in 0..PEOPLE {
            people.push(hold.answerer().await?);
        }
        let (mut times, mut spent) = (Vec::new(), Duration::ZERO);
        for round in 0..=rounds {
            let begun = Instant::now();
            let mut talks = JoinSet::new();
            for (person, wire) in people.drain(..).enumerate() {
                talks.spawn(talk(wire, form.clone(), format!("{round}-{person}")));
            }
            let mut turns = Vec::new();
            while let Some(done) = talks.join_next().await {
                let (wire, took) = done??;
                people.push(wire);
                turns.extend(took);
            }
            // The first round is a warm-up.
            if round > 0 {
                spent += begun.elapsed();
                times.extend(turns);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a count of turns")]
        let rate = times.len() as f64 / spent.as_secs_f64();
        let times = Times::new(times);
        let row = |what: String, measured, target| Row { what, measured, peer: None, target };
        let second = Target::Under(Quantity::Time(Duration::from_secs(1)));
        Ok(vec![
            row(format!("{PEOPLE} conversations at once: turns"), Quantity::Rate(rate), Target::None),
            row(
                format!("{PEOPLE} conversations at once: a turn, p50"),
                Quantity::Time(times.median()),
                second,
            ),
            row(format!("{PEOPLE} conversations at once: a turn, p99"), Quantity::Time(times.at(99)), second),
        ])
    })
}

/// Fills a form in by conversation, and sends it; returns how long each turn took.
async fn talk(mut wire: Wire, form: Value, id: String) -> Result<(Wire, Vec<Duration>)> {
    let mut took = Vec::new();
    for (at, said) in SAID.iter().enumerate() {
        let last = at + 1 == SAID.len();
        let body = json!({"form_schema": form, "user_message": said, "conversation_id": id, "submit": last})
            .to_string();
        let begun = Instant::now();
        let reply = wire.ask("POST", "/api/chat", &body).await?;
        took.push(begun.elapsed());
        let reply: Value = serde_json::from_slice(&reply)?;
        if last && reply["submitted"] != json!(true) {
            return Err(format!("not sent: {reply}").into());
        }
    }
    Ok((wire, took))
}
