//! What a language model says it read, against the person's words.

use holdpoint_core::Values;
use holdpoint_protocols::action::ReaderResult;
use holdpoint_protocols::action::form::read_value;
use serde_json::json;

use crate::reader_tables::told;

/// What a model gives must stand in the words that it points to.
#[test]
fn a_model_must_point_to_the_value() {
    let form = read_value(&json!({"form": "studio", "title": "Studio", "fields": [
        {"id": "deposit", "kind": "number", "label": "Deposit (EUR)"},
        {"id": "day", "kind": "date", "label": "Day"},
        {"id": "room", "kind": "choice", "label": "Room", "options": ["Live room", "Booth"]},
        {"id": "engineer", "kind": "boolean", "label": "Engineer?"}
    ]}))
    .unwrap();
    let text = "the booth on 3 May, deposit 300 €, and we don't need an engineer, somebody helps";
    for (field, value, words, taken) in [
        ("deposit", json!(300), "deposit 300 €", true),
        ("deposit", json!(900), "deposit 300 €", false),
        ("deposit", json!(500), "the booth", false),
        ("day", json!("2026-05-03"), "on 3 May", true),
        ("day", json!("2026-05-04"), "on 3 May", false),
        ("room", json!("Booth"), "the booth", true),
        ("room", json!("Live room"), "the booth", false),
        ("engineer", json!(true), "we don't need an engineer", false),
        ("engineer", json!(false), "we don't need an engineer", true),
        ("engineer", json!(true), "somebody helps", false),
    ] {
        let mut answers = Values::default();
        answers.insert(field.to_owned(), json!({"value": value, "words": words}));
        let output = json!({"intent": "multi_answer", "answers": answers}).to_string();
        let understood = crate::action_chat::read(&output, &form, text).unwrap();
        let ReaderResult::Values(reading) = understood else { panic!("{understood:?}") };
        let got = reading.value(field) == Some(&value);
        assert_eq!(got, taken, "{field} {value} {words}");
    }
}

/// What the clause of its words denies, doubts or leaves open is offered and not taken.
#[test]
fn a_model_takes_nothing_that_the_clause_leaves_open() {
    let form = read_value(&json!({"form": "pet", "title": "Pet", "fields": [
        {"id": "weight", "kind": "number", "label": "Weight in kg"},
        {"id": "vaccinated", "kind": "boolean", "label": "Is it vaccinated?"},
        {"id": "until", "kind": "date", "label": "Until"},
        {"id": "animal", "kind": "choice", "label": "Animal", "options": ["Dog", "Cat"]}
    ]}))
    .unwrap();
    for (text, field, value, words, taken) in [
        ("it weighs 12 kg", "weight", json!(12), "12 kg", true),
        ("we came late, it weighs 12 kg", "weight", json!(12), "12 kg", true),
        ("maybe 12 kg", "weight", json!(12), "12 kg", false),
        ("12 to 15 kg", "weight", json!(12), "12", false),
        ("my neighbour has one of 12 kg", "weight", json!(12), "12 kg", false),
        ("it is not vaccinated", "vaccinated", json!(true), "vaccinated", false),
        ("it is not vaccinated", "vaccinated", json!(false), "not vaccinated", true),
        ("it is a dog, no rush", "animal", json!("Dog"), "dog", true),
        ("a dog if you like", "animal", json!("Dog"), "dog", false),
        ("no cat, but it is vaccinated", "vaccinated", json!(true), "no cat, but it is vaccinated", true),
        ("from 3 July until the 7th", "until", json!("2027-07-07"), "until the 7th", true),
        ("from 3 July until the 7th", "until", json!("2027-08-07"), "until the 7th", false),
        ("it weighs 12 kg, sorry 13 kg", "weight", json!(13), "12 kg, sorry 13 kg", true),
    ] {
        let answers = json!({field: {"value": value, "words": words}});
        let output = json!({"intent": "multi_answer", "answers": answers}).to_string();
        let Ok(ReaderResult::Values(reading)) = crate::action_chat::read(&output, &form, text) else {
            panic!("{text}")
        };
        assert_eq!(reading.value(field) == Some(&value), taken, "{text}");
        assert!(taken || field == "until" || reading.has(field), "{text}");
    }
}

/// Words that are read for another field give no value.
#[test]
fn a_model_takes_nothing_from_words_of_another_field() {
    let form = read_value(&json!({"form": "pet", "title": "Pet", "fields": [
        {"id": "name", "kind": "text", "label": "Name"},
        {"id": "weight", "kind": "number", "label": "Weight in kg"},
        {"id": "budget", "kind": "number", "label": "Budget"},
        {"id": "vaccinated", "kind": "boolean", "label": "Is it vaccinated?"},
        {"id": "animal", "kind": "choice", "label": "Animal", "options": ["Dog", "Cat"]},
        {"id": "care", "kind": "choices", "label": "Care", "options": ["Bath", "Walk"]}
    ]}))
    .unwrap();
    for (text, field, value, words, taken) in [
        ("weight 12 kg", "budget", json!(12), "12", false),
        ("weight 12 kg", "weight", json!(12), "12 kg", true),
        ("my name is Bruno", "vaccinated", json!(true), "Bruno", false),
        ("my name is Bruno", "name", json!("Bruno"), "Bruno", true),
        ("it is a dog", "care", json!(["Bath"]), "dog", false),
        ("it is a dog and very dirty", "care", json!(["Bath"]), "very dirty", true),
        ("it is a dog", "animal", json!("Dog"), "a dog", true),
    ] {
        let answers = json!({field: {"value": value, "words": words}});
        let output = json!({"intent": "multi_answer", "answers": answers}).to_string();
        let Ok(ReaderResult::Values(reading)) = crate::action_chat::read(&output, &form, text) else {
            panic!("{text}")
        };
        assert_eq!(reading.value(field) == Some(&value), taken, "{text} {field}");
        assert!(taken || reading.unsure.iter().any(|unsure| unsure.field == field), "{text} {field}");
    }
}

/// A model that says nothing leaves the turn to the built-in reader, and its remarks lead nowhere.
#[test]
fn a_model_without_answers_leaves_the_turn_to_the_reader() {
    let form = read_value(&json!({"form": "pet", "title": "Pet", "fields": [
        {"id": "weight", "kind": "number", "label": "Weight in kg"}]}))
    .unwrap();
    for output in [
        json!({"intent": "ask"}),
        json!({"intent": "clarify", "message": ""}),
        json!({"intent": "answer"}),
        json!({"intent": "correction"}),
        json!({"intent": "multi_answer"}),
    ] {
        let understood = crate::action_chat::read(&output.to_string(), &form, "weight: 12 kg").unwrap();
        let ReaderResult::Values(reading) = understood else { panic!("{output}") };
        assert_eq!(told(&reading), "weight=12", "{output}");
    }
    for link in ["evil.example/login", "mailto:a@b.c", "<a", "javascript:x", "http://x", "(evil.example)"] {
        let output = json!({"intent": "ask", "message": format!("See {link} now, e.g. 2.5 kg.")}).to_string();
        let understood = crate::action_chat::read(&output, &form, "hello").unwrap();
        let ReaderResult::Remark(Some(said)) = understood else { panic!("{link}") };
        assert_eq!(said, "The language model says: See [link removed] now, e.g. 2.5 kg.", "{link}");
    }
}
