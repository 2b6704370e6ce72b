//! Threads: opened, spoken in and read as a caller may.
//!
//! What is said is read by a protocol and becomes one command; what Holdpoint has to say is worded when it is read, from
//! the decision that it is about.

mod open;
mod post;
mod read;
mod view;

pub use read::MessagesQuery;
pub use view::{Message, View, sender};
