//! Who asks, as text: the checked name first, followed by what it calls itself.

use std::fmt;

use super::Decision;
use crate::JobKind;
use crate::text::quote;

/// The prefix of the names under which Holdpoint itself acts; no credential has such a name.
const SYSTEM: &str = "system:";

/// Who asked a decision, as it is shown to people. Inert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker<'a> {
    /// The credential's name.
    pub checked: Option<&'a str>,
    /// The name that the request gave.
    pub claimed: Option<&'a str>,
}

impl Decision {
    /// Returns who asks, or none if no name is known.
    pub fn asker(&self) -> Option<Asker<'_>> {
        let (checked, claimed) = (self.asked_by.as_deref(), self.requested_by.as_deref());
        (checked.is_some() || claimed.is_some()).then_some(Asker { checked, claimed })
    }

    /// Returns the warning to show if the agent runs under the server's own account.
    pub fn account_warning(&self) -> Option<&'static str> {
        self.same_account.then_some(
            "This agent runs as the server's user and could answer for you. Set `as` under `[jobs]` to separate them.",
        )
    }
}

impl Asker<'_> {
    /// Returns the text for a narrow place: the checked name, or else the unchecked one in quotes.
    pub fn brief(&self) -> String {
        match (self.checked, self.claimed) {
            (None, Some(claimed)) => quote(claimed),
            (Some(checked), Some(_)) if !checked.starts_with(SYSTEM) => plain(checked),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for Asker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.checked, self.claimed) {
            // Holdpoint itself started it, so the claimed name is right.
            (Some(checked), Some(claimed)) if checked.starts_with(SYSTEM) => f.write_str(&plain(claimed)),
            // A job that asks in its own name.
            (Some(checked), Some(claimed))
                if JobKind::acting_as(claimed).is_some_and(|job| job.to_string() == checked) =>
            {
                f.write_str(&plain(claimed))
            }
            (Some(checked), Some(claimed)) if claimed != checked => {
                write!(f, "{}, as {}", plain(checked), plain(claimed))
            }
            (Some(checked), _) => f.write_str(&plain(checked)),
            (None, Some(claimed)) => write!(f, "{} (unverified)", plain(claimed)),
            (None, None) => f.write_str("someone"),
        }
    }
}

/// Quotes a name with spaces or unusual characters, so that it cannot read as more than a name.
fn plain(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_.:/@#+".contains(c);
    if name.chars().all(plain) && name.chars().count() <= 60 { name.to_owned() } else { quote(name) }
}
