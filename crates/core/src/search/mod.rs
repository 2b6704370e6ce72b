//! Searches, and whether a decision matches one. All lists use the same language: words, and `key=value`.
//!
//! Matching is defined only here, on folded texts: a search word matches every word that begins with it. A store's
//! index only narrows the candidates; it is queried with [`Search::terms`] and filled with [`Text::indexed`].

mod fold;
mod text;

use sha2::{Digest as _, Sha256};

pub use text::{DEPTH, Text};

use crate::json::hex;
use crate::text::{quote, start};
use crate::{Decision, Priority, Source, Span, Timestamp};

/// The longest search, in bytes.
pub const LONGEST: usize = 1_000;
/// How many terms an index is queried with; the others are only checked afterwards.
const TERMS: usize = 8;
/// The value that stands for "no assignee".
const NOBODY: &str = "nobody";
/// The keys that can be named; other words may match anywhere.
const KEYS: [&str; 9] =
    ["project", "source", "owner", "asked_by", "assignee", "priority", "tool", "text", "older"];

/// A search: all of it must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The text as typed.
    text: String,
    /// The words, folded. A word typed with punctuation, or between quotation marks, becomes several in a row.
    words: Vec<String>,
    /// The named values; a value with commas matches any of its parts.
    members: Vec<(&'static str, String)>,
    /// Only decisions that were asked longer ago than this.
    older: Option<Span>,
}

/// A term to query an index with; all terms must match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Term {
    /// This word.
    Word(String),
    /// A word with this prefix.
    Start(String),
}

impl Search {
    /// Reads the text of a search box, up to the maximum length: a part that is not understood counts as a word.
    pub fn of(text: &str) -> Self {
        let text = start(text, LONGEST);
        let mut search = Self { text: text.to_owned(), ..Self::default() };
        for part in parts(text) {
            if search.take(&part).is_err() {
                search.look_for(&part);
            }
        }
        search
    }

    /// Reads a search for callers that do not show how it was read: one that is too long is refused, and so is a value
    /// that its key cannot have.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!("a search has at most {LONGEST} bytes"));
        }
        let mut search = Self { text: text.to_owned(), ..Self::default() };
        for part in parts(text) {
            match part.split_once('=') {
                Some((key, _)) if !KEYS.contains(&key) => search.look_for(&part),
                _ => search.take(&part)?,
            }
        }
        Ok(search)
    }

    /// Reads a search that selects what a command acts on: everything that is not understood is refused.
    pub fn strict(text: &str) -> Result<Self, String> {
        let unknown = parts(text).into_iter().filter_map(|part| Some(part.split_once('=')?.0.to_owned()));
        if let Some(key) = unknown.into_iter().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(not_a_key(&key));
        }
        Self::read(text)
    }

    /// Returns the text as typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Formats it so that [`Search::read`] reads the same: parts that are not understood are marked as words.
    pub fn to_read(&self) -> String {
        let mut written = Vec::new();
        for part in parts(&self.text) {
            let is_known = Self::read(&quoted(&part)).is_ok();
            written.push(quoted(&if is_known { part } else { format!("text={part}") }));
        }
        start(&written.join(" "), LONGEST).to_owned()
    }

    /// Returns whether every decision matches.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.members.is_empty() && self.older.is_none()
    }

    /// Returns whether a decision matches at a time. Its owner may have a name besides its id.
    pub fn fits(&self, decision: &Decision, owner_name: Option<&str>, now: Timestamp) -> bool {
        self.is_empty() || self.fits_text(&Text::of(decision, owner_name), now)
    }

    /// Returns whether the decision of a text matches.
    pub fn fits_text(&self, text: &Text, now: Timestamp) -> bool {
        let is_older =
            |span: Span| now.as_millis().saturating_sub(text.created_at.as_millis()) > span.as_millis();
        self.older.is_none_or(is_older)
            && self.members.iter().all(|(key, value)| text.has(key, value))
            && self.words.iter().all(|word| text.holds(word))
    }

    /// Returns the terms that every match has in an index; empty if an index is of no help.
    pub fn terms(&self) -> Vec<Term> {
        // "Nobody" and alternatives are not in the index.
        let one = |(_, value): &&(&str, String)| value != NOBODY && !value.contains(',');
        let members = self.members.iter().filter(one);
        let mut terms: Vec<Term> = members.map(|(key, value)| Term::Word(member_term(key, value))).collect();
        for word in &self.words {
            let mut inside = word.split_whitespace().peekable();
            while let Some(one) = inside.next() {
                let one = one.to_owned();
                terms.push(if inside.peek().is_some() { Term::Word(one) } else { Term::Start(one) });
            }
        }
        // Long terms exclude most.
        let length = |term: &Term| match term {
            Term::Word(word) | Term::Start(word) => word.len(),
        };
        terms.sort_by(|a, b| length(b).cmp(&length(a)).then_with(|| a.cmp(b)));
        terms.dedup();
        terms.truncate(TERMS);
        terms
    }

    fn take(&mut self, part: &str) -> Result<(), String> {
        let Some((key, value)) = part.split_once('=') else {
            self.look_for(part);
            return Ok(());
        };
        let key = KEYS.into_iter().find(|known| *known == key).ok_or_else(|| not_a_key(key))?;
        match key {
            _ if value.is_empty() => return Err(format!("{key}= needs a value")),
            "text" => self.look_for(value),
            "older" => self.older = Some(value.parse().map_err(|why| format!("older: {why}"))?),
            "priority" => self.take_one_of(key, value, &Priority::ALL.map(Priority::name))?,
            "source" => self.take_one_of(key, value, &Source::ALL.map(Source::name))?,
            _ => self.members.push((key, value.to_owned())),
        }
        Ok(())
    }

    /// Adds a value, or several separated by commas, that must be among the known ones.
    fn take_one_of(&mut self, key: &'static str, value: &str, known: &[&str]) -> Result<(), String> {
        if let Some(wrong) = value.split(',').find(|one| !known.contains(one)) {
            return Err(format!("{key}: {} is none of {}", quote(wrong), known.join(", ")));
        }
        self.members.push((key, value.to_owned()));
        Ok(())
    }

    fn look_for(&mut self, word: &str) {
        let folded = fold::folded(word);
        if !folded.is_empty() {
            self.words.push(folded);
        }
    }
}

fn not_a_key(key: &str) -> String {
    format!("{} is not one of {}", quote(key), KEYS.join(", "))
}

/// Returns the one word that represents a named value in an index: a hash, because a value may contain any character.
fn member_term(key: &str, value: &str) -> String {
    let digest = Sha256::new().chain_update(key).chain_update("=").chain_update(value).finalize();
    // Folded texts never contain this character.
    format!("{}{}", fold::RESERVED, hex(&digest[..8]))
}

/// Formats a part as it is typed: quoted if it contains spaces.
fn quoted(part: &str) -> String {
    if part.contains(char::is_whitespace) { format!("\"{part}\"") } else { part.to_owned() }
}

/// Splits a search at its spaces, except those between quotation marks, and lower-cases it.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for c in text.to_lowercase().chars() {
        match c {
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => parts.push(std::mem::take(&mut part)),
            c => part.push(c),
        }
    }
    parts.push(part);
    parts.retain(|part| !part.is_empty());
    parts
}
