//! Prices, payments and quantities that nobody can mean, or hardly.

use holdpoint_protocols::aitp::{Capability, Finding, Layer};
use serde_json::{Value, json};

use crate::aitp_rows::{DECISIONS, asking, judge, under};

fn priced(plans: Value) -> Value {
    let mut quote =
        json!({"type": "Quote", "quote_id": "q", "payee_id": "y", "valid_until": "2050-01-01T00:00:00Z"});
    quote["payment_plans"] = plans;
    asking(json!({"id": "1", "type": "products", "options": [{"id": "a", "quote": quote}]}))
}

fn plan(amount: Value) -> Value {
    let mut plan = json!({"plan_id": "p", "plan_type": "one-time", "currency": "USD"});
    plan["amount"] = amount;
    priced(json!([plan]))
}

fn quote(options: Value) -> Value {
    let mut quote =
        json!({"quote_id": "q", "merchant_id": "m", "description": "", "merchant_signature": "s"});
    quote["payment_options"] = options;
    under(Capability::Payments, "quote", quote)
}

fn option(amount: &str) -> Value {
    let method = json!({"type": "near_payment_channel", "token": "USDC", "recipient": "m"});
    quote(json!([{"amount": amount, "currency": "USD", "payment_methods": [method]}]))
}

fn topped_up(amount: &str) -> Value {
    under(
        Capability::Payments,
        "top_up_response",
        json!({"channel_id": "c", "amount": amount, "currency": "X", "payer_id": "m",
            "timestamp": "2026-01-01T00:00:00Z", "payer_signature": "s"}),
    )
}

fn transferred(amount: Value) -> Value {
    let mut detail =
        json!({"network": "NEAR", "token_type": "USDC", "account_id": "a", "transaction_id": "t"});
    detail["amount"] = amount;
    json!({"$schema": "https://aitp.dev/v1/payments/schema.json", "payment_authorization":
        {"quote_id": "q", "result": "success", "timestamp": "2026-01-01T00:00:00Z", "details": [detail]}})
}

fn sent(value: &str) -> Value {
    under(
        Capability::EvmWallet,
        "request_transaction",
        json!({"request_id": "r", "transaction": {"to": format!("0x{}", "a".repeat(40)), "value": value}}),
    )
}

fn chose(quantity: Value) -> Value {
    let mut message = json!({"$schema": DECISIONS, "decision": {"options": [{"id": "a"}]}});
    message["decision"]["options"][0]["quantity"] = quantity;
    message
}

#[test]
fn what_nobody_can_mean_is_wrong_and_what_is_unlikely_draws_a_warning() {
    const PLANS: &str = "/request_decision/options/0/quote/payment_plans";
    let first = format!("{PLANS}/0/amount");
    let offered = "/quote/payment_options/0/amount";
    let quantity = "/decision/options/0/quantity";
    let reviewed = |count: i64| asking(json!({"id": "1", "options": [{"id": "a", "reviews_count": count}]}));
    let long = "9".repeat(400);
    for (message, errors, warnings) in [
        (plan(json!(199.5)), vec![], vec![]),
        (plan(json!(0)), vec![], vec![]),
        (plan(json!(-0.01)), vec![first.as_str()], vec![]),
        (plan(json!(1e15)), vec![], vec![first.as_str()]),
        (priced(json!([])), vec![], vec![PLANS]),
        (option("12.50"), vec![], vec![]),
        (option("0"), vec![], vec![]),
        (option("1000000000001"), vec![], vec![offered]),
        (option(&long), vec![], vec![offered]),
        (quote(json!([])), vec!["/quote/payment_options"], vec![]),
        (
            quote(json!([{"currency": "USD", "payment_methods": []}])),
            vec![],
            vec!["/quote/payment_options/0/payment_methods"],
        ),
        (topped_up("5"), vec![], vec![]),
        (topped_up("0.00"), vec![], vec!["/top_up_response/amount"]),
        (transferred(json!(3)), vec![], vec![]),
        (transferred(json!(-3)), vec!["/payment_authorization/details/0/amount"], vec![]),
        (transferred(json!(0)), vec![], vec!["/payment_authorization/details/0/amount"]),
        (sent("0x0"), vec![], vec![]),
        (sent(&format!("0x{}", "f".repeat(64))), vec![], vec![]),
        (sent(&format!("0x000{}", "f".repeat(64))), vec![], vec![]),
        (sent(&format!("0x1{}", "0".repeat(64))), vec!["/request_transaction/transaction/value"], vec![]),
        (chose(json!(1)), vec![], vec![]),
        (chose(json!(1_000_000)), vec![], vec![]),
        (chose(json!(1_000_001)), vec![quantity], vec![]),
        (chose(json!(0)), vec![quantity], vec![]),
        (chose(json!(-2)), vec![quantity], vec![]),
        (chose(json!(1.5)), vec![quantity], vec![]),
        (reviewed(0), vec![], vec![]),
        (reviewed(-1), vec!["/request_decision/options/0/reviews_count"], vec![]),
    ] {
        let verdict = judge(&message);
        assert!(verdict.valid, "no schema forbids it: {message}");
        let at = |found: &[Finding]| -> Vec<String> {
            assert!(found.iter().all(|finding| finding.layer == Layer::Semantic), "{found:?}");
            found.iter().map(|finding| finding.pointer.clone()).collect()
        };
        assert_eq!(at(&verdict.errors), errors, "{message}");
        assert_eq!(at(&verdict.warnings), warnings, "{message}");
    }
}
