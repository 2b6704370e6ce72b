//! A message with all that was found in it, while the rules take from it.

use std::ops::Range;

use holdpoint_core::{Field, field, form};
use serde_json::Value;

use super::{Fit, Found, Mark, Message, Names, Question, Reading, Rule, Sort, Taken, Unfit, Unsure, denies};

pub(super) struct Scan<'a> {
    pub(super) question: Question<'a>,
    pub(super) message: &'a Message<'a>,
    /// Values that no rule has used yet.
    pub(super) found: Vec<Found>,
    /// Where all values stand that were found, and what was taken as a whole.
    pub(super) values: Vec<Range<usize>>,
    /// Where the values stand that were taken for a field.
    pub(super) placed: Vec<(usize, Range<usize>)>,
    pub(super) names: Names,
    pub(super) marks: Vec<Mark>,
    /// Whether the message says that something known is to be changed.
    pub(super) corrects: bool,
    pub(super) reading: Reading,
}

impl<'a> Scan<'a> {
    pub(super) fn new(question: Question<'a>, message: &'a Message<'a>, names: Names) -> Self {
        let found = super::found::find(message, &question, &names);
        let values: Vec<_> = found.iter().map(|found| found.at.clone()).collect();
        let mut form = names.covered.clone();
        let mentioned = names.mentions.iter().map(|mention| &mention.at);
        values.iter().chain(mentioned).for_each(|at| form[at.clone()].fill(true));
        let marks = super::guard::marks(message, &names.covered, &form, question.asked.is_some());
        let guards = marks.iter().map(|mark| (mark.guard, message.low(mark.at).to_owned())).collect();
        let mut ids: Vec<_> = names.mentions.iter().map(|at| question.fields[at.field].id.clone()).collect();
        ids.dedup();
        let reading = Reading { named: ids, guards, ..Reading::default() };
        let (placed, corrects) = (Vec::new(), corrects(message.text));
        Self { question, message, found, values, placed, names, marks, corrects, reading }
    }

    pub(super) fn field(&self, at: usize) -> &'a Field {
        &self.question.fields[at]
    }

    pub(super) fn is_asked(&self, at: usize) -> bool {
        self.question.asked.is_some_and(|asked| asked.id == self.field(at).id)
    }

    /// Returns whether nothing is known or read of a field yet.
    pub(super) fn is_empty(&self, at: usize) -> bool {
        (self.is_asked(at) || !self.question.known.contains_key(&self.field(at).id)) && !self.is_read(at)
    }

    pub(super) fn is_read(&self, at: usize) -> bool {
        self.reading.has(&self.field(at).id)
    }

    /// Lists the fields that are asked, given what was known and what was just read.
    pub(super) fn visible(&self) -> Vec<usize> {
        let mut known = self.question.known.clone();
        known.extend(self.reading.taken.iter().map(|taken| (taken.field.clone(), taken.value.clone())));
        let visible = form::visible(self.question.fields, &known);
        let is = |at: &usize| visible.iter().any(|field| field.id == self.field(*at).id);
        (0..self.question.fields.len()).filter(is).collect()
    }

    /// Returns what speaks against a value: the strongest guard over its words.
    pub(super) fn guard(&self, at: &Range<usize>) -> Option<&Mark> {
        self.marks.iter().filter(|mark| mark.covers(at)).min_by_key(|mark| !mark.blocks())
    }

    /// Takes what a value comes to in a field, as far as nothing speaks against it.
    pub(super) fn settle(&mut self, at: usize, fit: Fit, found: &Found, rule: Rule, doubt: Option<String>) {
        let (id, words) = (self.field(at).id.clone(), self.message.words(&found.at));
        self.found.retain(|other| other.at != found.at);
        let guard = self.guard(&found.at);
        let doubt = guard.map(|mark| mark.reason(self.message)).or(doubt);
        match fit {
            _ if guard.is_some_and(Mark::blocks) => {}
            Err(why) => self.reading.unfit.push(Unfit { field: id.clone(), why, words: words.to_owned() }),
            Ok(values) => {
                self.placed.push((at, found.at.clone()));
                self.place(at, values, words, rule, doubt);
            }
        }
        let first = &self.message.tokens[found.at.start];
        let offset = first.low.get(10..).is_some_and(|time| time.contains(['z', '+', '-']));
        let converted = |taken: &&mut Taken| taken.field == id && first.sort == Sort::Iso && offset;
        if let Some(taken) = self.reading.taken.last_mut().filter(converted) {
            let zone = self.question.zone.and_then(|zone| zone.iana_name()).unwrap_or("UTC");
            taken.note = Some(format!("converted to {zone}"));
        }
    }

    /// Takes a value, or asks where it is one of several, uncertain, or would replace what is known without a word of change.
    pub(super) fn place(&mut self, at: usize, new: Vec<Value>, words: &str, rule: Rule, why: Option<String>) {
        let (kind, field, words) = (self.field(at).kind, self.field(at).id.clone(), words.to_owned());
        let known = self.question.known.get(&field).filter(|_| !self.is_asked(at));
        let before = self.reading.value(&field).cloned();
        let same = |value: &Value| known.into_iter().chain(&before).any(|had| field::same(kind, had, value));
        let held = || "another value is known, and no word says to change it".to_owned();
        let why = why.or_else(|| (known.is_some() && !self.corrects).then(held));
        let (values, why) = match before {
            _ if matches!(&new[..], [value] if same(value)) => return,
            None if new.len() > 1 => (new, Some("it could mean several things".to_owned())),
            None => (new, why),
            Some(_) if new.len() > 1 || why.is_some() => return,
            Some(before) => ([vec![before], new].concat(), Some("two values were given".to_owned())),
        };
        self.reading.taken.retain(|taken| taken.field != field);
        if let Some(why) = why {
            self.reading.unsure.push(Unsure { field, values, words, why });
        } else if let Some(value) = values.into_iter().next() {
            self.reading.unsure.retain(|unsure| unsure.field != field);
            self.reading.taken.push(Taken { field, value, words, rule, note: None });
        }
    }
}

/// Words that say that something known is to become something else.
pub(super) const CHANGES: &str = "change update switch replace set edit modify amend move correct fix";
/// Words that may open a correction.
pub(super) const OPENING: &str = "actually sorry no oops correction wait , :";
/// Words that take back what was just said.
pub(super) const CORRECTS: &str = "actually instead correction sorry rather oops wait meant mean wrong";

/// Returns whether a text says that something known is to become something else, and does not deny it.
pub fn corrects(text: &str) -> bool {
    let message = &Message::new(text);
    let all = 0..message.tokens.len();
    let denied = all.clone().any(|at| denies(message, at) && message.is(at + 1, CHANGES));
    let makes = |at: usize| message.is(at, "make") && message.is(at + 1, "it that the this");
    let becomes = |at: usize| message.is(at, CHANGES) || message.says(at, "should be") || makes(at);
    let says = |at: usize| message.is(at, CORRECTS) || becomes(at);
    !denied && (message.is(0, "no not make") || all.into_iter().any(says))
}
