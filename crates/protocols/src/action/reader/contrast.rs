//! A value that is known is denied and another is put beside it: `three, not two`, `not the 12th, they must be here by the 10th`.
//!
//! That what is denied is what the form holds says that it is meant, whoever is said to have found it out.

use std::ops::Range;

use holdpoint_core::{Field, Kind, Values};
use serde_json::Value;

use super::clause::{self, About};
use super::correct::Change;
use super::hedge::{hangs_on_condition, states_nothing};
use super::verbs;
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
        (says && was && !all[at - 1].is("i")).then(|| question.text.get(it.start..)).flatten()
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
    if old.is_empty() || old.len() > DENIED || new.is_empty() || !is_told(all, &new) {
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
        return name(question.text, all, new).map(|value| Change { field, value });
    }
    // The longest part of it that can be read: who says it comes first.
    (first..new.end).find_map(|from| {
        let text = said(from..new.end)?;
        let read = read_all(Question { asked: Some(field), text, known: &Values::new(), ..question });
        let value = read.value(&field.id)?;
        let start = all[from].start;
        (Some(value) != known).then(|| Change { field, value: start..start + text.len() })
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

/// Returns where a name stands that ends a part of a sentence: `the contact should be Agata Wilk`.
fn name(text: &str, all: &[Token], range: Range<usize>) -> Option<Range<usize>> {
    let upper = |at: &usize| text[all[*at].start..].starts_with(char::is_uppercase);
    let end = all.get(range.end.checked_sub(1)?)?.end;
    let first = range.rev().take_while(upper).last()?;
    (!super::lexicon::is_small(&all[first])).then_some(all[first].start..end)
}

/// Returns whether a part of a sentence tells what is so, and of nobody else's things.
fn is_told(all: &[Token], range: &Range<usize>) -> bool {
    let sentence = all[range.start].sentence;
    let from = all.partition_point(|token| token.sentence < sentence);
    let to = all.partition_point(|token| token.sentence <= sentence);
    if states_nothing(&all[from..to], &|_| false) || hangs_on_condition(&all[from..to]) {
        return false;
    }
    let words = &all[range.clone()];
    let theirs = words.iter().any(|token| {
        token.among(&["his", "her", "their", "your", "he", "she", "who", "if", "last", "drill"])
            || token.low.ends_with("'s")
                && !token.among(&["it's", "that's", "let's", "there's", "here's", "date's", "day's"])
            || verbs::is_family(token)
    });
    let parsed = clause::parse(words, &|_| false);
    let plain = parsed.verb.is_none_or(|verb| {
        words[verb].among(&[
            "is", "was", "are", "were", "should", "must", "says", "said", "say", "thinks", "reckons",
            "needs", "have", "will", "started", "ended", "began", "starts", "ends", "begins", "happened",
        ]) || verbs::is_quoting(&words[verb])
    });
    !theirs && (plain || !matches!(parsed.about, About::Person | About::Thing(_)))
}
