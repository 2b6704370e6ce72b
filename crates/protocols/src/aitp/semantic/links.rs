//! Addresses that someone else will open.

use holdpoint_core::text::quote;

use crate::aitp::document::At;
use crate::aitp::finding::{Findings, Path};

/// Says so where an address under a name is not one that is safe to open.
pub(super) fn check(at: At<'_>, key: &str, path: &Path<'_>, found: &mut Findings) {
    if let Some(address) = at.get(key) {
        check_at(address, &path.member(key), found);
    }
}

/// Says so where an address is not one that is safe to open.
pub(super) fn check_at(address: At<'_>, path: &Path<'_>, found: &mut Findings) {
    if let Some(text) = address.text()
        && !is_https(&text)
    {
        found.semantic(path, format!("{} must be a whole https address", quote(&text)));
    }
}

fn is_https(text: &str) -> bool {
    // As nearly all of them are written, it need not be looked for.
    let split = text.strip_prefix("https://").map(|rest| ("https", rest)).or_else(|| text.split_once("://"));
    let Some((scheme, rest)) = split else { return false };
    let host = rest.bytes().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#')).count();
    // Most addresses are plain letters, which need no closer look.
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    let acts = |c: char| c.is_whitespace() || c == '\\' || holdpoint_core::text::is_active(c);
    scheme.eq_ignore_ascii_case("https") && host > 0 && (text.bytes().all(plain) || !text.contains(acts))
}
