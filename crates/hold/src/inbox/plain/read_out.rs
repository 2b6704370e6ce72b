//! Formats a row of the list for screen readers.

use holdpoint_core::Timestamp;

use crate::inbox::row::Row;
use crate::view_model::{span, wording};

/// Adds a full stop unless the text ends like a sentence.
pub(super) fn as_sentence(words: &str) -> String {
    if words.ends_with(['.', '!', '?', '…']) { words.to_owned() } else { format!("{words}.") }
}

/// Formats a row as one line to be read out.
pub(super) fn row(row: &Row, number: usize, now: Timestamp) -> String {
    let tags = if row.tags.is_empty() { String::new() } else { format!(", {}", row.tags.join(", ")) };
    let age = span::spelled_out(now.since(row.created_at).as_millis());
    let due = row.deadline.map(|at| format!(" Due in {}.", span::remaining(at.since(now).as_millis())));
    let asker = if row.asker.is_empty() { String::new() } else { format!(" From {}.", row.asker) };
    let votes = row.progress.as_ref().map(|progress| format!(" Votes: {progress}.")).unwrap_or_default();
    format!(
        "{number}. {}{tags}: {}{votes}{asker} Asked {age} ago.{}",
        wording::source(row.source),
        // The kind comes first already.
        as_sentence(row.headline.strip_prefix("Verdict on ").unwrap_or(&row.headline)),
        due.unwrap_or_default()
    )
}
