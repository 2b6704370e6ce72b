//! Who asks, in words: the name that was checked first, what it calls itself after it.

use std::fmt;

use super::Decision;
use crate::text::quote;

/// Begins the names under which Holdpoint itself acts; no credential has such a name.
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
    /// Returns who asks, or nothing where no name is known.
    pub fn asker(&self) -> Option<Asker<'_>> {
        let (checked, claimed) = (self.asked_by.as_deref(), self.requested_by.as_deref());
        (checked.is_some() || claimed.is_some()).then_some(Asker { checked, claimed })
    }

    /// Returns what a person has to know of the account that the agent runs under.
    pub fn account_warning(&self) -> Option<&'static str> {
        self.same_account.then_some(
            "This agent runs under the server's own account. If it goes looking for the server's keys, it can answer in a \
             person's place. The setting [jobs] as gives agents an account of their own.",
        )
    }
}

impl Asker<'_> {
    /// Returns the words for a narrow place: the name that was checked, or else the one that nobody checked, in quotes.
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
            // Holdpoint itself started it, and knows which one it is.
            (Some(checked), Some(claimed)) if checked.starts_with(SYSTEM) => f.write_str(&plain(claimed)),
            (Some(checked), Some(claimed)) if claimed != checked => {
                write!(f, "{}, as {}", plain(checked), plain(claimed))
            }
            (Some(checked), _) => f.write_str(&plain(checked)),
            (None, Some(claimed)) => write!(f, "{} (unchecked name)", plain(claimed)),
            (None, None) => f.write_str("someone"),
        }
    }
}

/// A name must not read as more than a name: one with spaces or signs in it stands in quotes.
fn plain(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_.:/@#+".contains(c);
    if name.chars().all(plain) && name.chars().count() <= 60 { name.to_owned() } else { quote(name) }
}
