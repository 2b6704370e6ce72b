//! What stands beside a value and changes it: then it is read with that, or asked, and never cut.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::read_value;
use holdpoint_protocols::action::reader::{self, Question};
use serde_json::json;

use crate::reader_rules::{NOW, check, check_all, check_asked, told};

/// A yes or a no is the whole answer, or the whole value behind the name.
#[test]
fn a_yes_or_no_is_the_whole_answer() {
    check_asked(
        "insurance",
        r"
        yes, thank you => insurance=true
        no, no => insurance=false
        absolutely not => insurance=false
        of course not => insurance=false
        we do not =>
        ok no =>
        sure not =>
        yeah, no =>
        yes we don't =>
        we hope not =>
        not sure =>
        no idea =>
        no problem =>
        no doubt =>
        why not =>
        not a problem =>
        never mind =>
        yes and no =>
        yes or no, I don't care =>
        I don't know =>
        we have a question =>
    ",
    );
    check(
        r"
        insurance: absolutely not => insurance=false
        insurance: yes please => insurance=true
        insurance: no idea =>
        insurance: not sure =>
        insurance: yes and no =>
        insurance yes or no doesn't matter =>
        I'm not sure we need insurance =>
        we need insurance: no idea =>
    ",
    );
}

/// What is refused is not taken, wherever the refusal stands.
#[test]
fn what_is_refused_is_not_taken() {
    check_asked(
        "start_date",
        r"
        18 December won't work =>
        18 December does not suit us =>
        any day but 18 December =>
        every day except 18 December =>
        18 December is impossible => start_date?
        18 December is out => start_date?
        18 December is too early => start_date?
        18 December is a holiday => start_date?
        18 December but we need it early =>
        the week of 18 December => start_date?
        18 December is fine => start_date=2026-12-18
        18 December works, thanks => start_date=2026-12-18
    ",
    );
    check_asked(
        "vehicle",
        r"
        the truck is too big => vehicle?
        the truck won't fit =>
        the truck is impossible => vehicle?
        any vehicle but the truck =>
    ",
    );
    check_asked("meeting", "tomorrow at 14:00 won't work =>");
    check(
        r"
        until any day but 18 December =>
        from 18 December is impossible => start_date?
        a truck is too big => vehicle?
        the truck is out => vehicle?
        the truck: no =>
        the truck, nope =>
        zero trucks => vehicle?
        skip the truck => vehicle?
        forget the truck => vehicle?
        I hate the truck => vehicle?
        I already have a truck => vehicle?
        the truck can wait => vehicle?
        tell me about the truck => vehicle?
        lunch is at 12:30 => pickup_time?
        my alarm is at 7:00 => pickup_time?
    ",
    );
}

/// Every word around a value is accounted for, or the value is asked.
#[test]
fn a_word_that_may_change_a_value_leaves_it_open() {
    check(
        r"
        the deposit is 300 euros => deposit=300
        the deposit is ca. 300 euros => deposit?
        the deposit is just short of 300 euros => deposit?
        the deposit is 300 euros or so => deposit?
        the deposit is 300 euros per head => deposit?
        the deposit is twice 300 euros => deposit?
        the deposit is < 300 euros => deposit?
        the deposit would have been 300 euros => deposit?
        we object to 3 drivers => drivers?
        two drivers are ill => drivers?
        two drivers are fine => drivers=2
        drop-off by 3 December => end_date? start_date?
        the last day is by 5 December => end_date?
        3 drivers. They are all new => drivers=3
    ",
    );
}

/// Every other value in a message is accounted for, too: a range, a choice, a correction.
#[test]
fn a_second_value_leaves_the_first_open() {
    check(
        r"
        boxes: 3 to 5 => boxes?
        between 80 and 100 boxes => boxes?
        boxes: 3 .. 5 => boxes?
        3 boxes, 5 at most => boxes?
        boxes: 3 big and 5 small => boxes?
        email a@b.org or c@d.org => email?
        the deposit is 80 euros, at worst 95 euros => deposit?
        the vehicle is the van, perhaps the truck => vehicle?
        the briefing takes 45 minutes, sorry, 50 minutes => minutes=50
        the deposit is 80 euros, I meant 95 euros => deposit=95
        3 boxes, no wait, 5 boxes => boxes=5
        pick-up time 14:15, actually 15:30 => pickup_time=15:30:00
        3 boxes, and we have 5 dogs => boxes=3
        not the van but the small one, 3 boxes => boxes=3
        pick-up time 9:30 on Thursday => pickup_time=09:30:00
    ",
    );
    check_asked(
        "boxes",
        r"
        3, sorry, 5 => boxes=5
        it's 60, I mean 70 => boxes=70
        3 or 5 => boxes?
        5 instead of 4 => boxes=5
        5 is wrong => boxes?
    ",
    );
}

/// Weeks, halves of the night and zones change a date or time.
#[test]
fn dates_and_times_with_more_beside_them() {
    check_asked(
        "start_date",
        r"
        Tuesday next week => start_date=2026-11-24
        next week Tuesday =>
        the week after next, on Tuesday => start_date?
        Tuesday in two weeks => start_date?
        Tuesday week => start_date?
        Tuesday => start_date=2026-11-17
    ",
    );
    check_asked(
        "meeting",
        r"
        Tuesday in two weeks at 10:00 => meeting?
        tonight at 2am => meeting?
        tonight at 8pm => meeting=2026-11-16T20:00:00
        3 December 14:00 CET => meeting?
        3 December at 2 pm EST => meeting?
        2026-12-03T14:00 Europe/Paris => meeting?
        3 December 14:00 Paris time => meeting?
        3 December 14:00 +0200 => meeting?
        3 December 14:00, thanks => meeting=2026-12-03T14:00:00
    ",
    );
    check_asked(
        "pickup_time",
        r"
        14:00 UTC => pickup_time?
        9 am eastern => pickup_time?
        9 AM => pickup_time=09:00:00
    ",
    );
}

/// A number is read with its second half, its sign and its unit.
#[test]
fn numbers_with_more_beside_them() {
    check_asked(
        "minutes",
        r"
        2h 30m => minutes=150
        2h30 => minutes=150
        2 hours and 30 minutes => minutes=150
        2 hours 30 => minutes?
        90 seconds =>
        30 to 40 => minutes?
        90 minutes per day => minutes?
    ",
    );
    check_asked(
        "deposit",
        r"
        40 to 50 => deposit?
        4 to 5 => deposit?
        40-50 € => deposit?
        minus five => deposit?
        300 a week => deposit?
        40 € for 2 days => deposit?
        40 € per day => deposit?
        20% =>
        9 lbs =>
        40 € => deposit=40
    ",
    );
    check_asked(
        "drivers",
        r"
        5 kg =>
        5kg =>
        10 per person => drivers?
        10 each => drivers?
        5 people => drivers=5
    ",
    );
    check(
        r"
        10 boxes minus 2 => boxes?
        boxes: 10 per driver => boxes?
    ",
    );
}

/// A value goes into no field that measures something else, and into none beside whose name it does not stand.
#[test]
fn units_and_percentages() {
    let form = read_value(&json!({"form": "freight", "title": "Freight", "fields": [
        {"id": "weight", "kind": "number", "label": "Weight in kilos"},
        {"id": "advance", "kind": "number", "label": "Advance (EUR)"},
        {"id": "share", "kind": "number", "label": "Share (%)"},
        {"id": "insured", "kind": "number", "label": "Insured"}
    ]}))
    .unwrap();
    let known = Values::default();
    for (asked, text, expected) in [
        (Some("weight"), "9 kg", "weight=9"),
        (Some("weight"), "9kg", "weight=9"),
        (Some("weight"), "9 lbs", ""),
        (Some("weight"), "9 crates", "weight?"),
        (None, "weight: 4.200 g", ""),
        (None, "weight: 4 kilograms", "weight=4"),
        (None, "20% of 1,500 as the advance", "advance? share?"),
        (None, "advance 20%", "share?"),
        (None, "50% insured", "share?"),
        (None, "a share of 20%", "share=20"),
    ] {
        let asked = asked.map(|id: &str| form.fields.iter().find(|field| field.id == id).unwrap());
        let question = Question { fields: &form.fields, asked, text, now: NOW, zone: None, known: &known };
        assert_eq!(told(&reader::read(question)), expected, "{text}");
    }
}

/// What was written to somebody else is not said to the form, in whatever words it is forwarded.
#[test]
fn pasted_mail_is_not_taken() {
    check(
        r"
        Von: Bob⏎Gesendet: Montag⏎Betreff: Umzug⏎⏎We need a truck, 4 drivers. =>
        Please see below.⏎De : Bob⏎Envoyé : lundi⏎a truck, 4 drivers =>
        ---------- Forwarded message ---------⏎a truck, 4 drivers =>
        here is what Bob sent me: a truck, 4 drivers =>
        vehicle: truck⏎drivers: 4 => drivers=4 vehicle=truck
    ",
    );
    check_asked("company", &format!("{} =>", "x".repeat(5_000)));
    check_asked("reason", &format!("{} =>", "word ".repeat(1_500)));
}

/// `change FIELD to VALUE` works for every kind, and touches no other field.
#[test]
fn a_change_names_its_field_and_value() {
    let known = json!({"company": "Acme", "drivers": 2, "deposit": 300, "insurance": true, "pickup_time": "09:00:00",
                       "start_date": "2026-12-03", "vehicle": "van"});
    check_all(
        None,
        &known,
        r"
        change the company to Nils Holm => company=Nils Holm
        change the company to blue sky => company=blue sky
        change the drivers to 12 => drivers=12
        change the drivers to 4 => drivers=4
        change the deposit to 7 => deposit=7
        change insurance to no => insurance=false
        set the vehicle to truck => vehicle=truck
        change the drivers to the 4th => end_date?
        change the pick-up time to 10:15 => pickup_time=10:15:00
    ",
    );
}

/// What is said to a question changes no other field that it does not name, though it holds that field's value.
#[test]
fn an_answer_corrects_no_other_field() {
    let known = json!({"drivers": 5, "vehicle": "van"});
    for text in ["3, sorry, 5", "3, no wait, 5", "5, not 3", "not 3, 5", "5 instead of 4", "3 rather than 5"]
    {
        let got = crate::reader_rules::read(Some("boxes"), &known, text);
        assert!(!got.contains("drivers"), "{text}: {got}");
    }
}

/// An option called No hides no negation.
#[test]
fn a_no_denies_in_a_form_with_an_option_no() {
    let form = read_value(&json!({"form": "club", "title": "Club", "fields": [
        {"id": "courses", "kind": "choices", "label": "Courses", "options": ["Chess", "Judo"]},
        {"id": "fee", "kind": "choice", "label": "Fee", "options": ["Reduced", "Regular"]},
        {"id": "key", "kind": "choice", "label": "Do you want a key?", "options": ["Yes", "No"]}
    ]}))
    .unwrap();
    let known = Values::default();
    for text in
        ["no judo please", "no reduced fee", "chess, and no judo please", "no key, and no reduced fee"]
    {
        let question =
            Question { fields: &form.fields, asked: None, text, now: NOW, zone: None, known: &known };
        let got = told(&reader::read(question));
        assert!(!got.contains("Judo") && !got.contains("Reduced"), "{text}: {got}");
    }
}
