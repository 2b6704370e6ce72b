//! What can be wrong with the meaning of a well-formed message.

mod amounts;
mod data;
mod decisions;
mod links;
mod payments;
mod sensitive;
mod wallets;

use holdpoint_core::Timestamp;

use super::document::ValueRef;
use super::family::Capability;
use super::finding::{Findings, Path};

/// Checks the body of a message that satisfies its schema.
pub(super) fn check(
    capability: Option<Capability>,
    message: &'static str,
    body: ValueRef<'_>,
    now: Timestamp,
    found: &mut Findings,
) {
    let root = Path::default();
    let path = &root.member(message);
    match (capability, message) {
        (_, "request_decision") => decisions::request(body, now, path, found),
        (_, "decision") => decisions::decision(body, path, found),
        (_, "request_data") => data::request(body, path, found),
        (_, "data") => data::data(body, path, found),
        (Some(Capability::Payments), _) => payments::check(message, body, now, path, found),
        (Some(Capability::NearWallet), "request_message_signing") => wallets::near_signing(body, path, found),
        (Some(Capability::EvmWallet), _) => wallets::evm(message, body, path, found),
        _ => {}
    }
}

/// Reports an expiry of a quote that is not a time, or is in the past.
fn expiry(until: ValueRef<'_>, key: &str, now: Timestamp, path: &Path<'_>, found: &mut Findings) {
    let Some(text) = until.text() else { return };
    match text.parse::<Timestamp>() {
        Ok(until) if until <= now => {
            let message = format!("the quote expired at {until}; ask for a new one before paying");
            found.semantic(&path.member(key), message);
        }
        Ok(_) => {}
        Err(why) => found.semantic(&path.member(key), why),
    }
}
