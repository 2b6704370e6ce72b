//! Commands that are known: those that only look, those that build and test, and with which options they still do only that.
//!
//! What is not listed here is not known, and a rule for it takes no other words than a person names.

use super::programs::{before_tool, begin, has};

/// The words that name a command, the letters of its short options, and its long ones.
type Usual = (&'static [&'static str], &'static str, &'static str);

/// What only looks, and the options with which it still does, whether they take a value or not.
const LOOKS: [Usual; 34] = [
    (&["basename"], "", ""),
    (&["cat"], "AbEnsTuv", ""),
    (&["diff"], "BNUbqruw", "--stat"),
    (&["dirname"], "", ""),
    (&["du"], "acdhs", ""),
    (&["file"], "b", ""),
    (&["gh", "issue", "list"], "LS", ""),
    (&["gh", "issue", "view"], "c", "--comments"),
    (&["gh", "pr", "checks"], "", ""),
    (&["gh", "pr", "diff"], "", "--name-only"),
    (&["gh", "pr", "list"], "L", ""),
    (&["gh", "pr", "view"], "c", "--comments"),
    (&["gh", "run", "list"], "L", ""),
    (&["gh", "run", "view"], "v", "--log --log-failed"),
    (&["git", "blame"], "Lwe", ""),
    (&["git", "describe"], "", "--all --always --long --tags"),
    (&["git", "diff"], "Ubpsw", "--cached --name-only --name-status --oneline --staged --stat --"),
    (&["git", "log"], "Unps", "--all --graph --name-only --name-status --oneline --stat --"),
    (&["git", "ls-files"], "cmo", "--cached --modified --others"),
    (&["git", "rev-parse"], "", "--abbrev-ref --short --show-toplevel --verify"),
    (&["git", "shortlog"], "nse", ""),
    (&["git", "show"], "Ups", "--name-only --name-status --oneline --stat --"),
    (&["git", "status"], "bsuv", "--branch --porcelain --short --"),
    (&["grep"], "ABCEFHILPRacehilmnoqrsvwxz", "--ignore-case --line-number --recursive --"),
    (&["head"], "cnqv", ""),
    (&["ls"], "1AFRSadghlnrt", ""),
    (&["pwd"], "LP", ""),
    (&["realpath"], "", ""),
    (&["rg"], "ABCFSUaceghilmnostvwx", "--files --ignore-case --line-number --"),
    (&["stat"], "", ""),
    (&["tail"], "cnqv", ""),
    (&["tree"], "LadI", ""),
    (&["wc"], "Lclmw", ""),
    (&["which"], "a", ""),
];
/// What builds, checks and tests what is there, and the options with which it does nothing else.
const BUILDS: [Usual; 22] = [
    (&["black"], "qv", "--check --diff"),
    (&["cargo", "build"], "pqv", CARGO),
    (&["cargo", "check"], "pqv", CARGO),
    (&["cargo", "clippy"], "ADWpqv", CARGO),
    (&["cargo", "doc"], "pqv", "--no-deps --workspace --locked --offline"),
    (&["cargo", "fmt"], "pqv", "--all --check --"),
    (&["cargo", "nextest", "run"], "Epqv", CARGO),
    (&["cargo", "test"], "pqv", CARGO),
    (&["eslint"], "", "--fix --quiet"),
    (&["go", "build"], "v", "-race"),
    (&["go", "test"], "v", "-bench -count -cover -failfast -race -run -short -timeout"),
    (&["go", "vet"], "v", ""),
    (&["gofmt"], "dl", ""),
    (&["jest"], "t", "--ci --coverage --silent --verbose"),
    (&["mypy"], "", "--strict"),
    (&["prettier"], "clw", "--check --write"),
    (&["pyright"], "", ""),
    (
        &["pytest"],
        "klmnqsvx",
        "--cov --exitfirst --failed-first --ff --last-failed --lf --no-header --quiet --verbose",
    ),
    (&["ruff", "check"], "qv", "--fix"),
    (&["ruff", "format"], "qv", "--check --diff"),
    (&["tsc"], "bp", "--build --noEmit --pretty --project"),
    (&["vitest"], "t", "--coverage --run"),
];
const CARGO: &str = "--all --all-features --all-targets --bins --doc --exact --frozen --ignored --lib --locked --no-default-features \
    --no-fail-fast --no-run --nocapture --offline --package --quiet --release --test --tests --workspace --";
/// Other commands that take the names of things, and do the same with each.
const TAKES_NAMES: [&[&str]; 6] =
    [&["git", "add"], &["mkdir"], &["npm", "test"], &["pnpm", "test"], &["touch"], &["yarn", "test"]];
/// Long options that change nothing, with whatever value stands after the `=`.
const WITH_VALUE: &str = "--color --cov --durations --exclude --exclude-dir --include --max-count --maxfail --since --tb \
    --test-threads -bench -count -run -timeout";

fn find(list: &'static [Usual], words: &[String]) -> Option<&'static Usual> {
    let words = &words[before_tool(words)..];
    list.iter().find(|(named, ..)| begin(words, named))
}

/// Returns how many words name a command that only looks.
pub(super) fn looks_by(words: &[String]) -> Option<usize> {
    find(&LOOKS, words).map(|(named, ..)| before_tool(words) + named.len())
}

/// Returns how many words name a command whose options are known.
pub(super) fn usual_by(words: &[String]) -> Option<usize> {
    let known = find(&LOOKS, words).or_else(|| find(&BUILDS, words));
    known.map(|(named, ..)| before_tool(words) + named.len())
}

/// Returns how many words name a command that does the same with other operands.
pub(super) fn takes_names(words: &[String]) -> Option<usize> {
    let before = before_tool(words);
    let names =
        TAKES_NAMES.iter().find(|named| begin(&words[before..], named)).map(|named| before + named.len());
    usual_by(words).or(names)
}

/// Returns whether a word is an option with which a known command does nothing else.
pub(super) fn is_usual(words: &[String], option: &str) -> bool {
    let Some((_, letters, long)) = find(&LOOKS, words).or_else(|| find(&BUILDS, words)) else { return false };
    if let Some((name, _)) = option.split_once('=') {
        return has(WITH_VALUE, name);
    }
    if has(long, option) {
        return true;
    }
    let given = option.trim_start_matches('-');
    let letters = |c: char| letters.contains(c) || c.is_ascii_digit();
    option.len() == given.len() + 1 && !given.is_empty() && given.chars().all(letters)
}

/// Returns whether a command reads whatever lies in the folder it runs in, hidden files too.
pub(super) fn reads_all(words: &[String]) -> bool {
    let Some(program) = words.first().filter(|program| matches!(program.as_str(), "diff" | "grep")) else {
        return false;
    };
    let is_recursive = |word: &&String| match word.strip_prefix('-') {
        Some(letters) if !letters.starts_with('-') => letters.contains(['r', 'R']),
        _ => matches!(word.as_str(), "--recursive" | "--dereference-recursive"),
    };
    let operands: Vec<&String> = words[1..].iter().filter(|word| !word.starts_with('-')).collect();
    let places = if program == "grep" { operands.get(1..).unwrap_or_default() } else { &operands };
    let is_here = |place: &&String| matches!(place.trim_end_matches('/'), "" | ".");
    words.iter().any(|word| is_recursive(&word)) && (places.is_empty() || places.iter().any(is_here))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_options_that_are_known_are_usual() {
        for (text, option) in [
            ("ls", "-la"),
            ("grep", "--include=*.rs"),
            ("git diff", "--stat"),
            ("head", "-50"),
            ("pytest", "-xq"),
            ("uv run pytest", "--tb=short"),
            ("go test", "-run"),
            ("go test", "-count=1"),
            ("cargo test", "--release"),
        ] {
            assert!(is_usual(&words(text), option), "{text} {option}");
        }
        for (text, option) in [
            ("ls", "-"),
            ("ls", "--la"),
            ("rg", "--pre=sh"),
            ("git diff", "--output=x"),
            ("git diff", "--ext-diff"),
            ("git push", "--all"),
            ("git", "--stat"),
            ("sort", "-o"),
            ("pytest", "-p"),
            ("pytest", "-c"),
            ("go test", "-exec"),
            ("go test", "-exec=sh"),
            ("cargo test", "--config"),
            ("make", "-j"),
            ("tsc", "--plugins"),
        ] {
            assert!(!is_usual(&words(text), option), "{text} {option}");
        }
    }

    #[test]
    fn what_does_other_things_by_its_operands_takes_no_other_names() {
        for text in ["ls a", "cargo test a", "python -m pytest a", "git add a", "npm test a", "go vet a"] {
            assert!(takes_names(&words(text)).is_some(), "{text}");
        }
        for text in [
            "make test",
            "mvn test",
            "gradle build",
            "just test",
            "git bisect good",
            "git stash",
            "git reflog",
            "npm audit",
            "flask db upgrade",
            "keyring get a",
            "ip a",
            "uniq a",
            "jq . a",
            "dig a",
            "go mod tidy",
            "screen",
            "twine check",
        ] {
            assert_eq!(takes_names(&words(text)), None, "{text}");
        }
    }

    #[test]
    fn a_search_through_the_whole_folder_reads_hidden_files() {
        for text in [
            "grep -r x",
            "grep -rn x .",
            "grep -R x ./",
            "grep --recursive x",
            "diff -rN . src",
            "grep -r . .",
        ] {
            assert!(reads_all(&words(text)), "{text}");
        }
        for text in ["grep -rn x src", "grep x a.rs", "diff -r a b", "ls -R", "rg x"] {
            assert!(!reads_all(&words(text)), "{text}");
        }
    }
}
