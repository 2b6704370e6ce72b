//! Tasks of a project whose names say what they do: `npm run lint`, `make test`, `pnpm --filter web build`. What they
//! run is in files that may only be changed after asking.

use super::known::{Kind, KnownCommand, known};
use super::programs::{has, parts};
use super::reading::DOING;

/// Programs that run the scripts of a package, one at a time.
const SCRIPT_RUNNERS: &str = "bun npm pnpm yarn";
/// The short options that scripts may be run with.
pub(super) const SCRIPT_LETTERS: &str = "j";

/// Options that have no other effect after any task.
pub(super) const USUAL: &str = "-- --ci --coverage --fix --no-watch --parallel --quiet --run --silent --verbose --watch=false --workspaces --if-present";
/// Options whose value is not a task, but selects tests, a project, or what is left out.
const WITH_VALUE: &str = "--configuration --dependency --projects --seed --tests -c -g -n -pl -x";

/// The names of tasks that build, check or test.
const STEMS: &str = "assemble build check checks checkstyle codegen compile cover coverage dev docs fmt format gen generate kapt ksp ktlint lint serve spec specs spotless start test \
    tests type typecheck types unit unittest verify vet";
/// What may be joined to such a name by a colon, a dot, a dash or an underscore: which variant.
const PARTS: &str = "all api app assets backend apply boot browser changed ci classes client code core css debug docs e2e fast fix frontend full functional go html integration java javac js kotlin lib main \
    lint md models only packages py quick race requests rs rust server short smoke sql src style system test tests ts types ui unit watch web with";

/// The names of targets that act on what was built.
const ACTS: &str = "burn clear delete deploy dist drop erase exec flash init install migrate package program provision publish purge push release remove reset \
    restore rollout run seed send ship sign start strip uninstall upload wipe write";

/// What a script is called that runs tests.
const RUNS_TESTS: &str = "e2e spec specs test tests unit";

/// Returns how many words name a task that builds, checks or tests: three in `npm run lint`, two in `make test`, four in
/// `pnpm --filter web test`.
pub(super) fn named<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    script(words).or_else(|| task(words))
}

/// Returns whether a task is given another task, or a word that may be one.
pub(super) fn does_more<T: AsRef<str>>(words: &[T]) -> bool {
    match (script(words), runner(words)) {
        // What a script runs may take another word for another task. A path cannot be one, and a script that is called
        // after tests takes a word behind `--` for the name of some.
        (Some(named), _) => {
            let runs_tests = parts(words[named - 1].as_ref()).iter().any(|part| has(RUNS_TESTS, part));
            let mut after = words[named..]
                .iter()
                .map(AsRef::as_ref)
                .skip_while(|word| word.starts_with('-') && *word != "--");
            let may_name_tests = runs_tests && after.next() == Some("--");
            let mut operands = words[named..].iter().map(AsRef::as_ref).filter(|word| !word.starts_with('-'));
            operands.any(|word| !word.contains(['/', '.']) && (!may_name_tests || acts(word)))
        }
        (None, Some(runner)) if task(words).is_some() => {
            let at = runner.len();
            // These take the tests to run.
            let takes_tests = words[0].as_ref().ends_with("rails") && words[at].as_ref() == "test";
            let is_test = |word: &str| {
                takes_tests && word.contains('/') && (word.contains("test") || word.contains("spec"))
            };
            let is_other = |(at, word): (usize, &T)| {
                let word = word.as_ref();
                // If two such options follow each other, the second may be the value of the first.
                let option = |back: usize| at >= back && has(WITH_VALUE, words[at - back].as_ref());
                let is_value = option(1) && !option(2);
                !word.starts_with('-') && !is_value && !is_task_of(words, runner, word) && !is_test(word)
            };
            words.iter().enumerate().skip(at).any(is_other)
        }
        _ => false,
    }
}

/// Returns how many words of a script runner come before what it runs: they select packages.
pub(super) fn before_script<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    let word = |at: usize| words.get(at).map(AsRef::as_ref);
    let runner = word(0).filter(|runner| has(SCRIPT_RUNNERS, runner))?;
    let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '@');
    let mut at = 1;
    loop {
        at += match (runner, word(at), word(at + 1)) {
            ("pnpm", Some("--filter" | "-F"), Some(name)) if is_name(name) => 2,
            ("yarn", Some("workspace"), Some(name)) if is_name(name) => 2,
            ("npm", Some("-w" | "--workspace"), Some(name)) if is_name(name) => 2,
            ("pnpm", Some("-r" | "--recursive" | "-w" | "--workspace-root"), _)
            | ("npm" | "pnpm" | "yarn", Some("-s" | "--silent"), _) => 1,
            _ => return Some(at),
        };
    }
}

/// Returns whether a word names a package, and nothing else: `web`, `@shop/web`, `./apps/web`.
pub(super) fn is_package(word: &str) -> bool {
    let is_plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let name = word.strip_prefix('@').or_else(|| word.strip_prefix("./")).unwrap_or(word);
    name.split('/').all(is_plain)
}

fn script<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    let word = |at: usize| words.get(at).map(AsRef::as_ref);
    let mut at = before_script(words)?;
    let runs = word(at) == Some("run");
    at += usize::from(runs);
    let named = word(at).filter(|script| is_task(script))?;
    // Without `run`, these have built-in commands.
    let is_own = has("check", named) && word(0) != Some("pnpm");
    let is_bare = !has("bun npm", word(0).unwrap_or_default()) && !is_own;
    (runs || is_bare || has("start test", named)).then_some(at + 1)
}

fn task<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    let runner = runner(words)?;
    // Options may come before the task, but none with a value: that could be taken for the task.
    let is_option = |word: &str| {
        let short = word.strip_prefix('-').filter(|short| !short.is_empty() && !short.starts_with('-'));
        let is_letter = |c: char| runner.letters.contains(c) || c.is_ascii_digit();
        (runner.has(word) || short.is_some_and(|short| short.chars().all(is_letter)))
            && !has(WITH_VALUE, word)
    };
    let mut after = words.iter().map(AsRef::as_ref).enumerate().skip(runner.len());
    let (at, task) = after.find(|(_, word)| !is_option(word))?;
    is_task_of(words, runner, task).then_some(at + 1)
}

/// Returns whether a word is a task of a module, in the notation of the runner: `:app:test`.
pub(super) fn is_of_module<T: AsRef<str>>(words: &[T], word: &str) -> bool {
    word.contains(':') && runner(words).is_some_and(|runner| is_task_of(words, runner, word))
}

/// Returns whether a runner has a known task of this name. The task of a module does the same for that module only.
fn is_task_of<T: AsRef<str>>(words: &[T], runner: &KnownCommand, word: &str) -> bool {
    let is_known = |task: &str| is_task(task) || runner.has_task(task);
    let is_plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    };
    match word.rsplit_once(':').filter(|_| has("./gradlew gradle", words[0].as_ref())) {
        Some((modules, task)) => {
            let mut named = modules.strip_prefix(':').unwrap_or(modules).split(':');
            (modules.is_empty() || named.all(is_plain)) && is_known(task)
        }
        None => is_known(word),
    }
}

/// Returns the table entry of the program that runs a task.
pub(super) fn runner<T: AsRef<str>>(words: &[T]) -> Option<&'static KnownCommand> {
    known(words, &[Kind::Task])
}

/// Returns whether the name of a task says what it does, and nothing else: `lint:fix`, `integrationTest`.
fn is_task(name: &str) -> bool {
    let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let parts = if name.split([':', '.', '-', '_']).all(is_plain) { parts(name) } else { Vec::new() };
    parts.iter().any(|part| has(STEMS, part)) && parts.iter().all(|part| has(PARTS, part) || has(STEMS, part))
}

/// Returns whether a word is called like something that is done. A name that begins with a capital is no task.
fn acts(word: &str) -> bool {
    let is_name = word.starts_with(|c: char| c.is_ascii_uppercase());
    parts(word).iter().any(|part| has(ACTS, part) || (!is_name && has(DOING, part)))
}

/// Returns whether a target is named after a test, a check or a build of something: `parser_tests`.
pub(super) fn is_target(name: &str) -> bool {
    let parts = parts(name);
    let has_part = |list: &str| parts.iter().any(|part| has(list, part));
    has("all clean", name) || (has_part(STEMS) && !has_part(ACTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn tasks_are_known_by_what_they_are_called() {
        for (text, named_by) in [
            ("make test", 2),
            ("make lint test", 2),
            ("just fmt", 2),
            ("npm test", 2),
            ("npm run lint:fix", 3),
            ("pnpm -r build", 3),
            ("pnpm --filter @a/web test:unit", 4),
            ("yarn workspace web build", 4),
            ("turbo run typecheck --filter=web", 3),
            ("./gradlew build", 2),
            ("mvn verify", 2),
            ("bin/rails routes", 2),
            ("npm run web:build", 3),
            ("make assets.build", 2),
            ("composer test", 2),
            ("composer run lint", 3),
            ("bun run test", 3),
            ("mvn clean verify -DskipTests -pl core", 2),
            ("mvn -B -ntp verify", 4),
            ("./gradlew --no-daemon test", 3),
            ("make -j4 test", 3),
            ("./gradlew test --tests com.acme.ATest -x lint", 2),
            ("./gradlew :app:test", 2),
            ("./gradlew :test", 2),
            ("./gradlew app:compileKotlin", 2),
            ("gradle --offline :libs:core-api:build :app:check", 3),
        ] {
            assert_eq!(named(&words(text)), Some(named_by), "{text}");
            assert!(!does_more(&words(text)), "{text}");
        }
        for text in [
            "make",
            "make deploy",
            "make build-and-deploy",
            "make test-prod",
            "make release",
            "make clean",
            "make -f x test",
            "make -n test",
            "./gradlew -x test",
            "./gradlew -p x test",
            "mvn -f x test",
            "make -C x test",
            "npm build",
            "bun build",
            "composer require",
            "composer update",
            "npm run web:deploy",
            "npm run web",
            "npm run deploy",
            "npm run test:prod",
            "npm check",
            "yarn check",
            "pnpm --filter -x test",
            "pnpm --dir x test",
            "rake db:drop",
            "bin/rails db:migrate",
            "bin/rails runner x",
            "gradle publish",
            "gradle :app:publish",
            "gradle :app:installDist",
            "gradle :app:",
            "gradle ::test",
            "gradle :app::test",
            "gradle :../x:test",
            "gradle :-x:test",
            "gradle :app:test-prod",
            "make :app:test",
            "mvn :app:test",
            "mvn deploy",
            "just",
            "/tmp/make test",
        ] {
            assert_eq!(named(&words(text)), None, "{text}");
        }
    }

    #[test]
    fn what_follows_a_task_may_be_another() {
        for text in [
            "make test deploy",
            "make lint test deploy",
            "npm test deploy",
            "pnpm build deploy",
            "mvn test deploy",
            "./gradlew build publish",
            "make test SHELL=x",
            "bin/rails routes db:drop",
            "turbo run build deploy",
            "mvn clean deploy",
            "composer test deploy",
            "./gradlew test --tests a publish",
            "./gradlew :app:test :app:publish",
            "./gradlew :app:test :deploy",
        ] {
            assert!(does_more(&words(text)), "{text}");
        }
        for text in ["npm test src/a.test.ts", "make test lint", "mvn test package", "make -s test"] {
            assert!(!does_more(&words(text)), "{text}");
        }
    }
}
