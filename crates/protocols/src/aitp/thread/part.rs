//! The kind of one string of a message: plain text, or a message of AITP.

use holdpoint_core::Timestamp;

use crate::aitp::message::{Message, ParsedMessage};
use crate::aitp::validate::Verdict;

/// The kind of one string of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Plain text, or JSON of another protocol.
    Words,
    /// A message.
    Message(Box<ParsedMessage>),
    /// An invalid message.
    Wrong(Box<Verdict>),
}

/// Determines the kind of a string. Only a string that is a message as a whole counts as one; a message within text is
/// text.
pub fn recognise(text: &str, now: Timestamp) -> Part {
    let text = text.trim();
    if !starts(text) {
        return Part::Words;
    }
    match Message::read(text, now) {
        Ok(read) => Part::Message(Box::new(read)),
        Err(verdict) if means_aitp(&verdict, text) => Part::Wrong(Box::new(verdict)),
        Err(_) => Part::Words,
    }
}

/// Returns whether a string starts like a message. One that was cut off in transit still does, and so gets a reply.
pub(super) fn starts(text: &str) -> bool {
    let inside = text.strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with('"') || text.ends_with('}'))
}

/// Returns whether a string names AITP and so is meant for it; other JSON is of another protocol.
pub(super) fn means_aitp(verdict: &Verdict, text: &str) -> bool {
    verdict.message.is_some() || text.contains("aitp.dev/") || ends_in_address(text)
}

/// Returns whether a string was cut off within the address that would have named AITP.
fn ends_in_address(text: &str) -> bool {
    let address = ["{", "\"$schema\"", ":", "\""]
        .iter()
        .try_fold(text, |rest, token| rest.trim_start().strip_prefix(token));
    address.is_some_and(|address| !address.is_empty() && "https://aitp.dev/".starts_with(address))
}
