//! Whose a value is: what is said of another event, of several at once, or beyond the field is not taken for it.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::{Value, json};

use crate::reader_rules::{NOW, told};

/// Checks rows of `asked | text => values`; nothing is asked where nothing stands before the stroke.
#[track_caller]
fn check(fields: &Value, table: &str) {
    let form = read_value(&json!({"form": "one", "title": "One", "fields": fields})).unwrap();
    let known = Values::default();
    let read = |(row, expected): (&str, &str)| {
        let (asked, text) = row.split_once('|').unwrap();
        let asked = form.fields.iter().find(|field| field.id == asked.trim());
        let text = text.trim();
        let question = Question { fields: &form.fields, asked, text, now: NOW, zone: None, known: &known };
        let got = told(&reader::read(question));
        (got != expected.trim()).then(|| format!("{row:?}: {got:?}, not {:?}", expected.trim()))
    };
    let rows = table.lines().filter_map(|line| line.trim_start().split_once(" =>"));
    let wrong: Vec<String> = rows.filter_map(read).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn pet() -> Value {
    json!([
        {"id": "name", "kind": "text", "label": "What is the animal's name?"},
        {"id": "species", "kind": "choice", "label": "Species", "options": ["Dog", "Cat", "Rabbit"]},
        {"id": "born", "kind": "date", "label": "Date of birth"},
        {"id": "weight", "kind": "number", "label": "Weight in kg", "unit": "kg"},
        {"id": "vaccinated", "kind": "boolean", "label": "Is the animal vaccinated?"},
        {"id": "note", "kind": "text", "label": "Label", "required": false}
    ])
}

fn incident() -> Value {
    json!([
        {"id": "happened", "kind": "date", "label": "When did it happen?"},
        {"id": "at", "kind": "time", "label": "Time of the incident"},
        {"id": "cost", "kind": "number", "label": "Cost in EUR"},
        {"id": "police", "kind": "boolean", "label": "Were the police called?"},
        {"id": "witness", "kind": "text", "label": "Witness"}
    ])
}

fn trip() -> Value {
    json!([
        {"id": "children", "kind": "integer", "label": "Children", "min": 0},
        {"id": "lunch", "kind": "boolean", "label": "Lunch"},
        {"id": "when", "kind": "datetime", "label": "Departure"}
    ])
}

/// The half of the day may be written with dots and spaces, wherever it stands.
#[test]
fn a_half_of_the_day_has_dots_and_spaces() {
    check(
        &incident(),
        r"
        at | 3:30 p.m. => at=15:30:00
        at | 3:30 P.M. => at=15:30:00
        at | 3 p.m. => at=15:00:00
        at | 3 p.m => at=15:00:00
        at | 3p.m. => at=15:00:00
        at | 3 p. m. => at=15:00:00
        at | 10 a. m. => at=10:00:00
        at | 10 a.m. please => at=10:00:00
        at | 12 a.m. => at=00:00:00
        at | 3 pm. => at=15:00:00
        at | 3.30 p.m. => at=15:30:00
        at | at three p.m. => at=15:00:00
        | The incident was at 3 p.m. The cost was 30 EUR. => at=15:00:00 cost=30
    ",
    );
    check(
        &trip(),
        r"
        when | tomorrow at 3 p.m. => when=2026-11-17T15:00:00
        when | at 3 p.m. on 1 December => when=2026-12-01T15:00:00
        when | 3:30 p.m. tomorrow => when=2026-11-17T15:30:00
        when | 3p.m. on 1 December => when=2026-12-01T15:00:00
        | The departure is tomorrow at 3 p.m. We have 6 children => children=6 when=2026-11-17T15:00:00
    ",
    );
}

/// A day or time of something else than the field asks for is not taken.
#[test]
fn another_event_is_not_the_field_s() {
    check(
        &incident(),
        r"
        | It cost me 1,249.50 EUR three years ago => cost=1249.5 happened?
        | It happened three days ago => happened=2026-11-13
        happened | two months ago => happened?
        happened | tomorrow => happened?
        happened | 2027-01-01 => happened?
        happened | 24.11 =>
        happened | 5.12. =>
        happened | 2026-11-01 => happened=2026-11-01
        happened | in two weeks => happened?
        happened | 1 Dec => happened?
        happened | yesterday => happened=2026-11-15
        | call me at 15:00 => at?
        | please ring me at 15:00 => at?
        | we called the police at 18:20 => at? police=true
        | Time of the incident: 18:20 => at=18:20:00
        | a witness called the police => police=true
        | the witness is called Ana Sol => witness=Ana Sol
        | the witness: Ana Sol => witness=Ana Sol
    ",
    );
    check(
        &pet(),
        r"
        | we got him on 3 May 2022 => born?
        born | we got him on 3 May 2022 => born?
        born | we have him since 3 May 2022 => born?
        | he was born on 3 May 2022 => born=2022-05-03
        born | 3 May 2022 => born=2022-05-03
        born | on 3 May 2022 => born=2022-05-03
    ",
    );
}

/// What is wished, limited or too much is not what is.
#[test]
fn a_wish_or_a_limit_is_no_fact() {
    check(
        &pet(),
        r"
        | 5 kg too much => weight?
        | 5 kg too heavy => weight?
        weight | 5 kg too much => weight?
        | 5 kg => weight=5
        | should be vaccinated =>
        | he must be vaccinated =>
        | he needs to be vaccinated =>
        | she has to be vaccinated =>
        | he could be vaccinated =>
        | he is vaccinated => vaccinated=true
        | is vaccinated => vaccinated=true
        | not vaccinated => vaccinated=false
    ",
    );
    check(
        &trip(),
        r"
        | no lunch for the children =>
        | no lunch on Sunday =>
        | no lunch => lunch=false
        | no lunch for us => lunch=false
        | Children are 4 and 6 years old =>
        children | 4 and 6 years old =>
        children | 4, 6 and 9 years old =>
        children | 4 or 6 => children?
        children | 4 => children=4
        | no lunch, but 4 children => children=4 lunch=false
    ",
    );
}

/// A name is taken without the words that lead to it, and without what is said of other fields.
#[test]
fn a_name_is_taken_without_its_wrapping() {
    let name = |label: &str| json!([{"id": "name", "kind": "text", "label": label}, {"id": "weight", "kind": "number", "label": "Weight", "unit": "kg"}]);
    for label in ["What is the animal's name?", "Name", "Name of your pet"] {
        check(
            &name(label),
            r"
            name | his name is Max => name=Max
            name | the name is Max. => name=Max
            name | She's called Bella => name=Bella
            name | she is called Bella, 12 kg => name=Bella weight=12
            name | She's called Bella, 12 kg => name=Bella weight=12
            name | Mr. Whiskers, 5 kg => name=Mr. Whiskers weight=5
            name | I already told you =>
            name | I told you already. =>
            name | as I said =>
            name | I already told you: Max => name=I already told you: Max
            name | Max => name=Max
            name | My Way, Part 5 => name=My Way, Part 5
            name | it's Max => name=Max
        ",
        );
    }
}

/// A count of none is nought where that is allowed; a yes or no has more forms than one.
#[test]
fn nothing_is_nought_and_yes_has_forms() {
    check(
        &trip(),
        r"
        children | none => children=0
        children | no children => children=0
        children | no => children?
        children | zero => children=0
        lunch | of course => lunch=true
        lunch | never => lunch=false
        lunch | never mind =>
    ",
    );
    check(
        &pet(),
        r"
        vaccinated | never, sorry => 
        vaccinated | it was =>
        vaccinated | he isn't sure =>
        vaccinated | she is five =>
    ",
    );
}

/// Of a range or a choice no end alone is proposed, and nothing beside it is dropped.
#[test]
fn a_range_has_two_ends() {
    const NONE: &str = "";
    let both = |fields: Value, asked: &str, text: &str| {
        let form = read_value(&json!({"form": "one", "title": "One", "fields": fields})).unwrap();
        let asked = form.fields.iter().find(|field| field.id == asked);
        let known = Values::default();
        let reading =
            reader::read(Question { fields: &form.fields, asked, text, now: NOW, zone: None, known: &known });
        let most = reading.unsure.iter().map(|unsure| unsure.values.len()).max();
        assert!(reading.taken.is_empty() && most.is_none_or(|most| most > 1), "{text}: {reading:?}");
    };
    for asked in ["at", NONE] {
        both(incident(), asked, "between 3 and 4 pm");
        both(incident(), asked, "3 or 4 pm");
    }
    for asked in ["cost", NONE] {
        both(incident(), asked, "between 700 and 800 euros");
        both(incident(), asked, "700 to 800 euros");
        both(incident(), asked, "700 or 800 euros");
    }
    for asked in ["when", NONE] {
        both(trip(), asked, "Monday or Tuesday at 10am");
    }
    for asked in ["weight", NONE] {
        both(pet(), asked, "between 3 and 4 kg");
    }
    check(
        &pet(),
        r"
        | not a dog, a cat => species=Cat
        | Her weight is 5 kg, her name is Luna => name=Luna weight=5
        weight | 90 g =>
        weight | 500 grams =>
        weight | 5 lb =>
    ",
    );
}
