//! The data of a message's buttons: the message, a proof that it offered them, and which one was tapped.

use serde::{Deserialize, Serialize};

use super::TapAction;

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
    pub act: TapAction,
    /// Whether it consents to what the message shows completely, and so needs a second tap.
    pub consents: bool,
    /// Whether it also needs a text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub words: bool,
}

/// The meaning of a tap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapStep {
    /// A button, tapped for the first time.
    First(usize),
    /// A button, confirmed by a second tap, with the proof of the first.
    Sure(usize, FirstTap),
    /// Cancels that button.
    Back,
    /// A button, together with the text that was sent before.
    Worded(usize),
    /// No button: the text that was sent before is guidance.
    Guide,
}

/// The proof that an account has tapped a button before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstTap {
    /// How long it is valid, in seconds since 1970.
    pub until: u32,
    /// A keyed digest; of its bits 56 are used.
    pub proof: u64,
}

/// Returns the data of a button: the message, its nonce, and the button. At most 64 bytes.
pub fn handle(id: i64, nonce: &str, step: TapStep) -> String {
    match step {
        TapStep::First(at) => format!("{id}.{nonce}.{at}"),
        TapStep::Sure(at, FirstTap { until, proof }) => format!("{id}.{nonce}.s{at}.{until:x}.{proof:x}"),
        TapStep::Back => format!("{id}.{nonce}.b"),
        TapStep::Worded(at) => format!("{id}.{nonce}.w{at}"),
        TapStep::Guide => format!("{id}.{nonce}.g"),
    }
}

/// Parses the data of a button.
pub fn read_handle(text: &str) -> Option<(i64, &str, TapStep)> {
    let mut parts = text.splitn(3, '.');
    let (id, nonce, step) = (parts.next()?.parse().ok()?, parts.next()?, parts.next()?);
    let step = match (step, step.strip_prefix('s'), step.strip_prefix('w')) {
        ("b", ..) => TapStep::Back,
        ("g", ..) => TapStep::Guide,
        (_, Some(sure), _) => {
            let mut parts = sure.split('.');
            let (at, until, proof) = (parts.next()?, parts.next()?, parts.next()?);
            let (until, proof) = (u32::from_str_radix(until, 16).ok()?, u64::from_str_radix(proof, 16).ok()?);
            TapStep::Sure(at.parse().ok()?, FirstTap { until, proof })
        }
        (_, _, Some(at)) => TapStep::Worded(at.parse().ok()?),
        (at, None, None) => TapStep::First(at.parse().ok()?),
    };
    Some((id, nonce, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_short_and_comes_back() {
        let first = FirstTap { until: u32::MAX, proof: u64::MAX >> 8 };
        for step in
            [TapStep::First(7), TapStep::Sure(99, first), TapStep::Back, TapStep::Worded(99), TapStep::Guide]
        {
            let text = handle(i64::MAX, "abcdefghijklmnop", step);
            assert!(text.len() <= 64, "{text}");
            assert_eq!(read_handle(&text), Some((i64::MAX, "abcdefghijklmnop", step)));
        }
        for bad in [
            "",
            "1",
            "1.n",
            "x.n.1",
            "1.n.",
            "1.n.sx",
            "1.n.s1",
            "1.n.s1.5",
            "1.n.s1.x.5",
            "1.n.-1",
            "1.n.w",
            "1.n.ww1",
            "1.n.gg",
        ] {
            assert_eq!(read_handle(bad), None, "{bad}");
        }
    }
}
