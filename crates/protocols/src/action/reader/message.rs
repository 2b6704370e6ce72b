//! A message as all rules read it: its tokens, and the clauses and sentences that they stand in.

use std::ops::Range;

use holdpoint_core::text::start;

use super::super::token::{self, Sort, Token, is_among};
use super::lists::{ACTS, SMALL};

pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    /// Which tokens say nothing about a value beside them.
    pub(super) small: Vec<bool>,
    /// Which tokens set off a clause.
    splits: Vec<bool>,
}

impl<'a> Message<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let text = start(text, token::LONGEST);
        let tokens = token::tokens(text);
        // `we need`, but not `we ordered`
        let acts = |token: &Token| is_among(token.stem(), ACTS) && !token.is_past();
        let small = tokens.iter().map(|token| token.is(SMALL) || acts(token)).collect();
        let mut message = Self { text, tokens, small, splits: Vec::new() };
        message.splits = message.all().map(|at| message.splits(at)).collect();
        message
    }

    pub(super) fn all(&self) -> Range<usize> {
        0..self.tokens.len()
    }

    /// Returns a token's word; nothing beyond the ends.
    pub(super) fn low(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    pub(super) fn is(&self, at: usize, words: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(words))
    }

    /// Returns whether some words stand one after another from a token on.
    pub(super) fn says(&self, at: usize, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(more, word)| self.low(at + more) == word)
    }

    /// Returns whether the token before another is among some words.
    pub(super) fn follows(&self, at: usize, words: &str) -> bool {
        at.checked_sub(1).is_some_and(|before| self.is(before, words))
    }

    /// Returns the first token from one on that is not among some words.
    pub(super) fn past(&self, at: usize, words: &str) -> usize {
        (at..self.tokens.len()).find(|at| !self.is(*at, words)).unwrap_or(self.tokens.len().max(at))
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.sort == Sort::Word)
    }

    /// Returns whether a token is written as a part of a name: with a capital, or in figures.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        let plain = |token: &Token| matches!(token.sort, Sort::Word | Sort::Sign | Sort::Break);
        let upper = |token: &Token| self.text[token.at.clone()].starts_with(char::is_uppercase);
        self.tokens.get(at).is_some_and(|token| !plain(token) || upper(token))
    }

    /// Returns whether a token is written in one piece with the one before it.
    pub(super) fn touches(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.zip(self.tokens.get(at)).is_some_and(|(one, next)| one.at.end == next.at.start)
    }

    /// Returns the text of some tokens.
    pub(super) fn text_of(&self, at: &Range<usize>) -> &'a str {
        let last = self.tokens.get(at.end.min(self.tokens.len()).wrapping_sub(1));
        let ends = self.tokens.get(at.start).zip(last);
        ends.and_then(|(first, last)| self.text.get(first.at.start..last.at.end)).unwrap_or_default()
    }

    /// Returns the sentence around a token, without the sign that ends it.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        self.between(at, |at| self.tokens[at].sort == Sort::Break)
    }

    pub(super) fn line(&self, at: usize) -> Range<usize> {
        self.between(at, |at| self.is(at, "\n \r"))
    }

    /// Returns the clause around a token: what commas, dashes, `but` and an `and` with its own subject set off.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        self.between(at, |at| self.splits[at] || self.tokens[at].sort == Sort::Break)
    }

    fn between(&self, at: usize, ends: impl Fn(usize) -> bool) -> Range<usize> {
        let at = at.min(self.tokens.len());
        let start = (0..at).rev().find(|at| ends(*at)).map_or(0, |at| at + 1);
        start..(at..self.tokens.len()).find(|at| ends(*at)).unwrap_or(self.tokens.len())
    }

    fn splits(&self, at: usize) -> bool {
        const SUBJECTS: &str =
            "i we my our it also please then he she they i'm we're i'd i'll we'll that his her there there's";
        let spaced = self.text[..self.tokens[at].at.start].ends_with(' ');
        self.is(at, "- – — / |") && spaced
            || self.is(at, ", but however though although while whereas because")
            || self.is(at, "and so since as when where that") && self.is(at + 1, SUBJECTS)
            || self.is(at, "and") && self.is(at + 1, "no") && self.is_word(at + 2)
    }
}
