//! The input and the result of reading a message, for the built-in reader and a language model alike.

use holdpoint_core::{Field, Values};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::Value;

/// The input of a reader.
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
    /// The time zone of that clock; UTC if unknown.
    pub zone: Option<&'a TimeZone>,
    /// What is known so far.
    pub known: &'a Values,
}

/// What was understood.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Values that were stated.
    pub taken: Vec<StatedValue>,
    /// What was found but is not certain.
    pub unsure: Vec<UncertainValue>,
    /// What was stated but does not fit its field.
    pub unfit: Vec<RejectedValue>,
    /// Fields that the message names.
    pub named: Vec<String>,
    /// The named fields for which no value could be read.
    pub left: Vec<String>,
    /// The day or the time of an asked field that takes both, where only one was said.
    pub half: Option<String>,
    /// What in the message kept values from being taken, each with its word.
    pub guards: Vec<(Guard, String)>,
}

impl Reading {
    /// Returns whether nothing at all was understood.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty() && self.unsure.is_empty() && self.unfit.is_empty()
    }

    /// Returns whether anything was found for a field.
    pub fn has(&self, field: &str) -> bool {
        self.value(field).is_some() || self.unsure.iter().any(|unsure| unsure.field == field)
    }

    /// Returns the value taken for a field.
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.taken.iter().find(|taken| taken.field == field).map(|taken| &taken.value)
    }
}

/// Which rule took a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// What a control would send for the field that was asked.
    Exact,
    /// An answer to the field that was asked.
    Answer,
    /// Its field is named next to it.
    Named,
    /// No other open field can take it.
    Only,
    /// A language model pointed to the words.
    Model,
}

impl Rule {
    /// Says why a value was taken.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Exact => "rule 1: exact answer to what was asked",
            Self::Answer => "rule 2: answer to what was asked",
            Self::Named => "rule 3: the field's name stands beside it",
            Self::Only => "rule 4: no other open field can take it",
            Self::Model => "the language model points to these words",
        }
    }
}

/// A value that was stated.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedValue {
    /// The field.
    pub field: String,
    /// The value, as core keeps it.
    pub value: Value,
    /// The words it was taken from.
    pub words: String,
    /// Why.
    pub rule: Rule,
    /// What else the person should know of it: that a time was converted.
    pub note: Option<String>,
}

/// Words that may mean a value of a field, or several.
#[derive(Clone, Debug, PartialEq)]
pub struct UncertainValue {
    /// The field.
    pub field: String,
    /// What they could mean.
    pub values: Vec<Value>,
    /// The words.
    pub words: String,
    /// Why it was not taken.
    pub why: String,
}

/// A value that was stated but that the field does not take.
#[derive(Clone, Debug, PartialEq)]
pub struct RejectedValue {
    /// The field.
    pub field: String,
    /// What is wrong with it.
    pub why: String,
    /// The words it was taken from.
    pub words: String,
}

/// Why a value is not accepted without a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// `not`, `no`, `without`.
    Negation,
    /// `maybe`, `I think`.
    Hedge,
    /// `if`, `unless`.
    Condition,
    /// Something is asked.
    Question,
    /// Quoted, forwarded, pasted.
    Quotation,
    /// About somebody else.
    OtherPerson,
}

impl Guard {
    /// Returns its name, as `hold form explain` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negation => "a no",
            Self::Hedge => "a thought",
            Self::Condition => "a condition",
            Self::Question => "a question",
            Self::Quotation => "a quotation",
            Self::OtherPerson => "said about somebody else",
        }
    }
}
