//! Threads: opened, posted to and read with a caller's permissions.
//!
//! A protocol reads what is posted and turns it into one command; Holdpoint's own messages are generated when they are
//! read, from the decisions that they are about.

mod open;
mod post;
mod read;
mod view;

pub use read::MessagesQuery;
pub use view::{Message, View, sender};
