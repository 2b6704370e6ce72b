//! Names that need a person even where a pattern covers them, unless the pattern names them.

use std::fmt;

use super::files;

/// Why a name needs a person although a pattern covers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardReason {
    /// It is hidden.
    Hidden,
    /// It looks like a secret.
    Secret,
    /// It is to be changed and steers programs.
    Steering,
    /// It is a pattern that could match one of those.
    Pattern,
}

impl fmt::Display for GuardReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hidden => "hidden files need a person unless named",
            Self::Secret => "likely secrets need a person unless named",
            Self::Steering => "changes to files that control programs need a person unless named",
            Self::Pattern => "patterns that could match hidden files or secrets need a person",
        })
    }
}

/// What a person is told where a text may lead to a file, an address or a secret.
pub(super) const TELLS: &str = "what may be a file, a URL or a secret needs a person";

/// Returns why a word needs a person: it names a hidden file, one that looks like a secret, or one that steers programs
/// and is to be changed, without being named by the pattern.
pub(super) fn guard(word: &str, pattern: &str, changes: bool) -> Option<GuardReason> {
    let is_named = |part: &str| {
        pattern.split(['/', ':']).any(|named| named == part) || (!changes && files::is_open(part))
    };
    if changes && files::is_hook(word) && !is_named("hooks") {
        return Some(GuardReason::Steering);
    }
    let folder = word.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_top =
        matches!(folder, "" | ".") || pattern.trim_end_matches('*').strip_suffix('/') == Some(folder);
    word.split(['/', ':']).filter(|part| !is_named(part)).find_map(|part| {
        // `./...` means all packages below.
        let is_hidden = part.starts_with('.') && part != "." && part != "...";
        let steers = || changes && files::steers(part) && (is_top || !files::steers_at_top(part));
        let is_secret = || files::looks_secret(part).then_some(GuardReason::Secret);
        is_hidden
            .then_some(GuardReason::Hidden)
            .or_else(is_secret)
            .or_else(|| steers().then_some(GuardReason::Steering))
    })
}

/// Returns whether a word needs a person.
pub(super) fn is_guarded(word: &str, pattern: &str, changes: bool) -> bool {
    guard(word, pattern, changes).is_some()
}
