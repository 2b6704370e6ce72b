//! Forms that are filled in conversation: the action protocol.
//!
//! In: [`form`] reads a form's definition, in any generation of the format.
//! [`reader`] finds in everyday English the values that a person states.
//! [`model`] words the question for a language model and reads what it says it understood.
//! [`conversation`] takes one turn after the other and answers each with an [`Action`].
//! Nothing here knows a clock or a network.

mod briefing;
pub mod conversation;
pub mod form;
pub mod model;
mod past;
pub mod reader;
mod reading;
mod token;
mod wire;
mod worded;

pub use briefing::{Briefing, ReaderResult};
pub use wire::{Action, ChoiceQuestion, FieldQuestion, ToolResult};
