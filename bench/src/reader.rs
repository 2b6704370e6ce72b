//! Reading one turn of a conversation with the built-in reader, on a form of fifty fields.

use std::time::{Duration, Instant};

use holdpoint_core::{Field, Kind, Opt, Values};
use holdpoint_protocols::action::reader::{self, Question};

use crate::Result;
use crate::sample::{Times, in_turn};
use crate::table::{Quantity, Row, Target};

const ROUNDS: usize = 200;
const MOST: Quantity = Quantity::Time(Duration::from_millis(5));
const SAID: &str = "I'd like option number 7 from 11 to 15 February at half past nine in the evening, for 3 guests, with \
                    parking but no breakfast, because my sister is getting married. You reach me at ana@example.org.";

pub(crate) fn measure() -> Result<Vec<Row>> {
    let fields = fields();
    let known = Values::default();
    let now = jiff::civil::date(2026, 1, 20).at(10, 0, 0, 0);
    let [first, corrected] = in_turn(
        ROUNDS,
        [
            &mut || {
                let start = Instant::now();
                reader::read(Question { fields: &fields, asked: None, text: SAID, now, known: &known });
                Ok(start.elapsed())
            },
            &mut || {
                let start = Instant::now();
                reader::read(Question {
                    fields: &fields,
                    asked: fields.get(1),
                    text: "actually next Tuesday",
                    now,
                    known: &known,
                });
                Ok(start.elapsed())
            },
        ],
    )?;
    let row = |what: &str, measured: Duration| Row {
        what: what.to_owned(),
        measured: Quantity::Time(measured),
        peer: None,
        target: Target::Under(MOST),
    };
    let said = sentences()?;
    let every = said.iter().map(|text| {
        let start = Instant::now();
        reader::read(Question { fields: &fields, asked: None, text, now, known: &known });
        start.elapsed()
    });
    let every = Times::new(every.collect());
    Ok(vec![
        row("reading a paragraph over 50 fields", first.median()),
        row("reading an answer over 50 fields", corrected.median()),
        row(&format!("reading {} everyday sentences over 50 fields, p99", said.len()), every.at(99)),
    ])
}

/// Lists what people say in the labelled sets.
fn sentences() -> Result<Vec<String>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/protocols/sentences");
    let mut said = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = std::fs::read_to_string(path)?;
            said.extend(text.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned));
        }
    }
    Ok(said)
}

fn fields() -> Vec<Field> {
    let option = |at: usize| Opt::new(format!("o{at}"), format!("Option number {at}"));
    let field = |at: usize| match at % 5 {
        0 => Field::offering(format!("choice_{at}"), Kind::Choice, "Which?", (0..20).map(option).collect()),
        1 => Field::new(format!("day_{at}"), Kind::Date, "When?"),
        2 => Field::new(format!("guests_{at}"), Kind::Integer, "How many?"),
        3 => Field::new(format!("breakfast_{at}"), Kind::Boolean, "Do you want it?"),
        _ => Field::new(format!("reason_{at}"), Kind::Multiline, "Why?"),
    };
    (0..50).map(field).collect()
}
