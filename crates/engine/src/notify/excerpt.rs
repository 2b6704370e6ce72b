//! Text from elsewhere, as it may be shown and logged.

/// Returns the start of a text from elsewhere, on one line and unable to act.
pub(super) fn excerpt(text: &str, most: usize) -> String {
    holdpoint_core::text::inert_line(text).chars().take(most).collect()
}
