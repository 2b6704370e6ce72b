//! A message as people read it.

use holdpoint_core::Timestamp;
use holdpoint_core::text::{inert, inert_line};
use serde_json::Value;

use super::part::{Part, recognise};
use crate::aitp::message::{Body, Message};

/// A part of a message as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// What it is, in a few words; nothing for plain words.
    pub title: Option<String>,
    /// Plain words.
    pub words: String,
    /// What it says, by name, as it stands in the message.
    pub facts: Vec<(String, String)>,
}

/// How many bytes of plain words are shown.
const WORDS: usize = 16 << 10;
/// How many facts of one message are shown.
const SHOWN: usize = 60;

/// Shows one string of a message.
pub fn show(part: &str, now: Timestamp) -> Shown {
    match recognise(part, now) {
        Part::Message(read) => shown(&read.message),
        Part::Wrong(_) => {
            Shown { title: Some("A message that is wrong".into()), words: words(part), facts: Vec::new() }
        }
        Part::Words => Shown { title: None, words: words(part), facts: Vec::new() },
    }
}

fn words(part: &str) -> String {
    let head = crate::cut(part, WORDS);
    let cut = if head.len() < part.len() { "…" } else { "" };
    format!("{}{cut}", inert(head))
}

/// Shows a message that is kept with a decision.
pub fn show_message(content: &Value, now: Timestamp) -> Shown {
    show(&content.to_string(), now)
}

fn shown(message: &Message) -> Shown {
    let title = title(&message.body);
    let facts = message.to_value().map(|value| facts(&value[message.body.name()])).unwrap_or_default();
    Shown { title: Some(title), words: String::new(), facts }
}

fn title(body: &Body) -> String {
    let came = |what: &str, result: &str| format!("{what}: {}", inert_line(result));
    match body {
        Body::RequestDecision(request) => {
            let about = request.title.as_deref().or(request.description.as_deref()).unwrap_or_default();
            format!("Asks for a choice: {}", inert_line(crate::cut(about, 200)))
        }
        Body::RequestData(request) => {
            let about = request.title.as_deref().unwrap_or(&request.description);
            format!("Asks for data: {}", inert_line(crate::cut(about, 200)))
        }
        Body::Decision(_) => "Chose".into(),
        Body::Data(_) => "Filled in".into(),
        Body::Quote(_) | Body::LegacyQuote(_) | Body::WrappedQuote(_) => "Names a price".into(),
        Body::Payment(_) => "Paid".into(),
        Body::PaymentConfirmation(body) => came("Payment", &body.result),
        Body::PaymentResult(body) => came("Payment", &body.result),
        Body::PaymentAuthorization(body) => came("Payment authorised", &body.result),
        Body::TopUpRequest(_) => "Asks for more money in a channel".into(),
        Body::TopUpResponse(_) => "Put more money into a channel".into(),
        Body::RequestAccount(_) | Body::RequestAddress(_) => "Asks for accounts".into(),
        Body::AccountResponse(_) | Body::AddressResponse(_) => "Names accounts".into(),
        Body::RequestNearTransaction(_) | Body::RequestEvmTransaction(_) => "Asks for a transaction".into(),
        Body::NearTransactionResponse(_) | Body::EvmTransactionResponse(_) => "Transaction made".into(),
        Body::RequestNearSigning(_) | Body::RequestEvmSigning(_) => "Asks for a signature".into(),
        Body::NearSigningResponse(_) | Body::EvmSigningResponse(_) => "Signed".into(),
        Body::NearTokenNotification(_) | Body::EvmTokenNotification(_) => "Makes a token known".into(),
        Body::ChainNotification(_) => "Makes a chain known".into(),
    }
}

fn facts(body: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    crate::aitp::translate::facts(body, &mut |name, value| {
        if found.len() < SHOWN {
            found.push((name.to_owned(), value.to_owned()));
        }
        found.len() < SHOWN
    });
    found
}
