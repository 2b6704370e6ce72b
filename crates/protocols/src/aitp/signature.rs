//! Signatures of AITP-01: what they cover and whether they are valid.
//!
//! A signature covers the body without the signature itself, with the names in all its objects sorted and no
//! whitespace. The protocol's own sample code sorts only the top-level names and thereby leaves out amounts and
//! recipients; a signature made that way is not valid here.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use ed25519_dalek::{Signature, VerifyingKey};
use holdpoint_core::json::{canonical, canonical_without};
use holdpoint_core::text::quote;
use serde_json::{Value, json};

use super::finding::{Finding, Layer};
use super::message::{Body, Message};

/// Public keys by the name of the signer, each as `ed25519:` and base64 or base58.
pub type Keys = BTreeMap<String, String>;

/// Checks every signature in a message, and the chain of those who passed it on.
///
/// Returns nothing if all is well, or if the message has no signatures. A signer whose key is unknown is a finding: a
/// signature that cannot be checked is not valid.
pub fn check_signatures(message: &Message, keys: &Keys) -> Vec<Finding> {
    let name = message.body.name();
    let Ok(value) = message.to_value() else { return Vec::new() };
    let body = &value[name];
    let mut found = Vec::new();
    let mut check = |pointer: String, signer: &Value, covered: Option<String>, signature: &Value| {
        if let Err(why) = verify(signer.as_str(), covered, signature, keys) {
            found.push(Finding { layer: Layer::Semantic, pointer, message: why });
        }
    };
    match &message.body {
        Body::Quote(_) | Body::TopUpRequest(_) => {
            let covered = canonical_without(body, "merchant_signature").ok();
            check(
                format!("/{name}/merchant_signature"),
                &body["merchant_id"],
                covered,
                &body["merchant_signature"],
            );
        }
        Body::Payment(_) | Body::TopUpResponse(_) => {
            let covered = canonical_without(body, "payer_signature").ok();
            check(format!("/{name}/payer_signature"), &body["payer_id"], covered, &body["payer_signature"]);
        }
        // The message does not name the merchant, so any of the given keys may be the right one.
        Body::PaymentConfirmation(_) => {
            let pointer = format!("/{name}/merchant_signature");
            let covered = canonical_without(body, "merchant_signature").ok();
            let holds = |signer: &String| {
                verify(Some(signer), covered.clone(), &body["merchant_signature"], keys).is_ok()
            };
            if !keys.keys().any(holds) {
                let message = "holds under none of the keys that are known".to_owned();
                found.push(Finding { layer: Layer::Semantic, pointer, message });
            }
        }
        Body::WrappedQuote(_) => {
            let (price, wrappers) = (&body["original_quote"], body["wrappers"].as_array());
            let covered = canonical_without(price, "merchant_signature").ok();
            let pointer = format!("/{name}/original_quote/merchant_signature");
            check(pointer, &price["merchant_id"], covered, &price["merchant_signature"]);
            for (place, wrapper) in wrappers.into_iter().flatten().enumerate() {
                let covered = wrapped(price, wrappers.map_or(&[][..], |all| &all[..place]), wrapper);
                let pointer = format!("/{name}/wrappers/{place}/signature");
                check(pointer, &wrapper["affiliate_id"], covered, &wrapper["signature"]);
            }
            found.extend(handed_on(name, price, wrappers.map_or(&[][..], Vec::as_slice)));
        }
        _ => {}
    }
    found
}

/// Returns what a wrapper signs: the price, all previous wrappers, and itself.
fn wrapped(price: &Value, before: &[Value], wrapper: &Value) -> Option<String> {
    let mut new = wrapper.clone();
    new.as_object_mut()?.remove("signature");
    canonical(&json!({ "original_quote": price, "previous_wrappers": before, "new_wrapper": new })).ok()
}

/// Checks that each wrapper got the price from the previous one.
fn handed_on(name: &str, price: &Value, wrappers: &[Value]) -> Vec<Finding> {
    let mut next = price["next_recipient"].as_str();
    let mut found = Vec::new();
    for (place, wrapper) in wrappers.iter().enumerate() {
        let by = wrapper["affiliate_id"].as_str();
        if let (Some(next), Some(by)) = (next, by)
            && next != by
        {
            let pointer = format!("/{name}/wrappers/{place}/affiliate_id");
            let message = format!("{} was handed to {}", quote(by), quote(next));
            found.push(Finding { layer: Layer::Semantic, pointer, message });
        }
        next = wrapper["next_recipient"].as_str();
    }
    found
}

fn verify(
    signer: Option<&str>,
    covered: Option<String>,
    signature: &Value,
    keys: &Keys,
) -> Result<(), String> {
    let signer = signer.unwrap_or_default();
    let key = keys.get(signer).ok_or_else(|| format!("no key of {} is known", quote(signer)))?;
    let key = decode::<32>(key).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
    let key = key.ok_or_else(|| {
        format!("the key of {} must be ed25519: and 32 bytes in base64 or base58", quote(signer))
    })?;
    let signature = signature.as_str().and_then(decode::<64>);
    let signature = signature.ok_or("must be ed25519: and 64 bytes in base64")?;
    let covered = covered.ok_or("cannot be checked: the message has no canonical form")?;
    // The strict check also refuses keys and signatures that are valid for more than one message.
    let holds = key.verify_strict(covered.as_bytes(), &Signature::from_bytes(&signature));
    holds.map_err(|_| format!("does not hold: {} did not sign this", quote(signer)))
}

/// Parses `ed25519:` and this many bytes, in base64 or in base58 as NEAR writes keys.
fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let text = text.strip_prefix("ed25519:")?;
    let plain = || STANDARD.decode(text).or_else(|_| STANDARD_NO_PAD.decode(text)).ok();
    [plain(), base58(text)].into_iter().flatten().find_map(|bytes| bytes.try_into().ok())
}

fn base58(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    // This is longer than any key or signature, and the time grows with the square of the length.
    if text.len() > 128 {
        return None;
    }
    let mut number: Vec<u8> = Vec::new();
    for byte in text.bytes() {
        let mut carry = DIGITS.iter().position(|digit| *digit == byte)?;
        for place in &mut number {
            carry += usize::from(*place) * 58;
            *place = u8::try_from(carry & 0xff).unwrap_or_default();
            carry >>= 8;
        }
        while carry > 0 {
            number.push(u8::try_from(carry & 0xff).unwrap_or_default());
            carry >>= 8;
        }
    }
    number.extend(text.bytes().take_while(|byte| *byte == b'1').map(|_| 0));
    number.reverse();
    Some(number)
}
