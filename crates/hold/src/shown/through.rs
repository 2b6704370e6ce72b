//! Through which door somebody answered, in words.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Answer, ChannelMessage};

/// Says through which door somebody answered, and by which account and message of a channel.
pub(crate) fn through(answer: &Answer) -> String {
    let via = inert_line(&answer.via);
    match answer.channel.as_deref() {
        None => via,
        Some(ChannelMessage { account, message: None }) => format!("{via} (account {})", inert_line(account)),
        Some(ChannelMessage { account, message: Some(message) }) => {
            format!("{via} (account {}, message {})", inert_line(account), inert_line(message))
        }
    }
}
