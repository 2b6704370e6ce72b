//! The built-in reader, rule by rule: what is said, and what is taken (`field=value`) or asked (`field?`).

use holdpoint_core::Values;
use holdpoint_protocols::action::form::{Form, read_value};
use holdpoint_protocols::action::reader::{self, Question, Reading};
use jiff::civil::{DateTime, datetime};
use serde_json::{Value, json};

/// A Monday.
pub(crate) const NOW: DateTime = datetime(2026, 11, 16, 10, 0, 0, 0);

fn rental() -> Form {
    read_value(&json!({"form": "rental", "title": "Rental", "fields": [
        {"id": "vehicle", "kind": "choice", "label": "Which vehicle?", "options": [
            {"id": "van", "label": "Transit van"}, {"id": "bike", "label": "Cargo bike", "synonyms": ["bicycle"]}, {"id": "truck", "label": "Truck"}]},
        {"id": "start_date", "kind": "date", "label": "First day"},
        {"id": "end_date", "kind": "date", "label": "Last day"},
        {"id": "pickup_time", "kind": "time", "label": "Pick-up time"},
        {"id": "drivers", "kind": "integer", "label": "How many drivers?"},
        {"id": "boxes", "kind": "integer", "label": "Number of boxes"},
        {"id": "deposit", "kind": "number", "label": "Deposit (EUR)"},
        {"id": "minutes", "kind": "integer", "label": "Briefing in minutes"},
        {"id": "insurance", "kind": "boolean", "label": "Do you need insurance?"},
        {"id": "colour", "kind": "choices", "label": "Colours", "options": ["Red", "Blue", "Green"]},
        {"id": "email", "kind": "email", "label": "E-mail"},
        {"id": "company", "kind": "text", "label": "Company"},
        {"id": "reason", "kind": "multiline", "label": "Reason"},
        {"id": "meeting", "kind": "datetime", "label": "Handover meeting", "required": false}
    ]}))
    .unwrap()
}

pub(crate) fn told(reading: &Reading) -> String {
    let plain =
        |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace('"', "");
    let mut parts: Vec<String> =
        reading.taken.iter().map(|taken| format!("{}={}", taken.field, plain(&taken.value))).collect();
    parts.extend(reading.unsure.iter().map(|unsure| format!("{}?", unsure.field)));
    parts.extend(reading.unfit.iter().map(|unfit| format!("{}!", unfit.field)));
    parts.sort();
    parts.join(" ")
}

pub(crate) fn read(asked: Option<&str>, known: &Value, text: &str) -> String {
    let form = rental();
    let known: Values = known.as_object().cloned().unwrap();
    let asked = asked.map(|id| form.fields.iter().find(|field| field.id == id).unwrap());
    told(&reader::read(Question { fields: &form.fields, asked, text, now: NOW, zone: None, known: &known }))
}

#[track_caller]
pub(crate) fn check_all(asked: Option<&str>, known: &Value, table: &str) {
    let rows = table.lines().filter_map(|line| line.trim_start().split_once(" =>"));
    let read = |(text, expected): (&str, &str)| {
        let got = read(asked, known, &text.replace('⏎', "\n"));
        (got != expected.trim()).then(|| format!("{text:?}: {got:?}, not {:?}", expected.trim()))
    };
    let wrong: Vec<String> = rows.filter_map(read).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[track_caller]
pub(crate) fn check(table: &str) {
    check_all(None, &json!({}), table);
}

#[track_caller]
pub(crate) fn check_asked(asked: &str, table: &str) {
    check_all(Some(asked), &json!({}), table);
}

/// Rule 1.
#[test]
fn exact_answers() {
    check_asked(
        "vehicle",
        r"
        van => vehicle=van
        Transit van => vehicle=van
        2 => vehicle=bike
        #3 => vehicle=truck
        tru => vehicle=truck
        cargo => vehicle=bike
        no =>
        t =>
        4 =>
    ",
    );
    check_asked(
        "colour",
        r"
        Red, Blue => colour=[Red,Blue]
        Green => colour=[Green]
        Red, Purple => colour?
    ",
    );
    check_asked(
        "start_date",
        r"
        2026-12-03 => start_date=2026-12-03
        2026-02-30 => start_date!
        2026-13-01 => start_date!
        2026-12-03T14:30:00 => start_date!
    ",
    );
    check_asked(
        "meeting",
        r"
        2026-03-01T14:30:00 => meeting=2026-03-01T14:30:00
        2026-03-01 14:30 => meeting=2026-03-01T14:30:00
        2026-03-01T14:30:00+05:00 => meeting=2026-03-01T09:30:00
        2026-03-01T25:00:00 => meeting!
        2026-03-01T14:30:00Z => meeting=2026-03-01T14:30:00
        2026-03-01 => meeting!
    ",
    );
    check_asked(
        "pickup_time",
        r"
        14:30 => pickup_time=14:30:00
        09:05:00 => pickup_time=09:05:00
        25:00 => pickup_time!
    ",
    );
    check_asked(
        "deposit",
        r"
        1,249.50 => deposit=1249.5
        1.249,50 € => deposit=1249.5
        2,399 => deposit=2399
        $2,399 => deposit!
        1,5 => deposit=1.5
        1.249 => deposit?
        1,24,9 => deposit!
        -3 => deposit=-3
    ",
    );
    check_asked(
        "drivers",
        r"
        3 => drivers=3
        3.0 => drivers=3
        3.5 => drivers!
    ",
    );
    check_asked(
        "insurance",
        r"
        yes => insurance=true
        No => insurance=false
        true => insurance=true
    ",
    );
}

/// Rule 2.
#[test]
fn answers_in_everyday_words() {
    check_asked(
        "start_date",
        r"
        3 December => start_date=2026-12-03
        on the 3rd of December please => start_date=2026-12-03
        Dec 3rd, 2027 => start_date=2027-12-03
        tomorrow => start_date=2026-11-17
        Friday => start_date=2026-11-20
        next Monday => start_date=2026-11-23
        in two weeks => start_date=2026-11-30
        the 12th => start_date=2026-12-12
        25/12/2026 => start_date=2026-12-25
        3/12/2026 => start_date?
        3.12.2026 => start_date=2026-12-03
        next Friday => start_date?
        maybe Friday => start_date?
        not Friday =>
        next week =>
        Friday or Saturday => start_date?
        a week from Friday => start_date=2026-11-27
        Monday => start_date?
        banana =>
        31 November => start_date!
    ",
    );
    check_asked(
        "pickup_time",
        r"
        2pm => pickup_time=14:00:00
        2 am => pickup_time=02:00:00
        half past nine in the morning => pickup_time=09:30:00
        quarter to three pm => pickup_time=14:45:00
        at 5 => pickup_time?
        at 17 => pickup_time=17:00:00
        noon => pickup_time=12:00:00
        9 o'clock => pickup_time?
        10:15 => pickup_time=10:15:00
        2.30pm => pickup_time=14:30:00
    ",
    );
    check_asked(
        "drivers",
        r"
        three => drivers=3
        there will be 4 => drivers=4
        twenty-five => drivers=25
        a dozen => drivers=12
        half a dozen => drivers=6
        two hundred thousand => drivers=200000
        three thousand two hundred and five => drivers=3205
        about 5 => drivers?
        $5 =>
        2 or 3 => drivers?
        I don't know =>
    ",
    );
    check_asked(
        "deposit",
        r"
        200 euros => deposit=200
        it's €2,399.00 => deposit=2399
        1.5k => deposit=1500
        two hundred and fifty => deposit=250
    ",
    );
    check_asked(
        "minutes",
        r"
        half an hour => minutes=30
        an hour and a half => minutes=90
        2 hours => minutes=120
        45 => minutes=45
        45 minutes => minutes=45
        2 days =>
    ",
    );
    check_asked(
        "insurance",
        r"
        yes please => insurance=true
        no thanks => insurance=false
        yep => insurance=true
        we don't =>
        what does it cost? =>
    ",
    );
    check_asked(
        "vehicle",
        r"
        the second one =>
        a bicycle please => vehicle=bike
        I'd like the transit van => vehicle=van
        van or truck => vehicle?
        not the truck =>
        truk =>
    ",
    );
    check_asked(
        "company",
        r"
        Acme & Sons => company=Acme & Sons
        change the first day to 3 December => start_date=2026-12-03
        drivers: 3 => drivers=3
        our company is Acme => company=Acme
    ",
    );
    check_asked(
        "reason",
        r"
        my sister marries on 3 December => reason=my sister marries on 3 December
    ",
    );
}

/// Rule 3.
#[test]
fn values_with_their_names() {
    check(
        r#"
        drivers: 3, boxes: 12 => boxes=12 drivers=3
        drivers 3⏎boxes 12 => boxes=12 drivers=3
        3 drivers and 12 boxes => boxes=12 drivers=3
        we have 2 extra boxes => boxes?
        the number of boxes is forty => boxes=40
        first day 3 December, last day 5 December => end_date=2026-12-05 start_date=2026-12-03
        The first day is the 3rd of December and the last day is 5 December. => end_date=2026-12-05 start_date=2026-12-03
        we start on 3 December and end on the 5th => end_date=2026-12-05 start_date=2026-12-03
        deposit of $2,399 => deposit!
        deposit of 2,399 euros => deposit=2399
        the deposit is 1.249,50 € => deposit=1249.5
        deposit around 500 => deposit?
        my deposit is 1,5 => deposit=1.5
        vehicle: truck => vehicle=truck
        The vehicle should be the cargo bike => vehicle=bike
        company: Acme Ltd, email: a@b.org => company=Acme Ltd email=a@b.org
        our company is Acme Ltd and I need 2 drivers => company=Acme Ltd drivers=2
        company is late => company?
        The company is called blue sky => company=blue sky
        no insurance => insurance=false
        with insurance => insurance=true
        we don't need insurance => insurance=false
        insurance: yes => insurance=true
        insurance is not needed => insurance=false
        reason: the company is Acme => reason=the company is Acme
        insurance? =>
        because of a move to Rome => reason=a move to Rome
        reason: moving house => reason=moving house
        pick-up time 9am => pickup_time=09:00:00
        briefing of 90 minutes => minutes=90
        a briefing of 2 hours => minutes=120
        colours: red and blue => colour=[Red,Blue]
        about 20 boxes => boxes?
        I don't have 3 boxes =>
        my boss needs 3 drivers => drivers?
        last year we had 5 drivers =>
        if it rains, 3 boxes => boxes?
        do you have 3 boxes? => boxes?
        he said "3 drivers" =>
        drivers 3 boxes 4 => boxes=4 drivers=3
        2 or 3 drivers => drivers?
        at least 3 boxes => boxes?
        drivers: 3.5 => drivers!
        deposit 12 000 € => deposit=12000
        the deposit was 500 euros => deposit?
        we used 3 drivers in May =>
        we have insurance =>
    "#,
    );
}

/// Rule 4.
#[test]
fn values_that_only_one_field_takes() {
    check(
        r"
        from 3 to 5 December => end_date=2026-12-05 start_date=2026-12-03
        3-5 December => end_date=2026-12-05 start_date=2026-12-03
        Dec 3 to Dec 5 => end_date=2026-12-05 start_date=2026-12-03
        from 28 December until 3 January => end_date=2027-01-03 start_date=2026-12-28
        between 3 and 5 December => end_date? start_date?
        from Monday to Friday => end_date=2026-11-20 start_date?
        until Friday => end_date=2026-11-20
        from tomorrow => start_date=2026-11-17
        the cargo bike, please => vehicle=bike
        a truck => vehicle=truck
        me@example.org => email=me@example.org
        at 2pm => pickup_time=14:00:00
        on 3 December => end_date? start_date?
        maybe a truck => vehicle?
        I don't want the truck =>
        a truck, I think => vehicle?
        Can I have a truck? => vehicle?
        Do you have a truck? => vehicle?
        truck or van => vehicle?
        We need the truck, no rush => vehicle=truck
        red and green => colour=[Red,Green]
        €400 => deposit=400
        $400 => deposit!
        we are 5 =>
        room 12 =>
        Anna wants a truck => vehicle?
        our accountant wants a truck => vehicle?
        anything but the truck =>
        anything other than a truck => vehicle?
        please send the truck to my office => vehicle=truck
        > a truck⏎ =>
        hello =>
        12,000 =>
        The move in March cost 60 euros. => deposit?
        a crate costs 60 euros => deposit?
        The ferry leaves at 9:30 => pickup_time?
        My bike needs a truck => vehicle?
        my truck weighs a lot => vehicle?
        starting 3 December => start_date=2026-12-03
        a truck until Friday, or call +49 30 123456 => end_date=2026-11-20 vehicle=truck
    ",
    );
}

#[test]
fn what_is_known_is_changed_only_by_a_word_of_change() {
    let known = json!({"vehicle": "van", "start_date": "2026-12-03", "drivers": 2, "end_date": "2026-12-05", "colour": ["Red"]});
    check_all(
        None,
        &known,
        r"
        change the first day to 4 December => start_date=2026-12-04
        actually 3 drivers => drivers=3
        3 drivers => drivers?
        not the van but the truck => vehicle=truck
        make it the truck => vehicle=truck
        truck instead of van => vehicle=truck
        a truck =>
        don't change the first day to 4 December =>
        should I change the first day to 4 December? => start_date?
        drivers should be 5 => drivers=5
        sorry, the last day is 6 December => end_date=2026-12-06
        add blue too => colour=[Red,Blue]
        blue too => colour=[Red,Blue]
        not red but green => colour=[Green]
        add 3 drivers => drivers?
    ",
    );
}
