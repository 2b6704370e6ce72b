//! Requests for money: what they cost, to whom, and what recurs stands in the title; every way to pay can be chosen.

use holdpoint_core::decision::New;
use holdpoint_protocols::aitp::{Capability, Message, translate};
use serde_json::{Value, json};

use crate::aitp_rows::under;
use crate::through_core::at;

fn asked(message: &Value) -> New {
    let read = Message::read(&message.to_string(), at(0)).unwrap();
    translate::ask(&read.message, at(0)).unwrap()
}

fn legacy(plans: Value) -> Value {
    let mut quote = json!({"type": "Quote", "quote_id": "q", "payee_id": "acme.near", "valid_until": "2050-01-01T00:00:00Z"});
    quote["payment_plans"] = plans;
    json!({"$schema": "https://aitp.dev/v1/payments/schema.json", "quote": quote})
}

#[test]
fn titles_say_how_much_to_whom_and_what_recurs() {
    let once = json!({"plan_id": "p", "plan_type": "one-time", "amount": 12.5, "currency": "USD"});
    assert_eq!(asked(&legacy(json!([once]))).title.unwrap(), "Pay 12.5 USD to acme.near?");
    let later = json!({"plan_id": "r", "plan_type": "one-time", "amount": 5, "currency": "USD", "recurring_details": {"interval": "month"}});
    let title = asked(&legacy(json!([once, later]))).title.unwrap();
    assert_eq!(title, "Pay 12.5 USD (one-time) or 5 USD (one-time, interval month) to acme.near?");
    let method = json!({"type": "near_payment_channel", "token": "USDC", "recipient": "m"});
    let quote = json!({"quote_id": "q", "merchant_id": "shop", "description": "", "merchant_signature": "s",
        "payment_options": [{"amount": "3.00", "currency": "USD", "payment_methods": [method]}, {"amount": "2.80", "currency": "EUR", "payment_methods": [method]}]});
    let new = asked(&under(Capability::Payments, "quote", quote));
    assert_eq!(new.title.unwrap(), "Pay 3.00 USD or 2.80 EUR to shop?");
    let ids: Vec<&str> = new.fields[0].options.iter().map(|option| option.id.as_str()).collect();
    assert_eq!(ids, ["approve-1", "approve-2", "deny"]);
    assert_eq!(new.fields[0].options[1].label, "Pay 2.80 EUR");
}
