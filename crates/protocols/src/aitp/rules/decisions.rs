//! AITP-02: all objects are open, except selected options.

use crate::aitp::shape::Shape::{self, Between, List, Number, OneOf, Text, Whole};
use crate::aitp::shape::{Object, closed, may, must, open};

pub(super) static MESSAGES: &[(&str, Shape)] =
    &[("request_decision", Shape::Object(&REQUEST)), ("decision", Shape::Object(&DECISION))];

static REQUEST: Object = open(&[
    must("id", Text),
    may("title", Text),
    may("description", Text),
    may("type", OneOf(&["products", "checkbox", "radio", "confirmation"])),
    must("options", List(&Shape::Object(&OPTION), 1)),
]);

static DECISION: Object =
    open(&[may("request_decision_id", Text), must("options", List(&Shape::Object(&SELECTED), 1))]);

static SELECTED: Object = closed(&[must("id", Text), may("name", Text), may("quantity", Number)]);

static OPTION: Object = open(&[
    must("id", Text),
    may("name", Text),
    may("short_variant_name", Text),
    may("image_url", Text),
    may("description", Text),
    may("quote", Shape::Object(&QUOTE)),
    may("reviews_count", Whole),
    may("five_star_rating", Between(0.0, 5.0)),
    may("url", Text),
    may("variants", List(&Shape::Object(&VARIANT), 0)),
]);

/// There is no rule for nested variants: anything is accepted there.
static VARIANT: Object = open(&[
    must("id", Text),
    may("name", Text),
    may("short_variant_name", Text),
    may("image_url", Text),
    may("description", Text),
    may("quote", Shape::Object(&QUOTE)),
    may("reviews_count", Whole),
    may("five_star_rating", Between(0.0, 5.0)),
    may("url", Text),
]);

/// A price in the form of decisions and older payments.
pub(super) static QUOTE: Object = open(&[
    must("type", OneOf(&["Quote"])),
    must("quote_id", Text),
    must("payee_id", Text),
    must("payment_plans", List(&Shape::Object(&PLAN), 0)),
    must("valid_until", Text),
]);

static PLAN: Object = open(&[
    must("plan_id", Text),
    must("plan_type", OneOf(&["one-time"])),
    must("amount", Number),
    must("currency", OneOf(&["USD"])),
]);
