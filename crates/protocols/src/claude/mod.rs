//! Claude Code, Codex, Gemini CLI and opencode: the requests of their hooks and of the permission prompt tool, and the
//! replies.
//!
//! A tool call that needs a person becomes a decision ([`ask`]): `AskUserQuestion` a question, `ExitPlanMode` a plan,
//! every other tool an approval whose subject is tool and input. The answer becomes a [`Reply`], and that is formatted
//! for the asker ([`output`]). Settings are read and written in [`settings`]. Nothing here waits.

mod ask;
pub mod codex;
mod dialect;
mod gemini;
mod idle;
mod input;
mod lineage;
mod notification;
pub mod opencode;
pub mod ordered;
pub mod output;
mod permission;
mod plan;
mod question;
mod reply;
pub mod settings;
mod suggestion;
mod terminal;
mod terms;

pub use ask::{KeyedAsk, ask};
pub use dialect::Dialect;
pub use idle::{asks, idle, notice, notified, stopped};
pub use input::{Event, Input, Tool, read};
pub use permission::subject;
pub use reply::{Reply, reply};
pub use terminal::{ANSWERED_THERE, answered_there};
pub use terms::{CallContext, CallRoute, Supervision};
