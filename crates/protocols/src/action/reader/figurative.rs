//! Words that mean another thing than a form does: a computer that crashes, a burning question, a fire in a film.

use super::words::{Sort, Token};

/// What crashes, freezes and catches fire without an incident that anybody reports here.
const DIGITAL: [&str; 26] = [
    "system",
    "computer",
    "server",
    "laptop",
    "app",
    "website",
    "database",
    "software",
    "pc",
    "market",
    "markets",
    "program",
    "browser",
    "network",
    "site",
    "windows",
    "excel",
    "word",
    "outlook",
    "printer",
    "programme",
    "spreadsheet",
    "tablet",
    "economy",
    "stock",
    "internet",
];

/// Where things happen that nobody was in.
const FICTION: [&str; 9] =
    ["film", "films", "movie", "movies", "series", "novel", "dream", "episode", "documentary"];

/// Returns whether a clause tells of a crash that hurt nobody: `my computer crashed yesterday`.
pub(super) fn is_digital(clause: &[Token]) -> bool {
    let crash = clause.iter().position(|token| token.low.starts_with("crash"));
    crash.is_some_and(|at| clause[at.saturating_sub(5)..at].iter().any(|token| token.among(&DIGITAL)))
}

/// Returns whether a clause tells of what happened in a film or a book.
pub(super) fn is_fiction(clause: &[Token]) -> bool {
    (1..clause.len()).any(|at| {
        clause[at].among(&FICTION)
            && clause[at.saturating_sub(3)..at].iter().any(|token| token.among(&["in", "from"]))
    })
}

/// Returns whether a word at a place is only an image: `a burning question`, `it makes me sick`, `my pride was hurt`.
pub(super) fn is_image(all: &[Token], at: usize) -> bool {
    let word = |at: Option<usize>| {
        at.and_then(|at| all.get(at)).filter(|token| token.sort == Sort::Word).map_or("", |token| &token.low)
    };
    let (before, earlier) = (word(at.checked_sub(1)), word(at.checked_sub(2)));
    match word(Some(at)) {
        "burning" => {
            matches!(word(Some(at + 1)), "question" | "questions" | "issue" | "desire" | "need" | "topic")
        }
        "sick" => before == "me" && matches!(earlier, "makes" | "make" | "making"),
        "hurt" => {
            let from = at.saturating_sub(4);
            all[from..all.len().min(at + 4)]
                .iter()
                .any(|token| token.among(&["pride", "feelings", "ego", "reputation", "sales"]))
        }
        _ => false,
    }
}
