//! What sounds like a value and is none: what somebody has already, what would be needed if, what is meant otherwise, what
//! belongs to everybody or to others.

use serde_json::json;

use crate::action_wordings::says;

#[test]
fn what_somebody_has_is_not_ordered() {
    says(
        "equipment.json",
        &json!({}),
        &[
            "I need somebody to look at my two monitors",
            "I need help with my laptop",
            "my laptop, stolen on 8 June, had no lock",
            "please pick up the two old monitors on Friday",
            "they delivered 2",
            "please remember that Kev needs 2 laptops",
            "do not order before 12 June",
            "by when do you need the answer, 12 June?",
            "I'd need 2 headsets in case we hire two people",
            "I'd need 2 headsets if the project is approved",
        ],
    );
    for (text, expected) in [
        ("a dock for my laptop please", json!({ "accessories": ["Dock"] })),
        ("please replace my old laptop", json!({ "device": "laptop" })),
        ("I'd need 2 headsets if possible", json!({ "device": "headset", "quantity": 2 })),
        ("They're needed by Thursday", json!({ "needed_by": "2026-06-11" })),
        ("ideally I'd get two monitors, but one will do", json!({ "device": "monitor", "quantity": 1 })),
    ] {
        says("equipment.json", &expected, &[text]);
    }
}

#[test]
fn what_others_have_or_all() {
    says(
        "leave_request.json",
        &json!({}),
        &[
            "school holidays start on 22 July",
            "Monday is a bank holiday",
            "annual leave requests must be in by 30 June",
            "I have 12 days of annual leave left until 31 December",
            "just asking, not booking: 15 to 19 June",
            "let's say I take annual leave from 15 June, do I lose my bonus?",
            "could someone cover for me from 15 to 19 June?",
            "it makes me sick",
            "the sick note is for Kev",
        ],
    );
    says(
        "appointment.json",
        &json!({}),
        &[
            "can my husband come on Friday at 10?",
            "I was vaccinated on 3 June at 9",
            "Friday at 10 was taken",
            "I have an interview on Friday at 10",
        ],
    );
    let been = json!({ "first_visit": false });
    says("appointment.json", &been, &["it was my first visit last week"]);
}

#[test]
fn what_is_meant_otherwise_is_no_incident() {
    says(
        "incident_report.json",
        &json!({}),
        &[
            "the system crashed on 8 June",
            "my computer crashed yesterday",
            "stock market crash on 8 June",
            "there was a fire in the film I saw yesterday",
            "a burning question: when is lunch?",
            "my pride was hurt",
            "please send me the form for an accident",
            "the accident of 8 June is closed",
        ],
    );
    let crash = json!({ "incident_type": "Accident", "start_date": "2026-06-09" });
    says(
        "incident_report.json",
        &crash,
        &["a van crashed into the gate yesterday", "two cars crashed yesterday"],
    );
}
