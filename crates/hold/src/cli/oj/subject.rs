//! The subject of a verdict, as `oj` shows it before the verdict is given.

use holdpoint_core::Decision;

use crate::cli::run::diff::column;
use crate::view_model::change;

/// Formats a verdict's subject together with the change itself; none for other decisions.
pub(super) fn with_change(decision: &Decision, diff: Option<&str>) -> Option<String> {
    let words = change::describe(decision)?;
    Some(match diff {
        Some(diff) => {
            let heading = change::heading(decision, "").map(|heading| format!("{heading}\n"));
            format!("{words}\n\n{}{}", heading.unwrap_or_default(), column(diff))
        }
        None => words,
    })
}
