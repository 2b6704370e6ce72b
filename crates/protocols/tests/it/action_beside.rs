//! What stands beside a request and is no part of it: absences, other people's numbers, feasts that are only spoken of, the last
//! day at work; and what does belong to it, though nothing says so but its place.

use serde_json::{Value, json};

use crate::action_wordings::says;

#[test]
fn who_is_away_needs_nothing_then() {
    says(
        "equipment.json",
        &json!({}),
        &[
            "I'm not here on the 12th",
            "I'm away on Friday",
            "I'll be off on Thursday and Friday",
            "I'm out of the office from 15 to 18 June",
            "I'm busy on Monday",
            "we are closed on 24 June",
            "we have enough laptops",
            "do we get two monitors each",
        ],
    );
    says(
        "equipment.json",
        &json!({ "device": "monitor", "quantity": 2 }),
        &[
            "two monitors please, I'm away on Friday",
            "two monitors please, I'm not in on Friday",
            "two monitors, but nobody is here on Christmas Eve",
        ],
    );
    says(
        "appointment.json",
        &json!({}),
        &[
            "anything but Friday at 10",
            "any day except Friday at 10",
            "I'm away on Friday",
            "call my wife on 0655 501 220",
            "your fax number is 0655 501 220, right?",
            "my husband's mobile is 0655 501 220",
        ],
    );
}

#[test]
fn feasts_are_days_where_they_are_asked_for() {
    let annual = |start: &str, end: Option<&str>| {
        let mut value = json!({ "leave_type": "Annual", "start_date": start });
        if let Some(end) = end {
            value["end_date"] = json!(end);
        }
        value
    };
    for (text, expected) in [
        ("annual leave on Christmas Eve", annual("2026-12-24", None)),
        ("holiday on Xmas Day please", annual("2026-12-25", None)),
        ("annual leave from Christmas Eve to New Year's Day", annual("2026-12-24", Some("2027-01-01"))),
        (
            "I'd like annual leave from Boxing Day until New Years Eve",
            annual("2026-12-26", Some("2026-12-31")),
        ),
        ("annual leave from 21 December to Boxing Day", annual("2026-12-21", Some("2026-12-26"))),
        ("annual leave over Christmas", json!({ "leave_type": "Annual" })),
    ] {
        says("leave_request.json", &expected, &[text]);
    }
    says(
        "leave_request.json",
        &json!({}),
        &[
            "last Christmas Eve I was on annual leave",
            "do we get Boxing Day off?",
            "do we get Christmas Eve off",
            "is New Year's Day a holiday?",
            "the office is closed from Christmas Eve to New Year's Day",
            "Boxing Day is on a Saturday this year",
            "the party is on Christmas Eve",
            "I don't want Christmas Eve off",
            "Kev wants Boxing Day off",
        ],
    );
}

#[test]
fn which_end_a_day_is() {
    for (text, expected) in [
        ("last day of my leave would be Sunday 21 June", json!({ "end_date": "2026-06-21" })),
        ("the end of my leave is 21 June", json!({ "end_date": "2026-06-21" })),
        ("first day of my leave would be 15 June", json!({ "start_date": "2026-06-15" })),
        ("final day of my holiday is 19 June", json!({ "leave_type": "Annual", "end_date": "2026-06-19" })),
        ("the last day of term is 19 June", json!({})),
        ("the end of my contract is 30 June", json!({})),
        ("my last day at work is 12 June", json!({})),
        ("my last working day is 12 June", json!({})),
        ("working hours are Mon-Fri 9 to 5", json!({})),
    ] {
        says("leave_request.json", &expected, &[text]);
    }
    let span = json!({ "leave_type": "Annual", "start_date": "2026-06-15", "end_date": "2026-06-17" });
    let texts = [
        "annual leave Mon-Wed next week please",
        "annual leave Mon - Wed next week",
        "next week Mon-Wed annual leave",
        "is it possible to get annual leave from 15 to 17 June?",
        "is it possible for me to take annual leave from 15 to 17 June?",
        "annual leave starting next Monday and finishing that Wednesday, 17 June",
    ];
    says("leave_request.json", &span, &texts);
    says(
        "leave_request.json",
        &json!({}),
        &[
            "is it possible to take sick leave on holiday?",
            "is it possible to carry over annual leave to next year?",
            "is it possible that Kev gets annual leave from 15 to 17 June?",
            "it's not possible to take annual leave on 15 June",
        ],
    );
}

#[test]
fn a_reason_is_known_by_its_place() {
    let unpaid = |reason: Option<&str>| {
        let mut value = json!({ "leave_type": "Unpaid", "start_date": "2026-06-11" });
        if let Some(reason) = reason {
            value["reason"] = json!(reason);
        }
        value
    };
    for (text, reason) in [
        ("unpaid leave tomorrow - dentist", Some("dentist")),
        ("unpaid leave tomorrow – moving house", Some("moving house")),
        ("unpaid leave tomorrow (my sister's wedding)", Some("my sister's wedding")),
        ("unpaid leave tomorrow - thanks", None),
        ("unpaid leave tomorrow - please confirm", None),
        ("unpaid leave tomorrow - Kev covers the 12", None),
        ("unpaid leave tomorrow - not for a wedding this time", None),
        ("unpaid leave tomorrow as my manager suggested", None),
        ("unpaid leave tomorrow, book it as my third day", None),
        ("unpaid leave tomorrow as my kids are off school", Some("my kids are off school")),
    ] {
        says("leave_request.json", &unpaid(reason), &[text]);
    }
    let one = |reason: &str| json!({ "device": "monitor", "quantity": 1, "reason": reason });
    says("equipment.json", &one("mine is cracked"), &["one monitor - mine is cracked"]);
    says("equipment.json", &json!({ "device": "monitor", "quantity": 1 }), &["one monitor - the boss knows"]);
    let wedding = json!({ "reason": "my cousin's wedding" });
    says("leave_request.json", &wedding, &["The reason for my leave is my cousin's wedding"]);
    says("leave_request.json", &json!({}), &["the reason for the delay is the strike"]);
}

#[test]
fn who_is_to_be_called() {
    let value = |name: &str| json!({ "leave_type": "Emergency", "start_date": "2026-06-11", "emergency_contact": name });
    says(
        "leave_request.json",
        &value("Ana Silva"),
        &[
            "Emergency leave from tomorrow, use Ana Silva as my emergency contact",
            "Emergency leave from tomorrow, with Ana Silva as the emergency contact",
            "emergency leave please, starting tomorrow, you can reach Ana Silva as my emergency contact",
        ],
    );
}

#[test]
fn places_in_all_notations() {
    let place: Value = json!({ "location": { "lat": 52.5, "lng": 13.4 } });
    says(
        "incident_report.json",
        &place,
        &[
            "52.5 N 13.4 E",
            "N52.5 E13.4",
            "52.5N, 13.4E",
            "52,5 N 13,4 E",
            "lat 52.5 long 13.4",
            "lat: 52.5, lng: 13.4",
            "lat/long 52.5 / 13.4",
            "latitude and longitude: 52.5, 13.4",
            "long 13.4 lat 52.5",
            "52.5 degrees north and 13.4 degrees east",
            "52\u{b0}30'N 13\u{b0}24'E",
            "52\u{b0}30'00\"N, 13\u{b0}24'00\"E",
            "52 30 00 N 13 24 00 E",
            "52 30.0 N, 13 24.0 E",
            "52 deg 30 min N, 13 deg 24 min E",
        ],
    );
    says(
        "incident_report.json",
        &json!({}),
        &["the beam is 4.5 long and 2.3 wide", "91.5 N 13.4 E", "52 75 00 N 13 24 00 E"],
    );
}

#[test]
fn an_address_in_the_middle() {
    let mail = |rest: Value| {
        let mut value = rest;
        value["email"] = json!("ana@site.example");
        value
    };
    for (text, rest) in [
        (
            "A double please, my e-mail is ana@site.example and it is for two nights",
            json!({ "room": "double", "nights": 2 }),
        ),
        ("booking for ana@site.example: double, 3 nights", json!({ "room": "double", "nights": 3 })),
        ("you can write to me (ana@site.example) any time", json!({})),
        ("Ana here, ana@site.example, we would like a suite", json!({ "room": "suite" })),
    ] {
        says("hotel_booking.json", &mail(rest), &[text]);
    }
    says(
        "hotel_booking.json",
        &json!({}),
        &["my husband's e-mail is tom@site.example", "don't send anything to old@site.example"],
    );
}
