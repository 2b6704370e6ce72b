//! Corrections that name what they change: `change the leave type to sick`.
//!
//! What is named gets the value, and nothing else does. A value that cannot be read leaves the name, so that exactly
//! that field is asked.

use std::ops::Range;

use holdpoint_core::{Field, Kind};

use super::super::form::{synonyms, words_of};
use super::Question;
use super::mention::{Phrase, phrases};
use super::words::{Sort, Token, alike, tokens};

/// A field that a correction names, and the bytes of the text where its new value stands.
#[derive(Clone, Debug)]
pub(super) struct Change<'a> {
    pub(super) field: &'a Field,
    pub(super) value: Range<usize>,
}

pub(super) const VERBS: [&str; 24] = [
    "bump", "push", "pull", "bring", "shift", "amend", "adjust", "alter", "extend", "change", "set",
    "switch", "update", "make", "edit", "modify", "fix", "correct", "move", "put", "reduce", "lower",
    "raise", "increase",
];
/// Verbs behind which the value may follow the name at once: `make the leave type unpaid`.
const BARE: [&str; 2] = ["make", "set"];
pub(super) const POLITE: [&str; 38] = [
    "kindly",
    "must",
    "bad",
    "my",
    "gotta",
    "apologies",
    "please",
    "pls",
    "can",
    "could",
    "would",
    "you",
    "actually",
    "sorry",
    "no",
    "oh",
    "wait",
    "ok",
    "okay",
    "hi",
    "i",
    "want",
    "need",
    "to",
    "i'd",
    "like",
    "let's",
    "and",
    "also",
    "then",
    "now",
    "just",
    "we",
    "oops",
    "hey",
    "yes",
    "but",
    ",",
];
const DETERMINERS: [&str; 6] = ["the", "my", "our", "that", "this", "your"];

const OBLIGING: [&str; 3] = ["should", "must", "shall"];

/// Fields with what they are called.
type Names<'a> = Vec<(&'a Field, Vec<Phrase>)>;

fn names(fields: &[Field]) -> Names<'_> {
    fields.iter().map(|field| (field, called(fields, field))).collect()
}

/// Lists what a field is called by those who change it: `the count`, `the last day`, `the date` where there is one only.
fn called(fields: &[Field], field: &Field) -> Vec<Phrase> {
    let mut names = phrases(field);
    let more: &[&str] = if super::quantity::counts_anything(field) {
        &["count", "number", "amount", "quantity"]
    } else if super::role::is_end(field) && field.kind.is_temporal() {
        &["last day", "final day", "end"]
    } else if super::role::is_start(field) && field.kind.is_temporal() {
        &["first day", "start"]
    } else if field.kind.is_temporal() {
        &["date", "day", "deadline"]
    } else {
        &[]
    };
    let alone = fields.iter().filter(|other| other.kind.is_temporal()).count() == 1;
    let known = more.iter().filter(|name| alone || !matches!(**name, "date" | "day" | "deadline"));
    names.extend(known.filter_map(|name| super::known::phrase(name)));
    names
}

/// Returns the fields that a correction names with what they shall become; none if it has no such shape.
pub(super) fn changes<'a>(fields: &'a [Field], text: &str) -> Vec<Change<'a>> {
    let all = tokens(text);
    let mut found: Vec<(usize, &Field, usize)> = Vec::new();
    let lead = all.iter().position(|token| !token.among(&POLITE) && !super::complement::is_manner(token));
    // `would you mind pushing the date back`
    let pushing =
        |token: &Token| token.among(&["pushing", "moving", "changing", "shifting", "switching", "bringing"]);
    let verb = lead.filter(|at| all[*at].among(&VERBS) || pushing(&all[*at]));
    if verb.is_none() && !all.iter().any(|token| token.among(&OBLIGING)) {
        return Vec::new();
    }
    let names = names(fields);
    // `make the start the 24th and the end the 26th`
    let may_follow = verb.is_some_and(|verb| all[verb].among(&BARE));
    if let Some(verb) = verb {
        let start = determined(&all, verb + 1);
        if let Some((field, end)) = name_at(&names, &all, start) {
            let bare = all[verb].among(&BARE) && !is_words(field);
            if let Some(value) = connected(&all, end).or((bare && end < all.len()).then_some(end)) {
                found.push((verb, field, value));
            }
        }
    }
    // `… and the end date to Friday`, `the leave type should be unpaid`, `leave type is wrong, it should be unpaid`
    let from = found.first().map_or(0, |(_, _, value)| *value);
    for at in from..all.len() {
        let joined = at.checked_sub(1).and_then(|before| all.get(before));
        let opens = joined.is_none_or(|token| token.among(&["and", ",", ";"]) || token.among(&POLITE));
        if !opens {
            continue;
        }
        let start = determined(&all, at);
        let Some((field, end)) = name_at(&names, &all, start) else { continue };
        let bare = may_follow && !is_words(field) && end < all.len();
        let value =
            if found.is_empty() { obliged(&all, end) } else { connected(&all, end).or(bare.then_some(end)) };
        if let Some(value) = value.filter(|_| found.iter().all(|(_, other, _)| other.id != field.id)) {
            found.push((at, field, value));
        }
    }
    let starts: Vec<usize> = found.iter().map(|(at, ..)| *at).collect();
    let mut changes = Vec::new();
    for (at, (_, field, value)) in found.into_iter().enumerate() {
        let mut end = starts.get(at + 1).copied().unwrap_or(all.len());
        while end > value
            && all[end - 1].among(&["and", ",", ";", "please", "pls", "thanks", ".", "!", "?", "instead"])
        {
            end -= 1;
        }
        let range = match (all.get(value), end.checked_sub(1).and_then(|last| all.get(last))) {
            (Some(first), Some(last)) if value < end => first.start..last.end,
            _ => text.len()..text.len(),
        };
        changes.push(Change { field, value: range });
    }
    changes
}

/// Returns the fields that a text names: by their name, or else by a word of their question.
pub fn named<'a>(fields: &'a [Field], text: &str) -> Vec<&'a Field> {
    let all = tokens(text);
    let names = names(fields);
    let mut found: Vec<&Field> = Vec::new();
    let mut at = 0;
    while at < all.len() {
        match by_phrase(&names, &all, at) {
            Some((field, end)) => {
                if !found.iter().any(|known| known.id == field.id) {
                    found.push(field);
                }
                at = end;
            }
            None => at += 1,
        }
    }
    if found.is_empty() {
        found = fields
            .iter()
            .filter(|field| {
                let own = own_words(field);
                all.iter().any(|token| token.low.len() >= 4 && own.iter().any(|word| alike(word, &token.low)))
            })
            .collect();
    }
    found
}

/// Returns whether the name of a field stands at a token.
pub(super) fn named_at(fields: &[Field], all: &[Token], at: usize) -> bool {
    by_phrase(&names(fields), all, determined(all, at)).is_some()
}

/// Returns the fields whose names stand among some tokens.
pub(super) fn named_in<'a>(fields: &'a [Field], all: &[Token]) -> Vec<&'a Field> {
    let names = names(fields);
    let mut found: Vec<&Field> = Vec::new();
    for (field, _) in (0..all.len()).filter_map(|at| by_phrase(&names, all, at)) {
        if !found.iter().any(|known| known.id == field.id) {
            found.push(field);
        }
    }
    found
}

/// Returns whether a text begins by saying what another field that has a value is: `the end date is Thursday`.
pub fn states_another(question: Question<'_>, asked: &Field) -> bool {
    const LONGEST: usize = 12;
    let all = tokens(question.text);
    let Some(lead) = all.iter().position(|token| !token.among(&POLITE)) else { return false };
    all.len() <= LONGEST
        && by_phrase(&names(question.fields), &all, determined(&all, lead)).is_some_and(|(field, end)| {
            field.id != asked.id
                && question.known.contains_key(&field.id)
                && all.get(end).is_some_and(|token| token.among(&["is", "are", ":", "=", "should"]))
        })
}

/// Returns whether a text says that something is to be taken out.
pub fn removes(text: &str) -> bool {
    let all = tokens(text);
    let lead = all.iter().position(|token| !token.among(&POLITE));
    lead.is_some_and(|at| {
        all[at].among(&["remove", "forget", "clear", "delete", "drop", "erase", "empty"])
            || all[at].is("take") && all.iter().any(|token| token.is("out"))
    })
}

fn is_words(field: &Field) -> bool {
    matches!(field.kind, Kind::Text | Kind::Multiline)
}

fn determined(all: &[Token], at: usize) -> usize {
    at + usize::from(all.get(at).is_some_and(|token| token.among(&DETERMINERS)))
}

/// Finds the field that is called by its name at a token, and the token behind the name.
fn name_at<'a>(names: &Names<'a>, all: &[Token], at: usize) -> Option<(&'a Field, usize)> {
    by_phrase(names, all, at).or_else(|| by_question(names, all, at))
}

fn by_phrase<'a>(names: &Names<'a>, all: &[Token], at: usize) -> Option<(&'a Field, usize)> {
    let ends = names.iter().filter_map(|(field, phrases)| {
        let end = phrases.iter().filter_map(|phrase| ends_at(phrase, all, at)).max()?;
        Some((*field, end))
    });
    ends.fold(None, |best, next| match best {
        Some((_, end)) if end >= next.1 => best,
        _ => Some(next),
    })
}

pub(super) fn ends_at(phrase: &Phrase, all: &[Token], at: usize) -> Option<usize> {
    let mut next = at;
    for word in phrase.words() {
        if next > at && word != "-" && all.get(next).is_some_and(|token| token.is("-")) {
            next += 1;
        }
        if !all.get(next).is_some_and(|token| alike(&token.low, word)) {
            return None;
        }
        next += 1;
    }
    Some(next)
}

/// Finds the only field whose name and question have all the words up to what leads to the value: `the type of leave`.
fn by_question<'a>(names: &Names<'a>, all: &[Token], at: usize) -> Option<(&'a Field, usize)> {
    const LONGEST: usize = 5;
    let end = (at..all.len().min(at + LONGEST)).find(|end| connected(all, *end).is_some())?;
    let words: Vec<&Token> = all[at..end]
        .iter()
        .filter(|token| !token.among(&["of", "the", "my", "for", "date", "time"]))
        .collect();
    if words.is_empty() || words.iter().any(|token| token.sort != Sort::Word) {
        return None;
    }
    let mut fits = names.iter().map(|(field, _)| *field).filter(|field| {
        let own = own_words(field);
        words.iter().all(|token| own.iter().any(|word| alike(word, &token.low)))
    });
    let field = fits.next()?;
    fits.next().is_none().then_some((field, end))
}

/// Lists the words that a field is known by.
pub(super) fn own_words(field: &Field) -> Vec<String> {
    const SMALL: [&str; 19] = [
        "please", "provide", "share", "what", "when", "which", "your", "does", "give", "need", "have",
        "would", "like", "will", "with", "that", "this", "there", "about",
    ];
    let own = words_of(&field.id);
    let texts = [own.as_str(), field.label.as_str()];
    texts
        .into_iter()
        .chain(synonyms(&field.extra))
        .flat_map(|text| {
            let words = super::known::named(text);
            let own = words
                .iter()
                .filter(|token| token.sort == Sort::Word && token.low.len() >= 4 && !token.among(&SMALL));
            own.map(|token| token.low.clone()).collect::<Vec<_>>()
        })
        .collect()
}

/// Returns the token behind what leads from a name to its new value.
fn connected(all: &[Token], at: usize) -> Option<usize> {
    let word = |at: usize| all.get(at).map_or("", |token| token.low.as_str());
    // `pull the end date in to Wednesday`
    if matches!(word(at), "in" | "back" | "forward" | "out" | "up" | "down" | "over") && word(at + 1) == "to"
    {
        return Some(at + 2);
    }
    match word(at) {
        // `from annual to unpaid`
        "from" => {
            let sentence = all.get(at)?.sentence;
            let to = (at + 1..all.len()).find(|to| word(*to) == "to" && all[*to].sentence == sentence)?;
            Some(to + 1)
        }
        "to" | "into" | "as" | "=" | ":" | "→" => Some(at + 1),
        "-" if word(at + 1) == ">" => Some(at + 2),
        _ => obliged(all, at),
    }
}

/// Returns the token behind `should be`, also where it comes after a complaint: `is wrong, it should be`.
fn obliged(all: &[Token], at: usize) -> Option<usize> {
    const REACH: usize = 6;
    let must = |at: usize| all.get(at).is_some_and(|token| token.among(&OBLIGING));
    let be = |at: usize| all.get(at).is_some_and(|token| token.among(&["be", "read", "say"]));
    if must(at) && be(at + 1) {
        return Some(at + 2);
    }
    // `the start should have been the 8th`
    let word = |at: usize| all.get(at).map_or("", |token| token.low.as_str());
    if must(at) && word(at + 1) == "have" && word(at + 2) == "been" {
        return Some(at + 3);
    }
    let wrong = all.get(at).is_some_and(|token| token.among(&["is", "was", "isn't", "wasn't"]))
        && (at + 1..at + 3).any(|at| {
            all.get(at).is_some_and(|token| token.among(&["wrong", "incorrect", "right", "correct"]))
        });
    let reached = (at + 2..at + 2 + REACH).find(|at| must(*at) && be(at + 1)).filter(|_| wrong)?;
    Some(reached + 2)
}

/// Returns whether a text plainly takes back something that was said, also where words are expected.
pub fn takes_back(fields: &[Field], text: &str) -> bool {
    const COURTESY: [&str; 14] = [
        "please", "can", "could", "would", "you", "actually", "sorry", "no", "oh", "wait", "ok", "okay", ",",
        "oops",
    ];
    let all = tokens(text);
    let Some(mut lead) = all.iter().position(|token| !token.among(&COURTESY)) else { return !all.is_empty() };
    // `I need to change the end date`, `I'd like to correct it`
    let wish =
        ["i", "i'd", "we", "we'd", "want", "need", "like", "have", "must", "should", "let", "me", "let's"];
    let to = (lead..all.len().min(lead + 5)).find(|at| !all[*at].among(&wish));
    if let Some(to) = to.filter(|to| *to > lead && all[*to].is("to")) {
        lead = to + 1;
    }
    let Some(verb) = all.get(lead) else { return false };
    let words = all.iter().filter(|token| token.sort == Sort::Word).count();
    let wrong = words <= 6 && all.iter().any(|token| token.among(&["wrong", "incorrect"]));
    let next = determined(&all, lead + 1);
    let thing = all.get(lead + 1).is_some_and(|token| token.among(&["it", "that", "this", "something"]))
        || by_phrase(&names(fields), &all, next).is_some();
    let gives_up = verb.among(&["remove", "delete", "clear", "erase"]) && thing;
    wrong || gives_up || verb.among(&VERBS) && (thing || lead + 1 == all.len())
}
