//! The folder or file that a command says it works in, and places within files that it names.

use super::folder::from_folder;
use super::guarded::is_guarded;
use super::operand::is_operand;
use super::{CommandPattern, deployed, files, programs, tools, usual};

/// Returns whether a command may first name a folder or file to work by, under a rule for the folder above.
pub(super) fn may_work_by(pattern: &CommandPattern, place: &str, words: &[String]) -> bool {
    let place = from_folder(pattern, place);
    let name = place.rsplit('/').next().unwrap_or_default();
    let looks = usual::looks_by(words).is_some();
    let is_open = if programs::works_by_file(words) {
        looks && files::steers(name) && !is_guarded(&place, "", false) && !deployed::names_environment(&place)
    } else {
        !is_guarded(&place, "", true) && (looks || is_git(words) || !deployed::names_environment(&place))
    };
    let is_below = pattern.cwd.as_deref().is_some_and(|cwd| cwd.ends_with("/**"));
    is_below && is_open && is_operand(&place, false)
}

/// Returns whether a command is about a repository, which may hold deployed things without deploying them.
pub(super) fn is_git(words: &[String]) -> bool {
    words.first().is_some_and(|program| program == "git")
}

/// The extensions of the project files of `dotnet`.
const PROJECT_FILES: [&str; 4] = [".csproj", ".fsproj", ".vbproj", ".vcxproj"];

/// Returns whether a word is the project file that a command is about, which is read and not changed.
pub(super) fn is_project(words: &[String], word: &str) -> bool {
    words.first().is_some_and(|program| program == "dotnet")
        && PROJECT_FILES.iter().any(|end| word.ends_with(end))
}

/// Returns whether a word is a place within a file, in the notation of its command: `HEAD~2:src/a.rs`, `a_spec.rb:12`.
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
