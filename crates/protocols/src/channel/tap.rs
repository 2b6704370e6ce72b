//! The data of a message's buttons: the message, a proof that it offered them, and which one was tapped.

use serde::{Deserialize, Serialize};

use super::Act;

/// The actions of a message's buttons. They are stored on our side; a button carries only its index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Controls {
    /// A nonce that distinguishes the buttons of this message from any others, and from its earlier ones.
    pub nonce: String,
    /// The buttons, in their order.
    pub buttons: Vec<Button>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// The label.
    pub label: String,
    /// The action.
    pub act: Act,
    /// Whether it consents to what the message shows completely, and so needs a second tap.
    pub consents: bool,
    /// Whether it also needs a text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub words: bool,
}

/// The meaning of a tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A button, tapped for the first time.
    First(usize),
    /// A button, confirmed by a second tap.
    Sure(usize),
    /// Cancels that button.
    Back,
    /// A button, together with the text that was sent before.
    Worded(usize),
    /// No button: the text that was sent before is guidance.
    Guide,
}

/// Returns the data of a button: the message, its nonce, and the button. At most 64 bytes.
pub fn handle(id: i64, nonce: &str, step: Step) -> String {
    match step {
        Step::First(at) => format!("{id}.{nonce}.{at}"),
        Step::Sure(at) => format!("{id}.{nonce}.s{at}"),
        Step::Back => format!("{id}.{nonce}.b"),
        Step::Worded(at) => format!("{id}.{nonce}.w{at}"),
        Step::Guide => format!("{id}.{nonce}.g"),
    }
}

/// Parses the data of a button.
pub fn read_handle(text: &str) -> Option<(i64, &str, Step)> {
    let mut parts = text.splitn(3, '.');
    let (id, nonce, step) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
    let step = match (step, step.strip_prefix('s'), step.strip_prefix('w')) {
        ("b", ..) => Step::Back,
        ("g", ..) => Step::Guide,
        (_, Some(at), _) => Step::Sure(at.parse().ok()?),
        (_, _, Some(at)) => Step::Worded(at.parse().ok()?),
        (at, None, None) => Step::First(at.parse().ok()?),
    };
    Some((id, nonce, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_short_and_comes_back() {
        for step in [Step::First(7), Step::Sure(99), Step::Back, Step::Worded(99), Step::Guide] {
            let text = handle(i64::MAX, "abcdefghijklmnop", step);
            assert!(text.len() <= 64, "{text}");
            assert_eq!(read_handle(&text), Some((i64::MAX, "abcdefghijklmnop", step)));
        }
        for bad in ["", "1", "1.n", "x.n.1", "1.n.", "1.n.sx", "1.n.-1", "1.n.w", "1.n.ww1", "1.n.gg"] {
            assert_eq!(read_handle(bad), None, "{bad}");
        }
    }
}
