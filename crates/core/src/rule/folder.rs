//! Paths relative to a folder.

use super::operand::is_operand;
use super::{CommandPattern, files, glob};

/// Returns a word relative to the folder of the rule, if it is a path into that folder.
pub(super) fn from_folder(pattern: &CommandPattern, word: &str) -> String {
    let folder = pattern.cwd.as_deref().map(|cwd| cwd.strip_suffix("/**").unwrap_or(cwd));
    let folder =
        folder.filter(|folder| !folder.contains('*') && glob::is_normal(folder) && glob::is_normal(word));
    match folder.and_then(|folder| word.strip_prefix(folder)) {
        Some("") => ".".to_owned(),
        Some(rest) if rest.starts_with('/') => rest[1..].to_owned(),
        _ => word.to_owned(),
    }
}

/// Returns the folder that a shell is in after it began in one and changed to others; none if that is unknown.
pub(super) fn gone_to(folder: Option<&str>, folders: &[String]) -> Option<String> {
    folders.iter().fold(folder.map(str::to_owned), |at, next| match at {
        _ if next.starts_with('/') => Some(next.trim_end_matches('/').to_owned()),
        Some(at) if is_operand(next, false) => {
            let next = next.trim_start_matches("./").trim_end_matches('/');
            Some(if matches!(next, "" | ".") { at } else { format!("{at}/{next}") })
        }
        _ => None,
    })
}

/// Returns whether a path lies near what a pattern names: below it, or below the folder that it is in. Folders of the
/// system, or of many people, bring nothing together.
pub(super) fn is_near(pattern: &str, path: &str) -> bool {
    let named = pattern.split('*').next().unwrap_or_default().trim_end_matches('/');
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') || rest.is_empty());
    let beside = named.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| !files::is_system(folder));
    !named.is_empty() && (is_below(named) || beside.is_some_and(is_below))
}

/// Returns how near a rule for a pattern is to a path that it does not match.
pub(super) fn nearness(pattern: &str, path: &str) -> u8 {
    if is_near(pattern, path) { 4 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::is_near;

    #[test]
    fn paths_of_the_same_project_are_near() {
        for path in ["/srv/app/src", "/srv/app/src/a.rs", "/srv/app/Cargo.toml", "/srv/app"] {
            assert!(is_near("/srv/app/src/**", path), "{path}");
        }
        for path in ["/srv/other/a.rs", "/srv/application/a.rs", "/etc/passwd"] {
            assert!(!is_near("/srv/app/src/**", path), "{path}");
        }
        assert!(is_near("/srv/app/**", "/srv/app/.github/a.yml") && !is_near("/srv/app/**", "/srv/web/a.rs"));
    }
}
