//! The Model Context Protocol: messages, tools, tasks and resources, for two eras at one endpoint.
//!
//! *Modern* is revision 2026-07-28: every request names its sender and the sender's capabilities. *Legacy* are the
//! earlier revisions, which begin with a handshake. The differences are in [`peer`]; everything else is shared.

pub mod call;
pub mod form;
pub mod greeting;
mod new;
pub mod ordered;
pub mod peer;
pub mod resource;
pub mod result;
pub mod rpc;
mod schema;
pub mod state;
pub mod task;
pub mod tools;
