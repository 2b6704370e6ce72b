//! A message with all that was found in it, while the rules take from it.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field, form};
use jiff::ToSpan as _;
use serde_json::Value;

use super::super::form::{ends, span};
use super::{
    CHANGES, CORRECTS, End, Found, Mark, Message, Names, Question, Reading, Rule, Sort, Taken, Unfit, Unsure,
    VAGUE, What, denies,
};

/// What a value comes to in a field: what it can be (more than one is asked), or why the field does not take it.
pub(super) type Fit = Result<Vec<Value>, String>;

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
    /// Whether the form asks what has been; a birthday alone makes no report.
    pub(super) reports: bool,
    pub(super) marks: Vec<Mark>,
    /// Whether the message says that something known is to be changed.
    pub(super) corrects: bool,
    pub(super) reading: Reading,
}

impl<'a> Scan<'a> {
    pub(super) fn new(question: Question<'a>, message: &'a Message<'a>, names: Names) -> Self {
        let mut found = super::find::find(message, &question, &names);
        // Figures in a name are no value: `Pain from 0 to 10`.
        let inside = |at| names.mentions.iter().any(|name| name.at.len() > 1 && name.at.contains(&at));
        found.retain(|one| !one.is_count() || !inside(one.at.start));
        let values: Vec<_> = found.iter().map(|found| found.at.clone()).collect();
        let mut form = names.covered.clone();
        let mentioned = names.mentions.iter().map(|mention| &mention.at);
        values.iter().chain(mentioned).for_each(|at| form[at.clone()].fill(true));
        let reports = names.said.iter().any(|said| said.been && !said.born);
        let marks = super::guard::marks(message, &names.covered, &form, question.asked.is_some(), reports);
        let guards = marks.iter().map(|mark| (mark.guard, message.low(mark.at).to_owned())).collect();
        let mut ids: Vec<_> = names.mentions.iter().map(|at| question.fields[at.field].id.clone()).collect();
        ids.dedup();
        let reading = Reading { named: ids, guards, ..Reading::default() };
        let (placed, corrects) = (Vec::new(), corrects(message.text));
        Self { question, message, found, values, placed, names, reports, marks, corrects, reading }
    }

    pub(super) fn field(&self, at: usize) -> &'a Field {
        &self.question.fields[at]
    }

    pub(super) fn is_asked(&self, at: usize) -> bool {
        self.question.asked.is_some_and(|asked| asked.id == self.field(at).id)
    }

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
        let values = match fit {
            _ if guard.is_some_and(Mark::blocks) => return,
            Err(why) => {
                let half = self.field(at).kind == Kind::Datetime && self.is_asked(at);
                self.reading.half = half.then(|| words.to_owned());
                return self.reading.unfit.push(Unfit { field: id, why, words: words.to_owned() });
            }
            Ok(values) => values,
        };
        let doubt = guard.map(|mark| mark.reason(self.message)).or(doubt);
        let doubt = doubt.or_else(|| self.untimely(at, found, &values, rule).map(str::to_owned));
        self.placed.push((at, found.at.clone()));
        self.place(at, values, words, rule, doubt);
        let first = &self.message.tokens[found.at.start];
        let offset = first.sort == Sort::Iso && first.low[10..].contains(['z', '+', '-']);
        if let Some(taken) = self.reading.taken.last_mut().filter(|taken| offset && taken.field == id) {
            let zone = self.question.zone.and_then(|zone| zone.iana_name()).unwrap_or("UTC");
            taken.note = Some(format!("converted to {zone}"));
        }
    }

    /// Returns why a day or time is none that the field asks for: it is one end of something else (`until 17:00` is no starting
    /// time), still to come, has been, or is only known roughly.
    fn untimely(&self, at: usize, found: &Found, values: &[Value], rule: Rule) -> Option<&'static str> {
        let (said, today, last) = (&self.names.said[at], self.question.now.date(), found.at.end - 1);
        if self.is_other_end(at, found) {
            return Some("it may only be one end of it");
        }
        let What::Date(days) = &found.what else { return None };
        let later = today.saturating_add(1.day()).to_string();
        let comes = said.been && values.iter().all(|value| value.as_str() >= Some(&later));
        let rough = self.message.is(last, "ago") && self.message.is(last - 1, "month months year years");
        match () {
            () if rule != Rule::Exact && said.is_to_come() && days.iter().all(|day| *day < today) => {
                Some("that day has been")
            }
            () if comes => Some("that day is still to come"),
            () => rough.then_some("that may not be the very day"),
        }
    }

    pub(super) fn is_other_end(&self, at: usize, found: &Found) -> bool {
        let (Some(end), kind) = (found.end, self.field(at).kind) else { return false };
        let (first, last) = span(self.question.fields, |field| field.kind == kind).unzip();
        let own = if end == End::Last { last } else { first };
        own != Some(at) && !ends(self.field(at), end == End::Last)
    }

    /// Takes a value, or asks where it is one of several, uncertain, or would replace what is known without a word of change.
    pub(super) fn place(&mut self, at: usize, new: Vec<Value>, words: &str, rule: Rule, why: Option<String>) {
        let (kind, field) = (self.field(at).kind, self.field(at).id.clone());
        let known = self.question.known.get(&field).filter(|_| !self.is_asked(at));
        let before = self.reading.value(&field).cloned();
        let same = |value: &Value| known.into_iter().chain(&before).any(|had| field::same(kind, had, value));
        let held = || "another value is known, and no word says to change it".to_owned();
        let why = why.or_else(|| (known.is_some() && !self.corrects).then(held));
        match (before.clone(), why, &new[..]) {
            (_, _, [value]) if same(value) => {}
            (None, None, [value]) => {
                self.reading.unsure.retain(|unsure| unsure.field != field);
                let (value, words) = (value.clone(), words.to_owned());
                self.reading.taken.push(Taken { field, value, words, rule, note: None });
            }
            (None, why, _) => {
                self.ask(at, new, words, &why.unwrap_or_else(|| "it could mean several things".to_owned()));
            }
            (Some(before), None, [value]) => {
                self.reading.taken.retain(|taken| taken.field != field);
                self.ask(at, vec![before, value.clone()], words, "two values were given");
            }
            _ => {}
        }
    }

    pub(super) fn ask(&mut self, at: usize, values: Vec<Value>, words: &str, why: &str) {
        let (field, words, why) = (self.field(at).id.clone(), words.to_owned(), why.to_owned());
        self.reading.unsure.push(Unsure { field, values, words, why });
    }
}

/// Returns whether a text says that something known is to become something else, and does not deny it.
pub fn corrects(text: &str) -> bool {
    let message = &Message::new(text);
    let mut all = 0..message.tokens.len();
    let denied = all.clone().any(|at| denies(message, at) && message.is(at + 1, CHANGES));
    // `not minor but major`
    let swaps = |at: usize| {
        let apart = message.follows(at, ",") && !message.is(at + 1, VAGUE);
        message.is(at, "not") && (apart || (at..at + 6).any(|at| message.is(at, "but")))
    };
    let makes = |at: usize| message.is(at, "make") && message.is(at + 1, "it that the this");
    let word =
        |at: usize| message.is(at, CHANGES) || message.is(at, CORRECTS) || message.says(at, "should be");
    !denied && (message.is(0, "no not make") || all.any(|at| word(at) || makes(at) || swaps(at)))
}
