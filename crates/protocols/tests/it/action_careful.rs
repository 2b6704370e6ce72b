//! What a careless reading would take: lists under one no, what there was not, days of which only part is said.

use holdpoint_core::Values;
use holdpoint_protocols::action::reader::{self, Question};
use jiff::civil::{DateTime, datetime};
use serde_json::{Value, json};

use crate::action_chat::{Chat, says};
use crate::action_form::example;

/// A Sunday.
const NOW: DateTime = datetime(2026, 11, 15, 10, 0, 0, 0);

/// Reads each text for a form of which nothing is known, and tells all that are read wrongly at once.
#[track_caller]
fn reads(form: &str, rows: &[(&str, Value)]) {
    let fields = example(form).fields;
    let known = Values::new();
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let reading = reader::read(Question { fields: &fields, asked: None, text, now: NOW, known: &known });
        let taken: Values =
            reading.taken.iter().map(|taken| (taken.field.clone(), taken.value.clone())).collect();
        if json!(taken) != *expected {
            wrong.push(format!("{text}\n  {}\n  {expected} expected", json!(taken)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_no_denies_a_whole_list() {
    let late = json!({ "extras": ["late_checkout"] });
    reads(
        "hotel_booking.json",
        &[
            ("we don't need parking or a cot, late checkout would be nice", late.clone()),
            ("no cot, parking or late checkout", json!({})),
            ("we don't need a cot or parking", json!({})),
            ("we don't need a cot, parking or late checkout", json!({})),
            ("we need neither a cot nor a parking space", json!({})),
            ("a double without a cot or a parking space", json!({ "room": "double" })),
            ("we do not need a cot and a parking space", json!({})),
            (
                "we won't need the cot or the parking space but would like breakfast",
                json!({ "breakfast": true }),
            ),
            ("we don't need parking or breakfast", json!({ "breakfast": false })),
            ("we don't need breakfast, parking or a cot", json!({ "breakfast": false })),
            ("I don't want a suite or a double, single is fine", json!({ "room": "single" })),
            ("no parking, but a cot and late checkout", json!({ "extras": ["cot", "late_checkout"] })),
            ("we don't need parking, we want a late checkout", late),
            ("parking and a cot please", json!({ "extras": ["parking", "cot"] })),
        ],
    );
}

#[test]
fn what_there_was_not() {
    reads(
        "incident_report.json",
        &[
            ("nothing was burning", json!({})),
            ("nothing on fire", json!({})),
            ("nothing was on fire", json!({})),
            ("nothing ever caught fire", json!({})),
            ("nobody hurt", json!({})),
            ("nobody was hurt or injured", json!({})),
            ("no one was injured", json!({})),
            ("none of us was injured", json!({})),
            ("there was never a fire", json!({})),
            (
                "nothing was on fire, but there was an accident yesterday",
                json!({ "incident_type": "Accident", "start_date": "2026-11-14" }),
            ),
            (
                "there was a fire yesterday, nobody was hurt",
                json!({ "incident_type": "Fire", "start_date": "2026-11-14" }),
            ),
        ],
    );
}

#[test]
fn what_may_have_been() {
    reads(
        "incident_report.json",
        &[
            ("It could have been a fire on 3 November", json!({})),
            ("it might have been a fire on 3 November", json!({})),
            ("that may have been an accident", json!({})),
            ("it would have been an accident if he hadn't jumped", json!({})),
            ("there could've been a fire on 3 November", json!({})),
            ("this could easily have been an accident", json!({})),
            (
                "there was a fire on 3 November, it could have been avoided",
                json!({ "incident_type": "Fire", "start_date": "2026-11-03" }),
            ),
        ],
    );
}

#[test]
fn weekdays_of_a_month() {
    let annual = json!({ "leave_type": "Annual" });
    let from = |day: &str| json!({ "leave_type": "Annual", "start_date": day });
    reads(
        "leave_request.json",
        &[
            ("annual leave from the first Friday of December", from("2026-12-04")),
            ("annual leave from the second Monday in January", from("2027-01-11")),
            ("annual leave from the last Friday of November", from("2026-11-27")),
            ("annual leave from the 3rd Monday of December 2026", from("2026-12-21")),
            ("annual leave from the first Monday of next month", from("2026-12-07")),
            ("annual leave one Friday in December", annual.clone()),
            ("annual leave every Friday in December", json!({})),
            ("annual leave every Monday in January", json!({})),
            ("annual leave each Friday", annual.clone()),
            ("annual leave on a Friday in December", annual.clone()),
            ("annual leave on the fifth Friday of December", annual),
            ("I'd like Friday off in two weeks", json!({})),
            ("annual leave from Friday 4 December", from("2026-12-04")),
            ("annual leave from Friday", from("2026-11-20")),
        ],
    );
}

#[test]
fn days_that_there_are_not() {
    let annual = json!({ "leave_type": "Annual" });
    reads(
        "leave_request.json",
        &[
            ("annual leave from the 1st to the 31st of Feb", annual.clone()),
            ("annual leave from the 29th to the 31st of September", annual.clone()),
            ("annual leave from 29 to 31 February", annual.clone()),
            ("annual leave from the 31st of September", annual.clone()),
            ("annual leave until the 30th of February", annual.clone()),
            (
                "annual leave from the 29th of December to the 31st of November",
                json!({
                    "leave_type": "Annual", "start_date": "2026-12-29"
                }),
            ),
            (
                "annual leave from the 29th to the 31st of December",
                json!({
                    "leave_type": "Annual", "start_date": "2026-12-29", "end_date": "2026-12-31"
                }),
            ),
        ],
    );
}

#[test]
fn a_day_that_there_is_not_is_told() {
    let fields = example("leave_request.json").fields;
    let known = Values::new();
    for (text, field, why) in [
        ("annual leave from the 1st to the 31st of Feb", "end_date", "there is no 31 Feb"),
        ("annual leave from 29 to 31 February", "end_date", "there is no 31 February"),
        ("annual leave from the 29th to the 31st of September", "end_date", "there is no 31 September"),
        ("annual leave from 31 November", "start_date", "there is no 31 November"),
        ("annual leave from 29 February 2027", "start_date", "there is no 29 February"),
    ] {
        let reading = reader::read(Question { fields: &fields, asked: None, text, now: NOW, known: &known });
        let told: Vec<_> =
            reading.unfit.iter().map(|unfit| (unfit.field.as_str(), unfit.why.as_str())).collect();
        assert_eq!(told, [(field, why)], "{text}");
    }
}

#[test]
fn what_is_only_beside_it() {
    let annual = json!({ "leave_type": "Annual" });
    reads("hotel_booking.json", &[("breakfast only for one of us", json!({}))]);
    reads(
        "leave_request.json",
        &[
            ("annual leave the day after my birthday, 9 December", annual.clone()),
            ("annual leave sometime between 7 and 20 December, three days", annual.clone()),
            ("annual leave between 7 and 20 December for three days", annual.clone()),
            (
                "three days of annual leave between 7 and 9 December",
                json!({
                    "leave_type": "Annual", "start_date": "2026-12-07", "end_date": "2026-12-09"
                }),
            ),
            ("I need the emergency number for the 5th of December", json!({})),
            (
                "I need annual leave for the 5th of December",
                json!({
                    "leave_type": "Annual", "start_date": "2026-12-05"
                }),
            ),
        ],
    );
    let text = "the incident started at midnight between 9 and 10 November";
    reads("incident_report.json", &[(text, json!({}))]);
}

/// A form that is whole, with its start on a Monday and its end on a Wednesday.
fn rest() -> Chat {
    let mut chat = Chat::new(example("leave_request.json"));
    chat.now = NOW;
    chat.say("");
    let action = chat.say("annual leave from 7 to 9 December because I need rest");
    assert_eq!(action["action"], "FORM_COMPLETE", "{action}");
    chat
}

#[test]
fn small_talk_changes_nothing() {
    for text in [
        "send it tomorrow",
        "have a nice weekend, back at work tomorrow",
        "I'd rather not take Wednesday",
        "I feel sick about bothering you",
        "thanks, see you on Friday",
        "I'm meeting my boss tomorrow",
    ] {
        let mut chat = rest();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
    }
    for (text, field, value) in [
        ("unpaid leave please", "leave_type", "Unpaid"),
        ("I need unpaid leave", "leave_type", "Unpaid"),
        ("it starts on 8 December", "start_date", "2026-12-08"),
        ("until 11 December", "end_date", "2026-12-11"),
    ] {
        let mut chat = rest();
        let action = chat.say(text);
        assert_eq!(chat.values[field], value, "{text}: {action}");
    }
}

#[test]
fn a_day_alone_could_be_either_end() {
    for text in
        ["actually make it Friday", "sorry, Friday", "I meant Thursday", "Friday", "Thursday the 17th"]
    {
        let mut chat = rest();
        let before = chat.values.clone();
        let action = chat.say(text);
        assert_eq!(chat.values, before, "{text}: {action}");
        says(&action, &["the start date or the end date", "Which one"]);
    }
    // What was told last is meant.
    let mut chat = rest();
    chat.say("until 11 December");
    chat.say("sorry, Thursday");
    assert_eq!(
        (&chat.values["start_date"], &chat.values["end_date"]),
        (&json!("2026-12-07"), &json!("2026-12-10"))
    );
}

#[test]
fn a_number_with_its_weekday_lies_in_the_month_that_is_known() {
    for text in
        ["until Thursday the 17th", "change the end to Thursday the 17th", "the end is Thursday the 17th"]
    {
        let mut chat = rest();
        let action = chat.say(text);
        assert_eq!(chat.values["end_date"], "2026-12-17", "{text}: {action}");
    }
}
