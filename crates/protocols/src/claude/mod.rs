//! Claude Code, Codex, Gemini CLI and opencode: what their hooks and the permission prompt tool say, and what they are told.
//!
//! A tool call that needs a person becomes a decision ([`ask`]): `AskUserQuestion` a question, `ExitPlanMode` a plan,
//! every other tool an approval whose subject is tool and input. What a person decided becomes a [`Reply`], and that
//! the asker's own format ([`output`]). Settings are read and written in [`settings`]. Nothing here waits.

mod ask;
pub mod codex;
mod dialect;
mod gemini;
mod idle;
mod input;
mod lineage;
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

pub use ask::{KeyedAsk, Terms, Way, Within, ask};
pub use dialect::Dialect;
pub use idle::{asks, idle, notice, notified, stopped};
pub use input::{Event, Input, Tool, read};
pub use permission::subject;
pub use reply::{Reply, reply};
pub use terminal::{ANSWERED_THERE, answered_there};
