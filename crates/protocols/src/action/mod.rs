//! Forms that are filled in conversation: the action protocol.
//!
//! In: [`form`] reads a form's definition, whoever wrote it in whichever generation of the format.
//! [`reader`] finds in everyday English the values that a person states.
//! [`model`] reads what a language model says it understood.
//! [`conversation`] takes one turn after the other and answers each with an [`Action`].
//! Nothing here knows a clock, a network or a language model.

pub mod conversation;
pub mod form;
pub mod model;
pub mod reader;
mod wire;

pub use wire::{Action, Asking, Choosing, ToolResult};
