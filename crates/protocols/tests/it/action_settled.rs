//! What is over, dealt with or somebody else's beside what is asked for, and days and things that are pointed at.

use serde_json::{Value, json};

use crate::action_wordings::{all_mean, says};

fn nothing() -> Value {
    json!({})
}

#[test]
fn what_is_dealt_with_is_not_asked_for() {
    let value = json!({ "leave_type": "Annual", "start_date": "2026-10-05" });
    let texts = [
        "I was sick from 24 to 28 August, that's already been recorded. This is about annual leave, beginning 5 October.",
        "I was ill from 24 to 28 August and that has been booked by HR. Now I need annual leave from 5 October.",
        "We had our holiday from 1 to 12 June. This time I want annual leave from 5 October.",
        "I was off sick on 24 August. I'd like annual leave from 5 October.",
    ];
    says("leave_request.json", &value, &texts);
    let texts = [
        "I was sick from 24 to 28 August, that's already been recorded.",
        "I had an emergency last month, that one is settled.",
    ];
    says("leave_request.json", &nothing(), &texts);
    let value = json!({ "incident_type": "Injury", "start_date": "2026-05-08" });
    let texts = [
        "The other depot's fire on 3 May is their business, ours was an injury on 8 May.",
        "The last fire we had was in 2023. This report is about the injury on 8 May.",
        "My son's football accident of 7 May isn't for here. I report an injury on 8 May.",
    ];
    says("incident_report.json", &value, &texts);
}

/// A sentence ends behind an ordinal, and what follows may be somebody else's.
#[test]
fn what_is_anothers_is_not_taken() {
    let known = json!({ "leave_type": "Annual" });
    let value = json!({ "start_date": "2026-09-21" });
    let texts = [
        "I'd say the 21st of September. My husband's leave only begins on the 23rd.",
        "21 September. Karim's starts a day later, on the 22nd.",
        "the 21st of September, her holiday starts on 23 September",
    ];
    all_mean("leave_request.json", Some("start_date"), &known, &value, &texts);
}

#[test]
fn days_and_things_that_are_pointed_at() {
    let value = json!({ "leave_type": "Unpaid", "start_date": "2026-09-21", "end_date": "2026-09-25" });
    let texts = [
        "My daughter's school is shut from 21 to 25 September, so I'd like unpaid leave on those days.",
        "The kindergarten is closed from 21 September to 25 September. Unpaid leave for these days please.",
    ];
    says("leave_request.json", &value, &texts);
    says(
        "leave_request.json",
        &nothing(),
        &["The crane inspection is on 21 September, so I can't be away that day."],
    );
}

#[test]
fn a_weekday_of_the_week_after() {
    for (text, end) in [
        ("annual leave from 21 September to Wednesday of the week after", "2026-09-30"),
        ("annual leave from 21 September to Wednesday the following week", "2026-09-30"),
        ("annual leave from 21 September until Friday of the week after that", "2026-10-02"),
    ] {
        let value = json!({ "leave_type": "Annual", "start_date": "2026-09-21", "end_date": end });
        says("leave_request.json", &value, &[text]);
    }
    let known = json!({ "leave_type": "Annual", "start_date": "2026-09-21" });
    // An end that is told by its number or weekday lies behind the start that is known.
    let value = json!({ "end_date": "2026-10-05" });
    all_mean("leave_request.json", Some("end_date"), &known, &value, &["until the 5th", "the 5th please"]);
}

#[test]
fn what_an_instrument_or_a_note_says() {
    let known = json!({ "leave_type": "Sick", "start_date": "2026-09-21" });
    let value = json!({ "end_date": "2026-09-25" });
    all_mean("leave_request.json", Some("end_date"), &known, &value, &["The note says until 25 September."]);
    let known = json!({ "leave_type": "Sick" });
    let value = json!({ "medical_certificate": ["Yes"] });
    let texts = ["got one from Dr Amin", "I've got one", "have one, yes"];
    all_mean("leave_request.json", Some("medical_certificate"), &known, &value, &texts);
    let value = json!({ "medical_certificate": ["No"] });
    let texts =
        ["the doctor gives it to me on Friday, so not yet", "there was one last time but this time no"];
    all_mean("leave_request.json", Some("medical_certificate"), &known, &value, &texts);
}

#[test]
fn whose_it_is_and_what_it_is_of() {
    let texts = [
        "The holidays of my kids start on 28 September.",
        "Two of my plants need water from 10 to 20 September, could you?",
        "My colleague's sick leave was extended until 30 September.",
    ];
    says("leave_request.json", &nothing(), &texts);
    let value = json!({ "extras": ["parking", "late_checkout"] });
    says("hotel_booking.json", &value, &["We need two parking spaces and a late checkout on Sunday."]);
    let value = json!({ "leave_type": "Annual", "start_date": "2026-09-14", "end_date": "2026-09-18" });
    says("leave_request.json", &value, &["annual leave from 14 September up to and including 18 September"]);
    let value = json!({ "regions": ["eu", "us"] });
    let texts = ["everywhere but Asia", "all except Asia please"];
    all_mean("change_request.md", Some("regions"), &json!({}), &value, &texts);
}
