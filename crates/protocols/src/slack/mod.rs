//! Slack: messages, buttons and forms in the format of its API, and the events from its socket.
//!
//! All text of agents is in structured text (`rich_text`, `plain_text`), in which Slack finds no mention, markup or
//! address; the short text of a notification, where it does, is escaped.

mod action;
mod filled;
mod form;
mod inputs;
mod message;
mod text;

pub use action::{ActionKind, Frame, Modal, SlackAction, account, read_frame};
pub use filled::{Filled, declines, filled};
pub use form::{Draft, can_draw, closing, form, sending, words_form};
pub use message::{are_you_sure, blocks, controls, gathered, notification, text_blocks};
pub use text::{escaped, original_text};

#[cfg(test)]
mod tests;
