//! A message in the form in which people read it.

use holdpoint_core::Timestamp;
use holdpoint_core::text::{inert, inert_line, start};
use serde_json::Value;

use super::part::{means_aitp, starts};
use crate::aitp::Capability;
use crate::aitp::document::{Kind, ValueRef};
use crate::aitp::validate::validate_with;

/// A part of a message in the form in which people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadablePart {
    /// What it is, in a few words; none for plain text.
    pub title: Option<String>,
    /// The plain text.
    pub words: String,
    /// Its content, by name, as it is in the message.
    pub facts: Vec<(String, String)>,
}

/// How many bytes of plain text are shown.
const WORDS: usize = 16 << 10;
/// How many facts of one message are shown.
const SHOWN: usize = 60;

/// Returns one string of a message in readable form.
pub fn show(part: &str, now: Timestamp) -> ReadablePart {
    let text = part.trim();
    let plain = || ReadablePart { title: None, words: plain_text(part), facts: Vec::new() };
    if !starts(text) {
        return plain();
    }
    // Only what is shown is extracted: a page may have hundreds of messages of any length.
    validate_with(text, now, |verdict, body| match (verdict.message, body.filter(|_| verdict.readable)) {
        (Some(name), Some(body)) => {
            let title = title(verdict.capability, name, body);
            ReadablePart { title: Some(title), words: String::new(), facts: facts(body) }
        }
        _ if means_aitp(&verdict, text) => {
            ReadablePart { title: Some("A message that is wrong".into()), ..plain() }
        }
        _ => plain(),
    })
}

fn plain_text(part: &str) -> String {
    let head = start(part, WORDS);
    let cut = if head.len() < part.len() { "…" } else { "" };
    format!("{}{cut}", inert(head))
}

/// Returns a message that is stored with a decision in readable form.
pub fn show_message(content: &Value, now: Timestamp) -> ReadablePart {
    show(&content.to_string(), now)
}

fn title(capability: Option<Capability>, name: &str, body: ValueRef<'_>) -> String {
    let text = |key: &str| body.text_of(key).unwrap_or_default();
    let came = |what: &str| format!("{what}: {}", inert_line(start(&text("result"), 200)));
    let about = |what: &str| {
        let said = |key: &str| body.text_of(key).filter(|text| !text.trim().is_empty());
        match said("title").or_else(|| said("description")) {
            Some(about) => format!("{what}: {}", inert_line(start(&about, 200))),
            None => what.to_owned(),
        }
    };
    let words = match name {
        "request_decision" => return about("Asks for a choice"),
        "request_data" => return about("Asks for data"),
        "payment_confirmation" | "payment_result" => return came("Payment"),
        "payment_authorization" => return came("Payment authorised"),
        "decision" => "Chose",
        "data" => "Filled in",
        "quote" | "wrapped_quote" => "Names a price",
        "payment" => "Paid",
        "top_up_request" => "Asks for more money in a channel",
        "top_up_response" => "Put more money into a channel",
        "request_account" | "request_address" => "Asks for accounts",
        "account_response" | "address_response" => "Names accounts",
        "request_transaction" => "Asks for a transaction",
        "transaction_response" => "Transaction made",
        "request_message_signing" => "Asks for a signature",
        "message_signing_response" => "Signed",
        "token_notification" => "Makes a token known",
        "chain_notification" => "Makes a chain known",
        // Each message type has its line above; an unknown one is at least named.
        other => return format!("{} {other}", capability.map_or("AITP", Capability::title)),
    };
    words.to_owned()
}

fn facts(body: ValueRef<'_>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    walk(body, &mut String::new(), &mut found);
    found
}

fn walk(at: ValueRef<'_>, path: &mut String, found: &mut Vec<(String, String)>) {
    let kind = at.kind();
    if !matches!(kind, Kind::Object | Kind::List) {
        let line = |text: &str| inert_line(start(text, 2_000));
        let value = at.text().map_or_else(|| at.raw().to_owned(), |text| line(&text));
        found.push((line(path), value));
        return;
    }
    for (place, child) in at.children().enumerate() {
        if found.len() >= SHOWN {
            return;
        }
        let length = path.len();
        if length > 0 {
            path.push(' ');
        }
        match kind {
            Kind::Object => path.push_str(start(&child.key(), 200)),
            _ => path.push_str(&(place + 1).to_string()),
        }
        walk(child, path, found);
        path.truncate(length);
    }
}
