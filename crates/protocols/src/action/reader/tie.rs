//! Whether words could carry a value at all, whoever says what they mean.

use super::complement::is_time;
use super::lexicon::{is_small, is_wishing};
use super::words::{Sort, tokens};
use super::{number, verbs};

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
