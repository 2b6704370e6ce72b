//! Searches that read all of a folder.

use super::programs::has;
use super::tools;

/// Returns whether a command reads everything in a folder, hidden files included, or follows links out of it.
pub(super) fn reads_all(words: &[String]) -> bool {
    let Some(program) =
        words.first().filter(|program| matches!(program.as_str(), "diff" | "git" | "grep" | "rg"))
    else {
        return false;
    };
    let has_letter = |letter: char| {
        let mut options = words[1..].iter().filter_map(|word| word.strip_prefix('-'));
        options.any(|option| !option.starts_with('-') && option.contains(letter))
    };
    let has_long = |names: &str| words.iter().any(|word| has(names, word));
    // Folders would be compared whole.
    let names_files =
        |from: usize| words[from..].iter().all(|word| word.starts_with('-') || tools::is_any_file(word));
    if program == "git" {
        return has_long("--no-index") && !names_files(2);
    }
    if program != "rg" && (has_letter('R') || has_long("--dereference-recursive")) {
        return true;
    }
    match program.as_str() {
        "diff" => has_letter('r') || has_letter('N') || has_long("--recursive --new-file") || !names_files(1),
        // Naming a file to search overrides that hidden and ignored files are skipped.
        "rg" => {
            let narrows = |glob: &String| glob.starts_with('!') || tools::is_for_source(glob);
            let globs = words.iter().zip(words.iter().skip(1));
            let takes_glob = |option: &str| {
                option == "--glob"
                    || (option.starts_with('-') && !option.starts_with("--") && option.contains('g'))
            };
            globs.into_iter().any(|(option, glob)| takes_glob(option) && !narrows(glob))
        }
        // No hidden file matches `*.rs`, as long as every included pattern is like that.
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
            "git diff --no-index web api",
            "git diff --no-index --stat . src/a.rs",
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
            "git diff --no-index --stat a.json b.json",
            "git diff web",
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
