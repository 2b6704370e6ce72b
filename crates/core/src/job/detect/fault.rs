//! Errors on a screen.

use super::patterns::{Patterns, bare};
use super::signal::{ErrorKind, ScreenText};

/// How far from the bottom an error still counts: what scrolled up is past.
const DEPTH: usize = 12;

/// Returns the error that the bottom of a screen shows, and the line that says so.
pub fn find_error(screen: &ScreenText, patterns: &Patterns) -> Option<(ErrorKind, String)> {
    within(DEPTH, screen, patterns)
}

/// Returns the error that the last line of a screen is.
pub(super) fn find_last_error(screen: &ScreenText, patterns: &Patterns) -> Option<(ErrorKind, String)> {
    within(1, screen, patterns)
}

fn within(depth: usize, screen: &ScreenText, patterns: &Patterns) -> Option<(ErrorKind, String)> {
    let mut rows = screen.rows.iter().rev().filter(|row| !bare(row).is_empty()).take(depth);
    // The lowest line counts, as it is the newest.
    rows.find_map(|row| {
        let (kind, _) = patterns.errors.iter().find(|(_, pattern)| pattern.matches(row))?;
        Some((*kind, bare(row).to_owned()))
    })
}
