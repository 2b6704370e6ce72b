//! The built-in reader: takes from a message what a person plainly states for a form's fields. It needs no network.
//!
//! 1. *Words.* `action/token.rs` cuts the text, `message` finds sentences and clauses, `lists` holds the words of every form.
//! 2. *Values and names.* `values` finds each date and time (`when`) and number (`number`), `names` the fields and options named.
//! 3. *Guards.* `guard` marks what a no, a doubt, a condition, a question, a quotation or another person covers.
//! 4. *Rules.* Each claims values for fields: 1 and 2, an answer to the asked field (`asked`); 3, a value with its field's name
//!    beside it (`owner`; words `texts`, a yes or no `truths`); 4, a value that only one open field can take (`owner`).
//! 5. *Settling.* `scan` takes one value per field, or asks ([`Reading::unsure`]): where a guard covers it, where two are said, or
//!    where `clear` finds a word or a value beside it that is more than an aside. `fit` says as what a field keeps a value.
//!
//! To see why a sentence gave a value, begin with the rule that `hold form explain` prints, and then read `clear`.

mod asked;
mod clear;
mod fit;
mod guard;
mod lists;
mod message;
mod names;
mod number;
mod owner;
mod scan;
mod texts;
mod truths;
mod values;
mod when;

use holdpoint_core::{Field, Kind};

pub use super::reading::{Guard, Question, Reading, RejectedValue, Rule, StatedValue, UncertainValue};
pub use asked::is_unknown;
pub(super) use lists::{NO, YES};
pub use scan::corrects;

use super::token::{Sort, Token, is_among, is_long, tokens};
use fit::FitResult;
use message::Message;
use names::{Mention, Names};
use scan::{Claim, Scan};
use values::{FoundValue, ParsedValue, SpanEnd, ValueKind};

/// Reads what a person said.
pub fn read(question: Question<'_>) -> Reading {
    if let Some(reading) = question.asked.and_then(|asked| asked::exact(asked, &question)) {
        return reading;
    }
    if is_long(question.text) {
        return Reading::default();
    }
    let message = Message::new(question.text);
    let mut scan = Scan::new(question, &message);
    if let Some(asked) = question.asked.filter(|field| matches!(field.kind, Kind::Text | Kind::Multiline)) {
        return asked::everyday_words(scan, asked);
    }
    read_named(&mut scan);
    if let Some(own) = question.asked.and_then(|asked| asked::read(&mut scan, asked)) {
        return own;
    }
    owner::by_kind(&mut scan);
    scan::settle(scan)
}

/// Applies rule 3.
fn read_named(scan: &mut Scan<'_>) {
    texts::read(scan);
    truths::read(scan);
    owner::by_name(scan);
}

/// Returns whether a text begins with a yes that nothing behind it limits.
pub fn agrees(text: &str) -> bool {
    asked::leads(&Message::new(text)) == Some(true)
}

/// Returns the fields that a text names.
pub fn named<'a>(fields: &'a [Field], text: &str) -> Vec<&'a Field> {
    let mentions = names::find(&Message::new(text), fields).mentions;
    let is_named = |(at, _): &(usize, &Field)| mentions.iter().any(|mention| mention.field == *at);
    fields.iter().enumerate().filter(is_named).map(|(_, field)| field).collect()
}
