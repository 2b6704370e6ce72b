//! Patterns with `*` and `**`. A star matches as little as is still useful: a pattern that should match more has to
//! name
//! more.

use std::fmt;

use crate::text::{inert, is_active};

/// What the stars of a pattern may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WildcardScope {
    /// In a word of a command: `*` matches anything without a slash, `**` anything. No star matches a leading `-`, or a
    /// name that begins with a dot.
    Word,
    /// In an absolute path: `*` matches within a component, `**` over components; neither matches one that begins with
    /// a dot.
    Path,
    /// In prose: any star matches anything.
    Prose,
    /// In any other text: `*` matches letters, digits, `.`, `_` and `-`, so that it stays within a host; `**` anything
    /// without spaces.
    Text,
}

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGlob(&'static str);

impl fmt::Display for BadGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The pattern that matches any text, for use beside narrower ones.
pub(super) const ANY: &str = "**";

/// The length of the longest pattern or text that is compared.
const LONGEST: usize = 4 << 10;
/// The most stars in a pattern.
const MOST_STARS: usize = 16;

/// Refuses a pattern that is empty, or that asks more of its stars than they can match.
///
/// # Errors
/// If the pattern is invalid, with what would be right.
pub fn check(pattern: &str, stars: WildcardScope) -> Result<(), BadGlob> {
    if pattern.len() > LONGEST {
        return Err(BadGlob("is too long; at most 4096 bytes are allowed"));
    }
    if pattern.matches('*').count() > MOST_STARS {
        return Err(BadGlob("has too many stars; at most 16 are allowed"));
    }
    if pattern.contains("***") {
        return Err(BadGlob("has three stars in a row; use * or **"));
    }
    let bare: String = pattern.chars().filter(|c| *c != '*' && *c != '/').collect();
    if bare.is_empty() {
        return Err(BadGlob("matches everything; name at least a part of it"));
    }
    if pattern.chars().any(is_active) {
        return Err(BadGlob("has a control character, or one that is not seen or turns the text around"));
    }
    if stars == WildcardScope::Path && !is_normal(pattern) {
        return Err(BadGlob("must be an absolute path without .., ~, $ or //"));
    }
    Ok(())
}

/// Returns whether a path is absolute and normal, and reads the way it is shown.
pub fn is_normal(path: &str) -> bool {
    path.starts_with('/')
        && !path.contains(['~', '$', '\\', '\0'])
        && path[1..].split('/').all(|part| !matches!(part, "" | "." | ".."))
        // Also selectors of how the letter before them is drawn, which no letter of a path needs.
        && inert(path) == path
}

/// Returns whether a text has a part for the parent folder, also percent-encoded.
pub fn leads_out(text: &str) -> bool {
    let text = text.to_ascii_lowercase().replace("%2e", ".").replace("%2f", "/").replace("%5c", "\\");
    text.split(['/', '\\']).any(|part| part == "..")
}

/// Returns whether a pattern matches a text.
pub fn matches(pattern: &str, text: &str, stars: WildcardScope) -> bool {
    if pattern.len() > LONGEST || (text.len() > LONGEST && stars != WildcardScope::Prose) {
        return false;
    }
    if stars == WildcardScope::Path && !is_normal(text) {
        return false;
    }
    if stars == WildcardScope::Word && pattern.starts_with('*') && text.starts_with('-') {
        return false;
    }
    // A path that leads out of the folder of a pattern does not match.
    if stars != WildcardScope::Prose && pattern.contains('*') && leads_out(text) {
        return false;
    }
    let literal = pattern.split('*').next().unwrap_or_default();
    if !text.starts_with(literal) {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    // The prefixes of the pattern that match the text so far: one pass over the text, no backtracking.
    let mut places = vec![0];
    close(&pattern, &mut places);
    let mut before = '/';
    for c in text.chars() {
        let mut next = Vec::with_capacity(places.len() + 1);
        for place in places {
            match pattern.get(place) {
                Some('*') if may_stand_for(stars, is_double(&pattern, place), before, c) => next.push(place),
                Some(expected) if *expected == c && c != '*' => next.push(place + 1),
                _ => {}
            }
        }
        next.dedup();
        close(&pattern, &mut next);
        if next.is_empty() {
            return false;
        }
        places = next;
        before = c;
    }
    places.contains(&pattern.len())
}

/// Adds what follows a star to the places that are reached, since a star may match nothing.
fn close(pattern: &[char], places: &mut Vec<usize>) {
    let mut at = 0;
    while let Some(place) = places.get(at).copied() {
        if pattern.get(place) == Some(&'*') {
            let after = place + 1 + usize::from(is_double(pattern, place));
            if !places.contains(&after) {
                places.push(after);
            }
        }
        at += 1;
    }
    places.sort_unstable();
}

/// Returns whether a star is the first of a `**`.
fn is_double(pattern: &[char], place: usize) -> bool {
    pattern.get(place + 1) == Some(&'*')
}

fn may_stand_for(stars: WildcardScope, double: bool, before: char, c: char) -> bool {
    match stars {
        WildcardScope::Word | WildcardScope::Path => (double || c != '/') && !(before == '/' && c == '.'),
        WildcardScope::Prose => true,
        WildcardScope::Text if double => !c.is_whitespace() && !c.is_control(),
        WildcardScope::Text => c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_no_more_than_they_say() {
        use WildcardScope::{Path, Prose, Text, Word};
        let table = [
            ("src/*.rs", "src/a.rs", Word, true),
            ("src/*.rs", "src/a/b.rs", Word, false),
            ("src/**", "src/a/b.rs", Word, true),
            ("*", "-rf", Word, false),
            ("**", "--output=/etc/passwd", Word, false),
            ("--jobs=*", "--jobs=4", Word, true),
            ("src/**", "src/../../etc/passwd", Word, false),
            ("src/*", "src/..", Word, false),
            ("src/*", "src/.env", Word, false),
            ("https://raw.example/acme/**", "https://raw.example/acme/../evil/x", Text, false),
            ("https://raw.example/acme/**", "https://raw.example/acme/%2E%2e/evil/x", Text, false),
            ("/srv/app/**", "/srv/app/src/a.rs", Path, true),
            ("/srv/app/**", "/srv/app/.git/hooks/x", Path, false),
            ("/srv/app/**", "/srv/app/src/.env", Path, false),
            ("/srv/app/*", "/srv/app/.env", Path, false),
            ("/srv/app/.github/*", "/srv/app/.github/ci.yml", Path, true),
            ("/srv/app/*", "/srv/app/a/b", Path, false),
            ("/srv/app/**", "/srv/app/../../etc/passwd", Path, false),
            ("/srv/app/**", "/srv/app//x", Path, false),
            ("/srv/app/**", "/srv/app/./x", Path, false),
            ("/srv/app/**", "/srv/app2/x", Path, false),
            ("/srv/app/**", "/srv/app/a\u{200b}.rs", Path, false),
            ("/srv/app/**", "/srv/app/\u{202e}sr.a", Path, false),
            ("/srv/app/**", "srv/app/x", Path, false),
            ("/srv/*/x", "/srv/app/x", Path, true),
            ("https://*.example.com/**", "https://a.example.com/x?y=1", Text, true),
            ("https://*.example.com/**", "https://evil.com/.example.com/x", Text, false),
            ("https://*.example.com/**", "https://evil.com?.example.com/x", Text, false),
            ("https://*.example.com/**", "https://a@evil.com#.example.com/x", Text, false),
            ("https://docs.rs/**", "https://docs.rs/a b", Text, false),
            ("*drop *", "Please drop a.b/../c now", Prose, true),
            ("Deploy*", "Do not Deploy", Prose, false),
            ("a*b*c", "aXbYc", Text, true),
            ("a*b*c", "aXbY", Text, false),
            ("", "", Text, true),
        ];
        for (pattern, text, stars, expected) in table {
            assert_eq!(matches(pattern, text, stars), expected, "{pattern} on {text}");
        }
    }

    #[test]
    fn a_pattern_for_everything_is_refused() {
        let many = "a*".repeat(17);
        for pattern in ["", "*", "**", "/**", "/*/**", "***", "a***", many.as_str()] {
            assert!(check(pattern, WildcardScope::Word).is_err(), "{pattern}");
        }
        for pattern in [
            "src/**",
            "/srv/../x",
            "/srv//x",
            "~/x",
            "/srv/$X",
            "/srv/a\u{200b}pp/**",
            "/srv/\u{202e}ppa/**",
            "/srv/app\u{ad}",
        ] {
            assert!(check(pattern, WildcardScope::Path).is_err(), "{pattern}");
        }
        check("/srv/app/**", WildcardScope::Path).unwrap();
        check("https://docs.rs/**", WildcardScope::Text).unwrap();
    }

    #[test]
    fn a_star_in_the_text_is_a_letter_like_any_other() {
        assert!(matches("a*b", "a-b", WildcardScope::Text) && !matches("a*b", "a*b", WildcardScope::Text));
        assert!(matches("a**b", "a*b", WildcardScope::Text) && matches("a*", "a", WildcardScope::Text));
    }
}
