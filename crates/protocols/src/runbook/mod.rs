//! Runbooks: HCL, TOML or JSON, converted to one tree with positions, and from there to one set of structs.
//!
//! Every mistake is found, not only the first, and each is reported with its line and column.

mod check;
mod hcl;
mod json;
mod node;
mod reaction;
mod read;
mod toml;

use std::fmt;
use std::path::Path;

use holdpoint_core::job::Runbook;
use holdpoint_core::text::start;

use node::Root;

/// The length of the longest runbook that is read.
const LONGEST: usize = 1 << 20;
/// How many mistakes are reported.
const MOST: usize = 100;

/// The format of a runbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names explain themselves")]
pub enum Format {
    Hcl,
    Toml,
    Json,
}

impl Format {
    /// Returns the format for the extension of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "hcl" => Some(Self::Hcl),
            "toml" => Some(Self::Toml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// A mistake in a runbook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunbookError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

impl fmt::Display for RunbookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

/// Reads a runbook, or returns all mistakes in it, in the order of the text.
pub fn read(text: &str, format: Format) -> Result<Runbook, Vec<RunbookError>> {
    if text.len() > LONGEST {
        let message = format!("the runbook has {} bytes; at most {LONGEST} are allowed", text.len());
        return Err(vec![RunbookError { line: 1, column: 1, message }]);
    }
    let mut faults = Faults::default();
    let root = match format {
        Format::Hcl => hcl::parse(text),
        Format::Toml => toml::parse(text),
        Format::Json => json::parse(text),
    };
    let runbook = match root {
        Ok(root) => check::runbook(&Root { node: root }, &mut faults),
        Err((at, message)) => {
            faults.add(at, message);
            Runbook::default()
        }
    };
    if faults.list.is_empty() { Ok(runbook) } else { Err(faults.placed(text)) }
}

/// The mistakes found so far, by position in the text.
#[derive(Debug, Default)]
struct Faults {
    list: Vec<(usize, String)>,
}

impl Faults {
    fn add(&mut self, at: usize, message: impl Into<String>) {
        if self.list.len() < MOST {
            self.list.push((at, message.into()));
        }
    }

    fn placed(mut self, text: &str) -> Vec<RunbookError> {
        self.list.sort();
        self.list.dedup();
        self.list.into_iter().map(|(at, message)| mistake_at(text, at, message)).collect()
    }
}

fn mistake_at(text: &str, at: usize, message: String) -> RunbookError {
    let before = start(text, at);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    RunbookError { line, column, message }
}

/// Returns the known word that was probably intended.
fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = |known: &&str| strsim::damerau_levenshtein(word, known) <= 2 && known.len() > 2;
    known.into_iter().filter(near).min_by_key(|known| strsim::damerau_levenshtein(word, known))
}

/// Lists the known words, and the one that was probably intended.
fn suggestion(word: &str, known: &[&str]) -> String {
    match meant(word, known.iter().copied()) {
        Some(near) => format!("did you mean {near:?}?"),
        None if known.is_empty() => "there is none".into(),
        None => format!("known are: {}", known.join(", ")),
    }
}
