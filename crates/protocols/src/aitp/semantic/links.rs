//! Addresses that someone else will open.

use holdpoint_core::text::quote;

use crate::aitp::document::At;
use crate::aitp::finding::{Findings, Path};

/// Says so where an address is not one that is safe to open.
pub(super) fn check(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(text) = at.text_of(key)
        && !is_https(&text)
    {
        let message = format!("{} must be a whole https address", quote(&text));
        found.semantic(&path.member(key), message);
    }
}

fn is_https(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("https")
        && !host.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || c == '\\' || holdpoint_core::text::is_active(c))
}
