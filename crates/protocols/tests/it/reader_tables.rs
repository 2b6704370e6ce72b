//! The built-in reader on forms of many kinds: what is said, and what is taken (`field=value`), asked (`field?`) or refused (`field!`).
//!
//! The rows are in `tests/tables`, a form each. A line `@ field {"known": 1}` says for the rows below which field was asked, and what is
//! known.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::{self, Form};
use holdpoint_protocols::action::reader::{self, Question, Reading};
use jiff::civil::{DateTime, datetime};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

/// A Monday.
pub(crate) const NOW: DateTime = datetime(2026, 11, 16, 10, 0, 0, 0);

pub(crate) fn form(name: &str) -> Form {
    form::read(&table(&format!("{name}.json"))).unwrap()
}

fn table(file: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/tables/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

pub(crate) fn told(reading: &Reading) -> String {
    let plain =
        |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace('"', "");
    let mut parts: Vec<String> =
        reading.taken.iter().map(|taken| format!("{}={}", taken.field, plain(&taken.value))).collect();
    parts.extend(reading.unsure.iter().map(|unsure| format!("{}?", unsure.field)));
    parts.extend(reading.unfit.iter().map(|unfit| format!("{}!", unfit.field)));
    parts.sort();
    parts.dedup();
    parts.join(" ")
}

fn read(form: &Form, asked: Option<&str>, known: &Values, text: &str) -> Reading {
    let asked = asked.and_then(|id| form.fields.iter().find(|field| field.id == id));
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    // The reference zone of most rows is UTC, as it is where nobody knows it.
    let zone = form.fields.iter().any(|field| field.id == "trial").then_some(&zone);
    reader::read(Question { fields: &form.fields, asked, text, now: NOW, zone, known })
}

#[track_caller]
fn check(name: &str) {
    let (form, text) = (form(name), table(&format!("{name}.txt")));
    let (mut asked, mut known, mut wrong) = (None, Values::default(), Vec::new());
    for line in text.lines() {
        if let Some(context) = line.strip_prefix('@') {
            let (field, values) = context.trim().split_once('{').unwrap_or((context.trim(), "}"));
            asked = Some(field.trim()).filter(|field| !field.is_empty());
            known = serde_json::from_str(&format!("{{{values}")).unwrap();
            continue;
        }
        let (said, expected) = line.split_once(" =>").unwrap();
        let got = told(&read(&form, asked, &known, &said.replace('⏎', "\n")));
        if got != expected.trim() {
            wrong.push(format!("{asked:?} {said:?}: {got:?}, not {:?}", expected.trim()));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

macro_rules! tables {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

tables!(callback catering course freight gym hall incident order pet print rental report server stall stay trip);

/// Of a range or a choice no end alone is proposed.
#[test]
fn a_range_has_two_ends() {
    for (name, asked, text) in [
        ("incident", "cost", "between 700 and 800 euros"),
        ("incident", "cost", "700 to 800 euros"),
        ("incident", "cost", "700 or 800 euros"),
        ("incident", "at", "3 or 4 pm"),
        ("pet", "weight", "between 3 and 4 kg"),
    ] {
        for asked in [Some(asked), None] {
            let reading = read(&form(name), asked, &Values::default(), text);
            let most = reading.unsure.iter().map(|unsure| unsure.values.len()).max();
            assert!(reading.taken.is_empty() && most.is_none_or(|most| most > 1), "{text}: {reading:?}");
        }
    }
}

/// What is said to a question changes no other field that it does not name, though it holds that field's value.
#[test]
fn an_answer_corrects_no_other_field() {
    let known = json!({"drivers": 5, "vehicle": "van"});
    for text in ["3, sorry, 5", "3, no wait, 5", "5, not 3", "not 3, 5", "5 instead of 4", "3 rather than 5"]
    {
        let got = told(&read(&form("rental"), Some("boxes"), known.as_object().unwrap(), text));
        assert!(!got.contains("drivers"), "{text}: {got}");
    }
}

#[test]
fn hostile_text_is_bounded_and_takes_nothing() {
    let long = [
        "truck ".repeat(3_500),
        "a".repeat(20_000),
        "3 ".repeat(10_000),
        "3 ".repeat(390),
        "é日本語 ".repeat(3_000),
        "\u{202e}\u{0}\u{7}".repeat(5_000),
        "from to ".repeat(190),
        "\"".repeat(20_000),
        ",".repeat(390),
        "\n".to_owned(),
        "\n: \n- -".to_owned(),
    ];
    // How long it takes is measured by the benchmarks; here it must return, and say little.
    for text in long {
        let got = told(&read(&form("rental"), None, &Values::default(), &text));
        assert!(!got.contains('=') && got.len() < 1_000, "{} bytes: {got:.200}", got.len());
    }
    let mail = "Please see below.\n\nFrom: Bob\nSent: Monday\nSubject: van\n\nWe need a truck from 3 to 5 December, 4 drivers.\n> 12 boxes please\n";
    assert_eq!(told(&read(&form("rental"), None, &Values::default(), mail)), "");
}
