//! What one string of a message is: plain words, or a message of AITP.

use holdpoint_core::Timestamp;

use crate::aitp::message::{Message, Read};
use crate::aitp::validate::Verdict;

/// What one string of a message is.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Plain words, or JSON that is none of ours.
    Words,
    /// A message.
    Message(Box<Read>),
    /// It would be a message, and is wrong.
    Wrong(Box<Verdict>),
}

/// Finds out what a string is. Only a string that is a message as a whole is one; a message within words is words.
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

/// Returns whether a string starts as a message does. What is cut off on its way still does, and so is answered.
pub(super) fn starts(text: &str) -> bool {
    let inside = text.strip_prefix('{').map(str::trim_start);
    inside.is_some_and(|inside| inside.starts_with('"') || text.ends_with('}'))
}

/// What names AITP means it; all else is somebody's own JSON.
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
