//! Days, times and counts as they are dictated, and corrections and news as they are told in passing.

use serde_json::json;

use crate::action_wordings::{all_mean, says};

#[test]
fn spoken_days() {
    let value = json!({ "leave_type": "Annual", "start_date": "2026-07-06", "end_date": "2026-07-17" });
    let texts = [
        "Book annual leave, start July sixth, end July seventeenth.",
        "Annual leave from the sixth of July to the seventeenth of July",
        "vacation July sixth through July seventeenth",
        "I'd like annual leave from sixth July until seventeenth July please",
    ];
    says("leave_request.json", &value, &texts);
    let days = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth \
                sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty_second twenty-third twenty-fourth \
                twenty-fifth twenty_sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first";
    for (at, day) in days.split(' ').enumerate() {
        let day = day.replace('_', " ");
        let value = json!({ "needed_by": format!("2026-08-{:02}", at + 1) });
        let known = json!({ "device": "laptop", "quantity": 1 });
        let texts =
            [format!("August {day}"), format!("by August {day} please"), format!("the {day} of August")];
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        all_mean("equipment.json", Some("needed_by"), &known, &value, &texts);
    }
    let known = json!({ "leave_type": "Annual", "start_date": "2026-06-15" });
    let texts =
        ["Nineteenth.", "the nineteenth, and tell Ben that I'll ring him about the shelves on Sunday"];
    all_mean("leave_request.json", Some("end_date"), &known, &json!({ "end_date": "2026-06-19" }), &texts);
}

#[test]
fn spoken_times() {
    for (time, texts) in [
        ("12:30", ["vaccination tomorrow at twelve thirty", "vaccination, June eleventh, twelve thirty"]),
        (
            "11:15",
            ["a vaccination tomorrow, eleven fifteen please", "vaccination tomorrow at eleven fifteen a.m."],
        ),
        ("15:00", ["vaccination tomorrow at three p.m.", "vaccination tomorrow, 3 p.m., thanks"]),
        ("14:45", ["vaccination tomorrow at two forty-five p.m.", "vaccination tomorrow, two forty five pm"]),
        (
            "09:05",
            [
                "vaccination tomorrow at nine oh five",
                "I need a vaccination tomorrow at nine oh five a.m. please",
            ],
        ),
    ] {
        let value = json!({ "kind": "vaccination", "when": format!("2026-06-11T{time}:00") });
        says("appointment.json", &value, &texts);
    }
    let texts = [
        "The fifteenth at eleven, I'm away on the sixteenth.",
        "Monday the fifteenth, eleven a.m., then I'm off",
    ];
    all_mean("appointment.json", Some("when"), &json!({}), &json!({ "when": "2026-06-15T11:00:00" }), &texts);
    let known = json!({ "kind": "checkup", "when": "2026-06-12T14:00:00" });
    let texts =
        ["same day but 15:00", "make it three p.m.", "Push it to three p.m.", "same day, just 3 pm please"];
    all_mean("appointment.json", None, &known, &json!({ "when": "2026-06-12T15:00:00" }), &texts);
}

#[test]
fn counts_said_by_the_way() {
    let known = json!({ "device": "headset" });
    let texts = [
        "Six. Hang on, what did we get last year, four? Never mind that, six.",
        "Six. Wait, what was it in May, nine? Doesn't matter, six.",
        "Six will be enough, although there are eleven of us.",
        "6 (one per desk).",
        "Six, please. That makes one per table.",
        "six would be fine, though we are ten people",
    ];
    all_mean("equipment.json", Some("quantity"), &known, &json!({ "quantity": 6 }), &texts);
    all_mean(
        "equipment.json",
        Some("quantity"),
        &known,
        &json!({ "quantity": 2 }),
        &["Two of them", "two of those please"],
    );
    let known = json!({ "device": "laptop", "quantity": 5 });
    let texts = [
        "Please reduce the quantity to 3; the rest stays as it is.",
        "I thought about it again, and three would be better.",
        "Please change that to three laptops.",
        "lower the quantity to three please",
    ];
    all_mean("equipment.json", None, &known, &json!({ "quantity": 3 }), &texts);
    let value = json!({ "device": "monitor", "quantity": 2 });
    let texts = [
        "Marketing wants 9 laptops next year, I need 2 monitors",
        "I need two monitors, sales wants 12 headsets",
    ];
    says("equipment.json", &value, &texts);
}

#[test]
fn what_is_only_news() {
    let texts = [
        "Ticket 88 is solved, the monitor works fine.",
        "The laptop works again, thank you.",
        "Assuming the budget comes, I would take 3 monitors, not confirmed yet.",
    ];
    says("equipment.json", &json!({}), &texts);
    says("equipment.json", &json!({}), &["Marketing wants 4 laptops by Friday, I told them to ask you"]);
    let texts = ["four. no, five. Wait, is it four?", "one per desk, sorry"];
    all_mean("equipment.json", Some("quantity"), &json!({ "device": "laptop" }), &json!({}), &texts);
    says(
        "leave_request.json",
        &json!({}),
        &["Supposing the project slips, I would take annual leave in August."],
    );
    let texts = [
        "we saw the fire engine at the market on Sunday",
        "the children saw a fire truck on Monday",
        "my wife got hurt on Monday",
        "my son got hurt in the garden at home on Monday",
        "my dog was hurt at the vet today",
        "the concert started on 5 June and lasted until 6 June",
    ];
    says("incident_report.json", &json!({}), &texts);
}

#[test]
fn both_ends_of_a_range() {
    let value = json!({ "leave_type": "Annual", "start_date": "2026-07-28", "end_date": "2026-07-31" });
    let texts = [
        "want to be off 28 jul to 31 jul, annual leave",
        "I have to be off 28 July until 31 July, annual leave",
        "annual leave please, I want to be away 28 July - 31 July",
    ];
    says("leave_request.json", &value, &texts);
}

#[test]
fn days_that_correct() {
    let known = json!({ "leave_type": "Annual", "start_date": "2026-06-15" });
    let texts = [
        "I am so sorry, I meant Tuesday, not Monday.",
        "oops make it tuesday the 16th",
        "wait, make it the 16th",
        "I meant the sixteenth, not the fifteenth",
    ];
    all_mean("leave_request.json", None, &known, &json!({ "start_date": "2026-06-16" }), &texts);
    let known = json!({ "incident_type": "Accident", "start_date": "2026-06-08" });
    let texts = ["Correction: it happened on the 7th, not on the 8th.", "it was on the 7th, not on the 8th"];
    all_mean("incident_report.json", None, &known, &json!({ "start_date": "2026-06-07" }), &texts);
    let known = json!({ "device": "laptop", "quantity": 5, "needed_by": "2026-06-29" });
    let texts = ["deadline moved, 26 June now", "the deadline moved to 26 June"];
    all_mean("equipment.json", None, &known, &json!({ "needed_by": "2026-06-26" }), &texts);
}

#[test]
fn what_lasted_and_who_was_hurt() {
    let value = json!({ "incident_type": "Fire", "start_date": "2026-06-05", "end_date": "2026-06-06" });
    let texts = [
        "The fire in the paper store started on 5 June and lasted until 6 June",
        "kitchen fire started on the 5th and lasted till the 6th",
        "the fire lasted from 5 June till 6 June",
    ];
    says("incident_report.json", &value, &texts);
    let value = json!({ "incident_type": "Injury", "start_date": "2026-06-10" });
    says(
        "incident_report.json",
        &value,
        &["my son got hurt at the soft play today", "my daughter was injured at the pool today"],
    );
    let value = json!({ "incident_type": "Injury", "start_date": "2026-06-08" });
    says(
        "incident_report.json",
        &value,
        &["Colleague hurt her back on Monday", "a driver hurt his lower back on Monday"],
    );
    let value = json!({ "incident_type": "Fire", "start_date": "2026-06-09" });
    says(
        "incident_report.json",
        &value,
        &[
            "bin was on fire behind our block yesterday",
            "a container was on fire opposite the gate yesterday",
        ],
    );
    let value =
        json!({ "device": "monitor", "quantity": 13, "accessories": ["Mouse"], "needed_by": "2026-06-19" });
    let texts = [
        "Please supply 13 monitors with a mouse each; required by 19 June.",
        "supply thirteen monitors with a mouse each, needed by June nineteenth",
    ];
    says("equipment.json", &value, &texts);
    let value =
        json!({ "leave_type": "Emergency", "start_date": "2026-06-10", "emergency_contact": "Paul Meyer" });
    says("leave_request.json", &value, &["Emergency leave starting today, contact's Paul Meyer, gotta run."]);
}
