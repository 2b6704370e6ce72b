//! Kinds of statement that look like a value of a field and are none, or that are one in an unusual writing, a table each.

use holdpoint_core::Values;
use holdpoint_protocols::action::form::{Form, read_value};
use holdpoint_protocols::action::reader::{self, Question};
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::action_chat::{Chat, asks, says};
use crate::reader_rules::{NOW, told};

fn catering() -> Form {
    read_value(&json!({"form": "catering", "title": "Catering", "fields": [
        {"id": "guests", "kind": "integer", "label": "Number of guests"},
        {"id": "waiters", "kind": "integer", "label": "How many waiters?"},
        {"id": "evt_day", "kind": "date", "label": "Event date"},
        {"id": "serve_at", "kind": "time", "label": "Serving time"},
        {"id": "budget", "kind": "number", "label": "Budget (EUR)"},
        {"id": "price_head", "kind": "number", "label": "Price per guest (EUR)", "required": false},
        {"id": "menu", "kind": "choice", "label": "Menu", "options": ["Buffet", "Finger food"]},
        {"id": "drinks", "kind": "boolean", "label": "Do you want drinks?"},
        {"id": "place", "kind": "text", "label": "Venue"},
        {"id": "allergies", "kind": "choices", "label": "Allergies", "options": ["Nuts", "Gluten", "Milk"], "required": false},
        {"id": "stars", "kind": "integer", "label": "Star rating", "min": 1, "max": 5, "required": false}
    ]}))
    .unwrap()
}

fn gym() -> Form {
    read_value(&json!({"form": "gym", "title": "Gym", "fields": [
        {"id": "plan", "kind": "choice", "label": "Plan", "options": ["Basic", "Plus"]},
        {"id": "start", "kind": "date", "label": "Membership start"},
        {"id": "birth", "kind": "date", "label": "Birthday"},
        {"id": "visits", "kind": "integer", "label": "Visits per week"},
        {"id": "sauna", "kind": "boolean", "label": "Sauna access"},
        {"id": "been", "kind": "boolean", "label": "Have you been a member before?"},
        {"id": "motto", "kind": "text", "label": "Name on the card", "max": 20},
        {"id": "trial", "kind": "datetime", "label": "Trial session"}
    ]}))
    .unwrap()
}

/// Checks rows like `text => what was read`, as answers to a field if one is asked.
#[track_caller]
fn check(form: &Form, asked: Option<&str>, table: &str) {
    let (known, zone) = (Values::default(), TimeZone::get("Europe/Berlin").unwrap());
    let asked = asked.map(|id| form.fields.iter().find(|field| field.id == id).unwrap());
    let read = |(text, expected): (&str, &str)| {
        let zone = Some(&zone);
        let question = Question { fields: &form.fields, asked, text, now: NOW, zone, known: &known };
        let got = told(&reader::read(question));
        (got != expected.trim()).then(|| format!("{text:?}: {got:?}, not {:?}", expected.trim()))
    };
    let rows = table.lines().filter_map(|line| line.trim_start().split_once(" =>"));
    let wrong: Vec<String> = rows.filter_map(read).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A number that is said of something else is asked, or belongs to nothing here.
#[test]
fn a_number_may_belong_to_something_else() {
    check(
        &catering(),
        None,
        r"
        one waiter per 20 guests => guests? waiters?
        12 guests per table => guests?
        guests per table: 8 => guests?
        two drinks a day each =>
        20 euros per guest => price_head=20
        the venue has a fine of 30 € => budget? price_head?
        we have 5 vegetarians =>
        120 guests, 15 of them for the kids => guests=120
        ready in 3 days => evt_day=2026-11-19
        2 waiters i guess => waiters?
        not more than 40 guests => guests?
    ",
    );
    check(
        &catering(),
        Some("waiters"),
        r"
        5 => waiters=5
        5 waiters => waiters=5
        5 vegetarians => waiters?
        3 for the kids => waiters?
        2 i guess => waiters?
        4 per table => waiters?
        a fine of 30 => waiters?
        in 3 days => evt_day?
    ",
    );
    check(&catering(), Some("stars"), "in 3 days => evt_day?");
}

/// One end of something is the time only of a field that is called one.
#[test]
fn until_and_after_are_not_the_time() {
    check(
        &catering(),
        Some("serve_at"),
        r"
        until 17:00 => serve_at?
        after 17:00 => serve_at?
        from 5pm => serve_at?
        at 5pm => serve_at=17:00:00
    ",
    );
    check(
        &catering(),
        None,
        r"
        serving time until 18:00 => serve_at?
        the venue closes at 23:00 => serve_at?
    ",
    );
}

/// Times and numbers in less usual writings.
#[test]
fn unusual_writings() {
    check(
        &catering(),
        None,
        r"
        budget .50 => budget=0.5
        serving time 14h30 => serve_at=14:30:00
        serving time 14.30 => serve_at=14:30:00
        serving time 7.30 pm => serve_at=19:30:00
        the event is on 24.12.26 => evt_day=2026-12-24
        the event is on 12/24/26 => evt_day=2026-12-24
        event date 5 May '27 => evt_day=2027-05-05
        event date 5 May, 3 waiters => evt_day=2027-05-05 waiters=3
        venue: “Old Mill” => place=Old Mill
        venue: «Old Mill» => place=Old Mill
        venue: `Old Mill` => place=Old Mill
        venue: 'Old Mill' => place=Old Mill
        menu: “Buffet” => menu=Buffet
    ",
    );
    check(
        &catering(),
        Some("serve_at"),
        r"
        14.30 => serve_at=14:30:00
        14h30 => serve_at=14:30:00
        at 7 this evening => serve_at=19:00:00
    ",
    );
    check(&gym(), Some("trial"), "this morning at 9am => trial=2026-11-16T09:00:00");
    check(&gym(), Some("birth"), "3.5.85 => birth=1985-05-03");
}

/// What does not exist is refused with a sentence, and not shifted.
#[test]
fn what_does_not_exist_is_refused() {
    check(
        &catering(),
        Some("serve_at"),
        r"
        18:30:61 => serve_at!
        13pm => serve_at!
        18:30:15 => serve_at=18:30:15
    ",
    );
    check(
        &gym(),
        Some("trial"),
        r"
        2026-11-20T10:30:61 => trial!
        2026-11-20T10:30:00+25:00 => trial!
        2027-03-28T02:30:00 => trial!
        28 March 2027 at 2:30 => trial!
        2027-03-28T03:30:00 => trial=2027-03-28T03:30:00
    ",
    );
}

/// What has been stays in the past, and a birthday has a year.
#[test]
fn a_past_day_is_not_moved() {
    check(
        &gym(),
        Some("start"),
        r"
        last Monday => start=2026-11-09
        yesterday => start=2026-11-15
    ",
    );
    check(
        &gym(),
        Some("birth"),
        r"
        3 May => birth!
        3 May 1990 => birth=1990-05-03
    ",
    );
    let report = read_value(&json!({"form": "report", "title": "Report", "fields": [
        {"id": "day", "kind": "date", "label": "When did it happen?"}]}))
    .unwrap();
    check(&report, Some("day"), "on Wednesday => day=2026-11-11");
}

/// Whoever does not know has not answered.
#[test]
fn nothing_known_is_no_text() {
    check(
        &catering(),
        Some("place"),
        r"
        n/a =>
        tbd =>
        no idea =>
        later =>
        don't know yet =>
        to be confirmed =>
        I'll tell you later =>
        No Idea Studios => place=No Idea Studios
    ",
    );
    check(&catering(), None, "venue: later =>");
}

/// A yes or a no with a reason behind it is one; with a condition it is none.
#[test]
fn a_yes_or_no_with_a_reason() {
    check(
        &gym(),
        Some("been"),
        r"
        no, i've been there before => been=false
        No, the other one was closer. => been=false
        yes, of course => been=true
        yes if it counts =>
        yes, but only once =>
        no problem =>
    ",
    );
    check(
        &gym(),
        None,
        r"
        sauna not on weekends =>
        sauna is no longer needed =>
    ",
    );
}

/// Several options by number, all of them, and none where none need be chosen.
#[test]
fn several_options_at_once() {
    check(
        &catering(),
        Some("allergies"),
        r"
        1, 3 => allergies=[Nuts,Milk]
        1 and 3 => allergies=[Nuts,Milk]
        1, 7 =>
        all of them => allergies=[Nuts,Gluten,Milk]
        none => allergies=[]
    ",
    );
}

/// `from scratch` takes nothing back.
#[test]
fn scratch_may_be_a_noun() {
    check(
        &catering(),
        None,
        r"
        40 guests, it is all from scratch => guests=40
        40 guests, scratch that =>
    ",
    );
}

fn chat(form: Form) -> Chat {
    let mut chat = Chat::new(form);
    (chat.now, chat.state.begun) = (NOW, true);
    chat
}

/// Which year is asked once, and every way to say it ends the question.
#[test]
fn a_question_that_was_answered_is_not_asked_again() {
    for (answer, day) in [
        ("2027", "2027-11-05"),
        ("the later one", "2027-11-05"),
        ("next year", "2027-11-05"),
        ("not 2026", "2027-11-05"),
        ("the one in 2026, please", "2026-11-05"),
        ("the first", "2026-11-05"),
    ] {
        let mut chat = chat(gym());
        says(&chat.say("start 5 November"), &["2026 or", "2027?"]);
        chat.say(answer);
        assert_eq!(chat.values.get("start"), Some(&json!(day)), "{answer}");
    }
    let mut chat = chat(gym());
    chat.say("start 5 November");
    says(&chat.say("5 November"), &["5 November 2027. Right?"]);
    chat.say("no");
    says(&chat.say("start 5 November"), &["5 November 2026. Right?"]);
    chat.say("yes");
    assert_eq!(chat.values.get("start"), Some(&json!("2026-11-05")));
}

/// A day that two fields can take is asked about by their names.
#[test]
fn a_day_for_one_of_two_fields_is_asked() {
    let loan = json!({"form": "loan", "title": "Loan", "fields": [
        {"id": "from", "kind": "date", "label": "Loan starts"}, {"id": "to", "kind": "date", "label": "Loan ends"}]});
    for (answer, values) in [
        ("the end", json!({"to": "2027-05-24"})),
        ("loan starts", json!({"from": "2027-05-24"})),
        ("both", json!({"from": "2027-05-24", "to": "2027-05-24"})),
        ("2 May 2027", json!({"from": "2027-05-02"})),
    ] {
        let mut chat = chat(read_value(&loan).unwrap());
        says(&chat.say("24 May"), &["\"24 May\": is that Loan starts or Loan ends?"]);
        chat.say(answer);
        assert_eq!(Value::Object(chat.values), values, "{answer}");
    }
}

/// What limits or denies a known value asks for it, and a yes with a condition is no yes.
#[test]
fn a_limit_on_a_known_value_asks() {
    let known = json!({"plan": "Plus", "start": "2026-12-01", "birth": "1990-05-03", "visits": 3, "sauna": true,
        "been": false, "motto": "Max", "trial": "2026-12-01T09:00:00"});
    for (text, field) in [
        ("sauna not on weekends", "sauna"),
        ("the sauna is no longer needed", "sauna"),
        ("the start is not before 1 January", "start"),
        ("visits 5 only if it costs no more", "visits"),
    ] {
        let mut chat = chat(gym());
        chat.values.clone_from(known.as_object().unwrap());
        let action = chat.say(text);
        assert_eq!(action["field_id"], field, "{text}: {action}");
        assert_eq!(Value::Object(chat.values), known, "{text}");
    }
    let mut chat = chat(gym());
    chat.say("maybe 3 visits per week");
    chat.say("yes, but not in summer");
    assert!(chat.values.is_empty());
}

/// What is said of a field that is not asked anyway is mentioned, and too much at once is said to be too much.
#[test]
fn nothing_is_dropped_in_silence() {
    let mut chat = chat(catering());
    says(&chat.say("the allergies are still a mess"), &["I could not read what you say about Allergies."]);
    says(&chat.say(&"word ".repeat(900)), &["400 words"]);
    let mut chat = self::chat(gym());
    let action = chat.say("Basic, no sauna, start 1 December 2026, birthday 3 May 1990, 2 visits per week");
    asks(&action, "ASK_DROPDOWN", "been");
    chat.say("no");
    says(&chat.say("Maximilian Alexander von Hohenstein"), &["Name on the card", "at most 20"]);
}

/// A field is called what its label calls it.
#[test]
fn a_field_is_called_by_its_label() {
    let mut chat = chat(gym());
    chat.say("Basic, no sauna, start 1 December 2026, birthday 3 May 1990, 2 visits per week");
    says(&chat.say("no"), &["Have you been a member before: no"]);
}
