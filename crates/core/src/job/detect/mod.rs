//! What an agent in a terminal is doing, told from what can be seen of it.
//!
//! An [`Observation`] is what somebody saw at one moment; a [`Detector`] remembers enough of the ones before it to say
//! a [`Signal`] once, and not to cry idle at a pause. Nothing here looks: the observations come in as values.

mod detector;
mod dialog;
mod fault;
mod menu;
mod patterns;
mod plan;
mod prompt;
mod signal;
mod still;

pub use detector::{Detector, Seen, Timing};
pub use fault::find_error;
pub use menu::{find_marked, without_typed};
pub use patterns::{BadPattern, Pattern, Patterns};
pub use prompt::{find_prompt, is_for_words, printed_before, yes_no_question};
pub use signal::{
    ErrorKind, Notice, Observation, Prompt, Question, QuestionOption, ScreenText, Signal, YesNo,
};
