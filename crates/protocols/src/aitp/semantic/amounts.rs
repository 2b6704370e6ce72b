//! Sums and counts that somebody may mean.
//!
//! Less than nothing is wrong. What is only unlikely draws a warning: a person looks again, and may still say yes.
//! Each is told the name under which the value stands and the way to what it stands in.

use std::borrow::Cow;

use crate::aitp::document::At;
use crate::aitp::finding::{Findings, Path};

/// Beyond this, in whatever currency, a slip is likelier than a sale.
const LIKELY: f64 = 1e12;
/// The most of one product that can be chosen here.
const PIECES: f64 = 1e6;

/// Looks at what something costs. It may be free.
pub(super) fn price(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    let Some(price) = sum(at) else { return };
    if price < 0.0 {
        found.semantic(&path.member(key), "is less than nothing".into());
    } else if price > LIKELY {
        found.warn(&path.member(key), format!("is more than {LIKELY}; make sure that it is meant"));
    }
}

/// Looks at what changes hands. To pay nothing is to pay no one.
pub(super) fn payment(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    price(at, key, path, found);
    if sum(at) == Some(0.0) {
        found.warn(&path.member(key), "is nothing; there is nothing to pay".into());
    }
}

/// Looks at how many are wanted.
pub(super) fn quantity(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    let Some(quantity) = at.number() else { return };
    if quantity.fract() != 0.0 || !(1.0..=PIECES).contains(&quantity) {
        found.semantic(&path.member(key), format!("{quantity} must be a whole number from 1 to {PIECES}"));
    }
}

/// Looks at how many there are.
pub(super) fn count(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if at.raw().starts_with('-') && at.number().is_some_and(|count| count < 0.0) {
        found.semantic(&path.member(key), "is less than none".into());
    }
}

/// Looks at an amount of a chain's own units, in hexadecimal digits: chains reckon with 256 bits.
pub(super) fn units(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    const DIGITS: usize = 64;
    let text = at.text().unwrap_or_default();
    if text.trim_start_matches("0x").trim_start_matches('0').len() > DIGITS {
        found.semantic(&path.member(key), "is more than 256 bits can hold".into());
    }
}

/// Reads a sum, which newer payments write as a string.
fn sum(at: At<'_>) -> Option<f64> {
    at.number().or_else(|| at.text().as_ref().map(Cow::as_ref).and_then(|text| text.parse().ok()))
}
