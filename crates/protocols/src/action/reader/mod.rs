//! The built-in reader: finds in everyday English the values that a person states for a form's fields.
//!
//! It needs no network and no model. It says from which words it took each value, and it takes only what a clause
//! states that is recognised as speaking for this form (`licence`). What else looks like a value is offered back
//! ([`Reading::mentioned`]); two readings are told apart by asking ([`Unsure`]); half of a date and time is kept until
//! the other half comes ([`Partial`]).

mod acquaintance;
mod address;
mod again;
mod bare;
mod belongings;
mod bound;
mod boundary;
mod candidate;
mod cause;
mod clause;
mod clock;
mod command;
mod complement;
mod contrast;
mod correct;
mod counted;
mod course;
mod courtesy;
mod cue;
mod day;
mod denial;
mod dialect;
mod event;
mod exchange;
mod feast;
mod figurative;
mod figures;
mod fragment;
mod ground;
mod harm;
mod haste;
mod hedge;
mod judge;
mod kin;
mod known;
mod lexicon;
mod licence;
mod manner;
mod meant;
mod mention;
mod moment;
mod monthly;
mod mood;
mod notes;
mod number;
mod occasion;
mod option;
mod people;
mod person;
mod place;
mod prose;
mod quantity;
mod range;
mod recorded;
mod relative;
mod request;
mod role;
mod scan;
mod series;
mod settled;
mod several;
mod shift;
mod span;
mod spoken;
mod steady;
mod tie;
mod truth;
mod turns;
mod verbs;
mod vocabulary;
mod wish;
mod withheld;
mod words;

use holdpoint_core::{Field, Kind, Values};
use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;

pub use bare::{adds, bare_option, is_label};
pub use command::{Command, agrees, command, declines, names_option};
pub use correct::{named, removes, states_another, takes_back};
pub use manner::{
    Manner, after_no, asks_back, hesitates, is_courtesy, manner, objects, opens_with_change, skips,
    takes_questions, undoes,
};
pub use role::span;
pub use shift::shifted;
pub use steady::either_end;
pub use tie::{denies_option, is_quoted, names_something, says_something, speaks_of_count, speaks_of_time};
pub use truth::takes_no;
pub use withheld::{Withheld, withheld};

use correct::Change;
use scan::{Scan, Strictness};

/// What is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The fields that may be filled.
    pub fields: &'a [Field],
    /// The field that the person was just asked for.
    pub asked: Option<&'a Field>,
    /// What they said.
    pub text: &'a str,
    /// What their clock shows.
    pub now: DateTime,
    /// What is known so far.
    pub known: &'a Values,
}

/// What was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Values that were stated.
    pub taken: Vec<Taken>,
    /// What could mean more than one thing.
    pub unsure: Vec<Unsure>,
    /// What was stated but does not fit its field.
    pub unfit: Vec<Unfit>,
    /// Dates that still need a time, and times that still need a date.
    pub partial: Vec<Partial>,
    /// Fields that the person names in order to change them.
    pub named: Vec<String>,
    /// What may be a value, though the words do not say that it is meant for this form: it is offered, not taken.
    pub mentioned: Vec<Taken>,
}

impl Reading {
    /// Returns whether nothing at all was understood.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty() && self.unsure.is_empty() && self.unfit.is_empty() && self.partial.is_empty()
    }

    /// Returns the value taken for a field.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.taken.iter().find(|taken| taken.field == field).map(|taken| &taken.value)
    }
}

/// A value that was stated.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// The field.
    pub field: String,
    /// The value, as core keeps it.
    pub value: Value,
    /// The words it was taken from.
    pub words: String,
}

/// Words that could mean several values of one field.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsure {
    /// The field.
    pub field: String,
    /// What they could mean.
    pub values: Vec<Value>,
    /// The words.
    pub words: String,
}

/// A value that was stated but that the field does not take.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfit {
    /// The field.
    pub field: String,
    /// What is wrong with it.
    pub why: String,
    /// The words it was taken from.
    pub words: String,
}

/// Half of a date and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The field.
    pub field: String,
    /// The date, if that was said.
    pub date: Option<Date>,
    /// The time, if that was said.
    pub time: Option<Time>,
    /// The words.
    pub words: String,
}

/// How many bytes of a message are looked through for values. Nobody says more at once; what is longer was not said
/// but pasted, and would only cost time.
const LONGEST: usize = 10_000;

/// Reads what a person said.
///
/// Who names what they change means that and nothing else.
pub fn read(question: Question<'_>) -> Reading {
    // A day alone, of which nobody knows whether something begins or ends on it.
    let clear = question.asked.is_some_and(|field| field.kind.is_temporal());
    if !clear && either_end(question.fields, question.known, question.text).is_some() {
        return Reading::default();
    }
    if let Some(reading) = replaced(question) {
        return reading;
    }
    let text = contrast::reported(question).unwrap_or(question.text);
    let mut reading = read_changes(Question { text, ..question });
    exchange::settle(question, &mut reading);
    steady::settle_month(question, &mut reading);
    steady::keep_known(question, &mut reading);
    keep_changes(question, &mut reading);
    reading
}

/// Reads what is put in the place of a value that is known by denying that.
fn replaced(question: Question<'_>) -> Option<Reading> {
    if question.asked.is_some_and(|field| field.kind.is_text()) {
        return None;
    }
    let change = contrast::contrast(question)?;
    let mut reading = read_changed(question, &[change]);
    exchange::settle(question, &mut reading);
    (!reading.taken.is_empty()).then_some(reading)
}

/// Drops what a correction only says again: `change that to six laptops`, where laptops are known, changes how many.
fn keep_changes(question: Question<'_>, reading: &mut Reading) {
    let held = |taken: &Taken| question.known.get(&taken.field) == Some(&taken.value);
    if question.asked.is_none()
        && reading.taken.iter().any(|taken| question.known.contains_key(&taken.field) && !held(taken))
    {
        reading.taken.retain(|taken| !held(taken));
    }
}

fn read_changes(question: Question<'_>) -> Reading {
    let shifted = shift::shifted(question);
    if !shifted.is_empty() {
        return Reading { taken: shifted, ..Reading::default() };
    }
    let changes = correct::changes(question.fields, question.text);
    // At the beginning there is nothing to change: `update the service to version 3` says what the form is about.
    let begun = !question.known.is_empty();
    let plain = |field: &Field| !field.custom && !matches!(field.kind, Kind::Text | Kind::Multiline);
    if changes.is_empty() && !question.asked.is_some_and(|field| field.kind.is_text()) {
        match exchange::exchange(question) {
            Some(exchange::Exchange::For(field, value)) => {
                return read_changed(question, &[Change { field, value }]);
            }
            Some(exchange::Exchange::Unclear) => return Reading::default(),
            None => {}
        }
    }
    if changes.is_empty() || !(begun || changes.iter().all(|change| plain(change.field))) {
        return candidate::read(question);
    }
    read_changed(question, &changes)
}

/// Reads what each of some named fields shall become.
fn read_changed(question: Question<'_>, changes: &[Change<'_>]) -> Reading {
    let mut reading = Reading::default();
    for change in changes {
        let id = &change.field.id;
        let text = question.text.get(change.value.clone()).unwrap_or_default();
        let one = read_all(Question { asked: Some(change.field), text, ..question });
        reading.taken.extend(one.taken.into_iter().filter(|taken| taken.field == *id));
        reading.unsure.extend(one.unsure.into_iter().filter(|unsure| unsure.field == *id));
        reading.unfit.extend(one.unfit.into_iter().filter(|unfit| unfit.field == *id));
        reading.partial.extend(one.partial.into_iter().filter(|half| half.field == *id));
        reading.named.push(id.clone());
    }
    reading
}

fn read_all(question: Question<'_>) -> Reading {
    read_scan(question, Strictness::Licensed).reading
}

/// The order is that of certainty: what has a form of its own first, then what is named, then what is only
/// alike; words that are taken are not read again.
fn read_scan(question: Question<'_>, strictness: Strictness) -> Scan<'_> {
    let whole = question.asked.is_some_and(|field| matches!(field.kind, Kind::Text | Kind::Multiline));
    let text = if whole { question.text } else { crate::cut(question.text, LONGEST) };
    let question = Question { text, ..question };
    let mut scan = Scan::new(question, strictness);
    if scan.tokens.is_empty() {
        return scan;
    }
    if let Some(field) = question.asked
        && matches!(field.kind, Kind::Text | Kind::Multiline)
    {
        // Whoever is asked for words answers in words; nothing in them is meant for another field.
        let whole = question.text;
        match person::answer(&scan, field) {
            Some(range) => {
                let name = scan.words(range.clone());
                scan.take_text(field, name, range);
            }
            None => scan.take_text(field, whole, 0..scan.tokens.len()),
        }
        return scan;
    }
    if let Some(field) = question.asked {
        // `the second` is a day of the month, but not to someone who was shown options.
        option::read_place(&mut scan, field);
    }
    address::read(&mut scan);
    place::read(&mut scan);
    mention::read(&mut scan);
    person::read(&mut scan);
    // Behind a wish to change something, `to` leads to what it becomes and not to why.
    if question.known.is_empty() || !matches!(manner(question.text), Manner::Correct | Manner::Edit) {
        prose::read(&mut scan);
    }
    notes::read(&mut scan);
    moment::read(&mut scan);
    span::read(&mut scan);
    quantity::read(&mut scan);
    truth::read(&mut scan);
    option::read(&mut scan);
    prose::read_first_person(&mut scan);
    if let Some(asked) = question.asked {
        keep_to_the_question(&mut scan, asked);
    }
    scan
}

/// Drops what may have been meant for the field that was asked, though it does not answer it: `only on Saturday`, said to
/// a yes or no, is no day of arrival. Whoever takes something back means what they name.
fn keep_to_the_question(scan: &mut Scan<'_>, asked: &Field) {
    let reading = &scan.reading;
    let touched = reading.value(&asked.id).is_some()
        || reading.unsure.iter().any(|unsure| unsure.field == asked.id)
        || reading.partial.iter().any(|half| half.field == asked.id);
    // `not yet but tomorrow` says when there will be a certificate.
    let pole = truth::poles(asked).is_some();
    if touched && !pole || matches!(manner(scan.text), Manner::Correct | Manner::Edit) {
        return;
    }
    let loose = std::mem::take(&mut scan.loose);
    let is_loose = |field: &String| *field != asked.id && loose.contains(field);
    scan.reading.taken.retain(|taken| !is_loose(&taken.field));
    scan.reading.partial.retain(|half| !is_loose(&half.field));
    scan.reading.unsure.retain(|unsure| !is_loose(&unsure.field));
}
