//! What may stand beside a value without changing it, how far a guard reaches, and which slips are read over.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::json;

use crate::reader_rules::{NOW, check, told};

#[track_caller]
fn check_hall(table: &str) {
    let form = read_value(&json!({"form": "hall", "title": "Hall", "fields": [
        {"id": "event", "kind": "choice", "label": "Event", "options": ["Wedding", "Concert", "Meeting"]},
        {"id": "room", "kind": "choice", "label": "Room", "options": ["Main hall", "Loft"]},
        {"id": "unit", "kind": "choice", "label": "Team", "options": ["IT", "Sales"]},
        {"id": "day", "kind": "date", "label": "Date of the event"},
        {"id": "guests", "kind": "integer", "label": "Number of guests"},
        {"id": "kitchen", "kind": "boolean", "label": "Do you need the kitchen?"},
        {"id": "drinks", "kind": "boolean", "label": "Will drinks be served?"},
        {"id": "returned", "kind": "date", "label": "Return by"}
    ]}))
    .unwrap();
    let known = Values::default();
    let read = |(text, expected): (&str, &str)| {
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        let got = told(&reader::read(question));
        (got != expected.trim()).then(|| format!("{text:?}: {got:?}, not {:?}", expected.trim()))
    };
    let rows = table.lines().filter_map(|line| line.trim_start().split_once(" =>"));
    let wrong: Vec<String> = rows.filter_map(read).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// For whom, where and what for changes nothing; what limits, refuses or has another subject does.
#[test]
fn adjuncts_and_acts_say_nothing_of_the_value() {
    check_hall(
        r"
        We are planning a wedding for 60 guests => event=Wedding guests=60
        a meeting of our chess club in the loft => event=Meeting room=Loft
        a small wedding for Anna's family => event=Wedding
        60 guests at the loft for the office party => guests=60 room=Loft
        I could do a concert, and I've got 80 guests => event=Concert guests=80
        we want to avoid the loft => room?
        the guests dislike the loft => room?
        60 guests at most => guests?
        some 60 guests => guests?
        at most 60 guests in the loft => guests? room=Loft
        date of the event: 3 November => day?
        date of the event: 16 November => day=2026-11-16
        date of the event: 3 September => day=2027-09-03
        the main hall, should it be free => room?
        Anna needs the kitchen =>
        we need the kitchen => kitchen=true
        drinks will be served => drinks=true
        we won't serve drinks => drinks=false
        a meeting for IT => event=Meeting unit=IT
    ",
    );
}

/// A guard stays in its clause where that names the form, and speaks of the whole sentence where it does not.
#[test]
fn a_guard_covers_what_it_speaks_of() {
    check_hall(
        r"
        a concert, I think => event?
        a concert in the loft, if that works => event? room?
        last year we had the loft, this time the main hall => room=Main hall
        the loft for my brother => room=Loft
        my brother wants the loft => room?
        60 guests, maybe 70 => guests?
        no more than 60 guests => guests?
        a concert for 60 guests, with the kitchen if it is free => event=Concert guests=60
    ",
    );
    check("50 euros, let's say 70 euros => deposit?");
    check("to be returned by 3 May => end_date? start_date?");
}

/// A second value is offered beside the first, and never dropped for it.
#[test]
fn an_uncertain_value_is_offered_with_its_rival() {
    let form = read_value(&json!({"form": "fee", "title": "Fee", "fields": [
        {"id": "deposit", "kind": "number", "label": "Deposit (EUR)"}
    ]}))
    .unwrap();
    let known = Values::default();
    let text = "50 euros first but let's say 70 euros";
    let reading = reader::read(Question {
        fields: &form.fields,
        asked: None,
        text,
        now: NOW,
        zone: None,
        known: &known,
    });
    assert_eq!(reading.unsure[0].values, [json!(50), json!(70)], "{reading:?}");
}
