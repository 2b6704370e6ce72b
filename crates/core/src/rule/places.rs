//! Where a command works, and what it names from there.

use super::matching::is_guarded;
use super::shell::is_operand;
use super::{CommandPattern, files, glob, programs, tools};

/// Returns whether a command may work in a folder, or by a file, that it names first, under a rule for the folder above.
pub(super) fn may_work_by(pattern: &CommandPattern, place: &str, words: &[String]) -> bool {
    let place = from_folder(pattern, place);
    let name = place.rsplit('/').next().unwrap_or_default();
    let is_open = if programs::works_by_file(words) {
        // What it says is run: a file whose changes are asked.
        files::steers(name) && !is_guarded(&place, "", false)
    } else {
        !is_guarded(&place, "", true)
    };
    let is_below = pattern.cwd.as_deref().is_some_and(|cwd| cwd.ends_with("/**"));
    is_below && is_open && is_operand(&place, false)
}

/// Returns a word as it would be said from the folder that a rule is for, if it is a path into that.
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

/// Returns where a shell is that began in a folder and went to some others; none where that cannot be told.
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

/// Returns whether a word is a place within a file, as the command that it is for says it: `HEAD~2:src/a.rs`, `a_spec.rb:12`.
pub(super) fn is_in_file(named: &[String], word: &str) -> bool {
    let Some((before, after)) = word.split_once(':') else { return false };
    let is_revision = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "_-./~^".contains(c));
    match named {
        [git, verb] if git == "git" && matches!(verb.as_str(), "diff" | "show") => {
            is_operand(before, true) && is_revision(before) && is_operand(after, true)
        }
        [.., tool] if programs::has("rspec test", programs::local(tool)) => {
            let is_number = !after.is_empty() && after.bytes().all(|byte| byte.is_ascii_digit());
            is_operand(before, false) && tools::is_file(before) && is_number
        }
        _ => false,
    }
}
