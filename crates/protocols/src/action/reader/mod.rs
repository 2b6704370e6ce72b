//! The built-in reader: takes from a message what a person plainly states for a form's fields. It needs no network.
//!
//! A message is read in four steps, one file or a few each:
//!
//! 1. *Words.* `token` cuts the text, `message` finds sentences and clauses, `lists` holds the words that mean the same in every form.
//! 2. *Values and names.* `find` finds every date, time, number and address (`date`, `number`, `figures`, `units`) and `name` the
//!    fields and options that are named (`said`: what a form says of a field). Nothing is taken yet.
//! 3. *Doubts.* `guard` marks what a no, a doubt, a condition, a question, a quotation, another person or another time covers;
//!    `around` says what right beside a value may change it; `rivals` weighs a second value against the first.
//! 4. *Rules*, in this order; `hold form explain` prints which took a value:
//!    - 1 and 2, `asked`: what a control would send for the field that was asked, or an answer to it in everyday words;
//!    - 3, a value with its field's name beside it: `named`, of words `texts`, of a yes or no `truths`;
//!    - 4, `only`: a value that only one open field can take.
//!
//! `fit` says as what a field keeps a value, and `scan` takes it, or asks where anything speaks against it ([`Reading::unsure`]).

mod around;
mod asked;
mod date;
mod figures;
mod find;
mod fit;
mod found;
mod guard;
mod lists;
mod message;
mod name;
mod named;
mod nod;
mod number;
mod only;

mod rivals;
mod said;
mod scan;
mod texts;
mod token;
mod truths;
mod units;

use holdpoint_core::{Field, Kind};

pub use super::reading::{Guard, Question, Reading, Rule, Taken, Unfit, Unsure};
pub(super) use lists::{NO, YES};
pub use nod::is_unknown;
pub use scan::corrects;

use found::{End, Found, Read, What};
use guard::{Mark, denies};
use lists::{CHANGES, CORRECTS, FILLERS, LIMITS, OPENING, VAGUE};
use message::Message;
use name::{Mention, Names};
use said::{Said, stems};
use scan::{Fit, Scan};
use token::{CLOSES, OPENS, Sort, stem};
pub(super) use token::{Token, is_among, is_long, tokens, words};
use units::{Measure, UNITS, listed, time_unit};

/// Reads what a person said.
pub fn read(question: Question<'_>) -> Reading {
    if let Some(reading) = question.asked.and_then(|asked| asked::exact(asked, &question)) {
        return reading;
    }
    if is_long(question.text) {
        return Reading::default();
    }
    let message = Message::new(question.text);
    let mut scan = Scan::new(question, &message, name::find(&message, question.fields));
    if let Some(asked) = question.asked.filter(|field| matches!(field.kind, Kind::Text | Kind::Multiline)) {
        return asked::words(scan, asked);
    }
    named::read(&mut scan);
    question.asked.into_iter().for_each(|asked| asked::read(&mut scan, asked));
    only::read(&mut scan);
    scan.weigh();
    only::left(&mut scan);
    scan.reading
}

/// Returns whether a text begins with a yes that nothing behind it limits.
pub fn agrees(text: &str) -> bool {
    nod::leads(&Message::new(text)) == Some(true)
}

/// Returns the fields that a text names.
pub fn named<'a>(fields: &'a [Field], text: &str) -> Vec<&'a Field> {
    let mentions = name::find(&Message::new(text), fields).mentions;
    let is_named = |(at, _): &(usize, &Field)| mentions.iter().any(|mention| mention.field == *at);
    fields.iter().enumerate().filter(is_named).map(|(_, field)| field).collect()
}
