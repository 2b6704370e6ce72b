//! What an agent in a terminal is doing, inferred from its screen, its process and its hooks.
//!
//! An [`Observation`] is the state at one moment; a [`Detector`] remembers enough of earlier ones to report each
//! [`Signal`] once, and not to report a pause as idle. Nothing here reads a terminal: observations are passed in.

mod detector;
mod dialog;
mod fault;
mod menu;
mod patterns;
mod plan;
mod prompt;
mod signal;
mod still;

pub use detector::{Detection, Detector, Timing};
pub use fault::find_error;
pub use menu::{find_marked, without_typed};
pub use patterns::{BadPattern, Pattern, Patterns};
pub use plan::{PlanAcceptance, going_on};
pub use prompt::{find_prompt, is_for_words, printed_before, yes_no_question};
pub use signal::{
    ErrorKind, Notice, Observation, Prompt, Question, QuestionOption, ScreenText, Signal, YesNo,
};
