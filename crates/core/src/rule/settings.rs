//! Environment variables that are set before a command.

use super::programs::has;

/// Variables that may be set before a known command, and their allowed values. None of them names a file, a program, an
/// option or an address.
const SETTINGS: [(&str, &str); 33] = [
    ("APP_ENV", "test development"),
    ("ASPNETCORE_ENVIRONMENT", "Test Testing Development"),
    ("CARGO_INCREMENTAL", "0 1"),
    ("CARGO_TERM_COLOR", "auto always never"),
    ("CGO_ENABLED", "0 1"),
    ("CI", "0 1 true false"),
    ("CLICOLOR", "0 1"),
    ("COVERAGE", "0 1 true false"),
    ("CTEST_OUTPUT_ON_FAILURE", "1"),
    ("DOTNET_ENVIRONMENT", "Test Testing Development"),
    ("FORCE_COLOR", "0 1 2 3"),
    ("GIT_EDITOR", "true"),
    ("HF_HUB_OFFLINE", "1"),
    ("LANG", "C C.UTF-8 POSIX en_US.UTF-8"),
    ("LC_ALL", "C C.UTF-8 POSIX en_US.UTF-8"),
    ("MIX_ENV", "test dev"),
    ("MPLBACKEND", "Agg agg"),
    ("NODE_ENV", "test development"),
    ("NO_COLOR", "1 true"),
    ("OMP_NUM_THREADS", "1 2 4 8"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONHASHSEED", "0 1"),
    ("PYTHONPATH", ". src"),
    ("PYTHONUNBUFFERED", "1"),
    ("PYTHONUTF8", "1"),
    ("RACK_ENV", "test development"),
    ("RAILS_ENV", "test development"),
    ("RUST_BACKTRACE", "0 1 full"),
    ("RUST_LOG", "error warn info debug trace off"),
    ("SQLX_OFFLINE", "true false"),
    ("TERM", "dumb xterm xterm-256color"),
    ("TOKENIZERS_PARALLELISM", "true false"),
    ("TZ", "UTC"),
];

/// Values that select the development environment: tests would empty its database.
const DEVELOPING: &str = "dev development Development";

/// What the variables set for a command mean, if each is known to do no harm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableEffect {
    /// None is set.
    #[default]
    None,
    /// How the command prints, and similar settings.
    Harmless,
    /// The development environment, which is no place for tests.
    Developing,
}

impl VariableEffect {
    /// Returns the meaning of a word that sets a variable, if its value is known to have no other effect.
    pub(super) fn of(word: &str) -> Option<Self> {
        let (name, value) = word.split_once('=')?;
        let (_, values) = SETTINGS.iter().find(|(known, _)| *known == name)?;
        let says = if has(DEVELOPING, value) { Self::Developing } else { Self::Harmless };
        values.split_ascii_whitespace().any(|one| one == value).then_some(says)
    }
}
