//! Hooks: commands from the settings that receive events as JSON on their standard input.

mod notice;
mod run;
mod settings;

pub use notice::desktop_notice;
pub use run::{Run, run};
pub use settings::{HookCommand, Hooks};
