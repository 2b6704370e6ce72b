//! Whether words could carry a value at all, whoever says what they mean.

use holdpoint_core::Field;

use super::complement::is_time;
use super::lexicon::{is_small, is_wishing};
use super::scan::{Scan, Strictness};
use super::words::{Sort, tokens};
use super::{Question, number, option, verbs};

/// Returns whether a text names an option only to deny it: `I am not sick`.
pub fn denies_option(question: Question<'_>, field: &Field, id: &str) -> bool {
    option::is_denied(&Scan::new(question, Strictness::Lenient), field, id)
}

/// Returns whether words stand in a text only within quotation marks: they are somebody else's, or only spoken of.
pub fn is_quoted(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    let words = words.trim_matches(|c: char| !c.is_alphanumeric());
    let mut places = text.match_indices(words).map(|(at, _)| at).peekable();
    if words.is_empty() || places.peek().is_none() {
        return false;
    }
    places.all(|at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + words.len()..).unwrap_or_default();
        let open = |from: char, to: char| {
            before.matches(from).count() > before.matches(to).count() && after.contains(to)
        };
        before.matches('"').count() % 2 == 1 && after.contains('"') || open('“', '”') || open('«', '»')
    })
}

/// Returns whether a text has words of time: a weekday, a month, `tomorrow`, `week`, `noon`, a feast.
pub fn speaks_of_time(text: &str) -> bool {
    const MORE: [&str; 30] = [
        "today",
        "tomorrow",
        "yesterday",
        "tonight",
        "now",
        "soon",
        "later",
        "next",
        "last",
        "ago",
        "midnight",
        "midday",
        "o'clock",
        "am",
        "pm",
        "christmas",
        "easter",
        "eve",
        "halloween",
        "fortnight",
        "quarter",
        "past",
        "immediately",
        "asap",
        "start",
        "end",
        "beginning",
        "dawn",
        "spring",
        "summer",
    ];
    tokens(text).iter().any(|token| token.sort == Sort::Word && (verbs::is_time(token) || token.among(&MORE)))
}

/// Returns whether a text has words of count: a number, `a couple`, `both`, `none`.
pub fn speaks_of_count(text: &str) -> bool {
    const MORE: [&str; 16] = [
        "couple", "both", "none", "no", "pair", "dozen", "half", "quarter", "once", "twice", "me", "alone",
        "myself", "a", "an", "single",
    ];
    let all = tokens(text);
    (0..all.len()).any(|at| number::at(&all, at).is_some()) || all.iter().any(|token| token.among(&MORE))
}

/// Returns whether a text has a word that could name one of some options: more than small words, times, counts and wishes.
pub fn names_something(text: &str) -> bool {
    let all = tokens(text);
    (0..all.len()).any(|at| {
        let token = &all[at];
        token.sort == Sort::Word
            && !is_small(token)
            && !is_wishing(token)
            && !is_time(token)
            && number::at(&all, at).is_none()
    })
}

/// Returns whether a text says more than a greeting, thanks and small words.
pub fn says_something(text: &str) -> bool {
    const EMPTY: [&str; 44] = [
        "hi", "hello", "hey", "thanks", "thank", "you", "please", "the", "a", "an", "of", "to", "in", "on",
        "at", "for", "and", "or", "but", "so", "is", "are", "was", "were", "be", "i", "i'm", "i'd", "we",
        "my", "our", "it", "it's", "this", "that", "there", "would", "like", "will", "have", "has", "with",
        "from", "want",
    ];
    tokens(text).iter().any(|token| token.sort != Sort::Sign && !token.among(&EMPTY))
}
