//! Paths relative to a folder.

use super::operand::is_operand;
use super::{CommandPattern, glob};

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
