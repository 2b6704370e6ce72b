//! What follows the verb of a clause, or makes up all of it where there is none: is its first thing one that the form knows?

use super::lexicon::{is_asking, is_doing, is_fine, is_formal, is_label, is_small, is_wishing};
use super::licence::Held;
use super::words::{Sort, Token};
use super::{number, verbs};

/// Words of time beside days, months and lengths.
const TIMES: [&str; 24] = [
    "today",
    "tomorrow",
    "yesterday",
    "tonight",
    "ago",
    "am",
    "pm",
    "noon",
    "midnight",
    "midday",
    "o'clock",
    "half",
    "quarter",
    "past",
    "st",
    "nd",
    "rd",
    "th",
    "christmas",
    "easter",
    "eve",
    "fortnight",
    "h",
    "couple",
];

/// Where what is asked for is written down.
const SETTINGS: [&str; 16] = [
    "rota",
    "roster",
    "schedule",
    "calendar",
    "diary",
    "system",
    "list",
    "books",
    "planner",
    "timetable",
    "records",
    "log",
    "portal",
    "plan",
    "sheet",
    "record",
];

/// What a complement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Complement {
    /// Nothing, or something that the form asks about: an option, a day, a count.
    Known,
    /// A thing that the form knows nothing of.
    Strange,
}

/// Judges what stands from a token on.
pub(super) fn complement<T: Fn(&Token) -> bool>(held: &Held<'_, T>, from: usize) -> Complement {
    let words = held.words;
    let mut at = from;
    let mut lead = "";
    while at < words.len() {
        if let Some(next) = passes(held, at) {
            lead = words[at].low.as_str();
            at = next;
            continue;
        }
        let end = (at + 1..words.len()).find(|end| ends(held, *end)).unwrap_or(words.len());
        let noun = &words[end - 1];
        // `a burning bin`
        let happening = held.report && (held.topic)(&words[at]) && words[at].low.ends_with("ing");
        if is_year(words, at) {
            return Complement::Strange;
        }
        // `it would be lovely to have`: what is lovely comes now.
        if is_fine(noun) && words.get(end).is_some_and(|token| token.is("to")) {
            if !words.get(end + 1).is_some_and(is_wishing) {
                return Complement::Strange;
            }
            at = end + 2;
            continue;
        }
        // `three new starters` are a thing, and not a count.
        if let Some(noun) = counted_thing(held, at) {
            return noun;
        }
        if is_known(held, words, end - 1, end == at + 1) || happening {
            return Complement::Known;
        }
        // `a pair of screens`
        if noun.among(&["pair", "pairs", "set", "sets", "batch", "couple"])
            && words.get(end).is_some_and(|token| token.is("of"))
        {
            at = end + 1;
            continue;
        }
        // `a vaccination appointment`
        if is_formal(noun) && words[at..end - 1].iter().any(held.topic) && !held.report {
            return Complement::Known;
        }
        // `it's an accident report`
        let reported = held.report
            && held.parsed.about == super::clause::About::It
            && noun.is("report")
            && matches!(lead, "a" | "an")
            && words[at..end - 1].iter().any(held.topic);
        if reported {
            return Complement::Known;
        }
        // `a request for annual leave`
        let formal =
            is_formal(noun) && words.get(end).is_some_and(|token| token.among(&["for", "of", ":", "about"]));
        // `a fire in the paint shop on Monday`, `with my family`
        let place = held.report
            && matches!(lead, "in" | "at" | "near" | "by" | "behind" | "outside" | "inside" | "the");
        // `the note is in your tray`
        let there = lead == "the"
            && noun.among(&[
                "hotel",
                "house",
                "property",
                "reception",
                "desk",
                "clinic",
                "practice",
                "surgery",
            ])
            && at >= 2
            && words[at - 2].is("at");
        let with = there || matches!(lead, "with") || lead == "your" && !held.report;
        // `two cars in an accident`
        let involved = held.report
            && words.get(end).is_some_and(|token| token.among(&["in", "after", "by", "with", "on"]))
            && words[end + 1..].iter().take(2).any(held.topic);
        if !(formal || place || with || involved) {
            return Complement::Strange;
        }
        at = end;
    }
    Complement::Known
}

/// Judges a number that counts several of something that the form knows nothing of.
fn counted_thing<T: Fn(&Token) -> bool>(held: &Held<'_, T>, at: usize) -> Option<Complement> {
    const REACH: usize = 3;
    let number = number::at(held.words, at)?;
    let group = held.words[number.next..].iter().take(REACH).take_while(|token| {
        token.sort == Sort::Word
            && (!is_small(token) || token.among(&["new", "other", "more"]))
            && !verbs::is_verb(token)
    });
    let last = group.last()?;
    let plural = last.low.len() > 3 && last.low.ends_with('s') && !last.low.ends_with("ss");
    let strange = !(held.topic)(last)
        && !is_time(last)
        && !last.among(&["persons", "pieces", "items", "units", "sets", "times", "hours", "pcs", "pairs"]);
    (plural && strange && !held.report).then_some(Complement::Strange)
}

/// Returns the token behind one that names nothing.
fn passes<T: Fn(&Token) -> bool>(held: &Held<'_, T>, at: usize) -> Option<usize> {
    let token = &held.words[at];
    let home = token.is("home") && at.checked_sub(1).is_some_and(|at| held.words[at].is("at"));
    let setting = token.among(&SETTINGS)
        && at
            .checked_sub(1)
            .is_some_and(|at| held.words[at].among(&["the", "our", "my", "your", "on", "in"]));
    // `won't be at work`, `can't attend office`
    let setting = setting
        || token.among(&["work", "office"])
            && at
                .checked_sub(1)
                .is_some_and(|at| held.words[at].among(&["at", "to", "attend", "in", "into"]));
    let passes = token.sort == Sort::Sign
        || home
        || setting
        || (is_small(token) || is_manner(token)) && !(held.topic)(token);
    passes.then_some(at + 1)
}

/// Returns whether a word only says how: `gladly`, `urgently`.
pub(super) fn is_manner(token: &Token) -> bool {
    token.sort == Sort::Word
        && token.low.len() > 5
        && token.low.ends_with("ly")
        && !token.among(&["family", "italy", "supply", "assembly", "reply", "anomaly", "monthly", "weekly"])
}

/// Returns whether a group of words ends before a token.
fn ends<T: Fn(&Token) -> bool>(held: &Held<'_, T>, at: usize) -> bool {
    let token = &held.words[at];
    token.sort != Sort::Word
        || is_small(token)
        || is_time(token)
        || number::at(held.words, at).is_some()
        || token.low.ends_with("ing") && (is_wishing(token) || is_asking(token))
}

fn is_known<T: Fn(&Token) -> bool>(held: &Held<'_, T>, words: &[Token], at: usize, alone: bool) -> bool {
    let token = &words[at];
    token.sort == Sort::Digits && !is_year(words, at)
        || (held.topic)(token)
        || is_time(token)
        || number::at(words, at).is_some() && !is_year(words, at)
        || is_fine(token)
        || token.among(&["pairs", "pieces", "units", "items", "sets"]) && !alone
        || super::acquaintance::is_guest(token)
        || is_spoken_day(words, at)
        || is_label(token) && !is_anothers(words, at)
        || !held.report && is_doing(token)
        || is_wishing(token) && (token.low.ends_with("ing") || alone)
        || is_address(words, at)
}

/// Returns whether an ordinal in words is a day of the month: `the thirteenth`.
pub(super) fn is_spoken_day(words: &[Token], at: usize) -> bool {
    words[at].sort == Sort::Word && number::ordinal(words, at).is_some_and(|(day, _)| (4..=31).contains(&day))
}

/// Returns whether a thing is somebody else's: `in her mail`.
fn is_anothers(words: &[Token], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|at| words[at].among(&["his", "her", "their", "your", "its"]))
}

/// Returns whether a word is one of time.
pub(super) fn is_time(token: &Token) -> bool {
    verbs::is_time(token) || token.among(&TIMES)
}

/// Returns whether figures look like a year.
pub(super) fn looks_like_year(token: &Token) -> bool {
    token.sort == Sort::Digits
        && token.low.len() == 4
        && (token.low.starts_with("19") || token.low.starts_with("20"))
}

/// Returns whether figures are a year that stands alone: of what was then nothing is stated now.
fn is_year(words: &[Token], at: usize) -> bool {
    let year = looks_like_year(&words[at]);
    let dated = |at: Option<usize>| {
        at.and_then(|at| words.get(at)).is_some_and(|token| {
            token.among(&["-", "/", ".", ",", "th", "st", "nd", "rd", ":"])
                || token.sort == Sort::Digits
                || super::day::is_month(token)
        })
    };
    year && !dated(at.checked_sub(1))
        && !(dated(Some(at + 1)) && words.get(at + 1).is_some_and(|next| !next.spaced))
}

/// Returns whether a token is part of an address: `tom@site.example`.
fn is_address(words: &[Token], at: usize) -> bool {
    let from = (0..=at).rev().find(|at| words[*at].spaced).unwrap_or(0);
    let to = (at + 1..words.len()).find(|at| words[*at].spaced).unwrap_or(words.len());
    words[from..to].iter().any(|token| token.is("@"))
        || words[from..to].windows(2).any(|pair| pair[0].is("/") && pair[1].is("/"))
}
