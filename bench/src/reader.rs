//! The built-in reader: how long a turn takes on a form of fifty fields, how much of what people plainly state it
//! recognises, and what happens to the answers of a faultless model.

use std::io::Write as _;
use std::time::{Duration, Instant};

use holdpoint_core::{Field, Kind, Opt, Values};
use holdpoint_protocols::action::conversation::{self, State, Turn};
use holdpoint_protocols::action::form::{self, Form};
use holdpoint_protocols::action::reader::{self, Question};
use holdpoint_protocols::action::{Action, ReaderResult, model};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::Result;
use crate::sample::in_turn;
use crate::table::{Quantity, Row, Target};

const ROUNDS: usize = 200;
const MOST: Quantity = Quantity::Time(Duration::from_millis(1));
const WORST: Quantity = Quantity::Time(Duration::from_millis(50));
const NOW: DateTime = DateTime::constant(2026, 11, 16, 10, 0, 0, 0);
const SAID: &str = "I'd like option number 7 from 11 to 15 February at half past nine in the evening, for 3 guests, with \
                    parking but no breakfast, because my sister is getting married. You reach me at ana@example.org.";

pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut form = form::read(r#"{"form": "f", "title": "F", "fields": [{"id": "a", "kind": "text"}]}"#)
        .map_err(|flaws| format!("{} flaws", flaws.len()))?;
    form.fields = fields();
    let turn = |asked: Option<&str>, text: &str| {
        let turn = Turn { text: text.to_owned(), ..Turn::default() };
        let state = State { begun: true, asked: asked.map(str::to_owned), ..State::default() };
        let start = Instant::now();
        answered(&form, &state, &Values::default(), &turn);
        start.elapsed()
    };
    let [first, corrected] = in_turn(
        ROUNDS,
        [&mut || Ok(turn(None, SAID)), &mut || Ok(turn(Some("day_1"), "actually next Tuesday"))],
    )?;
    let mail = "On Monday Bob wrote:\n> option number 7 from 3 to 5 December, 4 guests\n".repeat(300);
    let pasted = [
        "option ".repeat(2_800),
        "3 ".repeat(390),
        "two hundred ".repeat(190),
        "\u{202e}\u{0}日本 ".repeat(2_500),
        mail,
    ];
    let worst = pasted.iter().map(|text| turn(None, text)).max().unwrap_or_default();
    let row = |what: &str, measured: Duration, most: Quantity| Row {
        what: what.to_owned(),
        measured: Quantity::Time(measured),
        peer: None,
        target: Target::Under(most),
    };
    for set in ["freight", "hiring", "vet"] {
        writeln!(std::io::stdout(), "{}", score(set)?)?;
    }
    Ok(vec![
        row("one turn of a paragraph over 50 fields", first.median(), MOST),
        row("one turn of an answer over 50 fields", corrected.median(), MOST),
        row("the worst of what is pasted over 50 fields", worst, WORST),
    ])
}

/// Takes one turn with the built-in reader.
fn answered(form: &Form, state: &State, values: &Values, turn: &Turn) -> conversation::Outcome {
    let heard = conversation::take_turn(form, state, values, turn);
    let understood = heard
        .briefing(NOW, &TimeZone::UTC)
        .map_or_else(ReaderResult::default, |briefing| reader::read(briefing.question).into());
    heard.answer(&understood)
}

/// Returns how well a set of sentences was read.
fn score(set: &str) -> Result<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/protocols/sentences");
    let form = form::read(&std::fs::read_to_string(format!("{folder}/{set}.json"))?)
        .map_err(|flaws| format!("{set}: {} flaws", flaws.len()))?;
    let text = std::fs::read_to_string(format!("{folder}/{set}.txt"))?;
    let (mut right, mut asked, mut wrong, mut turns, mut most) = (0, 0, 0, 0, 0);
    let (mut kept, mut contradicted) = (0, 0);
    for line in text.lines() {
        let Some((said, stated)) = line.split_once('|') else { continue };
        let pairs = stated.split(';').filter_map(|pair| pair.trim().split_once('='));
        let stated: Vec<(String, String)> =
            pairs.map(|(id, value)| (id.to_owned(), value.to_owned())).collect();
        let known = Values::default();
        let question = Question {
            fields: &form.fields,
            asked: None,
            text: said.trim(),
            now: NOW,
            zone: None,
            known: &known,
        };
        for taken in &reader::read(question).taken {
            if stated.contains(&(taken.field.clone(), plain(&taken.value))) {
                right += 1;
            } else {
                wrong += 1;
            }
        }
        let held = with_model(&form, said.trim(), &stated);
        let is = |id: &String, value: &Value| stated.contains(&(id.clone(), plain(value)));
        kept += held.iter().filter(|(id, value)| is(id, value)).count();
        contradicted += held.iter().filter(|(id, value)| !is(id, value)).count();
        asked += stated.len();
        turns += talk(&form, said.trim(), &stated);
        most += form.fields.iter().filter(|field| field.required).count();
    }
    let sentences = text.lines().count();
    Ok(format!(
        "{set}: {sentences} sentences, {asked} values plainly stated: {right} taken, {} asked, {wrong} wrong; {turns} turns to \
         completion, {most} field by field; with a model that answers perfectly {kept} right, {contradicted} wrong",
        asked - right
    ))
}

/// Returns the values after a first message that a faultless model reads, with the message as evidence.
fn with_model(form: &Form, said: &str, stated: &[(String, String)]) -> Values {
    let answer = |(id, value): &(String, String)| {
        let kind = form.fields.iter().find(|field| field.id == *id).map(|field| field.kind);
        let value = match kind {
            Some(Kind::Integer | Kind::Number | Kind::Boolean) => {
                serde_json::from_str(value).unwrap_or_default()
            }
            Some(Kind::Choices) => value.trim_matches(['[', ']']).split(',').map(Value::from).collect(),
            _ => Value::from(value.as_str()),
        };
        (id.clone(), json!({ "value": value, "words": said }))
    };
    let answers: Values = stated.iter().map(answer).collect();
    let output = json!({ "intent": "multi_answer", "answers": answers }).to_string();
    let turn = Turn { text: said.to_owned(), ..Turn::default() };
    let heard = conversation::take_turn(form, &State::default(), &Values::default(), &turn);
    let read = |briefing| model::read(&output, &briefing).unwrap_or_default();
    let understood = heard.briefing(NOW, &TimeZone::UTC).map_or_else(ReaderResult::default, read);
    heard.answer(&understood).values
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned).replace('"', "")
}

/// Counts the questions until a form is complete, each answered as the person meant it.
fn talk(form: &Form, said: &str, stated: &[(String, String)]) -> usize {
    let (mut state, mut values) = (State::default(), Values::default());
    let mut text = said.to_owned();
    for turns in 0..100 {
        let turn = Turn { text, ..Turn::default() };
        let outcome = answered(form, &state, &values, &turn);
        (state, values) = (outcome.state, outcome.values);
        let Some(field) =
            form.fields.iter().find(|field| outcome.action.field_id() == Some(field.id.as_str()))
        else {
            return if matches!(outcome.action, Action::FormComplete { .. }) { turns } else { 100 };
        };
        let meant = stated
            .iter()
            .find(|(id, _)| *id == field.id)
            .map(|(_, value)| value.trim_matches(['[', ']']).replace(',', ", "));
        text = meant.unwrap_or_else(|| any(form, field));
    }
    100
}

/// Returns any valid value for a field.
fn any(form: &Form, field: &Field) -> String {
    let ends = form::span(&form.fields, |field| field.kind == Kind::Date)
        .is_some_and(|(_, last)| form.fields[last].id == field.id);
    match field.kind {
        Kind::Date if ends => "2027-06-01".into(),
        Kind::Date => "2026-11-18".into(),
        Kind::Time => "10:00".into(),
        Kind::Integer | Kind::Number => "4".into(),
        Kind::Boolean => "no".into(),
        Kind::Email => "ana@example.org".into(),
        Kind::Tel => "+44 20 7946 0000".into(),
        _ => field.options.first().map_or_else(|| "something".to_owned(), |option| option.label.clone()),
    }
}

fn fields() -> Vec<Field> {
    let option = |at: usize| Opt::new(format!("o{at}"), format!("Option number {at}"));
    let field = |at: usize| match at % 5 {
        0 => Field::offering(format!("choice_{at}"), Kind::Choice, "Which?", (0..20).map(option).collect()),
        1 => Field::new(format!("day_{at}"), Kind::Date, "When?"),
        2 => Field::new(format!("guests_{at}"), Kind::Integer, "How many?"),
        3 => Field::new(format!("breakfast_{at}"), Kind::Boolean, "Do you want it?"),
        _ => Field::new(format!("reason_{at}"), Kind::Multiline, "Why?"),
    };
    (0..50).map(field).collect()
}
