//! What needs no form any more: absences that are recorded already, farewells.

use super::words::{Sort, Token};

/// What is done to what has been told before.
const RECORDED: [&str; 14] = [
    "recorded",
    "reported",
    "entered",
    "submitted",
    "logged",
    "filed",
    "registered",
    "noted",
    "processed",
    "handled",
    "documented",
    "booked",
    "settled",
    "sorted",
];

/// Returns whether a clause says that something is recorded already: `the sick day on 2 May is in the system already`.
pub(super) fn is_recorded(clause: &[Token]) -> bool {
    let has = |words: &[&str]| clause.iter().any(|token| token.among(words));
    let already = has(&["already"]);
    let been = clause.windows(2).any(|pair| {
        pair[0].among(&["been", "was", "were", "is", "are", "already", "that's", "it's"])
            && pair[1].among(&RECORDED)
            || pair[0].among(&["dealt"]) && pair[1].is("with")
    });
    let lies = clause.windows(3).any(|three| {
        three[0].among(&["in", "on"])
            && three[1].among(&["the", "your", "our", "my"])
            && three[2].among(&["system", "books", "records", "file", "calendar", "rota", "portal"])
    }) && has(&["is", "are", "already", "was"]);
    let on_file = clause.windows(2).any(|pair| {
        pair[0].is("on") && pair[1].among(&["file", "record", "record"]) && has(&["is", "already"])
    });
    // `the accident of 8 June is closed`
    let closed = clause.windows(2).any(|pair| {
        pair[0].among(&["is", "been", "are"])
            && pair[1].among(&["closed", "settled", "reported", "filed", "recorded", "dealt"])
    }) && clause.windows(2).any(|pair| {
        pair[0].among(&["of", "from"])
            && (pair[1].sort == Sort::Digits
                || super::relative::day_name(&pair[1]).is_some()
                || pair[1].is("the"))
    });
    closed || already && (been || lies || on_file || has(&["recorded", "reported", "submitted", "logged"]))
}

/// Returns whether a clause says of what stands before it that it is recorded already: `that's already been recorded`.
pub(super) fn settles_before(clause: &[Token]) -> bool {
    let first = clause.iter().find(|token| token.sort == Sort::Word && !token.among(&["and", "but", "so"]));
    first
        .is_some_and(|token| token.among(&["that", "that's", "this", "it", "it's", "which", "those", "both"]))
        && (is_recorded(clause) || is_recorded_so(clause))
}

fn is_recorded_so(clause: &[Token]) -> bool {
    let been = clause.windows(2).any(|pair| {
        pair[0].among(&["been", "is", "was"])
            && pair[1].among(&["recorded", "reported", "submitted", "logged", "dealt"])
    });
    been && clause.iter().any(|token| token.among(&["has", "that's", "it's", "is", "been"]))
}

/// Returns whether a clause tells of what happens again and again: `every Tuesday`, `on Saturdays`.
pub(super) fn is_regular(clause: &[Token]) -> bool {
    let day = |token: &Token| super::relative::day_name(token).is_some();
    let days = |token: &Token| {
        token.low.len() > 5
            && token
                .low
                .strip_suffix('s')
                .is_some_and(|one| day(&Token { low: one.to_owned(), ..token.clone() }))
    };
    clause.windows(2).any(|pair| {
        pair[0].is("every")
            && (day(&pair[1]) || pair[1].among(&["week", "month", "year", "morning", "summer", "winter"]))
            || pair[0].among(&["on", "all"]) && days(&pair[1])
    })
}

/// Returns whether a clause only says when people meet again: `see you all again on the 4th`.
pub(super) fn is_farewell(clause: &[Token]) -> bool {
    clause.windows(2).any(|pair| {
        pair[0].among(&["see", "seeing", "meet"]) && pair[1].among(&["you", "everyone", "everybody", "ya"])
    }) && !clause.iter().any(|token| token.among(&["need", "want", "like", "could", "can", "book", "about"]))
}
