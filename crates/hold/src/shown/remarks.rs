//! What programs of the settings remark on a decision: their words, never Holdpoint's.

use holdpoint_core::Decision;
use holdpoint_core::decision::Remark;
use holdpoint_core::text::inert_line;

/// What is said beside every remark.
pub(crate) const UNCHECKED: &str = "a program in the settings, not checked";

/// Returns who remarks and what, in a line each.
pub(crate) fn lines(decision: &Decision) -> impl Iterator<Item = (String, String)> {
    decision.remarks.iter().map(|Remark { by, text, .. }| (inert_line(by), inert_line(text)))
}
