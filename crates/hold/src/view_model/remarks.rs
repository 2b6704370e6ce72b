//! Remarks on a decision from programs named in the settings: their text, never Holdpoint's.

use holdpoint_core::Decision;
use holdpoint_core::decision::Remark;
use holdpoint_core::text::inert_line;

/// The note beside every remark.
pub(crate) const UNCHECKED: &str = "a program in the settings, not checked";

/// Returns the source and text of each remark, one line each.
pub(crate) fn lines(decision: &Decision) -> impl Iterator<Item = (String, String)> {
    decision.remarks.iter().map(|Remark { by, text, .. }| (inert_line(by), inert_line(text)))
}
