//! Addresses that a person may open.

use holdpoint_core::text::quote;

use crate::aitp::document::ValueRef;
use crate::aitp::finding::{Findings, Path};

/// Reports an address under a name that is not safe to open.
pub(super) fn check(at: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(address) = at.get(key) {
        check_at(address, key, path, found);
    }
}

/// Reports an address that is not safe to open.
pub(super) fn check_at(address: ValueRef<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(text) = address.text()
        && !is_https(&text)
    {
        found.semantic(&path.member(key), format!("{} must be a full https address", quote(&text)));
    }
}

fn is_https(text: &str) -> bool {
    // Nearly all are written like this, so no search is needed.
    let split = text.strip_prefix("https://").map(|rest| ("https", rest)).or_else(|| text.split_once("://"));
    let Some((scheme, rest)) = split else { return false };
    let named = rest.bytes().next().is_some_and(|byte| !matches!(byte, b'/' | b'?' | b'#'));
    // Most addresses are plain ASCII, and need no closer check. Counting to the end is faster than stopping early.
    let other = |byte: &u8| !byte.is_ascii_graphic() || *byte == b'\\';
    let plain = text.bytes().filter(other).count() == 0;
    let acts = |c: char| c.is_whitespace() || c == '\\' || holdpoint_core::text::is_active(c);
    scheme.eq_ignore_ascii_case("https") && named && (plain || !text.contains(acts))
}
