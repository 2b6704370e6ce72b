//! Forms that are filled in conversation: the action protocol.
//!
//! In: [`form`] reads a form's definition, whoever wrote it in whichever generation of the format.
//! [`reader`] finds in everyday English the values that a person states.
//! Nothing here knows a clock, a network or a language model.

pub mod form;
pub mod reader;
