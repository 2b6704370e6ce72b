//! Hooks: commands from the settings that are told what happened, as JSON on their standard input.

mod notice;
mod run;

pub use notice::desktop_notice;
pub use run::{Run, run};
