//! The built-in reader on whatever may be said. The labelled sentences: `action_sentences`.

use std::time::Duration;

use holdpoint_core::{Field, Kind, Opt, Values, field};
use holdpoint_protocols::action::reader::{self, Question, Reading};
use jiff::civil::{DateTime, datetime};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::action_form::example;

const NOW: DateTime = datetime(2026, 1, 20, 10, 0, 0, 0);

fn read(fields: &[Field], asked: Option<&str>, text: &str) -> Reading {
    let asked = asked.map(|id| fields.iter().find(|field| field.id == id).unwrap());
    reader::read(Question { fields, asked, text, now: NOW, known: &Values::new() })
}

#[test]
fn each_value_says_where_it_comes_from() {
    let fields = example("leave_request.json").fields;
    let reading = read(&fields, None, "Vacation from 11 to 15 February, because Ana marries.");
    let words: Vec<(&str, &str)> =
        reading.taken.iter().map(|taken| (taken.field.as_str(), taken.words.as_str())).collect();
    assert_eq!(
        words,
        [
            ("reason", "because Ana marries"),
            ("start_date", "11"),
            ("end_date", "to 15 February"),
            ("leave_type", "Vacation")
        ]
    );
}

#[test]
fn what_could_mean_two_things_is_asked() {
    let fields = example("leave_request.json").fields;
    let unsure = |asked, text: &str| {
        let reading = read(&fields, asked, text);
        assert!(reading.taken.is_empty(), "{text}: {reading:?}");
        reading.unsure.first().map(|unsure| json!(unsure.values)).unwrap_or_default()
    };
    assert_eq!(unsure(None, "sick or unpaid leave"), json!(["Sick", "Unpaid"]));
    assert_eq!(unsure(Some("start_date"), "03/04/2026"), json!(["2026-04-03", "2026-03-04"]));
    assert_eq!(unsure(None, "maybe sick or unpaid"), Value::Null);
}

#[test]
fn halves_are_kept_and_misfits_are_told() {
    let change = example("change_request.md").fields;
    let half = read(&change, Some("start"), "tomorrow").partial;
    assert_eq!(half[0].date.unwrap().to_string(), "2026-01-21");
    let half = read(&change, Some("start"), "at 9").partial;
    assert_eq!((half[0].date, half[0].time.unwrap().to_string()), (None, "09:00:00".into()));
    let hotel = example("hotel_booking.json").fields;
    let reading = read(&hotel, Some("guests"), "twelve");
    assert_eq!((reading.taken.len(), reading.unfit[0].field.as_str()), (0, "guests"));
}

/// Pieces of speech in any order: no panic, no value that core would not take, no value without words.
fn speech() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "from",
        "to",
        "11",
        "15",
        "February",
        "the",
        "3rd",
        "next",
        "Monday",
        "sick",
        "annual",
        "not",
        "no",
        "in",
        "two",
        "weeks",
        "ago",
        "at",
        "half",
        "past",
        "nine",
        "pm",
        "24.7",
        "46.6",
        "°",
        "N",
        "'",
        "\"",
        ",",
        ".",
        ":",
        "/",
        "-",
        "2026",
        "2026-02-11",
        "a",
        "because",
        "breakfast",
        "nights",
        "maybe",
        "?",
        "an hour and a half",
        "00",
        "99999999999",
        "quarter",
        "of",
        "and",
        "between",
        "+49 30 1234567",
        "a@b.example",
        "http://",
        "é",
        "日本",
        "\n",
        "\u{202e}",
        "12/11/10",
        "31",
        "last",
        "day",
        "before",
        "yesterday",
        "twenty-",
        "risk",
        "is",
        "low",
    ]);
    prop::collection::vec(piece, 0..25).prop_map(|pieces| pieces.join(" "))
}

fn check_any(text: &str) {
    for name in ["leave_request.json", "incident_report.json", "hotel_booking.json", "change_request.md"] {
        let fields = example(name).fields;
        let asked = std::iter::once(None).chain(fields.iter().map(|field| Some(field.id.as_str())));
        for asked in asked {
            for taken in read(&fields, asked, text).taken {
                let field = fields.iter().find(|field| field.id == taken.field).unwrap();
                assert_eq!(field::check(field, &taken.value), Ok(taken.value.clone()), "{text:?}");
                assert!(!taken.words.is_empty() && text.contains(&taken.words), "{text:?}: {taken:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_speech(text in speech()) {
        check_any(&text);
    }

    #[test]
    fn any_text(text: String) {
        check_any(&text);
    }
}

#[test]
fn long_texts_and_wide_forms_stay_quick() {
    let option = |at: usize| Opt::new(format!("o{at}"), format!("Option number {at}"));
    let fields: Vec<Field> = (0..50)
        .map(|at| match at % 5 {
            0 => {
                Field::offering(format!("choice_{at}"), Kind::Choice, "Which?", (0..20).map(option).collect())
            }
            1 => Field::new(format!("day_{at}"), Kind::Date, "When?"),
            2 => Field::new(format!("count_{at}"), Kind::Integer, "How many?"),
            3 => Field::new(format!("wants_{at}"), Kind::Boolean, "Do you want it?"),
            _ => Field::new(format!("text_{at}"), Kind::Multiline, "What?"),
        })
        .collect();
    let text =
        "I would like option number 3 from 11 to 15 February at half past nine because of 24.7, 46.6. "
            .repeat(100);
    let begun = std::time::Instant::now();
    read(&fields, None, &text);
    assert!(begun.elapsed() < Duration::from_secs(20), "took {:?}", begun.elapsed());
}

/// What nobody says costs no more than its length.
#[test]
fn hostile_texts_stay_quick() {
    let fields = example("hotel_booking.json").fields;
    for part in ["(", "😀", "1/", "x,", "\"", "' ", "a (b) "] {
        let text = part.repeat(20_000 / part.len());
        let begun = std::time::Instant::now();
        read(&fields, None, &text);
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(6), "{part:?}: took {took:?}");
    }
}
