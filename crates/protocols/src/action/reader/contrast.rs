//! A value that is known is denied and another is put beside it: `three, not two`, `not the 12th, they must be here by the 10th`.
//!
//! That what is denied is what the form holds says that it is meant, whoever is said to have found it out.

use std::ops::Range;

use holdpoint_core::{Field, Kind, Values};
use serde_json::Value;

use super::complement;
use super::correct::Change;
use super::hedge::{hangs_on_condition, states_nothing};
use super::verbs;
use super::vocabulary::{Vocabulary, phrased};
use super::words::{Sort, Token, tokens};
use super::{Manner, Question, manner, read_all};

/// The most words that what is denied has.
const DENIED: usize = 6;
/// The most tokens before a `not`, or behind what it denies, among which the new value is looked for.
const REACH: usize = 10;

/// Finds the value that stands beside a known one that is denied.
pub(super) fn contrast(question: Question<'_>) -> Option<Change<'_>> {
    if question.known.is_empty() {
        return None;
    }
    let all = tokens(question.text);
    let not = (0..all.len()).filter(|at| all[*at].is("not"));
    not.take(3).find_map(|at| behind(question, &all, at).or_else(|| before(question, &all, at)))
}

/// Returns what somebody is said to have found out, where that takes back what is known: `sorry, my colleague says it was
/// 30 November`. Without a word that takes something back it is only what another says.
pub(super) fn reported(question: Question<'_>) -> Option<&str> {
    if question.known.is_empty() || !matches!(manner(question.text), Manner::Correct | Manner::Edit) {
        return None;
    }
    let all = tokens(question.text);
    (1..all.len()).find_map(|at| {
        let says =
            all[at].among(&["says", "said", "told", "tells", "thinks", "reckons", "confirmed", "insists"]);
        let me = usize::from(all.get(at + 1).is_some_and(|token| token.among(&["me", "us"])));
        let that = usize::from(all.get(at + 1 + me).is_some_and(|token| token.is("that")));
        let it = all.get(at + 1 + me + that)?;
        let was = it.is("it's")
            || it.is("it")
                && all
                    .get(at + 2 + me + that)
                    .is_some_and(|token| token.among(&["was", "is", "should", "started", "ended", "began"]));
        let from = at + 1 + me + that;
        let sentence = it.sentence;
        let to = all.partition_point(|token| token.sentence <= sentence);
        let plain = || question.fields.iter().any(|field| is_plain(question, field, &all, from..to));
        (says && was && !all[at - 1].is("i") && plain()).then(|| question.text.get(it.start..)).flatten()
    })
}

/// Reads `it was 11 October, not 12 October`.
fn behind<'a>(question: Question<'a>, all: &[Token], not: usize) -> Option<Change<'a>> {
    let old = denied(all, not);
    if all.get(old.end).is_some_and(|token| token.is("but")) {
        return None;
    }
    let joins = |token: &Token| token.among(&[",", "-", "–", "—", "and", "(", ";"]);
    let end = (0..not).rev().find(|at| !joins(&all[*at]))? + 1;
    let start = (0..end).rev().find(|at| parts(&all[*at])).map_or(0, |at| at + 1);
    // `I did not say two`: what is denied is said of somebody.
    if end == not && !all[not - 1].among(&["st", "nd", "rd", "th"]) && verbs::is_auxiliary(&all[not - 1]) {
        return None;
    }
    put(question, all, start..end, old)
}

/// Reads `not the 12th but the 10th`.
fn before<'a>(question: Question<'a>, all: &[Token], not: usize) -> Option<Change<'a>> {
    let old = denied(all, not);
    let joins = |token: &Token| token.among(&[",", "-", "–", "—", "but", ";", ".", "it's"]);
    let start = (old.end..all.len()).find(|at| !joins(&all[*at]))?;
    let end = (start..all.len()).find(|at| parts(&all[*at])).unwrap_or(all.len());
    if start == old.end {
        return None;
    }
    put(question, all, start..end, old)
}

fn parts(token: &Token) -> bool {
    token.among(&[",", ";", ":", "—", "–", "(", ")", ".", "!", "?"]) && (token.spaced || !token.is("."))
}

/// Returns what a `not` denies: up to where its part of the sentence ends.
fn denied(all: &[Token], not: usize) -> Range<usize> {
    let ends = |at: &usize| {
        all[*at].sentence != all[not].sentence
            || all[*at].among(&["but", "please", "thanks", "as", "because", "sorry", "after"])
            || all[*at].sort == Sort::Sign && !within(all, *at)
    };
    not + 1..(not + 1..all.len()).find(ends).unwrap_or(all.len())
}

/// Returns whether a sign stands between figures: 07:30, 2026-05-04.
fn within(all: &[Token], at: usize) -> bool {
    all[at - 1].sort == Sort::Digits
        && all.get(at + 1).is_some_and(|next| next.sort == Sort::Digits && !next.spaced)
}

/// Puts what some tokens say in the place of what is denied, if exactly one field holds that.
fn put<'a>(
    question: Question<'a>,
    all: &[Token],
    new: Range<usize>,
    old: Range<usize>,
) -> Option<Change<'a>> {
    if old.is_empty() || old.len() > DENIED || new.is_empty() || !is_told(all, new.start) {
        return None;
    }
    let said = |range: Range<usize>| {
        let (first, last) = (all.get(range.start)?, all.get(range.end.checked_sub(1)?)?);
        question.text.get(first.start..last.end)
    };
    let held = said(old)?;
    let mut holders = question.fields.iter().filter(|field| holds(question, field, held));
    let field = holders.next()?;
    if holders.next().is_some() {
        return None;
    }
    let known = question.known.get(&field.id);
    let first = new.start.max(new.end.saturating_sub(REACH));
    if matches!(field.kind, Kind::Text | Kind::Multiline) {
        let first = name(question.text, all, new.clone())?;
        let value = all[first].start..all[new.end - 1].end;
        return is_plain(question, field, all, new.start..first).then_some(Change { field, value });
    }
    if !is_plain(question, field, all, new.clone()) {
        return None;
    }
    // The longest part of it that can be read: who says it comes first.
    (first..new.end).find_map(|from| {
        let text = said(from..new.end)?;
        let read = read_all(Question { asked: Some(field), text, known: &Values::new(), ..question });
        let value = read.value(&field.id)?;
        let start = all[from].start;
        let named = all[from..new.end].iter().any(|token| super::relative::day_name(token).is_some())
            && all[from..new.end].iter().all(|token| token.sort != Sort::Digits);
        let fresh = Some(value) != known && !(named && is_held_elsewhere(question, field, value));
        fresh.then(|| Change { field, value: start..start + text.len() })
    })
}

/// Returns whether a field holds what some words name: a day also by its number, a name also by a part of it.
fn holds(question: Question<'_>, field: &Field, words: &str) -> bool {
    let Some(held) = question.known.get(&field.id) else { return false };
    if let (Kind::Text | Kind::Multiline, Value::String(held)) = (field.kind, held) {
        let held = tokens(held);
        return tokens(words).iter().all(|token| held.iter().any(|other| other.low == token.low));
    }
    // A number is no option by its place here.
    if field.kind.picks() && tokens(words).iter().all(|token| token.sort != Sort::Word) {
        return false;
    }
    let read = read_all(Question { asked: Some(field), text: words, ..question });
    let day = || {
        let number = words.trim().parse::<i8>().ok()?;
        let held = held.as_str()?.get(..10)?.parse::<jiff::civil::Date>().ok()?;
        field.kind.is_temporal().then_some(held.day() == number)
    };
    match (read.value(&field.id), held) {
        (Some(Value::Array(read)), Value::Array(held)) => read.iter().all(|one| held.contains(one)),
        (Some(read), held) => read == held,
        (None, _) => day().unwrap_or(false),
    }
}

/// Returns whether another field holds the day that is put in the place of one: of `Monday, not Friday`, said to whoever knows of both,
/// nobody knows what it means.
fn is_held_elsewhere(question: Question<'_>, field: &Field, value: &Value) -> bool {
    let day = |value: &Value| value.as_str()?.get(..10)?.parse::<jiff::civil::Date>().ok();
    let others = question.fields.iter().filter(|other| other.id != field.id && other.kind.is_temporal());
    let mut held = others.filter_map(|other| question.known.get(&other.id)).filter_map(day);
    day(value).is_some_and(|new| held.any(|held| held.weekday() == new.weekday()))
}

/// Returns where a name begins that ends a part of a sentence: `the contact should be Agata Wilk`.
fn name(text: &str, all: &[Token], range: Range<usize>) -> Option<usize> {
    let upper = |at: &usize| text[all[*at].start..].starts_with(char::is_uppercase);
    let first = range.rev().take_while(upper).last()?;
    (!super::lexicon::is_small(&all[first])).then_some(first)
}

/// Returns whether a sentence tells what is so, neither asked nor supposed.
fn is_told(all: &[Token], at: usize) -> bool {
    let sentence = all[at].sentence;
    let from = all.partition_point(|token| token.sentence < sentence);
    let to = all.partition_point(|token| token.sentence <= sentence);
    !states_nothing(&all[from..to], &|_| false) && !hangs_on_condition(&all[from..to])
}

/// What stands around a value that somebody puts in the place of another.
const AROUND: [&str; 79] = [
    "it",
    "it's",
    "its",
    "that",
    "that's",
    "this",
    "is",
    "was",
    "are",
    "were",
    "be",
    "been",
    "should",
    "must",
    "shall",
    "will",
    "would",
    "has",
    "have",
    "to",
    "had",
    "on",
    "by",
    "from",
    "at",
    "until",
    "till",
    "the",
    "a",
    "an",
    "i",
    "i'm",
    "i'd",
    "i'll",
    "we",
    "we're",
    "we'd",
    "need",
    "want",
    "wanted",
    "meant",
    "mean",
    "said",
    "say",
    "put",
    "make",
    "take",
    "order",
    "ordered",
    "request",
    "requested",
    "asked",
    "please",
    "sorry",
    "actually",
    "no",
    "oh",
    "wait",
    "oops",
    "rather",
    "instead",
    "yes",
    "but",
    "and",
    "so",
    "just",
    "only",
    "really",
    "here",
    "they",
    "second",
    "thoughts",
    "like",
    "for",
    "then",
    "now",
    "of",
    "started",
    "ended",
];

/// Returns whether nothing but a value stands in a part of a sentence, and what leads to it: of anything else it is said that it is
/// so, and not of what the form asks: `it's room 2, not 3`. Who found it out may stand before it: `the manager says`.
fn is_plain(question: Question<'_>, field: &Field, all: &[Token], range: Range<usize>) -> bool {
    const NAMED: usize = 4;
    let quoted = (range.start + 1..range.end.min(range.start + NAMED)).find(|at| {
        verbs::is_quoting(&all[*at])
            && !all[range.start..*at]
                .iter()
                .any(|token| super::scan::denies(token) || token.among(&["i", "we"]))
    });
    let words = &all[quoted.map_or(range.start, |at| at + 1)..range.end];
    let vocabulary = Vocabulary::new(question.fields, all.len());
    let phrased = phrased(all, question.fields);
    let number = |at: usize| words[at].sort == Sort::Digits || super::number::at(words, at).is_some();
    let counts = matches!(field.kind, Kind::Integer | Kind::Number);
    (0..words.len()).all(|at| {
        let token = &words[at];
        let timed = field.kind.is_temporal()
            && (complement::is_time(token) || token.among(&["st", "nd", "rd", "th", "next", "in", "noon"]));
        // What is counted may be named, and nothing else.
        let counted = counts && number(at) && words.get(at + 1).is_none_or(|next| !next.among(&["of", "-"]));
        token.sort == Sort::Sign
            || token.among(&AROUND)
            || complement::is_manner(token)
            || timed
            || counted
            || number(at) && !counts
            || vocabulary.has(token)
            || phrased.contains(&token.start)
    })
}
