//! The current form of AITP-01: all objects are closed.

use crate::aitp::shape::Shape::{self, Amount, List, OneOf, Text, TextOrNumber, Whole, WholeFrom};
use crate::aitp::shape::{Object, closed, may, must};

pub(super) static MESSAGES: &[(&str, Shape)] = &[
    ("quote", Shape::Object(&QUOTE)),
    ("wrapped_quote", Shape::Object(&WRAPPED)),
    ("payment", Shape::Object(&PAYMENT)),
    ("payment_confirmation", Shape::Object(&CONFIRMATION)),
    ("top_up_request", Shape::Object(&TOP_UP)),
    ("top_up_response", Shape::Object(&TOPPED_UP)),
];

const ROLE: Shape = OneOf(&["personal_assistant", "discovery", "service", "other"]);

static QUOTE: Object = closed(&[
    must("quote_id", Text),
    must("merchant_id", Text),
    must("description", Text),
    may("expiration", Text),
    may("next_recipient", Text),
    must("payment_options", List(&Shape::Object(&OPTION), 0)),
    may("revenue_share", Shape::Object(&SHARE)),
    must("merchant_signature", Text),
]);

static OPTION: Object = closed(&[
    may("amount", Amount),
    must("currency", Text),
    must("payment_methods", List(&Shape::Object(&METHOD), 0)),
]);

static METHOD: Object =
    closed(&[must("type", OneOf(&["near_payment_channel"])), must("token", Text), must("recipient", Text)]);

static SHARE: Object =
    closed(&[must("affiliate_share_bps", Whole), may("affiliates", List(&Shape::Object(&AFFILIATE), 0))]);

static AFFILIATE: Object = closed(&[must("id", Text), must("role", ROLE), may("weight", WholeFrom(1.0))]);

static WRAPPED: Object = closed(&[
    must("original_quote", Shape::Object(&QUOTE)),
    must("wrappers", List(&Shape::Object(&WRAPPER), 0)),
]);

static WRAPPER: Object = closed(&[
    must("affiliate_id", Text),
    must("role", ROLE),
    may("added_affiliates", List(&Shape::Object(&AFFILIATE), 0)),
    must("next_recipient", Text),
    must("timestamp", Text),
    must("signature", Text),
]);

static PAYMENT: Object = closed(&[
    must("quote_id", Text),
    must("payment_method", Shape::Object(&PAID_BY)),
    must("payer_id", Text),
    must("timestamp", Text),
    must("payer_signature", Text),
]);

static PAID_BY: Object = closed(&[
    must("type", OneOf(&["near_payment_channel"])),
    must("token", Text),
    must("channel_id", Text),
    may("amount", Amount),
    must("currency", Text),
]);

static CONFIRMATION: Object = closed(&[
    must("quote_id", Text),
    must("payment_id", Text),
    must("result", OneOf(&["success", "failure", "pending"])),
    must("timestamp", Text),
    may("message", Text),
    may("details", List(&Shape::Object(&DETAIL), 0)),
    must("merchant_signature", Text),
]);

static DETAIL: Object = closed(&[must("label", Text), must("value", TextOrNumber), may("url", Text)]);

static TOP_UP: Object = closed(&[
    must("channel_id", Text),
    may("amount", Amount),
    must("currency", Text),
    may("reason", Text),
    must("merchant_id", Text),
    must("timestamp", Text),
    must("merchant_signature", Text),
]);

static TOPPED_UP: Object = closed(&[
    must("channel_id", Text),
    must("amount", Amount),
    must("currency", Text),
    may("new_balance", Amount),
    must("payer_id", Text),
    must("timestamp", Text),
    must("payer_signature", Text),
]);
