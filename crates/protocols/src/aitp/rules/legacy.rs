//! The older form of payments, which a widespread client still uses: the message is closed, its body open.

use super::decisions::QUOTE;
use crate::aitp::shape::Shape::{self, List, Number, OneOf, Text, TextOrNumber};
use crate::aitp::shape::{Object, closed, may, must, open};

pub(super) static MESSAGES: &[(&str, Shape)] = &[
    ("quote", Shape::Object(&QUOTE)),
    ("payment_authorization", Shape::Object(&AUTHORIZATION)),
    ("payment_result", Shape::Object(&RESULT)),
];

static AUTHORIZATION: Object = open(&[
    must("quote_id", Text),
    must("result", OneOf(&["success", "failure"])),
    may("message", Text),
    must("timestamp", Text),
    must("details", List(&Shape::Object(&TRANSFER), 0)),
]);

static TRANSFER: Object = closed(&[
    must("network", OneOf(&["NEAR"])),
    must("token_type", OneOf(&["USDC"])),
    must("amount", Number),
    must("account_id", Text),
    must("transaction_id", Text),
]);

static RESULT: Object = open(&[
    must("quote_id", Text),
    must("result", OneOf(&["success", "failure"])),
    may("message", Text),
    must("timestamp", Text),
    must("details", List(&Shape::Object(&DETAIL), 0)),
]);

static DETAIL: Object = open(&[must("label", Text), must("value", TextOrNumber), may("url", Text)]);
