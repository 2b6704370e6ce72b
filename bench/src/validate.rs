//! Judging messages of other parties: large ones that are meant well, and some that are not.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use holdpoint_core::Timestamp;
use holdpoint_protocols::aitp::validate;

use crate::Result;
use crate::sample::in_turn;
use crate::table::{Quantity, Row, Target};

const ROUNDS: usize = 50;
const OPTIONS: usize = 1_000;
const MEBIBYTE: usize = 1 << 20;

pub(crate) fn measure() -> Result<Vec<Row>> {
    let products = products();
    let deep = "[".repeat(MEBIBYTE);
    let many = format!("{{{}\"$schema\":\"x\"}}", "\"a\":1,".repeat(MEBIBYTE / 6));
    let flat = format!("[{}0]", "0,".repeat(MEBIBYTE / 2));
    let judge = |text: &str| {
        let start = Instant::now();
        let verdict = validate(text, Timestamp::from_millis(0));
        let took = start.elapsed();
        drop(verdict);
        Ok(took)
    };
    let read = |text: &str| {
        let start = Instant::now();
        let value: serde_json::Value = serde_json::from_str(text)?;
        let took = start.elapsed();
        drop(value);
        Ok(took)
    };
    let [products_took, read_took, deep_took, many_took, flat_took] = in_turn(
        ROUNDS,
        [
            &mut || judge(&products),
            &mut || read(&products),
            &mut || judge(&deep),
            &mut || judge(&many),
            &mut || judge(&flat),
        ],
    )?;
    let row = |what: String, measured: Duration, most: u64| Row {
        what,
        measured: Quantity::Time(measured),
        peer: None,
        target: Target::Under(Quantity::Time(Duration::from_millis(most))),
    };
    Ok(vec![
        Row {
            peer: Some((Quantity::Time(read_took.median()), "serde_json reads it")),
            ..row(
                format!("judging a request with {OPTIONS} products ({} KiB)", products.len() >> 10),
                products_took.median(),
                1,
            )
        },
        row("judging 1 MiB of opening brackets".into(), deep_took.median(), 50),
        row("judging 1 MiB of members nobody knows".into(), many_took.median(), 50),
        row("judging 1 MiB of zeros in a list".into(), flat_took.median(), 50),
    ])
}

/// A request with everything that a product can have.
fn products() -> String {
    let mut text = String::from(
        r#"{"$schema":"https://aitp.dev/v1/decisions/schema.json","request_decision":{"id":"r","type":"products","options":["#,
    );
    for number in 0..OPTIONS {
        let comma = if number > 0 { "," } else { "" };
        let _ = write!(
            text,
            r#"{comma}{{"id":"p{number}","name":"Product {number}","description":"Words about it","five_star_rating":4.2,"reviews_count":132,"image_url":"https://shop.example/{number}.jpg","url":"https://shop.example/{number}","quote":{{"type":"Quote","payee_id":"shop","quote_id":"q{number}","valid_until":"2050-01-01T00:00:00Z","payment_plans":[{{"amount":199.5,"currency":"USD","plan_id":"p","plan_type":"one-time"}}]}}}}"#
        );
    }
    text.push_str("]}}");
    text
}
