//! AITP-04: all objects are closed.

use crate::aitp::shape::Shape::{self, AnyObject, List, OneOf, Text};
use crate::aitp::shape::{Object, closed, may, must};

pub(super) static MESSAGES: &[(&str, Shape)] = &[
    ("request_account", Shape::Object(&REQUEST_ACCOUNT)),
    ("account_response", Shape::Object(&ACCOUNTS)),
    ("request_transaction", Shape::Object(&REQUEST_TRANSACTION)),
    ("transaction_response", Shape::Object(&TRANSACTED)),
    ("request_message_signing", Shape::Object(&REQUEST_SIGNING)),
    ("message_signing_response", Shape::Object(&SIGNED)),
    ("token_notification", Shape::Object(&TOKEN)),
];

static REQUEST_ACCOUNT: Object = closed(&[must("request_id", Text), may("description", Text)]);

static ACCOUNTS: Object = closed(&[must("request_id", Text), must("accounts", List(&Text, 0))]);

static REQUEST_TRANSACTION: Object = closed(&[
    must("request_id", Text),
    may("description", Text),
    must("transaction", Shape::Object(&TRANSACTION)),
]);

static TRANSACTION: Object =
    closed(&[must("receiver_id", Text), must("actions", List(&Shape::Object(&ACTION), 0))]);

static ACTION: Object = closed(&[
    must(
        "type",
        OneOf(&[
            "CreateAccount",
            "DeployContract",
            "FunctionCall",
            "Transfer",
            "Stake",
            "AddKey",
            "DeleteKey",
            "DeleteAccount",
        ]),
    ),
    must("params", AnyObject),
]);

static TRANSACTED: Object = closed(&[must("request_id", Text), must("transaction_hash", Text)]);

static REQUEST_SIGNING: Object = closed(&[
    must("request_id", Text),
    may("description", Text),
    must("message", Shape::Object(&TO_SIGN)),
    may("state", Text),
]);

static TO_SIGN: Object = closed(&[must("nonce", Text), must("recipient", Text), must("message", Text)]);

static SIGNED: Object = closed(&[
    must("request_id", Text),
    must("account_id", Text),
    must("public_key", Text),
    must("signature", Text),
]);

static TOKEN: Object = closed(&[
    must("notification_id", Text),
    must("token_type", OneOf(&["nep141"])),
    must("token_contract", Text),
]);
