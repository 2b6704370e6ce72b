//! A message with all that was found in it, while the rules take from it.

use std::ops::Range;

use holdpoint_core::{Field, field, form};
use serde_json::Value;

use super::fit::Fit;
use super::found::{self, Found};
use super::guard::{self, Mark};
use super::name::Names;
use super::token::{Message, Sort};
use super::{Question, Reading, Rule, Taken, Unfit, Unsure};

pub(super) struct Scan<'a> {
    pub(super) question: Question<'a>,
    pub(super) message: &'a Message<'a>,
    /// Values that no rule has used yet.
    pub(super) found: Vec<Found>,
    pub(super) names: Names,
    pub(super) marks: Vec<Mark>,
    /// Whether the message says that something known is to be changed.
    pub(super) corrects: bool,
    pub(super) reading: Reading,
}

impl<'a> Scan<'a> {
    pub(super) fn new(question: Question<'a>, message: &'a Message<'a>, names: Names) -> Self {
        let found = found::find(message, &question, names.options.clone());
        let marks = guard::marks(message, &names.covered);
        let guards = marks.iter().map(|mark| (mark.guard, mark.word.clone())).collect();
        let own = names.mentions.iter().filter(|mention| !message.is(mention.at.start, "because"));
        let mut ids: Vec<String> = own.map(|mention| question.fields[mention.field].id.clone()).collect();
        ids.dedup();
        let reading = Reading { named: ids, guards, ..Reading::default() };
        Self { question, message, found, names, marks, corrects: corrects(message), reading }
    }

    pub(super) fn field(&self, at: usize) -> &'a Field {
        &self.question.fields[at]
    }

    /// Returns whether a token stands in a sentence that tells of what has been, in a form that does not ask for that.
    pub(super) fn is_told(&self, at: usize) -> bool {
        self.message.told[at] && !self.names.said.iter().any(|said| said.reports)
    }

    fn is_asked(&self, at: usize) -> bool {
        self.question.asked.is_some_and(|asked| asked.id == self.field(at).id)
    }

    /// Returns whether nothing is known or read of a field yet.
    pub(super) fn is_empty(&self, at: usize) -> bool {
        (self.is_asked(at) || !self.question.known.contains_key(&self.field(at).id)) && !self.is_read(at)
    }

    pub(super) fn is_read(&self, at: usize) -> bool {
        let id = &self.field(at).id;
        self.reading.value(id).is_some() || self.reading.unsure.iter().any(|unsure| unsure.field == *id)
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
        let over = |mark: &&Mark| mark.over.start < at.end && at.start < mark.over.end;
        let marks = || self.marks.iter().filter(over);
        marks().find(|mark| mark.blocks()).or_else(|| marks().next())
    }

    /// Takes what a value comes to in a field, as far as nothing speaks against it.
    pub(super) fn settle(&mut self, at: usize, fit: Fit, found: &Found, rule: Rule) {
        let words = self.message.words(&found.at);
        let guard = self.guard(&found.at);
        let doubt = guard.map(Mark::reason).or_else(|| found.doubt.clone());
        match fit {
            _ if guard.is_some_and(Mark::blocks) => {}
            Err(why) => {
                let (field, words) = (self.field(at).id.clone(), words.to_owned());
                self.reading.unfit.push(Unfit { field, why, words });
            }
            Ok(values) => self.place(at, values, words, rule, doubt),
        }
        let token = &self.message.tokens[found.at.start];
        let offset = token.low.get(10..).is_some_and(|time| time.contains(['z', '+', '-']));
        if let (Sort::Iso, true, Some(taken)) = (&token.sort, offset, self.reading.taken.last_mut()) {
            let zone = self.question.zone.and_then(|zone| zone.iana_name()).unwrap_or("UTC");
            taken.note = Some(format!("converted to {zone}"));
        }
    }

    /// Takes a value, or asks where it is one of several, uncertain, or would replace what is known without a word of change.
    pub(super) fn place(
        &mut self,
        at: usize,
        values: Vec<Value>,
        words: &str,
        rule: Rule,
        doubt: Option<String>,
    ) {
        let (kind, field, words) = (self.field(at).kind, self.field(at).id.clone(), words.to_owned());
        let known = self.question.known.get(&field).filter(|_| !self.is_asked(at));
        let before = self.reading.value(&field);
        let [value] = &values[..] else {
            return self.offer(Unsure { field, values, words, why: "it could mean several things".into() });
        };
        if known.into_iter().chain(before).any(|other| field::same(kind, other, value)) {
            return;
        }
        let held = || "another value is known, and no word says to change it".to_owned();
        if let Some(why) = doubt.or_else(|| (known.is_some() && !self.corrects).then(held)) {
            return self.offer(Unsure { field, values, words, why });
        }
        if let Some(before) = before.cloned() {
            self.reading.taken.retain(|taken| taken.field != field);
            let (values, why) = (vec![before, value.clone()], "two values were given".into());
            return self.offer(Unsure { field, values, words, why });
        }
        self.reading.unsure.retain(|unsure| unsure.field != field);
        self.reading.taken.push(Taken { field, value: value.clone(), words, rule, note: None });
    }

    fn offer(&mut self, unsure: Unsure) {
        let known = self.reading.unsure.iter().any(|known| known.field == unsure.field);
        if !known && self.reading.value(&unsure.field).is_none() {
            self.reading.unsure.push(unsure);
        }
    }
}

/// Words that say that something known is to become something else.
pub(super) const CHANGES: &str =
    "change changes update switch replace set edit modify amend move correct fix";

/// Returns whether a message says that something known is to become something else, and does not deny it.
pub(super) fn corrects(message: &Message<'_>) -> bool {
    const WORDS: &str = "actually instead correction sorry rather oops wait meant mean wrong incorrect";
    let all = 0..message.tokens.len();
    let denied = all.clone().any(|at| guard::denies(message, at) && message.is(at + 1, CHANGES));
    let pair = |at: usize| {
        message.is(at, "make set") && message.is(at + 1, "it that the this")
            || message.is(at, "should") && message.is(at + 1, "be")
    };
    let says = |at: usize| message.is(at, WORDS) || message.is(at, CHANGES) || pair(at);
    !denied && (message.is(0, "no not make add") || all.into_iter().any(says))
}
