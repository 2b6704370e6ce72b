//! Classes of everyday wording, each with several variants: what one of them means all of them mean.

use holdpoint_core::{Field, Values};
use holdpoint_protocols::action::form;
use holdpoint_protocols::action::reader::{self, Question};
use jiff::civil::{DateTime, datetime};
use serde_json::{Value, json};

use crate::action_form::example;

/// A Wednesday.
const NOW: DateTime = datetime(2026, 6, 10, 9, 0, 0, 0);

fn fields(name: &str) -> Vec<Field> {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/sentences/forms/");
    match std::fs::read_to_string(format!("{own}{name}")) {
        Ok(text) => form::read(&text).unwrap().fields,
        Err(_) => example(name).fields,
    }
}

/// Reads each text, and compares all that was taken.
pub(crate) fn all_mean(form: &str, asked: Option<&str>, known: &Value, expected: &Value, texts: &[&str]) {
    let fields = fields(form);
    let asked = asked.map(|id| fields.iter().find(|field| field.id == id).unwrap());
    let known: Values = serde_json::from_value(known.clone()).unwrap();
    for text in texts {
        let reading = reader::read(Question { fields: &fields, asked, text, now: NOW, known: &known });
        let taken: Values = reading.taken.into_iter().map(|taken| (taken.field, taken.value)).collect();
        assert_eq!(json!(taken), *expected, "{text}");
    }
}

pub(crate) fn says(form: &str, expected: &Value, texts: &[&str]) {
    all_mean(form, None, &json!({}), expected, texts);
}

#[test]
fn abbreviations_and_slips() {
    let value = json!({ "leave_type": "Annual", "start_date": "2026-06-11", "end_date": "2026-06-12" });
    let texts = [
        "hols tmrw til fri plz",
        "anual leave 2moro til friday",
        "pto thurs to fri",
        "vacation thursady til firday",
    ];
    says("leave_request.json", &value, &texts);
    let value = json!({ "device": "laptop", "quantity": 2, "accessories": ["Mouse"] });
    let texts =
        ["2x laptop w/ mouse", "laptops x2 w mouse", "laptop: 2, with mouse", "two new laptops n a mouse"];
    says("equipment.json", &value, &texts);
}

#[test]
fn foreign_prepositions() {
    let value = json!({ "leave_type": "Unpaid", "start_date": "2026-07-06", "end_date": "2026-07-10" });
    let texts = [
        "I want unpaid leave since 6 July until 10 July",
        "unpaid leave of 6 July up to 10 July please",
        "Please to give me unpaid leave since the 6 July till the 10 July",
    ];
    says("leave_request.json", &value, &texts);
}

#[test]
fn due_dates() {
    let value = json!({ "device": "headset", "quantity": 3, "needed_by": "2026-06-19" });
    let texts = [
        "3 headsets until 19 June",
        "we need three headsets before 19 June",
        "three headsets by 19 June at the latest",
        "3 headsets, deadline 19 June",
    ];
    says("equipment.json", &value, &texts);
}

#[test]
fn families_of_harm() {
    let told = |kind: &str| json!({ "incident_type": kind, "start_date": "2026-06-09" });
    let texts = [
        "a packer sprained her ankle yesterday",
        "yesterday one of the cooks burnt his left hand",
        "the new trainee fell yesterday and broke his wrist",
        "I cut my finger yesterday",
    ];
    says("incident_report.json", &told("Injury"), &texts);
    let texts = [
        "a lorry backed into the gate yesterday",
        "two trucks collided in the yard yesterday",
        "yesterday the van hit a lamp post",
        "there was a pile-up at bay 3 yesterday",
    ];
    says("incident_report.json", &told("Accident"), &texts);
    let texts = [
        "the bin was ablaze yesterday",
        "the dryer caught fire yesterday",
        "flames in the kitchen yesterday",
    ];
    says("incident_report.json", &told("Fire"), &texts);
}

#[test]
fn what_is_told_of_others() {
    let texts = [
        "my cousin had a car crash yesterday",
        "I heard that somebody was injured yesterday",
        "there was a fire at the neighbour's yesterday",
        "we had one time a fire in 2012",
        "before three years there was an accident here",
    ];
    says("incident_report.json", &json!({}), &texts);
    let texts = [
        "three of my people are off sick until Friday",
        "Tom's team has annual leave from 3 July",
        "before two years I took unpaid leave",
    ];
    says("leave_request.json", &json!({}), &texts);
    let texts = [
        "the monitor in room 12 flickers",
        "the other office needs 3 monitors",
        "they gave Paul two laptops and a dock",
        "before a year we bought 5 monitors",
    ];
    says("equipment.json", &json!({}), &texts);
}

#[test]
fn groups_speak_for_their_people() {
    let value = json!({ "device": "monitor", "quantity": 3 });
    let texts = [
        "ward 4 needs 3 monitors",
        "the warehouse would like three monitors",
        "accounting requires 3 monitors",
    ];
    says("equipment.json", &value, &texts);
}

#[test]
fn who_comes_for_the_first_time() {
    let texts =
        ["I'm a new patient", "never been to your practice", "first-timer here", "this is my 1st visit"];
    says("appointment.json", &json!({ "first_visit": true }), &texts);
    let texts = [
        "I've been with you before",
        "I was already by you in 2023",
        "been there b4",
        "I'm an existing patient",
        "it's my third visit",
    ];
    says("appointment.json", &json!({ "first_visit": false }), &texts);
    let texts = ["my husband was with you last year", "is the first visit free?"];
    says("appointment.json", &json!({}), &texts);
}

#[test]
fn who_has_none() {
    let texts = ["I'm uninsured", "I don't have any insurance", "without insurance", "I am not insured"];
    says("appointment.json", &json!({ "insurance": "None" }), &texts);
    let none = json!({ "insurance": "None" });
    all_mean(
        "appointment.json",
        Some("insurance"),
        &json!({}),
        &none,
        &["don't have any", "I haven't got one"],
    );
}

#[test]
fn counts_that_answer() {
    let known = json!({ "device": "headset" });
    let texts = [
        "ten, one per desk",
        "10, two for each team",
        "it will be ten, we are ten persons",
        "5 here and 5 there, so 10",
    ];
    all_mean("equipment.json", Some("quantity"), &known, &json!({ "quantity": 10 }), &texts);
    let texts = ["one per desk", "4 or 5", "at least six", "4, no, 5"];
    all_mean("equipment.json", Some("quantity"), &known, &json!({}), &texts);
}

#[test]
fn counts_that_correct() {
    let known = json!({ "device": "headset", "quantity": 3 });
    let texts = [
        "only two now, not three",
        "make it 2",
        "3 is too many, I need 2",
        "can you cut that to 2",
        "I said three but it's two",
    ];
    all_mean("equipment.json", None, &known, &json!({ "quantity": 2 }), &texts);
}

#[test]
fn hours_that_correct() {
    let known = json!({ "kind": "checkup", "when": "2026-06-17T14:00:00" });
    let value = json!({ "when": "2026-06-17T15:30:00" });
    let texts = [
        "can we do 15:30 instead",
        "could I come at 15:30 instead?",
        "make that 15:30",
        "sorry, 15:30 please",
    ];
    all_mean("appointment.json", None, &known, &value, &texts);
}

#[test]
fn days_that_are_proposed() {
    let known = json!({ "device": "headset", "quantity": 3 });
    let value = json!({ "needed_by": "2026-06-12" });
    let texts = [
        "Friday would be great",
        "how about Friday?",
        "Friday's fine",
        "let's say Friday",
        "friday, audit's on the 22nd",
    ];
    all_mean("equipment.json", Some("needed_by"), &known, &value, &texts);
}

#[test]
fn whom_to_reach() {
    let value =
        json!({ "leave_type": "Emergency", "start_date": "2026-06-10", "emergency_contact": "Ida Berg" });
    let texts = [
        "emergency leave from today, emergency contact Ida Berg",
        "emergency leave from today, my emergency contact will be Ida Berg",
        "emergency leave from today, in an emergency please call Ida Berg",
    ];
    says("leave_request.json", &value, &texts);
}

#[test]
fn what_was_so_before_is_not_what_is_so_now() {
    let value = json!({ "leave_type": "Annual", "start_date": "2026-07-07", "end_date": "2026-07-09" });
    let texts = [
        "i was sick on the 3rd but thats sorted, this time its annual leave 7 to 9 july",
        "I had unpaid leave on 2 June, now I want annual leave from 7 to 9 July",
        "I was ill in May, this time I need annual leave from 7 July to 9 July",
    ];
    says("leave_request.json", &value, &texts);
}

#[test]
fn what_is_wanted_again() {
    let texts = [
        "my laptop died, please get me a new one",
        "my laptop is broken so I need another one",
        "the old laptop is slow, I'd like a replacement",
    ];
    says("equipment.json", &json!({ "device": "laptop" }), &texts);
}

#[test]
fn courtesies_and_reasons_hedge_nothing() {
    let value = json!({ "leave_type": "Annual", "start_date": "2026-06-15", "end_date": "2026-06-17" });
    let texts = [
        "annual leave 15 to 17 June, I hope that's not too late",
        "annual leave from 15 until 17 June, hopefully it's no trouble",
        "annual leave 15 to 17 June, hope this works for everyone",
    ];
    says("leave_request.json", &value, &texts);
    says(
        "leave_request.json",
        &json!({}),
        &["maybe annual leave 15 to 17 June", "I usually take annual leave in June"],
    );
}
