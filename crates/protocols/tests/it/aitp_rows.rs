//! Messages one by one: what the published schemas say of each, and what the second layer adds.

use holdpoint_protocols::aitp::{Capability, Message, Verdict, validate};
use serde_json::{Value, json};

use crate::through_core::at;

pub(crate) const DECISIONS: &str = "https://aitp.dev/v1/decisions/schema.json";

pub(crate) fn judge(message: &Value) -> Verdict {
    validate(&message.to_string(), at(0))
}

pub(crate) fn asking(body: Value) -> Value {
    let mut message = json!({"$schema": DECISIONS});
    message["request_decision"] = body;
    message
}

pub(crate) fn under(capability: Capability, name: &str, body: Value) -> Value {
    let mut message = json!({"$schema": capability.schema()});
    message[name] = body;
    message
}

/// Checks rows of a message and whether it satisfies its schema.
#[track_caller]
fn rows(rows: &[(&str, Value, bool)]) {
    for (row, message, valid) in rows {
        let verdict = judge(message);
        assert_eq!(verdict.valid, *valid, "{row}: {message}\n{verdict:?}");
        let read = Message::read(&message.to_string(), at(0));
        assert_eq!(read.is_ok(), *valid, "{row}: {read:?}");
        if let Ok(read) = read {
            assert_eq!(read.message.to_value().unwrap(), *message, "{row}: reading loses nothing");
        }
    }
}

/// Changes a value at a pointer; null takes the member away.
fn with(base: &Value, changes: &[(&str, Value)]) -> Value {
    let mut value = base.clone();
    for (pointer, new) in changes {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = value.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        if new.is_null() {
            parent.remove(key);
        } else {
            parent.insert(key.to_owned(), new.clone());
        }
    }
    value
}

#[test]
fn decisions() {
    let minimal = asking(json!({"id": "1", "options": [{"id": "a"}]}));
    let option = |option: Value| asking(json!({"id": "1", "options": [option]}));
    let of_type = |kind: Value| asking(json!({"id": "1", "type": kind, "options": [{"id": "a"}]}));
    let plan = json!({"plan_id": "p", "plan_type": "one-time", "amount": 1, "currency": "USD"});
    let quote = json!({"type": "Quote", "quote_id": "q", "payee_id": "y", "payment_plans": [plan], "valid_until": "x"});
    let priced = option(json!({"id": "a", "quote": quote}));
    let quote = "/request_decision/options/0/quote";
    let at = |key: &str| format!("{quote}/{key}");
    let in_plan = |key: &str, value: Value| {
        let mut message = priced.clone();
        message.pointer_mut(&format!("{quote}/payment_plans/0")).unwrap()[key] = value;
        message
    };
    let both = json!({"$schema": DECISIONS, "decision": {"options": []}, "request_decision": {"id": "1", "options": [{"id": "a"}]}});
    rows(&[
        ("D1", minimal.clone(), true),
        ("D2", with(&minimal, &[("/$schema", Value::Null)]), false),
        ("D3", with(&minimal, &[("/$schema", json!(5))]), false),
        ("D4", with(&minimal, &[("/$schema", json!("foo bar"))]), true),
        ("D5", asking(json!({"options": [{"id": "a"}]})), false),
        ("D6", asking(json!({"id": "", "options": [{"id": "a"}]})), true),
        ("D7", asking(json!({"id": "1", "options": []})), false),
        ("D7", asking(json!({"id": "1"})), false),
        ("D8", of_type(json!("product")), false),
        ("D8", of_type(json!("RADIO")), false),
        ("D8", of_type(json!(null)), false),
        ("D9", option(json!({"id": 1})), false),
        ("D9", option(json!("a")), false),
        ("D10", asking(json!({"id": "1", "options": [{"id": "a"}, {"id": "a"}]})), true),
        ("D11", option(json!({"id": "a", "five_star_rating": 0})), true),
        ("D11", option(json!({"id": "a", "five_star_rating": 5})), true),
        ("D11", option(json!({"id": "a", "five_star_rating": 5.01})), false),
        ("D11", option(json!({"id": "a", "five_star_rating": -0.1})), false),
        ("D11", option(json!({"id": "a", "five_star_rating": "4"})), false),
        ("D12", option(json!({"id": "a", "reviews_count": 1.0})), true),
        ("D12", option(json!({"id": "a", "reviews_count": -1})), true),
        ("D12", option(json!({"id": "a", "reviews_count": 1.5})), false),
        ("D13", option(json!({"id": "a", "image_url": "img.png"})), true),
        ("D14", priced.clone(), true),
        ("D15", with(&priced, &[(&at("type"), json!("Bid"))]), false),
        ("D15", in_plan("currency", json!("EUR")), false),
        ("D15", in_plan("plan_type", json!("subscription")), false),
        ("D15", in_plan("amount", json!("1.00")), false),
        ("D15", with(&priced, &[(&at("valid_until"), Value::Null)]), false),
        ("D16", in_plan("amount", json!(-1)), true),
        ("D16", with(&priced, &[(&at("payment_plans"), json!([]))]), true),
        ("D16", with(&priced, &[(&at("more"), json!(true))]), true),
        ("D17", option(json!({"id": "a", "variants": []})), true),
        ("D17", option(json!({"id": "a", "variants": [{"name": "v"}]})), false),
        ("D17", option(json!({"id": "a", "variants": [{"id": "v", "variants": "zzz"}]})), true),
        ("D18", with(&minimal, &[("/request_decision/allow_multiple", json!(true))]), true),
        ("D19", asking(json!({"id": "1", "title": null, "options": [{"id": "a"}]})), false),
        ("D20", json!([minimal]), false),
        ("D21", json!({"$schema": DECISIONS}), false),
        ("D22", both, true),
    ]);
}

#[test]
fn data() {
    let form = |form: Value| {
        under(Capability::DataRequest, "request_data", json!({"id": "1", "description": "", "form": form}))
    };
    let field = |field: Value| form(json!({"fields": [field]}));
    rows(&[
        ("F1", under(Capability::DataRequest, "request_data", json!({"id": "1", "form": {}})), false),
        ("F2", form(json!({})), true),
        ("F3", form(json!({"fields": []})), false),
        ("F4", form(json!({"fields": [{"id": "a"}], "json_url": "https://x.example/f.json"})), true),
        ("F5", field(json!({"id": "a", "type": "date"})), false),
        ("F5", field(json!({"id": "a", "type": "checkbox"})), false),
        ("F6", field(json!({"id": "a", "type": "select"})), true),
        ("F6", field(json!({"id": "a", "type": "select", "options": ["x"], "default_value": "y"})), true),
        ("F6", form(json!({"fields": [{"id": "a"}, {"id": "a"}]})), true),
        ("F7", field(json!({"id": "a", "options": [{"label": "x", "value": "x"}]})), false),
        ("F8", field(json!({"id": "a", "default_value": 7})), false),
        ("F8", field(json!({"id": "a", "required": "yes"})), false),
    ]);
}

#[test]
fn payments() {
    let quote = |option: Value| {
        let quote = json!({"quote_id": "q", "merchant_id": "m", "description": "", "payment_options": [option], "merchant_signature": "s"});
        under(Capability::Payments, "quote", quote)
    };
    let amount = |amount: Value| quote(json!({"amount": amount, "currency": "EUR", "payment_methods": []}));
    let plain = quote(json!({"currency": "EUR", "payment_methods": []}));
    let share = |share: Value| with(&plain, &[("/quote/revenue_share", share)]);
    let confirmation = |result: &str, value: Value| {
        let body = json!({"quote_id": "q", "payment_id": "p", "result": result, "timestamp": "t", "merchant_signature": "s",
            "details": [{"label": "l", "value": value}]});
        under(Capability::Payments, "payment_confirmation", body)
    };
    let top_up = json!({"channel_id": "c", "currency": "X", "merchant_id": "m", "timestamp": "t", "merchant_signature": "s"});
    let topped_up = json!({"channel_id": "c", "currency": "X", "payer_id": "m", "timestamp": "t", "payer_signature": "s"});
    let old = "https://aitp.dev/v1/payments/schema.json";
    let transfer = json!({"network": "NEAR", "token_type": "USDC", "amount": 1, "account_id": "a", "transaction_id": "N/A"});
    let paid = json!({"$schema": old, "payment_authorization":
        {"quote_id": "q", "result": "success", "timestamp": "t", "details": [transfer], "more": 1}});
    let details = "/payment_authorization/details";
    rows(&[
        ("P1", amount(json!(1)), false),
        ("P1", amount(json!("1.")), false),
        ("P1", amount(json!(".5")), false),
        ("P1", amount(json!("-1")), false),
        ("P1", amount(json!("1e3")), false),
        ("P1", amount(json!("1\n")), false),
        ("P1", amount(json!("\u{661}")), false),
        ("P2", amount(json!("007")), true),
        ("P2", plain.clone(), true),
        ("P2", with(&plain, &[("/quote/payment_options", json!([]))]), true),
        ("P3", with(&plain, &[("/quote/type", json!("Quote"))]), false),
        ("P4", with(&plain, &[("/payment", json!({}))]), false),
        ("P5", share(json!({"affiliate_share_bps": 20000})), true),
        ("P5", share(json!({"affiliate_share_bps": -5})), true),
        ("P5", share(json!({"affiliate_share_bps": 3.5})), false),
        (
            "P5",
            share(
                json!({"affiliate_share_bps": 1, "affiliates": [{"id": "a", "role": "other", "weight": 0}]}),
            ),
            false,
        ),
        (
            "P5",
            share(json!({"affiliate_share_bps": 1, "affiliates": [{"id": "a", "role": "merchant"}]})),
            false,
        ),
        ("P6", confirmation("pending", json!(1)), true),
        ("P6", confirmation("declined", json!(1)), false),
        ("P6", confirmation("success", json!(true)), false),
        ("P7", under(Capability::Payments, "top_up_request", top_up), true),
        ("P7", under(Capability::Payments, "top_up_response", topped_up), false),
        ("P8", with(&paid, &[("/$schema", json!(Capability::Payments.schema()))]), false),
        ("P9", paid.clone(), true),
        ("P9", with(&paid, &[(details, Value::Null)]), false),
        ("P9", with(&paid, &[(details, json!([]))]), true),
        ("P9", with(&paid, &[(details, json!([{"network": "ETH"}]))]), false),
        ("P9", with(&paid, &[("/more", json!(1))]), false),
        ("P9", with(&paid, &[("/payment_authorization/result", json!("pending"))]), false),
    ]);
}

#[test]
fn wallets() {
    let near = |name: &str, body: Value| under(Capability::NearWallet, name, body);
    let evm = |name: &str, body: Value| under(Capability::EvmWallet, name, body);
    let action = |action: Value| {
        near(
            "request_transaction",
            json!({"request_id": "r", "transaction": {"receiver_id": "x", "actions": [action]}}),
        )
    };
    let address = format!("0x{}", "aB".repeat(20));
    let hash = |length: usize| {
        evm(
            "transaction_response",
            json!({"request_id": "r", "transaction_hash": format!("0x{}", "1".repeat(length))}),
        )
    };
    let addresses = |given: &str| evm("address_response", json!({"request_id": "r", "addresses": [given]}));
    let send = |more: Value| {
        let mut transaction = json!({"to": address});
        transaction.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        evm("request_transaction", json!({"request_id": "r", "transaction": transaction}))
    };
    let typed = json!({"types": {"Mail": [{"name": "to", "type": "address"}]}, "primaryType": "None", "domain": {}, "message": {}});
    let sign = |body: Value| {
        evm(
            "request_message_signing",
            with(
                &json!({"request_id": "r"}),
                &body
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(key, value)| (format!("/{key}"), value.clone()))
                    .collect::<Vec<_>>()
                    .iter()
                    .map(|(key, value)| (key.as_str(), value.clone()))
                    .collect::<Vec<_>>(),
            ),
        )
    };
    let token = json!({"notification_id": "n", "chain_id": 1, "token_type": "erc20", "token_contract": address, "name": "T", "symbol": "T", "decimals": -1});
    let nonce = json!({"request_id": "r", "message": {"nonce": "!!!", "recipient": "x", "message": "m"}});
    rows(&[
        ("W1", near("account_response", json!({"request_id": "r", "accounts": []})), true),
        ("W1", near("account_response", json!({"request_id": "r", "accounts": [], "x": 1})), false),
        ("W1", action(json!({"type": "Transfer", "params": {}})), true),
        ("W1", action(json!({"type": "transfer", "params": {}})), false),
        ("W1", action(json!({"type": "Transfer"})), false),
        ("W1", near("request_message_signing", nonce), true),
        (
            "W1",
            near(
                "token_notification",
                json!({"notification_id": "n", "token_type": "nep171", "token_contract": "c"}),
            ),
            false,
        ),
        ("W2", addresses("0x12"), false),
        ("W2", addresses(&address.replace("0x", "0X")), false),
        ("W2", addresses(&address.to_lowercase()), true),
        ("W2", send(json!({"value": "10"})), false),
        ("W2", send(json!({"value": "0x"})), false),
        ("W2", send(json!({"data": "0x"})), true),
        ("W2", evm("request_transaction", json!({"request_id": "r", "transaction": {}})), false),
        ("W2", send(json!({"type": "0x2"})), false),
        ("W2", evm("request_address", json!({"request_id": "r", "chain_id": "1"})), false),
        ("W3", sign(json!({"signing_type": "personal_sign"})), false),
        ("W3", sign(json!({"signing_type": "personal_sign", "message": "m", "typed_data": typed})), true),
        ("W3", sign(json!({"signing_type": "typed_data", "message": "m"})), false),
        ("W3", sign(json!({"signing_type": "eth_sign", "message": "m"})), false),
        (
            "W3",
            evm(
                "message_signing_response",
                json!({"request_id": "r", "address": address, "signature": "0x123"}),
            ),
            true,
        ),
        ("W3", hash(63), false),
        ("W3", hash(64), true),
        ("W3", evm("token_notification", token.clone()), true),
        ("W3", evm("token_notification", with(&token, &[("/name", Value::Null)])), false),
        ("W4", near("transaction_response", json!({"request_id": "r", "transaction_hash": "any"})), true),
        ("W4", evm("transaction_response", json!({"request_id": "r", "transaction_hash": "any"})), false),
    ]);
}
