//! The built-in reader: takes from a message what a person plainly states for a form's fields. It needs no network.
//!
//! A value is taken by one of four rules, tried in this order; `hold form explain` prints which:
//!
//! 1. and 2. `asked`: what a control would send for the field that was asked, or an answer to it in everyday words;
//! 3. `named`: a value with its field's name beside it;
//! 4. `only`: a value that only one open field can take, in a message without a `guard`.
//!
//! `message` knows sentences and clauses; `name` finds names in it, `found` values; `fit` says whether a value goes into a field, and
//! `account` whether all that stands around it is accounted for: else it is offered in a question ([`Reading::unsure`]).

mod account;
mod asked;
mod date;
mod fit;
mod found;
mod guard;
mod message;
mod name;
mod named;
mod number;
mod only;
mod scan;

use holdpoint_core::{Field, Kind};

pub use super::reading::{Guard, Question, Reading, Rule, Taken, Unfit, Unsure};
pub(super) use asked::{NO, YES};
pub use scan::corrects;

use super::token::{LONGEST, MOST, Sort, Token, is_among, stem, tokens};
use account::FILLERS;
use fit::Fit;
use found::{End, Found, Measure, Read, What};
use guard::{Mark, VAGUE, denies};
use message::Message;
use name::{Mention, Names, Said};
use number::{UNITS, currency, listed, time_unit};
use scan::{CHANGES, CORRECTS, OPENING, Scan};

/// Reads what a person said.
pub fn read(question: Question<'_>) -> Reading {
    if let Some(reading) = question.asked.and_then(|asked| asked::exact(asked, question.text)) {
        return reading;
    }
    let mut message = Message::new(question.text);
    if question.text.len() > LONGEST || message.tokens.len() > MOST {
        return Reading::default();
    }
    name::mend(&mut message, question.fields);
    let mut scan = Scan::new(question, &message, name::find(&message, question.fields));
    if let Some(asked) = question.asked.filter(|field| matches!(field.kind, Kind::Text | Kind::Multiline)) {
        return asked::words(scan, asked);
    }
    named::read(&mut scan);
    question.asked.into_iter().for_each(|asked| asked::read(&mut scan, asked));
    only::read(&mut scan);
    scan.weigh();
    scan.reading
}

/// Returns the fields that a text names.
pub fn named<'a>(fields: &'a [Field], text: &str) -> Vec<&'a Field> {
    let mentions = name::find(&Message::new(text), fields).mentions;
    let is_named = |(at, _): &(usize, &Field)| mentions.iter().any(|mention| mention.field == *at);
    fields.iter().enumerate().filter(is_named).map(|(_, field)| field).collect()
}
