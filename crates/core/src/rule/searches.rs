//! Searches that would read all of a folder.

use super::programs::has;
use super::tools;

/// Returns whether a command reads whatever lies in a folder, hidden files too, or follows links out of it.
pub(super) fn reads_all(words: &[String]) -> bool {
    let Some(program) = words.first().filter(|program| matches!(program.as_str(), "diff" | "grep" | "rg"))
    else {
        return false;
    };
    let has_letter = |letter: char| {
        let mut options = words[1..].iter().filter_map(|word| word.strip_prefix('-'));
        options.any(|option| !option.starts_with('-') && option.contains(letter))
    };
    let has_long = |names: &str| words.iter().any(|word| has(names, word));
    if program != "rg" && (has_letter('R') || has_long("--dereference-recursive")) {
        return true;
    }
    match program.as_str() {
        // Without an option too it compares all that lies in two folders, if that is what it is given.
        "diff" => {
            has_letter('r')
                || has_letter('N')
                || has_long("--recursive --new-file")
                || !words[1..]
                    .iter()
                    .filter(|word| !word.starts_with('-'))
                    .all(|word| tools::is_any_file(word))
        }
        // A name that is to be searched undoes that hidden and ignored files are not.
        "rg" => {
            let narrows = |glob: &String| glob.starts_with('!') || tools::is_for_source(glob);
            let globs = words.iter().zip(words.iter().skip(1));
            let takes_glob = |option: &str| {
                option == "--glob"
                    || (option.starts_with('-') && !option.starts_with("--") && option.contains('g'))
            };
            globs.into_iter().any(|(option, glob)| takes_glob(option) && !narrows(glob))
        }
        // No hidden file is called `*.rs`, as long as every name that is searched is like that.
        _ => {
            let mut included = words.iter().filter_map(|word| word.strip_prefix("--include=")).peekable();
            let is_narrowed = included.peek().is_some() && included.all(tools::is_for_source);
            (has_letter('r') || has_long("--recursive")) && !is_narrowed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_search_through_a_folder_reads_hidden_files() {
        for text in [
            "grep -r x",
            "grep -rn x .",
            "grep -rn x src",
            "grep -R x --include=*.rs src",
            "grep --recursive x",
            "grep -rn --include=* x src",
            "grep -rn --include=*.go --include=* x .",
            "grep -rn --include=*.?nv x .",
            "grep -rn --include=*.[!g]* x .",
            "grep -rn --include=*.local x .",
            "diff -rN . src",
            "diff -r a b",
            "diff -N src .",
            "diff -N a.rs b.rs",
            "diff web api",
            "rg -g * x",
            "rg -ig *.k?y x",
            "rg -g *.rs -g * x",
        ] {
            assert!(reads_all(&words(text)), "{text}");
        }
        for text in [
            "grep -rn --include=*.rs x src",
            "grep -rn --include=*.rs --include=*.md x src",
            "grep x a.rs",
            "diff a.rs b.rs",
            "ls -R",
            "rg x",
            "rg -r y x",
            "rg -g *.rs x",
            "rg -g !*.md x",
        ] {
            assert!(!reads_all(&words(text)), "{text}");
        }
    }
}
