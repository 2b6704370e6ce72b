//! What the buttons of a message carry: which message, what proves that it offered them, and which one was tapped.

use serde::{Deserialize, Serialize};

use super::Act;

/// What the buttons of a message stand for. It is kept on our side; a button carries only its place in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Controls {
    /// What tells the buttons of this message from those of any other, and from those it had before.
    pub nonce: String,
    /// What each stands for, in their order.
    pub buttons: Vec<Button>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Button {
    /// What the person reads.
    pub label: String,
    /// What it stands for.
    pub act: Act,
    /// Whether it consents to what the message shows whole, and so takes a second tap.
    pub consents: bool,
    /// Whether it takes words besides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub words: bool,
}

/// What a tap says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A button, for the first time.
    First(usize),
    /// A button that was asked about again.
    Sure(usize),
    /// Not that button after all.
    Back,
    /// A button, together with the words that were sent before.
    Worded(usize),
    /// No button: the words that were sent before are guidance.
    Guide,
}

/// Returns what a button carries: which message, its nonce, and which button. At most 64 bytes.
pub fn handle(id: i64, nonce: &str, step: Step) -> String {
    match step {
        Step::First(at) => format!("{id}.{nonce}.{at}"),
        Step::Sure(at) => format!("{id}.{nonce}.s{at}"),
        Step::Back => format!("{id}.{nonce}.b"),
        Step::Worded(at) => format!("{id}.{nonce}.w{at}"),
        Step::Guide => format!("{id}.{nonce}.g"),
    }
}

/// Reads what a button carried.
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
