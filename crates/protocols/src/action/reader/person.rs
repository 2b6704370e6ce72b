//! Whom somebody names, behind what asks for them: `emergency contact Carol Briggs`.

use holdpoint_core::{Field, Kind};

use super::super::form::words_of;
use super::correct::own_words;
use super::known::named;
use super::scan::Scan;
use super::words::Sort;
use super::{complement, lexicon, verbs};

/// The most words that a name has, with what somebody is to the speaker: `my wife Ana Maria de Souza`.
const LONGEST: usize = 7;

/// Returns whether a field asks for a person.
fn asks_whom(field: &Field) -> bool {
    let words = |text: &str, list: &[&str]| named(text).iter().any(|token| token.among(list));
    matches!(field.kind, Kind::Text | Kind::Multiline)
        && (words(&field.label, &["who", "whom", "whose"])
            || words(&words_of(&field.id), &["contact", "name", "person", "manager", "substitute", "deputy"]))
}

/// Returns whether a person is named right behind the name of a field that asks for one.
pub(super) fn named_behind(scan: &Scan<'_>, field: &Field, at: usize) -> bool {
    if !asks_whom(field) || !scan.tokens.get(at).is_some_and(|token| token.sort == Sort::Word) {
        return false;
    }
    let end = name_end(scan, at);
    let closes = scan.tokens.get(end).is_none_or(|next| next.sort != Sort::Word);
    let plain = |at: usize| {
        let token = &scan.tokens[at];
        let joins = token.among(&["de", "van", "von", "la", "del", "der", "my", "dr", "mr", "mrs", "ms"]);
        let kin = verbs::is_other(token);
        let word = lexicon::is_small(token)
            || complement::is_time(token)
            || verbs::is_verb(token)
            || lexicon::is_asking(token);
        joins || kin || !word
    };
    at < end && end - at <= LONGEST && (at..end).all(plain) && (closes || is_upper(scan, end - 1))
}

/// Finds whom somebody shall be called for, where a field asks for them: `in an emergency call Nils Berg`.
pub(super) fn read(scan: &mut Scan<'_>) {
    let fields = scan.fields;
    for field in fields.iter().filter(|field| asks_whom(field)) {
        let own = own_words(field);
        let found = (0..scan.tokens.len()).find_map(|at| {
            let verb =
                scan.tokens[at].among(&["call", "contact", "reach", "ring", "phone", "notify", "inform"]);
            let start = at + 1;
            // What is dear is looked at only behind such a verb: a message has thousands of words.
            if !verb || !is_upper(scan, start) {
                return None;
            }
            let end = name_end(scan, start);
            let led = scan.sentence(at).any(|other| {
                scan.is_in_clause_of(other, at)
                    && scan.tokens[other].low.len() > 6
                    && !scan.tokens[other].is("contact")
                    && own.contains(&scan.tokens[other].low)
            });
            (led && start < end && scan.free_words(start..end)).then_some(start..end)
        });
        let found = found.or_else(|| said_to_be(scan, &own)).or_else(|| stands_as(scan, field));
        if let Some(range) = found.filter(|_| scan.reading.value(&field.id).is_none()) {
            let words = scan.words(range.clone());
            scan.take_text(field, words, range);
        }
    }
}

/// Finds whom somebody says to be the one: `the person you can reach in an emergency is David Lorne`, `Joan Webb being the one to call
/// in an emergency`.
fn said_to_be(scan: &Scan<'_>, own: &[String]) -> Option<std::ops::Range<usize>> {
    let reaches = |at: usize| {
        matches!(
            scan.word(at),
            "reach" | "call" | "contact" | "ring" | "phone" | "reached" | "contacted" | "person"
        )
    };
    let asked =
        |at: usize| scan.tokens[at].low.len() > 6 && !reaches(at) && own.contains(&scan.tokens[at].low);
    let word = (0..scan.tokens.len()).find(|at| asked(*at))?;
    let sentence = scan.sentence(word);
    if !sentence.clone().any(reaches) {
        return None;
    }
    sentence.clone().find_map(|at| {
        let behind = matches!(scan.word(at), "is" | "be") && is_upper(scan, at + 1) && at > word.min(at);
        let before =
            matches!(scan.word(at), "being" | "is") && matches!(scan.word(at + 1), "the" | "who" | "my");
        if behind {
            let end = name_end(scan, at + 1);
            return (scan.free_words(at + 1..end) && !lexicon::is_small(&scan.tokens[at + 1]))
                .then_some(at + 1..end);
        }
        let first =
            (sentence.start..at).rev().take_while(|at| is_upper(scan, *at)).last().filter(|_| before)?;
        let named = !lexicon::is_small(&scan.tokens[first]) && scan.free_words(first..at);
        named.then_some(first..at)
    })
}

/// Finds who is named as what a field asks for: `use Ana Silva as my emergency contact`.
fn stands_as(scan: &Scan<'_>, field: &Field) -> Option<std::ops::Range<usize>> {
    let names = super::mention::phrases(field);
    (1..scan.tokens.len()).filter(|at| scan.word(*at) == "as").find_map(|at| {
        let own = matches!(scan.word(at + 1), "my" | "our" | "the" | "an");
        let called = names.iter().any(|name| name.at(scan, at + 1 + usize::from(own)).is_some());
        let part = |at: usize| {
            let token = &scan.tokens[at];
            is_upper(scan, at)
                && token.sort == Sort::Word
                && !lexicon::is_small(token)
                && !lexicon::is_asking(token)
                && !lexicon::is_wishing(token)
                && !verbs::is_verb(token)
        };
        let first = (scan.sentence(at).start..at).rev().take_while(|at| part(*at)).last()?;
        let meant = called && at - first <= LONGEST && !scan.negated(first);
        (meant && scan.free_words(first..at)).then_some(first..at)
    })
}

/// Takes the name alone from an answer that goes on with courtesies: `Margaret Finch, if you would be so kind`.
pub(super) fn answer(scan: &Scan<'_>, field: &Field) -> Option<std::ops::Range<usize>> {
    if !asks_whom(field) || !is_upper(scan, 0) {
        return None;
    }
    // `my brother's at sea, so that leaves Aunt Rosalind`
    let last = scan.tokens.iter().rposition(|token| token.sort == Sort::Word)?;
    let first = (0..=last).rev().take_while(|at| is_upper(scan, *at)).last();
    if let Some(first) = first.filter(|first| *first > LONGEST)
        && matches!(scan.word(first - 1), "leaves" | "is" | "be" | "call" | "choose" | "say")
        && !lexicon::is_small(&scan.tokens[first])
    {
        return Some(first..last + 1);
    }
    let end = name_end(scan, 0);
    let polite = |token: &super::words::Token| {
        token.sort == Sort::Sign || token.among(&["please", "thanks", "thank", "you", "dear", "ta", "cheers"])
    };
    (end > 0 && end < scan.tokens.len() && scan.word(end) == "," && scan.tokens[end..].iter().all(polite))
        .then_some(0..end)
}

/// Returns where the name of a person ends that a field asks for, if that is sooner than its sentence.
pub(super) fn end(scan: &Scan<'_>, field: &Field, start: usize) -> Option<usize> {
    if !asks_whom(field) || !is_upper(scan, start) {
        return None;
    }
    // A number to call belongs to a person.
    let end = name_end(scan, start);
    let dials = |at: usize| {
        scan.tokens.get(at).is_some_and(|token| {
            token.sort == Sort::Digits || token.among(&["+", "(", ",", "at", "on", "tel", "phone", "mobile"])
        })
    };
    let called =
        (end..scan.tokens.len()).take_while(|at| dials(*at)).any(|at| scan.tokens[at].low.len() >= 3);
    let joined = scan
        .tokens
        .get(end)
        .is_some_and(|next| next.sort == Sort::Sign && !next.among(&[".", ",", ";", "!"]));
    (end > start && !called && !joined).then_some(end)
}

/// Returns where a run of names ends: where they are written with capitals, with the last of them.
fn name_end(scan: &Scan<'_>, start: usize) -> usize {
    let upper = is_upper(scan, start);
    let joins = |at: usize| matches!(scan.word(at), "de" | "van" | "von" | "la" | "del" | "der" | "-");
    (start..scan.tokens.len())
        .find(|at| {
            let token = &scan.tokens[*at];
            let goes = token.sort == Sort::Word && (!upper || is_upper(scan, *at)) || joins(*at);
            !goes || token.sentence != scan.tokens[start].sentence
        })
        .unwrap_or(scan.tokens.len())
}

fn is_upper(scan: &Scan<'_>, at: usize) -> bool {
    at < scan.tokens.len() && scan.words(at..at + 1).starts_with(char::is_uppercase)
}
