//! The Model Context Protocol: messages, tools, tasks and resources, for two eras at one door.
//!
//! *Modern* is revision 2026-07-28: every request says by itself who sends it and what they can do. *Legacy* are the
//! revisions before it, which shake hands first. What differs between the two is in [`peer`]; all else is shared.

pub mod call;
pub mod form;
pub mod greeting;
mod new;
pub mod peer;
pub mod resource;
pub mod result;
pub mod rpc;
mod schema;
pub mod state;
pub mod task;
pub mod tools;
