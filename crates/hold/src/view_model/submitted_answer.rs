//! Turns a filled-in form and the button that was pressed into an answer.

use holdpoint_core::decision::{AnswerInput, needs_words};
use holdpoint_core::{Decision, FieldError, Timestamp};

use super::form_values::FormValues;
use super::read_form;

/// The button that was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressedButton<'a> {
    /// The button that sends the answer.
    Answer,
    /// The button that requests changes.
    Guide,
    /// The button of an out.
    Out(&'a str),
}

/// What accompanies an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct AnswerExtras {
    /// A free message.
    pub(crate) message: Option<String>,
    /// What should be different.
    pub(crate) guidance: Option<String>,
    /// The digest of what the person saw.
    pub(crate) digest: Option<String>,
    /// What the person calls themselves, where authentication is off.
    pub(crate) by: Option<String>,
    /// Whether the person had the whole subject on the screen; `false` if they consent unread.
    pub(crate) seen: Option<bool>,
}

/// Builds the answer to send, or returns what is not right yet.
pub(crate) fn answer(
    decision: &Decision,
    filled: &FormValues,
    pressed: PressedButton<'_>,
    beside: AnswerExtras,
    now: Timestamp,
) -> Result<AnswerInput, Vec<FieldError>> {
    let AnswerExtras { message, guidance, digest, by, seen } = beside;
    let base = AnswerInput { digest, by, seen, ..AnswerInput::default() };
    let wrong = |why: &str| Err(vec![FieldError::new("guidance", why)]);
    // Checked while the card is still open, not after the answer was held back for a while.
    let with_words = |input: AnswerInput| match &input.message {
        None if needs_words(decision, &input.values, input.out.as_deref()) => {
            Err(vec![FieldError::new("message", "say what should be different about the plan")])
        }
        _ => Ok(input),
    };
    match pressed {
        PressedButton::Guide => match guidance {
            None => wrong("say what should be different"),
            Some(_) if message.is_some() => wrong(
                "changes are asked for instead of an answer: put your message here too, and clear it above",
            ),
            guidance => Ok(AnswerInput { guidance, ..base }),
        },
        _ if guidance.is_some() => {
            wrong("you wrote what should change, but pressed another button: request changes, or clear this")
        }
        PressedButton::Out(out) => with_words(AnswerInput { out: Some(out.to_owned()), message, ..base }),
        PressedButton::Answer => {
            let said = read_form::whole(decision, filled, now);
            if said.faults.is_empty() {
                with_words(AnswerInput { values: said.values, message, ..base })
            } else {
                Err(said.faults)
            }
        }
    }
}
