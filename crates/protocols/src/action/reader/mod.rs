//! The built-in reader: finds in everyday English the values that a person states for a form's fields.
//!
//! It needs no network and no model. It says from which words it took each value, and it never invents: what is
//! asked back, hedged (`maybe`), negated or open to two readings is not taken. Two readings are told apart by
//! asking ([`Unsure`]); half of a date and time is kept until the other half comes ([`Partial`]).

mod address;
mod clock;
mod day;
mod manner;
mod mention;
mod moment;
mod number;
mod option;
mod place;
mod prose;
mod quantity;
mod relative;
mod scan;
mod truth;
mod words;

use holdpoint_core::{Field, Kind};
use jiff::civil::{Date, DateTime, Time};
use serde_json::Value;

pub use manner::{Manner, manner};

use scan::Scan;

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

/// Reads what a person said.
///
/// The order is that of certainty: what has a form of its own first, then what is named, then what is only
/// alike; words that are taken are not read again.
pub fn read(question: Question<'_>) -> Reading {
    let mut scan = Scan::new(question);
    if scan.tokens.is_empty() {
        return scan.reading;
    }
    if let Some(field) = question.asked
        && matches!(field.kind, Kind::Text | Kind::Multiline)
    {
        // Whoever is asked for words answers in words; nothing in them is meant for another field.
        let whole = question.text;
        scan.take_text(field, whole, 0..scan.tokens.len());
        return scan.reading;
    }
    address::read(&mut scan);
    place::read(&mut scan);
    mention::read(&mut scan);
    prose::read(&mut scan);
    moment::read(&mut scan);
    quantity::read(&mut scan);
    truth::read(&mut scan);
    option::read(&mut scan);
    prose::read_first_person(&mut scan);
    scan.reading
}
