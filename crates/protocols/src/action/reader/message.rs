//! A message as all rules read it: its tokens, and the clauses and sentences that they stand in.

use std::ops::Range;

use holdpoint_core::text::start;

use super::token::{LONGEST, Sort, Token, tokens};

pub(super) struct Message<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    /// Which tokens set off a clause.
    splits: Vec<bool>,
}

impl<'a> Message<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let text = start(text, LONGEST);
        let mut message = Self { text, tokens: tokens(text), splits: Vec::new() };
        message.splits = (0..message.tokens.len()).map(|at| message.splits(at)).collect();
        message
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

    /// Returns the first token behind some bytes.
    pub(super) fn until(&self, end: usize) -> usize {
        self.tokens.iter().position(|token| token.at.start >= end).unwrap_or(self.tokens.len())
    }

    /// Returns whether a token is written as a part of a name: with a capital, or in figures.
    pub(super) fn is_capital(&self, at: usize) -> bool {
        let upper = |token: &Token| self.text[token.at.clone()].starts_with(char::is_uppercase);
        self.tokens.get(at).is_some_and(|token| {
            matches!(token.sort, Sort::Number | Sort::Email | Sort::Url | Sort::Iso | Sort::Slashed)
                || upper(token)
        })
    }

    /// Returns whether a sign or word touches what stands on both sides of it, as in `KF-204/88`.
    pub(super) fn is_joined(&self, at: usize) -> bool {
        let touch =
            |at: usize| self.tokens.get(at + 1).is_some_and(|next| self.tokens[at].at.end == next.at.start);
        at > 0 && touch(at - 1) && (touch(at) || self.tokens[at].is_word()) && !self.is(at, ", ; : ( )")
    }

    /// Returns whether a token is part of a number that is written with letters: `KF-204/88`.
    pub(super) fn is_code(&self, at: usize) -> bool {
        let Some(Range { start, end }) = self.tokens.get(at).map(|token| token.at.clone()) else {
            return false;
        };
        let from = self.text[..start].rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let to = self.text[end..].find(char::is_whitespace).map_or(self.text.len(), |more| end + more);
        let chunk = self.text[from..to].trim_matches(|c: char| !c.is_alphanumeric());
        let sorts = [char::is_numeric as fn(char) -> bool, |c| matches!(c, '-' | '/')];
        chunk.starts_with(char::is_alphabetic) && sorts.iter().all(|sort| chunk.contains(*sort))
    }

    /// Returns whether a word tells of what has been: `ordered`, but not `to be ordered`.
    pub(super) fn tells(&self, at: usize) -> bool {
        self.tokens[at].is_past() && !self.follows(at, "be is are")
    }

    pub(super) fn words(&self, at: &Range<usize>) -> &'a str {
        let last = self.tokens.get(at.end.min(self.tokens.len()).wrapping_sub(1));
        let ends = self.tokens.get(at.start).zip(last);
        ends.and_then(|(first, last)| self.text.get(first.at.start..last.at.end)).unwrap_or_default()
    }

    /// Returns the sentence around a token, without the sign that ends it.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        self.between(at, |token| token.sort == Sort::Break)
    }

    pub(super) fn line(&self, at: usize) -> Range<usize> {
        self.between(at, |token| token.is("\n \r"))
    }

    fn between(&self, at: usize, ends: impl Fn(&Token) -> bool) -> Range<usize> {
        let at = at.min(self.tokens.len());
        let start = self.tokens[..at].iter().rposition(&ends).map_or(0, |at| at + 1);
        start..self.tokens[at..].iter().position(&ends).map_or(self.tokens.len(), |more| at + more)
    }

    /// Returns where the sentence before a token's own begins.
    pub(super) fn before(&self, at: usize) -> usize {
        let (start, said) = (self.sentence(at).start, |at: &usize| self.tokens[*at].sort != Sort::Break);
        (0..start).rev().find(said).map_or(start, |at| self.sentence(at).start)
    }

    /// Returns whether some words are part of a compound: `by-product`.
    pub(super) fn is_part(&self, at: &Range<usize>) -> bool {
        let touch = |at: usize| self.tokens[at].at.end == self.tokens[at + 1].at.start;
        let joins = |sign: usize| self.is(sign, "-") && touch(sign - 1) && touch(sign);
        at.start > 1 && joins(at.start - 1) && self.tokens[at.start - 2].is_word()
            || self.tokens.get(at.end + 1).is_some_and(Token::is_word) && joins(at.end)
    }

    /// Returns the clause around a token: what commas, `but` and an `and` with its own subject set off.
    pub(super) fn clause(&self, at: usize) -> Range<usize> {
        let whole = self.sentence(at);
        let start = (whole.start..=at)
            .rev()
            .find(|at| self.splits.get(*at) == Some(&true))
            .map_or(whole.start, |at| at + 1);
        let end = (at + 1..whole.end).find(|at| self.splits[*at]).unwrap_or(whole.end);
        start.min(at)..end
    }

    fn splits(&self, at: usize) -> bool {
        const SUBJECTS: &str = "i we my our the it also please then he she they i'm we're i'd i'll we'd we'll that his her there there's";
        let spaced = |at: usize| self.text[..self.tokens[at].at.start].ends_with(' ');
        self.is(at, "- – — / |") && spaced(at)
            || self.is(at, ", ( ) but however though although while whereas because")
            || self.is(at, "and so since as when where that") && self.is(at + 1, SUBJECTS)
            || self.is(at, "and")
                && self.is(at + 1, "no")
                && self.tokens.get(at + 2).is_some_and(Token::is_word)
    }
}
