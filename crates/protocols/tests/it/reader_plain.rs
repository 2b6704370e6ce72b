//! What is said plainly is taken, though something else in the message is not; and what only looks plain is asked.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::{Value, json};

use crate::reader_rules::{NOW, check, check_all, check_asked, told};

/// A form of another build than the rental.
fn stay() -> Value {
    json!({"form": "stay", "title": "Stay", "fields": [
        {"id": "guest", "kind": "text", "label": "Name of the guest"},
        {"id": "size", "kind": "choice", "label": "Size", "options": ["Small", "Medium-sized", "Extra large"]},
        {"id": "weight", "kind": "number", "label": "Weight (kg)"},
        {"id": "vaccinated", "kind": "boolean", "label": "Vaccination"},
        {"id": "cover", "kind": "boolean", "label": "Insurance"},
        {"id": "rate", "kind": "number", "label": "Rate per day (EUR)"},
        {"id": "hours", "kind": "integer", "label": "Hours of exercise"},
        {"id": "arrival", "kind": "date", "label": "Arrival"},
        {"id": "end_date", "kind": "date", "label": "End date"},
        {"id": "at", "kind": "time", "label": "Drop-off time"},
        {"id": "diet", "kind": "text", "label": "Diet", "required": false}
    ]})
}

#[track_caller]
fn check_stay(table: &str) {
    let (form, known) = (read_value(&stay()).unwrap(), Values::default());
    let read = |(text, expected): (&str, &str)| {
        let text = text.replace('⏎', "\n");
        let question =
            Question { fields: &form.fields, asked: None, text: &text, now: NOW, zone: None, known: &known };
        let got = told(&reader::read(question));
        (got != expected.trim()).then(|| format!("{text:?}: {got:?}, not {:?}", expected.trim()))
    };
    let rows = table.lines().filter_map(|line| line.trim_start().split_once(" =>"));
    let wrong: Vec<String> = rows.filter_map(read).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A guard speaks against what its own sentence says.
#[test]
fn a_guard_stays_in_its_sentence() {
    check(
        r"
        A truck. Do you open on Sundays? => vehicle=truck
        Do you open on Sundays? A truck, please. => vehicle=truck
        If it rains, call me. The cargo bike. => vehicle=bike
        We don't know the way. A truck, please. => vehicle=truck
        My boss is away. A truck at 2pm. => pickup_time=14:00:00 vehicle=truck
        A truck. Maybe two drivers. => drivers? vehicle=truck
        A truck. Maybe. => vehicle?
        A truck. Not sure yet. => vehicle?
        A truck. Or maybe not. => vehicle?
        A truck, if that is possible. => vehicle?
        I don't know the way. 3 boxes. => boxes=3
        My neighbours have a van, I want a truck => vehicle=truck
        My neighbours have a van, a truck => vehicle?
    ",
    );
}

/// A word that takes back reaches back, wherever the value stands.
#[test]
fn what_is_taken_back_is_not_taken() {
    check(
        r"
        drivers: 2, ignore that =>
        drivers: 2. Ignore that. =>
        3 boxes - scratch that =>
        3 boxes, scratch that, 5 boxes => boxes=5
        a truck. Forget it. =>
        a truck. Never mind. =>
        company: Acme, ignore that =>
        company: Acme — no wait, cancelled =>
        the company is Acme. Cancel that. =>
        3 boxes. Two drivers, ignore that. => boxes=3
        with insurance, forget that =>
        insurance: yes. Scratch that. =>
        ignore the boxes. Two drivers. => drivers=2
    ",
    );
}

/// Who is meant by a pronoun is the one that the form is about, as long as nobody else is named.
#[test]
fn a_pronoun_speaks_of_the_subject() {
    check_stay(
        r"
        She is extra large and her weight is 12 kg. => size=Extra large weight=12
        He's vaccinated. His drop-off time is 9 am. => at=09:00:00 vaccinated=true
        They are small. => size=Small
        My sister is small. She is vaccinated. => size?
        My sister's dog is away. Her weight is 9 kg. => weight?
    ",
    );
}

/// A length with an `h` is no time, and of two hours neither is taken.
#[test]
fn hours_and_ranges_of_hours() {
    check(
        r"
        at 14h =>
        a briefing of 2h => minutes=120
        pick-up time 8-9am => pickup_time?
        pick-up at 8 to 9 am => pickup_time?
    ",
    );
    check_asked(
        "pickup_time",
        r"
        8-9am => pickup_time?
        8 - 9 am => pickup_time?
    ",
    );
    check_asked("minutes", "2h => minutes=120");
    check_asked(
        "drivers",
        r"
        two million three hundred thousand => drivers=2300000
        two hundred two hundred => drivers?
    ",
    );
}

/// A name in another form is the name; whether what `ended` is what the form asks for stays open.
#[test]
fn names_in_other_forms() {
    check_stay(
        r"
        it ended on 3 May => end_date?
        it was ended on 3 May => end_date?
        it ends on 3 May => end_date=2027-05-03
        it ended on 3 May 2025 => end_date?
        we arrive on 3 December => arrival=2026-12-03
        drop him off at 9 am => at=09:00:00
        dropped off at 9 am => at?
    ",
    );
}

/// What is quoted was written by somebody else; what stands above and below is the person's.
#[test]
fn an_answer_beside_a_quotation() {
    check(
        r"
        > How many boxes. Is a van right?⏎A truck, 4 boxes. => boxes=4 vehicle=truck
        A truck, 4 boxes.⏎⏎On Monday Eva wrote:⏎> 2 boxes, a van. 5 drivers => boxes=4 vehicle=truck
        On Monday Eva wrote:⏎> 2 boxes, a van⏎⏎A truck, 4 boxes. => boxes=4 vehicle=truck
        A truck.⏎On Monday Eva wrote:⏎2 boxes, 3 drivers => vehicle=truck
        On Monday Eva wrote:⏎2 boxes, 3 drivers =>
    ",
    );
}

/// What a yes-or-no field is called is a yes where it is wanted, a no where it is denied, and else neither.
#[test]
fn yes_or_no_by_name() {
    check_stay(
        r"
        with insurance => cover=true
        insurance please => cover=true
        please add insurance => cover=true
        I want full insurance => cover=true
        I'd like insurance => cover=true
        he is insured => cover=true
        he isn't insured => cover=false
        without insurance => cover=false
        no insurance => cover=false
        no insurance, thanks => cover=false
        not without insurance =>
        never without insurance =>
        insurance =>
        I don't want no insurance =>
        insurance: yes, but only basic =>
        insurance: yes, if it is cheap =>
        insurance: yes. He is small. => cover=true size=Small
        the insurance is expensive =>
        she weighs 9 kg and there is insurance => cover=true weight=9
    ",
    );
}

/// The last of two values counts, if a word takes the first one back or denies it.
#[test]
fn corrections_in_one_breath() {
    check(
        r"
        2 boxes, no, make that 3 => boxes=3
        2 boxes. No, make that 3. => boxes=3
        2 boxes. Actually 3. => boxes=3
        2 boxes. Sorry, 3. => boxes=3
        boxes: 3, not 2 => boxes=3
        3 boxes not 2 => boxes=3
        not 2 but 3 boxes => boxes=3
        2 boxes, no, 3 boxes => boxes=3
        2 boxes, I mean 3, no, 4 => boxes=4
    ",
    );
    check_asked(
        "boxes",
        r"
        sorry, 3 not 2 => boxes=3
        3, not 2 => boxes=3
        no, make that 3 => boxes=3
        actually 3 => boxes=3
    ",
    );
    let known = json!({"boxes": 2, "vehicle": "van"});
    check_all(
        None,
        &known,
        r"
        sorry, 3 boxes, not 2 => boxes=3
        no, make that 3 boxes => boxes=3
    ",
    );
}

/// A point in time is no length, an amount for another span no amount, and words that say nothing no text.
#[test]
fn what_only_looks_plain() {
    check(
        r"
        the briefing is in 20 minutes =>
        a briefing in 2 hours =>
        the first day is Friday in two weeks => start_date?
        company: don't know =>
        company: n/a =>
        company: tbd =>
        company: not sure yet =>
        company: Acme? => company?
        company: ? =>
        company: No Limits Ltd => company=No Limits Ltd
        deposit 4,250 => deposit=4250
        deposit 4.250 => deposit?
        deposit 4.250 € => deposit=4250
    ",
    );
    check_stay(
        r"
        a rate of 20 euros per day => rate=20
        a rate of 20 euros per hour => rate?
        a rate of 20 euros an hour => rate?
        a rate of 20 euros/hour => rate?
        weight 4,250 kg => weight?
    ",
    );
}

/// Minutes before and after an hour are not dropped.
#[test]
fn minutes_are_said_before_their_hour() {
    check_stay(
        r"
        drop-off time twenty to nine in the morning => at=08:40:00
        the time is twenty to ten at night => at=21:40:00
        drop-off time ten past nine in the evening => at=21:10:00
        drop-off time twenty-five to ten in the morning => at=09:35:00
        drop-off time a quarter past six in the evening => at=18:15:00
        drop-off time ten to twelve =>
    ",
    );
    check_stay("drop-off time quarter to nine in the morning => at=08:45:00");
}
