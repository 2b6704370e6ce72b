//! The messages of AITP-01, and those messages of its older form that have different names.

#![expect(missing_docs, reason = "the members are the protocol's own, and documented there")]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

/// A price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    pub quote_id: String,
    pub merchant_id: String,
    pub description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expiration: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_recipient: Option<String>,
    pub payment_options: Vec<PaymentOption>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revenue_share: Option<RevenueShare>,
    pub merchant_signature: String,
}

/// One currency to pay in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentOption {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    pub currency: String,
    pub payment_methods: Vec<PaymentMethod>,
}

/// One way to pay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentMethod {
    #[serde(rename = "type")]
    pub kind: String,
    pub token: String,
    pub recipient: String,
}

/// The share of those who brought buyer and seller together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevenueShare {
    pub affiliate_share_bps: Number,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affiliates: Option<Vec<Affiliate>>,
}

/// A recipient of a share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Affiliate {
    pub id: String,
    pub role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<Number>,
}

/// A price, and the intermediaries that passed it on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrappedQuote {
    pub original_quote: Quote,
    pub wrappers: Vec<Wrapper>,
}

/// One intermediary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrapper {
    pub affiliate_id: String,
    pub role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_affiliates: Option<Vec<Affiliate>>,
    pub next_recipient: String,
    pub timestamp: String,
    pub signature: String,
}

/// A payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payment {
    pub quote_id: String,
    pub payment_method: PaidBy,
    pub payer_id: String,
    pub timestamp: String,
    pub payer_signature: String,
}

/// How it was paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaidBy {
    #[serde(rename = "type")]
    pub kind: String,
    pub token: String,
    pub channel_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    pub currency: String,
}

/// Reports the outcome of a payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentConfirmation {
    pub quote_id: String,
    pub payment_id: String,
    pub result: String,
    pub timestamp: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<PaymentDetail>>,
    pub merchant_signature: String,
}

/// One line about a payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaymentDetail {
    pub label: String,
    pub value: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// Asks for more money in a channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopUpRequest {
    pub channel_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    pub currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub merchant_id: String,
    pub timestamp: String,
    pub merchant_signature: String,
}

/// Confirms that more was added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopUpResponse {
    pub channel_id: String,
    pub amount: String,
    pub currency: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_balance: Option<String>,
    pub payer_id: String,
    pub timestamp: String,
    pub payer_signature: String,
}

/// Confirms that the payer paid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaymentAuthorization {
    pub quote_id: String,
    pub result: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub timestamp: String,
    pub details: Vec<Transfer>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One transfer on a chain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    pub network: String,
    pub token_type: String,
    pub amount: Number,
    pub account_id: String,
    pub transaction_id: String,
}

/// Reports the outcome of a payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PaymentResult {
    pub quote_id: String,
    pub result: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub timestamp: String,
    pub details: Vec<ResultDetail>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// One line about a payment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultDetail {
    pub label: String,
    pub value: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Members that are not known.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
