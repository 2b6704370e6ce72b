//! Tasks of a project that are called by what they do: `npm run lint`, `make test`, `pnpm --filter web build`. What they run
//! stands in files that are asked about before they are changed.

use super::programs::has;

/// Programs that run the scripts of a package, one at a time.
const SCRIPT_RUNNERS: &str = "npm pnpm yarn";

/// Programs that run tasks, and their names beside those that say what they do.
const TASK_RUNNERS: [(&[&str], &str); 14] = [
    (&["make"], ""),
    (&["gmake"], ""),
    (&["just"], ""),
    (&["task"], ""),
    (&["rake"], ""),
    (&["turbo", "run"], ""),
    (&["turbo"], ""),
    (&["mvn"], "package test-compile"),
    (&["./mvnw"], "package test-compile"),
    (&["gradle"], "assemble compileJava compileKotlin"),
    (&["./gradlew"], "assemble compileJava compileKotlin"),
    (&["mix"], "credo dialyzer"),
    (&["bin/rails"], RAILS),
    (&["rails"], RAILS),
];
const RAILS: &str =
    "about db:abort_if_pending_migrations db:migrate:status notes routes stats zeitwerk:check";

/// What a task is called that builds, checks or tests.
const STEMS: &str = "build check checks compile cover coverage fmt format lint spec specs test tests type typecheck types unit unittest verify vet";
/// What may stand behind that, after a colon, a dash or a line: which of it.
const PARTS: &str = "all api app backend browser changed ci client code core css docs e2e fast fix frontend full go html integration js lib \
    lint md models only packages py quick race requests rs rust server short smoke sql src style system test tests ts types ui unit watch web";

/// Returns how many words name a task that builds, checks or tests: three in `npm run lint`, two in `make test`, four in
/// `pnpm --filter web test`.
pub(super) fn named<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    script(words).or_else(|| task(words))
}

/// Returns whether a task is given another one, or what may be one.
pub(super) fn does_more<T: AsRef<str>>(words: &[T]) -> bool {
    let operands =
        |from: usize| words[from..].iter().map(AsRef::as_ref).filter(|word| !word.starts_with('-'));
    match (script(words), runner(words)) {
        // What a script runs may take another word for another task; a path is none.
        (Some(named), _) => operands(named).any(|word| !word.contains(['/', '.'])),
        (None, Some((at, others))) if task(words).is_some() => {
            // These take the tests that are run.
            let takes_tests =
                matches!(words[0].as_ref(), "bin/rails" | "rails" | "mix") && words[at].as_ref() == "test";
            let is_test = |word: &str| {
                takes_tests && word.contains('/') && (word.contains("test") || word.contains("spec"))
            };
            operands(at).any(|word| !is_task(word) && !has(others, word) && !is_test(word))
        }
        _ => false,
    }
}

/// Returns how many words of a script runner come before what it runs: which packages that is for.
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

fn script<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    let word = |at: usize| words.get(at).map(AsRef::as_ref);
    let mut at = before_script(words)?;
    let runs = word(at) == Some("run");
    at += usize::from(runs);
    let named = word(at).filter(|script| is_task(script))?;
    // Without `run`, these have commands of their own.
    let is_own = has("check", named) && word(0) != Some("pnpm");
    (runs || (word(0) != Some("npm") && !is_own) || named == "test").then_some(at + 1)
}

fn task<T: AsRef<str>>(words: &[T]) -> Option<usize> {
    let (at, others) = runner(words)?;
    let named = words.get(at)?.as_ref();
    (is_task(named) || has(others, named)).then_some(at + 1)
}

/// Returns how many words name a program that runs tasks, and which others of its tasks are known.
fn runner<T: AsRef<str>>(words: &[T]) -> Option<(usize, &'static str)> {
    let found = TASK_RUNNERS.iter().find(|(named, _)| super::programs::begin(words, named));
    found.map(|(named, others)| (named.len(), *others))
}

/// Returns whether a task is called by what it does, and by nothing else.
fn is_task(name: &str) -> bool {
    let mut parts = name.split([':', '-', '_']);
    parts.next().is_some_and(|stem| has(STEMS, stem))
        && parts.all(|part| has(PARTS, part) || has(STEMS, part))
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
            "make -C x test",
            "npm build",
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
        ] {
            assert!(does_more(&words(text)), "{text}");
        }
        for text in ["npm test src/a.test.ts", "make test lint", "mvn test package", "make -s test"] {
            assert!(!does_more(&words(text)), "{text}");
        }
    }
}
