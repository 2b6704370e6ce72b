//! A value in a text: where it stands, and what it can be.

use std::ops::Range;

use holdpoint_core::Kind;
use jiff::civil::{Date, DateTime, Time};
use serde_json::{Value, json};

use super::message::Message;
use super::units::Measure;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) at: Range<usize>,
    pub(super) what: What,
    /// Which end of a span it is.
    pub(super) end: Option<End>,
}

impl Found {
    pub(super) fn is_number(&self) -> bool {
        matches!(self.what, What::Number(..))
    }

    pub(super) fn is_count(&self) -> bool {
        matches!(self.what, What::Number(_, Measure::Count))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// Where a value that begins at a token ends, and what it is.
pub(super) type Read = Option<(usize, What)>;

/// What was found, with several readings where there are: of an address its kind, of options the place of their field in the form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Date(Vec<Date>),
    Time(Vec<Time>),
    Moment(Vec<DateTime>),
    Number(Vec<f64>, Measure),
    Address(Kind),
    Options(usize, Vec<String>),
}

pub(super) fn join(all: Vec<Found>, joined: impl Fn(&Found, &Found) -> Option<What>) -> Vec<Found> {
    let mut done: Vec<Found> = Vec::new();
    for found in all {
        match done.last_mut().and_then(|last| Some((joined(last, &found)?, last))) {
            Some((what, last)) => (last.at.end, last.what) = (found.at.end, what),
            None => done.push(found),
        }
    }
    done
}

/// Gives what the second of two measures to the first as well: `700 to 800 euros`, `4 and 6 years old`.
pub(super) fn share(message: &Message<'_>, all: &mut [Found]) {
    for at in (1..all.len()).rev() {
        let (one, other) = (&all[at - 1], &all[at]);
        let linked = message.is(one.at.end, "to or and - – & ,") && one.at.end + 1 == other.at.start;
        if let (What::Number(all_of, Measure::Count), What::Number(_, of), true) =
            (&one.what, &other.what, linked)
        {
            all[at - 1].what = What::Number(all_of.clone(), of.clone());
        }
    }
}

/// Returns days or times as they are kept.
pub(super) fn texts(items: impl IntoIterator<Item: ToString>) -> Vec<Value> {
    items.into_iter().map(|item| json!(item.to_string())).collect()
}

/// Returns a number as it is kept.
pub(super) fn numeric(number: f64) -> Value {
    number.to_string().parse::<i64>().map_or_else(|_| json!(number), Value::from)
}
