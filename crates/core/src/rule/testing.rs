//! Which commands run tests, and which files they run as tests.

use super::programs::{has, parts};
use super::usual::{looks_by, usual_by};

/// The names of commands and tasks that run no tests.
const WITHOUT_TESTS: &str = "about biome build compile credo css deps dev dialyzer docs eslint fmt format html js lint prettier routes rubocop run \
    serve start stats stylelint tsc typecheck types";
/// The words in the names of tests and checks.
const TESTS: &str = "check checks coverage e2e integration spec specs test tests unit verify";

/// Returns whether a command may run tests: all may, except read-only ones and those whose name says otherwise.
pub(super) fn may_test(words: &[String]) -> bool {
    if looks_by(words).is_some() {
        return false;
    }
    let is_other = |word: &String| parts(word).iter().all(|part| has(WITHOUT_TESTS, part));
    let (named, after) = words.split_at(usual_by(words).unwrap_or_default());
    // These run tests when they build.
    let tests_builds = words.first().is_some_and(|program| has("./gradlew ./mvnw gradle mvn", program));
    tests_builds
        || !named.last().is_some_and(is_other)
        || after.iter().any(|word| parts(word).iter().any(|part| has(TESTS, part)))
}

fn is_test(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("test") || name.contains("spec")
}

/// Returns whether a test runner that runs any file, and all files of a folder, is given something that is not a test
/// by its name or place.
pub(super) fn runs_whatever<'a>(mut operands: impl Iterator<Item = &'a String>) -> bool {
    operands.any(|word| !word.split(['/', '.']).any(is_test))
}

/// Returns whether a test runner would run a file that is not a test by its name or place.
pub(super) fn runs_other_files<'a>(mut operands: impl Iterator<Item = &'a String>) -> bool {
    // A folder is searched for tests.
    operands.any(|word| {
        let file = word.split("::").next().unwrap_or_default();
        let name = file.rsplit('/').next().unwrap_or_default();
        name.trim_matches('.').contains('.') && !file.split('/').any(is_test)
    })
}
