//! Commands that are known: those that only look, those that build and test, and with which options they still do only that.
//!
//! What is not listed here is not known, and a rule for it takes no other words than a person names.

use super::programs::{before_tool, begin, has, script};
use super::tools;

/// The words that name a command, the letters of its short options, and its long ones.
type Usual = (&'static [&'static str], &'static str, &'static str);

/// What only looks, and the options with which it still does, whether they take a value or not.
const LOOKS: &[Usual] = &[
    (&["basename"], "", ""),
    (&["cat"], "AbEnsTuv", ""),
    (&["column"], "st", ""),
    (&["cut"], "bcdfs", ""),
    (&["date"], "Iu", ""),
    (&["df"], "Th", ""),
    (&["diff"], "BUbqruw", "--stat"),
    (&["dirname"], "", ""),
    (&["du"], "acdhs", ""),
    (&["echo"], "en", ""),
    (&["file"], "b", ""),
    (&["find"], "", "-iname -ipath -maxdepth -mindepth -mtime -name -newer -not -o -path -print -size -type"),
    (&["gh", "issue", "list"], "LS", ""),
    (&["gh", "issue", "view"], "c", "--comments"),
    (&["gh", "pr", "checks"], "", ""),
    (&["gh", "pr", "diff"], "", "--name-only"),
    (&["gh", "pr", "list"], "L", ""),
    (&["gh", "pr", "view"], "c", "--comments"),
    (&["gh", "run", "list"], "L", ""),
    (&["gh", "run", "view"], "v", "--log --log-failed"),
    (&["git", "blame"], "Lwe", ""),
    (&["git", "branch"], "arv", "--all --list --no-color --remotes --show-current --verbose"),
    (&["git", "describe"], "", "--all --always --long --tags"),
    (&["git", "diff"], "Ubpsw", "--cached --name-only --name-status --oneline --staged --stat --"),
    (&["git", "log"], "Unps", "--all --graph --name-only --name-status --no-merges --oneline --stat --"),
    (&["git", "ls-files"], "cmo", "--cached --modified --others"),
    (&["git", "remote"], "v", "--verbose"),
    (&["git", "rev-parse"], "", "--abbrev-ref --short --show-toplevel --verify"),
    (&["git", "shortlog"], "nse", ""),
    (&["git", "show"], "Ups", "--name-only --name-status --oneline --stat --"),
    (&["git", "stash", "list"], "", ""),
    (&["git", "status"], "bsuv", "--branch --porcelain --short --"),
    (&["git", "tag", "-l"], "", ""),
    (&["git", "tag", "--list"], "", ""),
    (&["go", "version"], "", ""),
    (&["grep"], "ABCEFHILPRacehilmnoqrsvwxz", "--ignore-case --line-number --recursive --"),
    (&["head"], "cnqv", ""),
    (&["ls"], "1AFRSadghlnrt", ""),
    (&["nl"], "b", ""),
    (&["node", "--version"], "", ""),
    (&["npm", "--version"], "", ""),
    (&["npm", "ls"], "", "--all --depth"),
    (&["pip", "list"], "", ""),
    (&["pip", "show"], "f", ""),
    (&["pwd"], "LP", ""),
    (&["realpath"], "", ""),
    (&["rg"], "ABCFSUaceghilmnostvwx", "--files --ignore-case --line-number --"),
    (&["sed", "-n"], "", ""),
    (&["sort"], "bdfghiknrstuV", ""),
    (&["stat"], "", ""),
    (&["tail"], "cnqv", ""),
    (&["test"], "defrsz", ""),
    (&["tr"], "cds", ""),
    (&["tree"], "LadI", ""),
    (&["true"], "", ""),
    (&["uname"], "amrs", ""),
    (&["uniq"], "cdiu", ""),
    (&["wc"], "Lclmw", ""),
    (&["which"], "a", ""),
    (&["whoami"], "", ""),
];
/// What builds, checks and tests what is there, and the options with which it does nothing else.
const BUILDS: &[Usual] = &[
    (&["biome", "check"], "", "--write"),
    (&["biome", "lint"], "", "--write"),
    (&["black"], "qv", "--check --diff"),
    (&["cargo", "build"], "pqv", CARGO),
    (&["cargo", "check"], "pqv", CARGO),
    (&["cargo", "clippy"], "ADWpqv", CARGO),
    (&["cargo", "doc"], "pqv", "--no-deps --workspace --locked --offline"),
    (&["cargo", "fmt"], "pqv", "--all --check --"),
    // These look for what depends on what: on the network too, and they write down what they find.
    (&["cargo", "metadata"], "q", "--format-version --locked --no-deps --offline"),
    (&["cargo", "nextest", "run"], "Epqv", CARGO),
    (&["cargo", "test"], "pqv", CARGO),
    (&["cargo", "tree"], "deipqv", "--depth --duplicates --invert --locked --offline --workspace"),
    (&["dotnet", "build"], "", "--no-restore"),
    (&["dotnet", "test"], "", "--no-build --no-restore"),
    (&["eslint"], "", "--fix --quiet"),
    (&["go", "build"], "v", "-race"),
    (&["go", "test"], "v", "-bench -count -cover -failfast -race -run -short -timeout"),
    (&["go", "vet"], "v", ""),
    (&["gofmt"], "dlsw", ""),
    (&["golangci-lint", "run"], "v", "--fast --fix --verbose"),
    (&["jest"], "t", "--ci --coverage --silent --verbose"),
    (&["mypy"], "", "--strict"),
    (&["phpunit"], "", ""),
    (&["prettier"], "clw", "--check --write"),
    (&["pyright"], "", ""),
    (
        &["pytest"],
        "klmnqsvx",
        "--cov --exitfirst --failed-first --ff --last-failed --lf --no-header --quiet --verbose",
    ),
    (&["rspec"], "be", "--backtrace --fail-fast --next-failure --only-failures"),
    (&["rubocop"], "aAfP", "--autocorrect --format --parallel"),
    (&["ruff", "check"], "qv", "--fix"),
    (&["ruff", "format"], "qv", "--check --diff"),
    (&["swift", "build"], "", ""),
    (&["swift", "test"], "", ""),
    (&["tsc"], "bp", "--build --noEmit --pretty --project"),
    (&["unittest"], "fkqv", ""),
    (&["vitest"], "t", "--coverage --run"),
];
/// What stands after a script of a project that has one of the names which [`programs`](super::programs) knows.
const SCRIPT: Usual = (&[], "", "-- --ci --coverage --fix --no-watch --quiet --run --silent --verbose");
const CARGO: &str = "--all --all-features --all-targets --bins --doc --exact --frozen --ignored --lib --locked --no-default-features \
    --no-fail-fast --no-run --nocapture --offline --package --quiet --release --test --tests --workspace --";
/// Other commands that take the names of things, and do the same with each.
const TAKES_NAMES: [&[&str]; 3] = [&["git", "add"], &["mkdir"], &["touch"]];
/// Long options that change nothing, with whatever value stands after the `=`.
const WITH_VALUE: &str = "--color --cov --durations --depth --exclude --exclude-dir --format-version --include --max-count --maxfail --since --tb \
    --test-threads -bench -count -run -timeout";

fn find(list: &'static [Usual], words: &[String]) -> Option<&'static Usual> {
    let words = &words[before_tool(words)..];
    list.iter().find(|(named, ..)| begin(words, named))
}

/// Finds a command that looks, builds, checks or tests.
fn find_known(words: &[String]) -> Option<&'static Usual> {
    find(LOOKS, words).or_else(|| find(BUILDS, words)).or_else(|| script(words).map(|_| &SCRIPT))
}

/// Returns how many words name a command that only looks.
pub(super) fn looks_by(words: &[String]) -> Option<usize> {
    find(LOOKS, words).map(|(named, ..)| before_tool(words) + named.len())
}

/// Returns how many words name a command whose options are known.
pub(super) fn usual_by(words: &[String]) -> Option<usize> {
    let known = find(LOOKS, words).or_else(|| find(BUILDS, words));
    known.map(|(named, ..)| before_tool(words) + named.len()).or_else(|| script(words))
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
    let Some((_, letters, long)) = find_known(words) else { return false };
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
                || !words[1..].iter().filter(|word| !word.starts_with('-')).all(|word| tools::is_file(word))
        }
        // A name that is to be searched undoes that hidden and ignored files are not.
        "rg" => {
            let narrows = |glob: &String| glob.starts_with('!') || tools::is_for_source(glob);
            let globs = words.iter().zip(words.iter().skip(1));
            let takes_glob =
                |option: &str| option.starts_with('-') && !option.starts_with("--") && option.contains('g');
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

/// Returns whether a test runner would run a file that is no test by its name or place.
fn runs_other_files<'a>(mut operands: impl Iterator<Item = &'a String>) -> bool {
    let is_test = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.contains("test") || name.contains("spec")
    };
    // A folder is searched for tests.
    operands.any(|word| {
        let file = word.split("::").next().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        name.trim_matches('.').contains('.') && !file.split('/').any(is_test)
    })
}

/// Returns whether a command that is known does something else by its operands: prints by a script, writes to a file that stands
/// where others only read, or does another task.
pub(super) fn does_more(words: &[String]) -> bool {
    let words = &words[before_tool(words)..];
    let Some((program, after)) = words.split_first() else { return true };
    let mut operands = after.iter().filter(|word| !word.starts_with('-'));
    match program.as_str() {
        // What is not a way to show the time sets it.
        "date" => operands.next().is_some(),
        // These take the name of what is made, and of what is done.
        "git" if after.first().is_some_and(|verb| has("branch remote", verb)) => operands.count() > 1,
        "phpunit" | "pytest" | "rspec" | "unittest" => runs_other_files(operands),
        "sed" => !operands.next().is_some_and(|script| prints_lines(script)),
        "uniq" => operands.count() > 1,
        "vitest" => operands.next().is_some_and(|word| word == "init"),
        // What a script runs may take another word for another task; a path is none.
        _ => script(words).is_some_and(|named| {
            words[named..].iter().any(|word| !word.starts_with('-') && !word.contains(['/', '.']))
        }),
    }
}

/// Returns whether a script of `sed` only prints some lines by their numbers: `3p`, `10,20p`, `5,$p`.
fn prints_lines(script: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(lines) = script.strip_suffix('p') else { return false };
    let (from, to) = lines.split_once(',').unwrap_or((lines, "$"));
    is_number(from) && (is_number(to) || to == "$")
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

    #[test]
    fn what_a_command_is_given_may_make_it_do_more() {
        for text in [
            "date 010100002030",
            "git branch new",
            "git branch -v new",
            "git remote add x y",
            "git remote -v add x y",
            "rspec script/deploy.rb",
            "bundle exec rspec db/seeds.rb",
            "pytest scripts/deploy.py",
            "python -m unittest scripts.deploy",
            "phpunit scripts/deploy.php",
            "uniq a b",
            "vitest init",
        ] {
            assert!(does_more(&words(text)), "{text}");
        }
        for text in [
            "date -u",
            "git branch -a",
            "git remote -v",
            "rspec",
            "rspec spec/models/a_spec.rb",
            "pytest src/pkg",
            "pytest tests/a.py::test_b",
            "pytest src/pkg/test_a.py",
            "python -m unittest tests.test_a",
            "cargo test a",
        ] {
            assert!(!does_more(&words(text)), "{text}");
        }
    }
}
