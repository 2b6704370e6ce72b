//! Requests to wallets for a signature.

use super::amounts;
use crate::aitp::document::ValueRef;
use crate::aitp::finding::{Findings, Path};

pub(super) fn near_signing(body: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    let Some(message) = body.get("message") else { return };
    let path = path.member("message");
    // 32 bytes in base64 are 43 characters and one for padding.
    if message.text_of("nonce").is_some_and(|nonce| nonce.trim_end_matches('=').len() != 43) {
        found.warn(&path.member("nonce"), "should be 32 bytes in base64".into());
    }
}

pub(super) fn evm(message: &str, body: ValueRef<'_>, path: &Path<'_>, found: &mut Findings) {
    for key in ["chain_id", "decimals"] {
        if body.get(key).and_then(ValueRef::number).is_some_and(|number| number < 0.0) {
            found.semantic(&path.member(key), "is negative".into());
        }
    }
    match message {
        "request_transaction" => {
            let Some(transaction) = body.get("transaction") else { return };
            let path = path.member("transaction");
            if transaction.get("gasPrice").is_some() && transaction.get("maxFeePerGas").is_some() {
                let message = "is given together with maxFeePerGas; wallets take one or the other";
                found.warn(&path.member("gasPrice"), message.into());
            }
            odd(transaction, "data", &path, found);
            for key in ["value", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce"] {
                if let Some(units) = transaction.get(key) {
                    amounts::units(units, key, &path, found);
                }
            }
        }
        "message_signing_response" => odd(body, "signature", path, found),
        "request_message_signing" => {
            let Some(data) = body.get("typed_data") else { return };
            let path = path.member("typed_data");
            if let (Some(primary), Some(kinds)) = (data.text_of("primaryType"), data.get("types"))
                && kinds.get(&primary).is_none()
            {
                found.semantic(&path.member("primaryType"), "is not among the types".into());
            }
        }
        _ => {}
    }
}

fn odd(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if at.text_of(key).is_some_and(|hex| hex.len() % 2 == 1) {
        found.semantic(&path.member(key), "has half a byte: hexadecimal digits come in pairs".into());
    }
}
