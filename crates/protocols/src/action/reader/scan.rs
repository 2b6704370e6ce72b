//! A text while it is read: which words are taken, which must not be, and what was understood so far.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use holdpoint_core::{Field, Values, field};
use jiff::civil::{Date, DateTime, Weekday};
use serde_json::Value;

use super::day::Reckoning;
use super::mention::Phrase;
use super::mood;
use super::words::{Sort, Token, tokens};
use super::{Question, Reading, Taken, Unfit, Unsure};

/// From which clauses values are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// Only from those that are recognised as statements for the form.
    Licensed,
    /// From all in which nothing speaks against it.
    Lenient,
}

/// A text while it is read.
pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token>,
    pub(super) fields: &'a [Field],
    pub(super) asked: Option<&'a Field>,
    /// What is known so far.
    pub(super) known: &'a Values,
    pub(super) reading: Reading,
    /// The clause that was taken as a reason.
    pub(super) reason: Option<Range<usize>>,
    /// What the person's clock shows.
    pub(super) now: DateTime,
    /// Whether the form reports what has happened.
    pub(super) report: bool,
    /// The words with which the names of fields and options begin, once they are needed.
    pub(super) names: OnceCell<HashSet<String>>,
    /// The names of all options of which one is chosen, once they are needed.
    pub(super) options: OnceCell<Vec<Phrase>>,
    /// Which words name something that the form's days go with, once that is needed.
    topic: OnceCell<Vec<bool>>,
    /// Fields that got a value from words that name no field.
    pub(super) loose: Vec<String>,
    /// What days are reckoned from.
    pub(super) reckoning: Reckoning,
    /// Whether an hour is one of the evening.
    pub(super) tonight: bool,
    used: Vec<bool>,
    /// Tokens of which nothing is taken: they state nothing about what is asked.
    mute: mood::Muted,
}

const NEGATORS: [&str; 23] = [
    "not", "no", "without", "never", "neither", "nor", "except", "than", "skip", "nobody", "cannot",
    "cancel", "exclude", "none", "hardly", "instead", "forget", "drop", "scrap", "remove", "ignore",
    "nothing", "noone",
];

/// Returns whether a word denies what follows it.
pub(super) fn denies(token: &Token) -> bool {
    token.among(&["not", "no", "without", "never", "neither", "nor", "nobody", "cannot", "none", "nothing"])
        || token.low.ends_with("n't")
}

/// Returns the day before the week that weekdays lie in, where a text says that it is the next: `Friday next week`.
fn next_week(tokens: &[Token], today: Date) -> Option<Date> {
    let said = tokens.windows(2).any(|pair| pair[0].is("next") && pair[1].is("week"));
    let sunday =
        if today.weekday() == Weekday::Sunday { Ok(today) } else { today.nth_weekday(1, Weekday::Sunday) };
    sunday.ok().filter(|_| said)
}

/// Returns whether a token is marked.
fn on(marks: &[bool], at: usize) -> bool {
    marks.get(at).copied().unwrap_or(false)
}

impl<'a> Scan<'a> {
    pub(super) fn new(question: Question<'a>, strictness: Strictness) -> Self {
        let tokens = tokens(question.text);
        let tonight = tokens.iter().any(|token| token.among(&["tonight", "evening"]));
        let mut scan = Self {
            text: question.text,
            used: vec![false; tokens.len()],
            mute: mood::Muted::default(),
            tokens,
            fields: question.fields,
            asked: question.asked,
            known: question.known,
            reading: Reading::default(),
            reason: None,
            now: question.now,
            report: mood::is_report(question.fields),
            loose: Vec::new(),
            names: OnceCell::new(),
            topic: OnceCell::new(),
            options: OnceCell::new(),
            tonight,
            reckoning: Reckoning { today: question.now.date(), backward: false, asked: false, week: None },
        };
        scan.mute = mood::mute(&scan.tokens, question.fields, question.asked, scan.report);
        if strictness == Strictness::Lenient {
            scan.mute.open.fill(false);
            scan.mute.open_days.fill(false);
        }
        scan.reckoning.backward = scan.looks_back();
        scan.reckoning.week = next_week(&scan.tokens, question.now.date());
        scan
    }

    /// Returns whether a clause may state something of which nobody knows.
    pub(super) fn is_open(&self) -> bool {
        self.mute.open_days.iter().any(|open| *open)
    }

    /// Returns whether all these tokens may still be read.
    pub(super) fn free(&self, range: Range<usize>) -> bool {
        range.end <= self.tokens.len()
            && range.clone().all(|at| !self.used[at])
            && range.clone().all(|at| !on(&self.mute.values, at) && !on(&self.mute.open, at))
    }

    /// Returns whether these tokens may be read as what is known by its form alone: who gives a place or a number to call gives it
    /// for the form, if nothing speaks against it.
    pub(super) fn offered(&self, range: Range<usize>) -> bool {
        range.end <= self.tokens.len()
            && range.into_iter().all(|at| !self.used[at] && !on(&self.mute.values, at))
    }

    /// Returns whether a day or time may be read from these tokens.
    pub(super) fn free_days(&self, range: Range<usize>) -> bool {
        self.free(range.clone())
            && range.into_iter().all(|at| !on(&self.mute.days, at) && !on(&self.mute.open_days, at))
    }

    /// Returns whether these tokens stand in a statement, read or not.
    pub(super) fn stated(&self, range: Range<usize>) -> bool {
        self.tokens.len() >= range.end
            && range.into_iter().all(|at| {
                let mute = &self.mute;
                !on(&mute.values, at) && !on(&mute.days, at) && !on(&mute.open, at)
            })
    }

    /// Returns whether a token stands in a clause that states something.
    pub(super) fn is_statement(&self, at: usize) -> bool {
        !on(&self.mute.values, at) && !on(&self.mute.open, at)
    }

    /// Returns whether a clause hangs on a statement: it is in one, or right behind one.
    pub(super) fn hangs(&self, at: usize) -> bool {
        let mute = &self.mute;
        let states = |at: usize| !on(&mute.values, at) && !on(&mute.open, at);
        let from = mute.clauses.get(at).copied().unwrap_or(0);
        !on(&mute.values, at)
            && !on(&mute.days, at)
            && (states(at) || from == at && from.checked_sub(1).is_some_and(states))
    }

    /// Returns whether these tokens may be taken as words: a reason is one whoever it speaks of.
    pub(super) fn free_words(&self, range: Range<usize>) -> bool {
        let mut range = range;
        range.end <= self.tokens.len()
            && range.all(|at| !self.used[at] && !self.mute.words.get(at).copied().unwrap_or(false))
    }

    /// Marks tokens as read.
    pub(super) fn claim(&mut self, range: Range<usize>) {
        for at in range {
            if let Some(used) = self.used.get_mut(at) {
                *used = true;
            }
        }
    }

    /// Lets tokens be read again.
    pub(super) fn release(&mut self, range: Range<usize>) {
        for at in range {
            if let Some(used) = self.used.get_mut(at) {
                *used = false;
            }
        }
    }

    /// Returns the text of some tokens as it was written.
    pub(super) fn words(&self, range: Range<usize>) -> &'a str {
        match (self.tokens.get(range.start), range.end.checked_sub(1).and_then(|last| self.tokens.get(last)))
        {
            (Some(first), Some(last)) if range.start < range.end => &self.text[first.start..last.end],
            _ => "",
        }
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    /// Returns the token before one, in the same sentence.
    pub(super) fn before(&self, at: usize, count: usize) -> Option<&Token> {
        let token = self.tokens.get(at.checked_sub(count)?)?;
        (token.sentence == self.tokens.get(at)?.sentence).then_some(token)
    }

    /// Returns whether what begins at a token is denied by the words before it.
    pub(super) fn negated(&self, at: usize) -> bool {
        const REACH: usize = 4;
        for count in 1..=REACH {
            let Some(token) = self.before(at, count) else { return false };
            // `the skip is on fire`
            let noun = token.among(&["skip", "drop", "scrap"])
                && self
                    .before(at, count + 1)
                    .is_some_and(|before| before.among(&["the", "a", "our", "that", "this"]));
            if !noun && (token.among(&NEGATORS) || token.low.ends_with("n't")) {
                return true;
            }
            let all = || {
                self.before(at, count + 1).is_some_and(|token| {
                    token.among(&["anything", "everything", "all", "everywhere", "anywhere"])
                })
            };
            if token.is("but") && all() {
                return true;
            }
            // `not hurt in the crash`: there was a crash.
            let apart = self.report
                && token.among(&["in", "during", "after", "by"])
                && self
                    .before(at, count + 1)
                    .is_some_and(|before| !before.among(&NEGATORS) && before.low.len() > 3);
            if apart {
                return false;
            }
            let ends = token.sort == Sort::Sign && !token.among(&["-", "'"]);
            if ends || token.among(&["but", "and", "just", "only", "rather"]) {
                return false;
            }
        }
        false
    }

    /// Returns whether what ends before a token is denied by the words behind it: `parking no`, `isn't needed`.
    pub(super) fn denied_after(&self, end: usize) -> bool {
        let deny = |at: usize| self.word(at) == "not" || self.word(at).ends_with("n't");
        let ends = self.tokens.get(end + 1).is_none_or(|token| token.sort == Sort::Sign);
        // `a sick note I don't have yet`
        let lacks = matches!(self.word(end), "i" | "we") && deny(end + 1) && self.word(end + 2) == "have";
        lacks
            || deny(end)
            || (matches!(self.word(end), "is" | "are" | "will" | "was") && deny(end + 1))
            || (self.word(end) == "no" && ends)
    }

    /// Returns whether the clause of a token names something that the form is about.
    pub(super) fn is_about(&self, at: usize) -> bool {
        let clause = self.mute.clauses.get(at).copied();
        let topic = self.topic.get_or_init(|| super::vocabulary::dated_words(&self.tokens, self.fields));
        (0..self.tokens.len())
            .any(|other| self.mute.clauses.get(other).copied() == clause && topic.get(other) == Some(&true))
    }

    /// Returns whether two tokens stand in the same clause.
    pub(super) fn is_in_clause_of(&self, at: usize, other: usize) -> bool {
        self.mute.clauses.get(at) == self.mute.clauses.get(other)
    }

    /// Returns whether the clause of a token says when somebody comes.
    pub(super) fn says_come(&self, at: usize) -> bool {
        let clause = self.mute.clauses.get(at).copied();
        let come =
            ["there", "here", "come", "coming", "arrive", "arriving", "check", "checking", "start", "begin"];
        (0..self.tokens.len()).any(|other| {
            let there = self.word(other) == "be" && matches!(self.word(other + 1), "at" | "with");
            self.mute.clauses.get(other).copied() == clause && (there || self.tokens[other].among(&come))
        })
    }

    /// Returns whether a word names a field or an option.
    pub(super) fn names_topic(&self, token: &Token) -> bool {
        let alike = |text: &str| {
            super::known::named(text).iter().any(|word| super::words::alike(&word.low, &token.low))
        };
        self.fields.iter().any(|field| alike(&super::super::form::words_of(&field.id)))
    }

    /// Returns whether nothing but numbers, signs and small words stand in the clause of a token.
    pub(super) fn is_bare(&self, at: usize) -> bool {
        let clause = self.mute.clauses.get(at).copied();
        (0..self.tokens.len()).filter(|other| self.mute.clauses.get(*other).copied() == clause).all(|other| {
            let token = &self.tokens[other];
            token.sort != Sort::Word
                || token.low.len() <= 5 && super::mention::is_filler(&token.low)
                || token.among(&[
                    "am", "pm", "about", "around", "o'clock", "noon", "midnight", "half", "past", "quarter",
                    "please", "but", "same", "day", "just", "only", "now", "instead", "rather",
                ])
                || super::number::at(&self.tokens, other).is_some()
        })
    }

    /// Walks the tokens of the sentence that a token stands in.
    pub(super) fn sentence(&self, at: usize) -> Range<usize> {
        let sentence = self.tokens.get(at).map_or(usize::MAX, |token| token.sentence);
        // Sentences are counted as they follow each other.
        let start = self.tokens.partition_point(|token| token.sentence < sentence);
        start..self.tokens.partition_point(|token| token.sentence <= sentence)
    }

    /// Takes a value for a field from some tokens, unless the field has one already.
    pub(super) fn take(&mut self, field: &Field, value: &Value, range: Range<usize>) {
        let words = self.words(range.clone()).to_owned();
        self.claim(range);
        if self.reading.value(&field.id).is_some() {
            return;
        }
        match field::check(field, value) {
            Ok(value) => self.reading.taken.push(Taken { field: field.id.clone(), value, words }),
            Err(why) => self.reading.unfit.push(Unfit { field: field.id.clone(), why, words }),
        }
    }

    /// Takes words for a field that is answered in words.
    pub(super) fn take_text(&mut self, field: &Field, text: &str, range: Range<usize>) {
        if !text.trim().is_empty() {
            self.take(field, &Value::from(text), range);
        }
    }

    /// Notes that words could mean several values.
    pub(super) fn wonder(&mut self, field: &Field, values: Vec<Value>, range: Range<usize>) {
        let words = self.words(range.clone()).to_owned();
        self.claim(range);
        self.reading.unsure.push(Unsure { field: field.id.clone(), values, words });
    }

    /// Returns whether a field is the one that was asked for.
    pub(super) fn is_asked(&self, field: &Field) -> bool {
        self.asked.is_some_and(|asked| asked.id == field.id)
    }

    /// Returns whether days without a direction lie in the past. A form that reports what happened looks back, and so does who speaks
    /// of the past without wishing for anything.
    fn looks_back(&self) -> bool {
        let stated = |at: &usize| !on(&self.mute.values, *at) && !on(&self.mute.open, *at);
        let says =
            |words: &[&str]| (0..self.tokens.len()).filter(stated).any(|at| self.tokens[at].among(words));
        let wishes = says(&[
            "will",
            "would",
            "like",
            "want",
            "need",
            "hoping",
            "wondering",
            "plan",
            "planning",
            "next",
            "i'd",
            "we'd",
            "please",
        ]);
        let past = says(&["was", "were", "happened", "occurred", "began"]);
        // What is reported has happened, however politely: `please note an injury on Monday`.
        let ahead = says(&["next", "will", "would"]);
        self.report && !ahead || !wishes && past
    }
}
