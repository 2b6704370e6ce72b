//! Signatures cover all of a message, or do not hold.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signer as _, SigningKey};
use holdpoint_core::json::{canonical, canonical_without};
use holdpoint_protocols::aitp::{Capability, Keys, Message, check_signatures};
use serde_json::{Value, json};

use crate::through_core::at;

fn key(seed: u8) -> SigningKey {
    SigningKey::from_bytes(&[seed; 32])
}

fn written(bytes: &[u8]) -> String {
    format!("ed25519:{}", STANDARD.encode(bytes))
}

fn sign(seed: u8, text: &str) -> Value {
    written(&key(seed).sign(text.as_bytes()).to_bytes()).into()
}

fn keys() -> Keys {
    let public = |seed: u8| written(key(seed).verifying_key().as_bytes());
    Keys::from([
        ("shop".to_owned(), public(1)),
        ("guide".to_owned(), public(2)),
        ("helper".to_owned(), public(3)),
    ])
}

fn quote() -> Value {
    let mut quote = json!({"quote_id": "q", "merchant_id": "shop", "description": "d", "next_recipient": "guide",
        "payment_options": [{"amount": "12.50", "currency": "USDC", "payment_methods": [
            {"type": "near_payment_channel", "token": "usdc", "recipient": "shop"}]}], "merchant_signature": ""});
    quote["merchant_signature"] = sign(1, &canonical_without(&quote, "merchant_signature").unwrap());
    quote
}

fn wrapper(seed: u8, by: &str, to: &str, before: &[Value]) -> Value {
    let mut wrapper = json!({"affiliate_id": by, "role": "service", "next_recipient": to, "timestamp": "2026-11-15T12:00:00Z"});
    let signed = json!({"original_quote": quote(), "previous_wrappers": before, "new_wrapper": wrapper});
    wrapper["signature"] = sign(seed, &canonical(&signed).unwrap());
    wrapper
}

fn found(name: &str, body: &Value, keys: &Keys) -> Vec<String> {
    let message = json!({"$schema": Capability::Payments.schema(), name: body});
    let message = Message::read(&message.to_string(), at(0)).unwrap().message;
    check_signatures(&message, keys)
        .into_iter()
        .map(|finding| format!("{}: {}", finding.pointer, finding.message))
        .collect()
}

#[test]
fn a_quote_holds_until_anything_in_it_is_touched() {
    let none: [String; 0] = [];
    assert_eq!(found("quote", &quote(), &keys()), none);
    for pointer in
        ["/payment_options/0/amount", "/payment_options/0/payment_methods/0/recipient", "/description"]
    {
        let mut touched = quote();
        *touched.pointer_mut(pointer).unwrap() = "999".into();
        let said = found("quote", &touched, &keys());
        assert_eq!(
            said,
            ["/quote/merchant_signature: does not hold: \"shop\" did not sign this"],
            "{pointer}"
        );
    }
    let unknown = found("quote", &quote(), &Keys::new());
    assert_eq!(unknown, ["/quote/merchant_signature: no key of \"shop\" is known"]);
    // As the sample code has it, which leaves out what is nested.
    let mut unsafely = quote();
    unsafely["merchant_signature"] = sign(
        1,
        r#"{"description":"d","merchant_id":"shop","next_recipient":"guide","payment_options":[{}],"quote_id":"q"}"#,
    );
    assert_eq!(found("quote", &unsafely, &keys()).len(), 1);
}

#[test]
fn every_pair_of_hands_signs_what_came_before() {
    let first = wrapper(2, "guide", "helper", &[]);
    let second = wrapper(3, "helper", "buyer", std::slice::from_ref(&first));
    let none: [String; 0] = [];
    let body = json!({"original_quote": quote(), "wrappers": [first, second]});
    assert_eq!(found("wrapped_quote", &body, &keys()), none);
    let skipped = json!({"original_quote": quote(), "wrappers": [second]});
    let said = found("wrapped_quote", &skipped, &keys());
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].ends_with("\"helper\" was handed to \"guide\""), "{said:?}");
}

#[test]
fn keys_may_be_written_as_near_writes_them() {
    // 32 times the byte 1, in base58.
    let odd =
        Keys::from([("shop".to_owned(), "ed25519:4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi".to_owned())]);
    let said = found("quote", &quote(), &odd);
    assert!(said[0].contains("does not hold") || said[0].contains("must be"), "{said:?}");
    let confirmation = |seed: u8| {
        let mut body = json!({"quote_id": "q", "payment_id": "p", "result": "success", "timestamp": "2026-11-15T12:00:00Z", "merchant_signature": ""});
        body["merchant_signature"] = sign(seed, &canonical_without(&body, "merchant_signature").unwrap());
        body
    };
    assert_eq!(found("payment_confirmation", &confirmation(1), &keys()).len(), 0);
    assert_eq!(found("payment_confirmation", &confirmation(9), &keys()).len(), 1);
}
