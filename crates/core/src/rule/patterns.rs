//! Patterns in the words of a command, and what they may match: those that the shell expands, and those that programs
//! expand.

use super::programs::has;
use super::{tools, usual};

/// Returns whether programs such as `git` read a word as a pattern for names. What is in a file has other names.
pub(super) fn is_pattern(word: &str) -> bool {
    word.split("::").next().is_some_and(|name| name.contains(['*', '?', '[']))
}

/// Returns whether a word that is not text matches no name that needs a person: it is not a pattern, or is one for
/// source code or for names that are only listed or excluded.
pub(super) fn stay(words: &[String], word: &str) -> bool {
    let (option, name) = word.split_once('=').unwrap_or(("", word));
    !is_pattern(name)
        || usual::lists(words)
        || has("--exclude --exclude-dir", option)
        || usual::takes_text(words, option)
        || tools::is_for_source(name)
        || (prints(words) && names_file(name))
}

fn prints(words: &[String]) -> bool {
    words.first().is_some_and(|program| has("cat head tail", program))
}

/// Returns whether the stars of a path match only parts of the names of folders, and its last part names a file of code.
/// A whole name could be that of a folder with secrets.
fn names_file(word: &str) -> bool {
    let Some((folders, name)) = word.rsplit_once('/') else { return false };
    let is_part = |rest: &str| rest.starts_with(['-', '_']) && !is_pattern(rest);
    let mut parts = folders.split('/');
    !is_pattern(name)
        && (tools::is_file(name) || name.rsplit_once('.').is_some_and(|(_, end)| end == "sql"))
        && parts.all(|part| !is_pattern(part) || part.strip_prefix('*').is_some_and(is_part))
}

/// Returns whether a star in a word matches only names that may be read. No shell lets it match a hidden name. It may
/// match `secrets.py`: a search prints only the matching lines of source code, other commands print it whole.
pub(super) fn stars_stay(words: &[String], word: &str) -> bool {
    let Some(program) = words.first() else { return false };
    if program == "grep"
        && let Some(names) = word.strip_prefix("--include=")
    {
        return tools::is_for_source(names);
    }
    // A name could begin with a dash.
    let is_anchored = word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./*".contains(c));
    let searches = has("git grep rg", program);
    let is_code = (searches && tools::is_for_source(word)) || (prints(words) && names_file(word));
    is_anchored && is_plain && (usual::lists(words) || is_code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_star_stands_for_names_that_are_only_listed_or_are_source_code() {
        for text in [
            "wc src/*.rs",
            "grep src/*.rs",
            "ls data/*",
            "du ./data/*",
            "grep --include=*.go",
            "rg test_*.py",
            "cat migrations/*_tags/up.sql",
        ] {
            let words = words(text);
            assert!(stars_stay(&words, &words[1]), "{text}");
        }
        for text in [
            "cat *.rs",
            "cat */mod.rs",
            "cat */.env",
            "cat s*/a.sql",
            "cat a/*_b/*.sql",
            "cat a/*_b/*",
            "cat a/*_b/values.yaml",
            "cat *_b/a.sql",
            "cat src/*.rs",
            "head test_*.py",
            "grep config/*",
            "cat config/*",
            "cat *",
            "ls *",
            "ls -*",
            "cat data/*.json",
            "grep --include=*",
            "ls /*",
            "ls a*;b",
        ] {
            let words = words(text);
            assert!(!stars_stay(&words, &words[1]), "{text}");
        }
    }
}
