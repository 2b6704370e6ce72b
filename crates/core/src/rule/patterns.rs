//! What patterns in the words of a command may stand for: those that the shell reads, and those that programs read themselves.

use super::programs::has;
use super::{tools, usual};

/// Returns whether a word is a pattern to programs that read names so, `git` among them. What is in a file has other names.
pub(super) fn is_pattern(word: &str) -> bool {
    word.split("::").next().is_some_and(|name| name.contains(['*', '?', '[']))
}

/// Returns whether a word that is no text stands for no name that is asked about: it is no pattern, or one for names that are
/// only listed or left out, or of source code.
pub(super) fn stay(words: &[String], word: &str) -> bool {
    let (option, name) = word.split_once('=').unwrap_or(("", word));
    !is_pattern(name)
        || usual::lists(words)
        || has("--exclude --exclude-dir", option)
        || usual::takes_text(words, option)
        || tools::is_for_source(name)
}

/// Returns whether a star in a word stands only for names that may be looked at. No shell takes a hidden one for it. Any may
/// stand for `secrets.py`: what is searched in source code prints the lines that are searched for, others print it whole.
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
    is_anchored && is_plain && (usual::lists(words) || (searches && tools::is_for_source(word)))
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
        ] {
            let words = words(text);
            assert!(stars_stay(&words, &words[1]), "{text}");
        }
        for text in [
            "cat *.rs",
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
