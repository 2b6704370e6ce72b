//! The messages of AITP-04.

#![expect(missing_docs, reason = "the members are the protocol's own, and documented there")]

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Asks which accounts there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestAccount {
    pub request_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Says which accounts there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountResponse {
    pub request_id: String,
    pub accounts: Vec<String>,
}

/// Asks for a transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestTransaction {
    pub request_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub transaction: Transaction,
}

/// What is to be done, and to whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transaction {
    pub receiver_id: String,
    pub actions: Vec<Action>,
}

/// One thing to be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    #[serde(rename = "type")]
    pub kind: String,
    pub params: Map<String, Value>,
}

/// Says which transaction was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransactionResponse {
    pub request_id: String,
    pub transaction_hash: String,
}

/// Asks for a message to be signed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestMessageSigning {
    pub request_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub message: ToSign,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
}

/// What is to be signed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToSign {
    pub nonce: String,
    pub recipient: String,
    pub message: String,
}

/// Says how it was signed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageSigningResponse {
    pub request_id: String,
    pub account_id: String,
    pub public_key: String,
    pub signature: String,
}

/// Makes a token known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenNotification {
    pub notification_id: String,
    pub token_type: String,
    pub token_contract: String,
}
