//! AITP-05: all objects are closed.

use crate::aitp::shape::Shape::{self, AnyObject, Each, Hex, List, OneOf, Text, Whole};
use crate::aitp::shape::{ConditionalMember, Object, closed, may, must};

pub(super) static MESSAGES: &[(&str, Shape)] = &[
    ("request_address", Shape::Object(&REQUEST_ADDRESS)),
    ("address_response", Shape::Object(&ADDRESSES)),
    ("request_transaction", Shape::Object(&REQUEST_TRANSACTION)),
    ("transaction_response", Shape::Object(&TRANSACTED)),
    ("request_message_signing", Shape::Object(&REQUEST_SIGNING)),
    ("message_signing_response", Shape::Object(&SIGNED)),
    ("chain_notification", Shape::Object(&CHAIN)),
    ("token_notification", Shape::Object(&TOKEN)),
];

const ADDRESS: Shape = Hex(40, 40);
const HASH: Shape = Hex(64, 64);
const QUANTITY: Shape = Hex(1, usize::MAX);
const DATA: Shape = Hex(0, usize::MAX);

static REQUEST_ADDRESS: Object =
    closed(&[must("request_id", Text), may("description", Text), may("chain_id", Whole)]);

static ADDRESSES: Object = closed(&[must("request_id", Text), must("addresses", List(&ADDRESS, 0))]);

static REQUEST_TRANSACTION: Object = closed(&[
    must("request_id", Text),
    may("description", Text),
    may("chain_id", Whole),
    must("transaction", Shape::Object(&TRANSACTION)),
]);

static TRANSACTION: Object = closed(&[
    must("to", ADDRESS),
    may("from", ADDRESS),
    may("data", DATA),
    may("value", QUANTITY),
    may("gas", QUANTITY),
    may("gasPrice", QUANTITY),
    may("maxFeePerGas", QUANTITY),
    may("maxPriorityFeePerGas", QUANTITY),
    may("nonce", QUANTITY),
    may("accessList", List(&Shape::Object(&ACCESS), 0)),
]);

static ACCESS: Object = closed(&[must("address", ADDRESS), must("storageKeys", List(&HASH, 0))]);

static TRANSACTED: Object = closed(&[must("request_id", Text), must("transaction_hash", HASH)]);

static REQUEST_SIGNING: Object = closed(&[
    must("request_id", Text),
    may("description", Text),
    may("address", ADDRESS),
    must("signing_type", OneOf(&["personal_sign", "typed_data"])),
    may("message", Text),
    may("typed_data", Shape::Object(&TYPED_DATA)),
])
.demanding(&[
    ConditionalMember { member: "signing_type", value: "personal_sign", asks_for: "message" },
    ConditionalMember { member: "signing_type", value: "typed_data", asks_for: "typed_data" },
]);

static TYPED_DATA: Object = closed(&[
    must("types", Each(&List(&Shape::Object(&TYPE), 0))),
    must("primaryType", Text),
    must("domain", AnyObject),
    must("message", AnyObject),
]);

static TYPE: Object = closed(&[must("name", Text), must("type", Text)]);

static SIGNED: Object =
    closed(&[must("request_id", Text), must("address", ADDRESS), must("signature", QUANTITY)]);

static CHAIN: Object = closed(&[
    must("notification_id", Text),
    must("chain_id", Whole),
    may("name", Text),
    may("rpc_url", Text),
    may("native_currency", Shape::Object(&CURRENCY)),
]);

static CURRENCY: Object = closed(&[must("name", Text), must("symbol", Text), must("decimals", Whole)]);

static TOKEN: Object = closed(&[
    must("notification_id", Text),
    must("chain_id", Whole),
    must("token_type", OneOf(&["erc20"])),
    must("token_contract", ADDRESS),
    must("name", Text),
    must("symbol", Text),
    must("decimals", Whole),
    may("icon_url", Text),
]);
