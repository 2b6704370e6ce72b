//! Plausible sums and counts.
//!
//! A negative value is an error. An unlikely one leads to a warning: a person checks it, and may still say yes. Each
//! function gets the name of the value and the way to the object that contains it.

use std::borrow::Cow;

use crate::aitp::document::ValueRef;
use crate::aitp::finding::{Findings, Path};

/// Beyond this, in any currency, a mistake is more likely than a sale.
const LIKELY: f64 = 1e12;
/// The most of one product that can be chosen here.
const PIECES: f64 = 1e6;

/// Checks a price. It may be zero.
pub(super) fn price(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    let Some(price) = sum(at) else { return };
    if price < 0.0 {
        found.semantic(&path.member(key), "is negative".into());
    } else if price > LIKELY {
        found.warn(&path.member(key), format!("is more than {LIKELY}; make sure that it is meant"));
    }
}

/// Checks a payment. It must not be zero.
pub(super) fn payment(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    price(at, key, path, found);
    if sum(at) == Some(0.0) {
        found.warn(&path.member(key), "is zero; there is nothing to pay".into());
    }
}

/// Checks how many are wanted.
pub(super) fn quantity(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    let Some(quantity) = at.number() else { return };
    if quantity.fract() != 0.0 || !(1.0..=PIECES).contains(&quantity) {
        found.semantic(&path.member(key), format!("{quantity} must be a whole number from 1 to {PIECES}"));
    }
}

/// Checks how many there are.
pub(super) fn count(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if at.raw().starts_with('-') && at.number().is_some_and(|count| count < 0.0) {
        found.semantic(&path.member(key), "is less than none".into());
    }
}

/// Checks an amount in a chain's own units, in hexadecimal digits: chains calculate with 256 bits.
pub(super) fn units(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    const DIGITS: usize = 64;
    let text = at.text().unwrap_or_default();
    if text.trim_start_matches("0x").trim_start_matches('0').len() > DIGITS {
        found.semantic(&path.member(key), "is more than 256 bits can hold".into());
    }
}

/// Reads a sum, which newer payments write as a string.
fn sum(at: ValueRef<'_>) -> Option<f64> {
    at.number().or_else(|| at.text().as_ref().map(Cow::as_ref).and_then(|text| text.parse().ok()))
}
