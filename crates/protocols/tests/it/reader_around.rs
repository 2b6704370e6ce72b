//! What stands around a value and belongs to another: the end of a text, the end of a span, a part of a number.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::json;

use super::reader_rules::{NOW, check, told};

/// A text ends before the next value that has its field's name beside it, and what may go on behind it is asked.
#[test]
fn a_text_ends_where_another_field_begins() {
    check(
        r"
        company: Acme Ltd, 4 drivers => company=Acme Ltd drivers=4
        company: Acme Ltd, boxes 4, pick-up time half past 2 in the afternoon => boxes=4 company=Acme Ltd pickup_time=14:30:00
        company: Acme Ltd, Berlin => company=Acme Ltd, Berlin
        company: Acme (my brother's), 4 boxes => boxes=4 company=Acme (my brother's)
        the company is Acme, 4 drivers => company=Acme drivers=4
        the company is Acme and we need 3 boxes => boxes=3 company=Acme
        the company is Acme's sister => company?
        the company is Acme and Sons => company?
        the company is Main Street 5 in Bristol => company?
        the company is Main Street 5, 20457 Bristol => company?
        the company is Acme unless they merge => company?
    ",
    );
}

#[test]
fn other_ends_and_parts_are_not_the_value() {
    check(
        r"
        we leave at 10:00 => pickup_time?
        we are back at 10:00 => pickup_time?
        5 of the boxes => boxes?
        boxes: 5 of 12 => boxes?
        boxes 1.000 => boxes=1000
        you can reach me at a@b.org => email=a@b.org
        we need insurance of the boxes =>
        we need insurance => insurance=true
        1 box => boxes=1
        is the deposit 80 euros => deposit?
        3 boxes, weather permitting => boxes?
        boxes 3 (estimated) => boxes?
        80 euros from the truck => deposit? vehicle=truck
    ",
    );
}

/// A doubt in a label is no name, and hides none in a message.
#[test]
fn a_hedge_in_a_label_is_no_name() {
    let form = read_value(&json!({"form": "lost", "title": "Lost", "fields": [
        {"id": "at", "kind": "time", "label": "At about what time?"},
        {"id": "cash", "kind": "number", "label": "Cash in it (EUR)"}
    ]}))
    .unwrap();
    let known = Values::default();
    let read = |text| {
        told(&reader::read(Question {
            fields: &form.fields,
            asked: None,
            text,
            now: NOW,
            zone: None,
            known: &known,
        }))
    };
    assert_eq!(read("about 40 euros cash"), "cash?");
    assert_eq!(read("40 euros cash at about 14:30"), "at=14:30:00 cash=40");
}
