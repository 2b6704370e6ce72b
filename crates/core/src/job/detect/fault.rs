//! Errors on a screen.

use super::patterns::{Patterns, bare};
use super::signal::{ErrorKind, ScreenText};

/// How far from the bottom an error still counts: anything that has scrolled up is over.
const DEPTH: usize = 12;

/// Returns the error at the bottom of a screen, and its line.
pub fn find_error(screen: &ScreenText, patterns: &Patterns) -> Option<(ErrorKind, String)> {
    within(DEPTH, screen, patterns)
}

/// Returns the error in the last line of a screen, and that line.
pub(super) fn find_last_error(screen: &ScreenText, patterns: &Patterns) -> Option<(ErrorKind, String)> {
    within(1, screen, patterns)
}

/// The lines around a line of a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineContext {
    above: Option<String>,
    below: Vec<String>,
}

impl LineContext {
    /// Returns what stands around the lowest line that says something.
    pub(super) fn of(text: &str, screen: &ScreenText) -> Option<Self> {
        let rows: Vec<&str> = screen.rows.iter().map(|row| bare(row)).filter(|row| !row.is_empty()).collect();
        let at = rows.iter().rposition(|row| *row == text)?;
        let above = at.checked_sub(1).map(|above| rows[above].to_owned());
        Some(Self { above, below: rows[at + 1..].iter().map(|&row| row.to_owned()).collect() })
    }

    /// Returns whether this is the same place as before, with something else below it since. The line above may have
    /// scrolled away.
    pub(super) fn is_left_behind(&self, before: &Self) -> bool {
        (self.above.is_none() || self.above == before.above) && self.below != before.below
    }
}

fn within(depth: usize, screen: &ScreenText, patterns: &Patterns) -> Option<(ErrorKind, String)> {
    let mut rows = screen.rows.iter().rev().filter(|row| !bare(row).is_empty()).take(depth);
    // The lowest line counts, because it is the newest.
    rows.find_map(|row| {
        let (kind, _) = patterns.errors.iter().find(|(_, pattern)| pattern.matches(row))?;
        Some((*kind, bare(row).to_owned()))
    })
}
