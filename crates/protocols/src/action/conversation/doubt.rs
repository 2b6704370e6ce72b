//! `either annual or unpaid`: a doubt between two options, and no doubt about what is said beside it.

use holdpoint_core::Field;

use super::{Talk, reader};

/// How many words the name of an option may have.
const LONGEST: usize = 4;

impl Talk<'_> {
    /// Returns the text without its `either`, where that stands before two options of one field: without it, it says the
    /// same, and the rest of the sentence is not taken for a maybe.
    pub(super) fn undoubted(&self) -> Option<String> {
        let text = &self.turn.text;
        let at = find(text, "either")?;
        let (before, rest) = (&text[..at], text[at + "either".len()..].trim_start());
        let or = find(rest, "or")?;
        let visible = self.visible();
        let (one, _) = reader::bare_option(&visible, rest[..or].trim())?;
        let other = leading(&visible, rest[or + "or".len()..].trim_start())?;
        (one.id == other.id).then(|| format!("{before}{rest}"))
    }
}

/// Finds a word.
fn find(text: &str, word: &str) -> Option<usize> {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let low = text.to_ascii_lowercase();
    low.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| apart(low[..*at].chars().next_back()) && apart(low[at + word.len()..].chars().next()))
}

/// Returns whose option a text begins with.
fn leading<'f>(visible: &[&'f Field], text: &str) -> Option<&'f Field> {
    let ends = text.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(at, _)| at);
    let ends = ends.chain([text.len()]).filter(|end| *end > 0).take(LONGEST);
    ends.filter_map(|end| reader::bare_option(visible, &text[..end])).map(|(field, _)| field).next()
}
