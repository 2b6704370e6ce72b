//! Known commands: those that only read, those that build and test, and the options with which they still do only that.
//!
//! A rule for a command that is not listed here allows no words but those that a person names.

use super::known::{Kind, KnownCommand, known};
use super::programs::{before_tool, has, local, steered, without_steering};
use super::testing::{runs_other_files, runs_whatever};
use super::{filters, scripts, tasks, tools};

/// Long options that have no other effect, with any name after the `=`.
const WITH_NAME: &str = "--color --cov --depth --durations --exclude --exclude-dir --filter --format-version --include --limit --max-count --maxfail \
    --project --retries --state --tail --tb --test-threads --timeout --type --unified --workers -count -parallel -timeout";
/// The same with any text after the `=`, by program: a runner may pass its options to a shell.
const WITH_TEXT: [(&str, &str); 5] = [
    ("docker", "--format --since --until"),
    ("git", "--after --author --before --date --format --grep --pretty --since --until"),
    ("go", "-bench -run -skip"),
    ("mocha", "--grep"),
    ("playwright", "--grep"),
];
/// Options that load what they are given, except for these values.
const ONE_OF: [(&str, &str); 3] = [
    ("--cov-report", "html term term-missing xml"),
    ("--format", "d doc documentation files github json offenses p progress quiet simple worst"),
    ("--reporter", "basic default dot github html line list tap verbose"),
];
const LOOKS: [Kind; 2] = [Kind::List, Kind::Look];
const BUILDS: [Kind; 2] = [Kind::Build, Kind::Fetch];
const LISTED: [Kind; 4] = [Kind::List, Kind::Look, Kind::Build, Kind::Fetch];

/// Finds the known command of some kinds, after the words that run it.
fn find(kinds: &[Kind], words: &[String]) -> Option<(usize, &'static KnownCommand)> {
    let before = before_tool(words);
    let steered = steered(&words[before..]);
    // The words are copied only if some of them steer the command.
    let found = match steered {
        0 => known(&words[before..], kinds),
        _ => known(&without_steering(&words[before..]), kinds),
    };
    found.map(|known| (before + steered + known.len(), known))
}

/// Returns the known command whose options these words may use: one that reads, builds, checks or tests, or a task that
/// does.
fn of_options(words: &[String]) -> Option<&'static KnownCommand> {
    let listed = find(&LISTED, words).map(|(_, known)| known);
    listed.or_else(|| task(words).and_then(|_| tasks::runner(&words[before_tool(words)..])))
}

/// Returns how many words name a read-only command.
pub(super) fn looks_by(words: &[String]) -> Option<usize> {
    let version = || match words {
        [program, option] if option == "--version" && is_name(program) => Some(2),
        _ => None,
    };
    find(&LOOKS, words).map(|(named, _)| named).or_else(version)
}

/// Returns whether a word is the name of a program, not a path.
fn is_name(program: &str) -> bool {
    program.starts_with(|c: char| c.is_ascii_lowercase())
        && program.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}

/// Returns how many words name a task of a project.
fn task(words: &[String]) -> Option<usize> {
    let before = before_tool(words);
    tasks::named(&words[before..]).map(|named| before + named).or_else(|| tasks::named(words))
}

/// Returns how many words name a command whose options are known.
pub(super) fn usual_by(words: &[String]) -> Option<usize> {
    let builds = || find(&BUILDS, words).map(|(named, _)| named);
    // A tool in the project runs the project's code to print its version.
    let version = || match words {
        [_, option] if option == "--version" && tasks::runner(words).is_some() => Some(2),
        [program, option] if option == "-v" && has("./gradlew ./mvnw gradle mvn", program) => Some(2),
        _ => None,
    };
    looks_by(words).or_else(builds).or_else(|| task(words)).or_else(version)
}

/// Returns whether a command only lists names, and prints nothing of the content of files.
pub(super) fn lists(words: &[String]) -> bool {
    find(&[Kind::List], words).is_some()
}

/// Returns how many words name a command that does the same with other operands.
pub(super) fn takes_names(words: &[String]) -> Option<usize> {
    usual_by(words).or_else(|| find(&[Kind::Name], words).map(|(named, _)| named))
}

/// Returns whether a word is an option that has no other effect with a known command.
pub(super) fn is_usual(words: &[String], option: &str) -> bool {
    let scripts = task(words).is_some();
    let known = of_options(words);
    if known.is_none() && !scripts {
        return false;
    }
    if filters::has_value(&words[before_tool(words)..], option) {
        return true;
    }
    let is_long =
        |option: &str| known.is_some_and(|known| known.has(option)) || (scripts && has(tasks::USUAL, option));
    if let Some((name, value)) = option.split_once('=') {
        let is_one = |(known, values): &(&str, &str)| *known == name && has(values, value);
        // A signature is checked by a program that the settings of git name.
        let reads_signature = value.contains("%G") || value.contains("signature");
        return (takes_text(words, name) && !reads_signature)
            || ONE_OF.iter().any(is_one)
            || (name == "--filter" && tasks::is_package(value))
            || ((has(WITH_NAME, name) || is_long(&format!("{name}=")))
                && super::operand::is_operand(value, true));
    }
    if is_long(option) {
        return true;
    }
    let given = option.trim_start_matches('-');
    let letters = known.map_or(tasks::SCRIPT_LETTERS, |known| known.letters);
    let letters = |c: char| letters.contains(c) || c.is_ascii_digit();
    option.len() == given.len() + 1 && !given.is_empty() && given.chars().all(letters)
}

/// Returns whether the value after the `=` of an option is a text rather than the name of a file.
pub(super) fn takes_text(words: &[String], option: &str) -> bool {
    // A runner may pass its arguments to a shell.
    let before = before_tool(words);
    let is_direct = before == 0 || words.first().is_some_and(|runner| runner == "npx");
    let program = words.get(before).map_or("", |program| local(program));
    is_direct && WITH_TEXT.iter().any(|(known, options)| *known == program && has(options, option))
}

/// Lists the words after the program that are neither options nor values of some options.
fn plain_from<'a>(words: &'a [String], values: &'a [usize]) -> impl Iterator<Item = &'a String> {
    let plain = words.iter().enumerate().skip(1).filter(|(at, _)| !values.contains(at));
    plain.map(|(_, word)| word).filter(|word| !word.starts_with('-'))
}

/// Returns whether the operands make a known command do something else: print by a script, write to a file where others
/// only read, or run another task.
pub(super) fn does_more(all: &[String]) -> bool {
    let words = &all[before_tool(all)..];
    let Some((program, after)) = words.split_first() else { return true };
    if filters::is_unclear(words) {
        return true;
    }
    let texts = filters::texts(words);
    let plain = after.iter().enumerate().filter(|(at, _)| !texts.contains(&(at + 1)));
    let mut operands = plain.map(|(_, word)| word).filter(|word| !word.starts_with('-'));
    let is_listed = || find(&LISTED, all).is_some();
    if let Some((named, _)) = find(&[Kind::Fetch], all) {
        return all[named..].iter().any(|word| !word.starts_with('-'));
    }
    let loads = || {
        let after = words.iter().skip(1).map(String::as_str).chain([""]);
        words.iter().zip(after).any(|(option, next)| {
            let (name, value) = option.split_once('=').unwrap_or((option, next));
            ONE_OF.iter().any(|(known, values)| *known == name && !has(values, value))
        })
    };
    match local(program) {
        // Without a name it changes to the home folder.
        "cd" => operands.count() != 1,
        // A name would become the name of the machine.
        "hostname" => operands.count() > 0,
        // Any operand that is not a format sets the time.
        "date" => operands.any(|word| !word.starts_with('+')),
        // These take the name of what they create, after their verb.
        "git" if after.first().is_some_and(|verb| has("branch remote", verb)) => operands.count() > 1,
        "artisan" | "mix" if after.first().is_some_and(|verb| verb == "test") => runs_other_files(operands),
        // A module is imported to find its tests.
        "manage.py" if after.first().is_some_and(|verb| verb == "test") => runs_whatever(operands.skip(1)),
        // The word after the folder is a pattern for files that are run.
        "unittest" if operands.clone().next().is_some_and(|verb| verb == "discover") => operands.count() > 2,
        "ava" | "mocha" | "unittest" => runs_whatever(operands) || loads(),
        "bun" if after.first().is_some_and(|verb| verb == "test") => runs_whatever(operands.skip(1)),
        // Any file with an extension is taken for a project, and a `.dll` or `.exe` for a program.
        "dotnet" => {
            let is_program =
                |word: &String| word.rsplit('.').next().is_some_and(|end| has("DLL EXE dll exe", end));
            operands.any(|word| is_program(word) || tools::is_any_file(word)) || filters::loads_other(words)
        }
        "cargo" if after.first().is_some_and(|verb| verb == "audit") => operands.count() > 1,
        // Packages of other parties: their first part is a host.
        "go" if after.first().is_some_and(|verb| has("build test vet", verb)) => {
            operands.skip(1).any(|word| {
                let first = word.split('/').next().unwrap_or_default();
                first.trim_matches('.').contains('.') && word.contains('/')
            })
        }
        // Other targets install, or run what was built.
        "cmake" if after.first().is_some_and(|mode| mode == "--build") => {
            // After the folder every word is a target, except the value of an option that is known to take one.
            let is_number = |at: &usize| words[*at].bytes().all(|byte| byte.is_ascii_digit());
            let jobs = filters::values(words, "--parallel -j").filter(is_number);
            let values = filters::values(words, "--build --config --preset").chain(jobs);
            plain_from(words, &values.collect::<Vec<_>>()).any(|target| !tasks::is_target(target))
        }
        "coverage" | "pest" | "phpunit" | "pytest" | "rspec" => runs_other_files(operands) || loads(),
        "awk" | "gh" | "jq" | "printf" | "sed" => scripts::does_more(words),
        "playwright" => loads(),
        "sleep" => operands.any(|word| !word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')),
        "uniq" => operands.count() > 1,
        "vitest" => loads() || operands.next().is_some_and(|word| word == "init"),
        _ if is_listed() => false,
        _ => tasks::does_more(words) || tasks::does_more(all),
    }
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
            ("cmake", "-DCMAKE_BUILD_TYPE=Debug"),
            ("cmake", "-DBUILD_TESTING=ON"),
            ("ctest", "--output-on-failure"),
            ("uv run jupyter nbconvert", "--execute"),
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
            ("just test", "--grep=$(id)"),
            ("cmake", "-P"),
            ("cmake", "-E"),
            ("cmake", "--install"),
            ("cmake", "-DCMAKE_C_COMPILER=/tmp/evil"),
            ("cmake", "-DCMAKE_C_COMPILER_LAUNCHER=ON"),
            ("ctest", "-S"),
            ("ctest", "--build-and-test"),
            ("clang-tidy", "-load=evil.so"),
            ("jupyter nbconvert", "--template"),
            ("jupyter nbconvert", "--config"),
            ("npm test", "--grep=$(id)"),
            ("npx eslint", "--format=/tmp/evil.js"),
            ("npx mocha", "--format=x"),
            ("git log", "--format=%(signature)"),
        ] {
            assert!(!is_usual(&words(text), option), "{text} {option}");
        }
    }

    #[test]
    fn what_does_other_things_by_its_operands_takes_no_other_names() {
        for text in [
            "ls a",
            "cargo test a",
            "python -m pytest a",
            "git add a",
            "npm test a",
            "go vet a",
            "make test",
            "just test",
        ] {
            assert!(takes_names(&words(text)).is_some(), "{text}");
        }
        for text in [
            "make deploy",
            "mvn deploy",
            "gradle publish",
            "just ship",
            "git bisect good",
            "git stash",
            "git reflog",
            "npm audit",
            "flask db upgrade",
            "keyring get a",
            "ip a",
            "dig a",
            "screen",
            "twine check",
        ] {
            assert_eq!(takes_names(&words(text)), None, "{text}");
        }
    }

    #[test]
    fn what_a_command_is_given_may_make_it_do_more() {
        for text in [
            "date 010100002030",
            "hostname other",
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
            "awk -F -F BEGIN{system(1)} x",
            "awk -F -F x y",
            "column -s -s /root/x",
            "go test -run -run /tmp/evil_test.go",
            "go test -tags -run /tmp/evil_test.go",
            "rspec -e -e /tmp/evil_spec.rb",
            "phpunit --filter --filter /tmp/EvilTest.php",
            "./gradlew test -x -x publish",
            "./gradlew test --tests -x publish",
            "mvn test -pl -pl deploy",
            "git log -- a -S /etc/passwd",
            "printf %d path[$(id)]",
            "printf %*d 1 x",
            "printf %-10s%x a b",
            "cmake --build build --target install",
            "cmake --build build --target run-tests",
            "cmake --build build -t deploy",
            "ctest -R -R x",
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
            "awk -F , 1 a.csv",
            "git log --oneline -p -S foo",
            "git log -5 --author ana",
            "go test -v -race -run A|B ./...",
            "go test -count 1 -run A ./...",
            "rg -in -g *.rs x",
            "head -n -5 a",
            "printf %-10s%s%%\\n a b",
            "./gradlew test --tests a -x lint",
            "cmake --build build --target parser_tests",
            "cmake --build build -j8",
            "cmake -S . -B build",
            "ctest --test-dir build -R parser.*",
        ] {
            assert!(!does_more(&words(text)), "{text}");
        }
    }
}
