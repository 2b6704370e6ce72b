//! From a request for money or a signature to an approval. The subject is the whole message.

use holdpoint_core::decision::New;
use holdpoint_core::text::{inert_line, quote, start};
use holdpoint_core::{Field, Kind, Opt, Refusal, Source, Timestamp};
use serde_json::{Map, Value};

use super::ask::{asks_nothing, origin};
use super::pay;
use crate::aitp::message::{Body, Message};

/// How many facts a person is shown; the subject has them all.
const SHOWN: usize = 100;

/// The most ways to pay.
const MOST_WAYS: usize = 50;

pub(super) fn ask(message: &Message, now: Timestamp) -> Result<New, Refusal> {
    let (id, title, until) = match &message.body {
        Body::Quote(price) => (&price.quote_id, "Pay", price.expiration.as_deref()),
        Body::WrappedQuote(wrapped) => {
            let price = &wrapped.original_quote;
            (&price.quote_id, "Pay", price.expiration.as_deref())
        }
        Body::LegacyQuote(price) => (&price.quote_id, "Pay", Some(price.valid_until.as_str())),
        Body::TopUpRequest(top_up) => (&top_up.channel_id, "Put more money into this channel:", None),
        Body::RequestAccount(request) => (&request.request_id, "Tell which NEAR accounts there are?", None),
        Body::RequestNearTransaction(request) => (&request.request_id, "Make this NEAR transaction?", None),
        Body::RequestNearSigning(request) => (&request.request_id, "Sign this message for NEAR?", None),
        Body::RequestAddress(request) => (&request.request_id, "Tell which EVM addresses there are?", None),
        Body::RequestEvmTransaction(request) => (&request.request_id, "Make this EVM transaction?", None),
        Body::RequestEvmSigning(request) => {
            (&request.request_id, "Sign this message for an EVM chain?", None)
        }
        other => return Err(asks_nothing(other.name())),
    };
    let valid_until = until.map(|until| still_valid(until, now)).transpose()?;
    let subject = message.to_value().map_err(|why| Refusal::invalid("message", why.to_string()))?;
    let mut lines = Vec::new();
    facts(&subject[message.body.name()], &mut |name, value| {
        lines.push(format!("- {}: `{value} `", name.replace(['*', '_', '['], " ")));
        lines.len() < SHOWN
    });
    let (title, mut options) = match pay::ways(&message.body) {
        Some((_, ways)) if ways.len() > MOST_WAYS => {
            return Err(Refusal::invalid("quote", format!("has more than {MOST_WAYS} ways to pay")));
        }
        Some((payee, ways)) => (pay::title(title, &payee, &ways), pay::options(&ways)),
        None => (title.to_owned(), vec![Opt::new("approve", "Approve")]),
    };
    options.push(Opt { refuses: true, ..Opt::new("deny", "Deny") });
    Ok(New {
        source: Some(Source::Approval),
        title: Some(title.clone()),
        prompt: Some(format!("{} asks:\n\n{}", message.body.capability().title(), lines.join("\n"))),
        fields: vec![Field::offering("choice", Kind::Confirm, title, options)],
        subject: Some(subject),
        origin: Some(origin(message, id, Map::new())),
        valid_until,
        ..New::default()
    })
}

/// Refuses a quote that has expired: it can be read, but not paid.
fn still_valid(until: &str, now: Timestamp) -> Result<Timestamp, Refusal> {
    let refused = |why: String| Err(Refusal::invalid("quote", why));
    match until.parse::<Timestamp>() {
        Ok(until) if until <= now => refused(format!("expired at {until}; ask for a new one before paying")),
        Ok(until) => Ok(until),
        Err(_) => {
            refused(format!("{} is not a time, so nobody can tell whether it has expired", quote(until)))
        }
    }
}

/// Passes on the content of a message, fact by fact, each on one line and with control characters made harmless: its
/// name and its value. Continues as long as `take` returns true.
pub fn facts(value: &Value, take: &mut dyn FnMut(&str, &str) -> bool) {
    walk(value, &mut String::new(), take);
}

fn walk(value: &Value, path: &mut String, take: &mut dyn FnMut(&str, &str) -> bool) -> bool {
    let mut step = |name: &str, value: &Value| {
        let length = path.len();
        if length > 0 {
            path.push(' ');
        }
        path.push_str(name);
        let more = walk(value, path, take);
        path.truncate(length);
        more
    };
    match value {
        Value::Object(members) => members.iter().all(|(name, value)| step(name, value)),
        Value::Array(items) => {
            items.iter().enumerate().all(|(place, value)| step(&(place + 1).to_string(), value))
        }
        plain => {
            let text = plain.as_str().map_or_else(|| plain.to_string(), str::to_owned);
            let inert = |text: &str| inert_line(start(text, 2_000)).replace('`', "'");
            take(&inert(path), &inert(&text))
        }
    }
}
