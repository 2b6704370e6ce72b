//! Validating messages of other parties: large well-meant ones, and some hostile ones.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use holdpoint_core::Timestamp;
use holdpoint_protocols::aitp::thread::{recognise, show};
use holdpoint_protocols::aitp::validate;

use crate::Result;
use crate::sample::in_turn;
use crate::table::{Quantity, Row, Target};

const ROUNDS: usize = 50;
const OPTIONS: usize = 1_000;
const MEBIBYTE: usize = 1 << 20;

pub(crate) fn measure() -> Result<Vec<Row>> {
    let now = Timestamp::from_millis(0);
    let judge = |text: &str| Ok(timed(|| validate(text, now)));
    let read = |text: &str| Ok(timed(|| serde_json::from_str::<serde_json::Value>(text)));
    let mut rows = Vec::new();
    for (what, text) in [("usual", products(Detail::Usual)), ("whole", products(Detail::Whole))] {
        let [judged, read] = in_turn(ROUNDS, [&mut || judge(&text), &mut || read(&text)])?;
        rows.push(Row {
            peer: Some((Quantity::Time(read.median()), "serde_json reads it")),
            ..row(
                format!("judging a request with {OPTIONS} {what} products ({} KiB)", text.len() >> 10),
                judged.median(),
                1,
            )
        });
    }
    let mut tiny = String::new();
    for number in 0..80_000 {
        let _ = write!(tiny, "{{\"id\":\"{number}\"}},");
    }
    let messages = [
        ("opening brackets", "[".repeat(MEBIBYTE)),
        ("members nobody knows", format!("{{{}\"$schema\":\"x\"}}", "\"a\":1,".repeat(MEBIBYTE / 6))),
        ("zeros in a list", format!("[{}0]", "0,".repeat(MEBIBYTE / 2))),
        ("options that are ids alone", format!("{HEAD}{tiny}{{\"id\":\"a\"}}]}}}}")),
        (
            "one name again and again",
            format!("{HEAD}{{{}\"id\":\"a\"}}]}}}}", "\"id\":\"a\",".repeat(MEBIBYTE / 9)),
        ),
    ];
    for (what, text) in messages {
        let [judged, shown] = in_turn(
            ROUNDS,
            [&mut || judge(&text), &mut || Ok(timed(|| (recognise(&text, now), show(&text, now))))],
        )?;
        rows.push(row(format!("judging 1 MiB of {what}"), judged.median(), 50));
        rows.push(row(format!("reading and showing 1 MiB of {what}"), shown.median(), 50));
    }
    Ok(rows)
}

fn timed<T>(what: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let came = what();
    let took = start.elapsed();
    drop(came);
    took
}

fn row(what: String, measured: Duration, most: u64) -> Row {
    Row {
        what,
        measured: Quantity::Time(measured),
        peer: None,
        target: Target::Under(Quantity::Time(Duration::from_millis(most))),
    }
}

const HEAD: &str = r#"{"$schema":"https://aitp.dev/v1/decisions/schema.json","request_decision":{"id":"r","type":"products","options":["#;

/// How much detail each product has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Name, description, picture, address, rating.
    Usual,
    /// Everything a product can have except variants, including a quote.
    Whole,
}

/// Returns products that all differ, as do their quotes.
fn products(detail: Detail) -> String {
    let mut text = HEAD.to_owned();
    for number in 0..OPTIONS {
        let comma = if number > 0 { "," } else { "" };
        let (stars, tenths, reviews) = (number % 5, number % 10, number * 13 % 997);
        let _ = write!(
            text,
            r#"{comma}{{"id":"product_{number}","name":"Product {number}","description":"Words about it","five_star_rating":{stars}.{tenths},"reviews_count":{reviews},"image_url":"https://shop.example/{number}.jpg","url":"https://shop.example/{number}""#
        );
        if detail == Detail::Whole {
            let (month, day, minute, cents) =
                (number % 12 + 1, number % 28 + 1, number % 60, number * 37 % 100);
            let _ = write!(
                text,
                r#","quote":{{"type":"Quote","payee_id":"shop","quote_id":"q{number}","valid_until":"2050-{month:02}-{day:02}T00:{minute:02}:00Z","payment_plans":[{{"amount":{number}.{cents:02},"currency":"USD","plan_id":"plan-{number}","plan_type":"one-time"}}]}}"#
            );
        }
        text.push('}');
    }
    text.push_str("]}}");
    text
}
