//! The reader's rules on forms that are built otherwise, and on hostile text.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::json;

use crate::reader_rules::{NOW, read, told};

/// What a form is built like decides, not what it is about.
#[test]
fn names_and_counts_of_another_form() {
    let form = read_value(&json!({"form": "order", "title": "Order", "fields": [
        {"id": "item", "kind": "choice", "label": "What do you order?", "options": ["Extension cord", "Lamp"]},
        {"id": "quantity", "kind": "integer", "label": "How many pieces?"},
        {"id": "extension", "kind": "text", "label": "Extension", "required": false},
        {"id": "requested_by", "kind": "text", "label": "Requested by"},
        {"id": "pickup", "kind": "date", "label": "Pick-up date"},
        {"id": "return", "kind": "date", "label": "Return date"},
        {"id": "tested", "kind": "boolean", "label": "Tested?"},
        {"id": "purpose", "kind": "multiline", "label": "Purpose of the order"}
    ]}))
    .unwrap();
    let known = Values::default();
    let read = |text: &str| {
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        told(&reader::read(question))
    };
    for (text, expected) in [
        ("3 lamps, please", "item=Lamp quantity=3"),
        ("an extension cord", "item=Extension cord"),
        ("Requested by: Ana Prado", "requested_by=Ana Prado"),
        ("from 23 to 27 November", "pickup=2026-11-23 return=2026-11-27"),
        ("pick-up on 1 December", "pickup=2026-12-01"),
        ("the lamp is tested", "item=Lamp tested=true"),
        ("the lamp was tested", "item?"),
        ("the lamp is not tested", "item=Lamp tested=false"),
        ("the purpose of the order: a new desk", "purpose=a new desk"),
        ("we returned 2 lamps on 3 May", "item? pickup? quantity?"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

/// A form's own words are no words of doubt, and names may hold dots and figures.
#[test]
fn names_that_hold_common_words_and_signs() {
    let form = read_value(&json!({"form": "print", "title": "Print", "fields": [
        {"id": "paper", "kind": "choice", "label": "Paper", "options": ["A4 paper", "Photo paper"]},
        {"id": "clerk", "kind": "choice", "label": "Clerk", "options": ["Dr. Mbeki", "Dr. Roth"]},
        {"id": "branch", "kind": "choice", "label": "Branch", "options": ["North", "South"]},
        {"id": "stamp", "kind": "boolean", "label": "Is a stamp required?"},
        {"id": "glossy", "kind": "boolean", "label": "Is the print glossy?"},
        {"id": "since", "kind": "date", "label": "Customer since"}
    ]}))
    .unwrap();
    for (text, expected) in [
        ("A4 paper with Dr. Roth", "clerk=Dr. Roth paper=A4 paper"),
        ("Dr. Roth was away", "clerk?"),
        ("a photo. Paper is there", ""),
        ("the north, please", "branch=North"),
        ("a stamp is required", "stamp=true"),
        ("a stamp is not required", "stamp=false"),
        ("the print is glossy", "glossy=true"),
        ("customer since 4 March 2019", "since=2019-03-04"),
        ("customer since about 4 March 2019", "since?"),
    ] {
        let known = Values::default();
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        assert_eq!(told(&reader::read(question)), expected, "{text}");
    }
}

/// In a form that asks what happened, days and options are told; a number may still be said of something else.
#[test]
fn a_report_tells_of_what_has_been() {
    let form = read_value(&json!({"form": "report", "title": "Report", "fields": [
        {"id": "day", "kind": "date", "label": "When did it happen?"},
        {"id": "kind", "kind": "choice", "label": "What happened?", "options": ["Theft", "Fire"]},
        {"id": "damage", "kind": "number", "label": "Damage (EUR)"}
    ]}))
    .unwrap();
    for (text, expected) in [
        ("There was a fire on 3 May", "day=2026-05-03 kind=Fire"),
        ("Somebody else paid 2000 euros", "damage?"),
        ("The damage was 900 euros", "damage=900"),
    ] {
        let known = Values::default();
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        assert_eq!(told(&reader::read(question)), expected, "{text}");
    }
}

/// A long number is none to dial, unless it is written like one.
#[test]
fn telephone_numbers_are_told_from_numbers() {
    let form = read_value(&json!({"form": "callback", "title": "Callback", "fields": [
        {"id": "phone", "kind": "tel", "label": "Phone"},
        {"id": "day", "kind": "date", "label": "Day"}
    ]}))
    .unwrap();
    let known = Values::default();
    for (text, expected) in [
        ("+49 30 123456", "phone=+49 30 123456"),
        ("call (030) 123-4567", "phone=(030) 123-4567"),
        ("555-123-4567", "phone=555-123-4567"),
        ("12 000 000", ""),
        ("03/12/2026", "day?"),
    ] {
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        assert_eq!(told(&reader::read(question)), expected, "{text}");
    }
}

#[test]
fn hostile_text_is_bounded_and_takes_nothing() {
    let long = [
        "truck ".repeat(3_500),
        "a".repeat(20_000),
        "3 ".repeat(10_000),
        "é日本語 ".repeat(3_000),
        "\u{202e}\u{0}\u{7}".repeat(5_000),
        "from to ".repeat(2_500),
        "\"".repeat(20_000),
        ",".repeat(20_000),
    ];
    // How long it takes is measured by the benchmarks; here it must return, and say little.
    for text in long {
        let got = read(None, &json!({}), &text);
        assert!(!got.contains('=') && got.len() < 1_000, "{} bytes: {got:.200}", got.len());
    }
    let mail = "Please see below.\n\nFrom: Bob\nSent: Monday\nSubject: van\n\nWe need a truck from 3 to 5 December, 4 drivers.\n> 12 boxes please\n";
    assert_eq!(read(None, &json!({}), mail), "");
}
