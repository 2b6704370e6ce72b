//! A message with all that was found in it, what the rules claim of it, and the reading that is made of their claims.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field, form};
use serde_json::Value;

use super::super::form::poles;
use super::guard::{self, GuardMark, denies};
use super::lists::{CHANGES, CORRECTS, VAGUE};
use super::names::{self, About, Mention, Names};
use super::{
    FitResult, FoundValue, Message, Question, Reading, RejectedValue, Rule, Sort, StatedValue,
    UncertainValue, owner, values,
};

/// A value that a rule gives to a field.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) field: usize,
    pub(super) fit: FitResult,
    /// The value's words, and all words that the rule went by.
    pub(super) at: Range<usize>,
    pub(super) over: Range<usize>,
    pub(super) rule: Rule,
    /// Why it is asked and not taken, as far as the rule knows.
    pub(super) doubt: Option<String>,
}

pub(super) struct Scan<'a> {
    pub(super) question: Question<'a>,
    pub(super) message: &'a Message<'a>,
    pub(super) found: Vec<FoundValue>,
    pub(super) about: Vec<About>,
    pub(super) mentions: Vec<Mention>,
    /// Which tokens are a value, or a name of the form.
    pub(super) is_value: Vec<bool>,
    pub(super) is_name: Vec<bool>,
    pub(super) marks: Vec<GuardMark>,
    /// Which tokens say nothing of the values beside them.
    pub(super) plain: Vec<bool>,
    /// Whether the form asks what has been; a birthday alone makes no report.
    pub(super) reports: bool,
    /// Whether the message says that something known is to be changed.
    pub(super) corrects: bool,
    pub(super) claims: Vec<Claim>,
    /// What was found before any rule was applied.
    pub(super) reading: Reading,
}

impl<'a> Scan<'a> {
    pub(super) fn new(question: Question<'a>, message: &'a Message<'a>) -> Self {
        let names = names::find(message, question.fields);
        let found = values::find(message, &question, &names);
        let Names { mut about, mentions, covered: is_name, .. } = names;
        let mut is_value = vec![false; message.tokens.len()];
        for found in &found {
            is_value[found.at.clone()].fill(true);
        }
        let form: Vec<bool> = is_value.iter().zip(&is_name).map(|(value, name)| *value || *name).collect();
        let marks = guard::marks(message, &is_name, &form);
        let kinds = || question.fields.iter().map(|field| field.kind);
        let reports =
            kinds().zip(&about).any(|(kind, about)| about.been && !about.born && kind != Kind::Boolean);
        // The only day in a report is when it was.
        let mut days = kinds().zip(&mut about).filter(|(kind, _)| *kind == Kind::Date);
        if let (Some((_, day)), None) = (days.next(), days.next()) {
            day.been |= reports;
        }
        let mut ids: Vec<_> = mentions.iter().map(|name| question.fields[name.field].id.clone()).collect();
        ids.dedup();
        let guards = marks.iter().map(|mark| (mark.guard, message.low(mark.at).to_owned())).collect();
        let reading = Reading { named: ids, guards, ..Reading::default() };
        let (corrects, claims, plain) = (corrects(message.text), Vec::new(), Vec::new());
        let mut scan = Self {
            question,
            message,
            found,
            about,
            mentions,
            is_value,
            is_name,
            marks,
            plain,
            reports,
            corrects,
            claims,
            reading,
        };
        scan.plain = scan.plain();
        scan
    }

    pub(super) fn field(&self, at: usize) -> &'a Field {
        &self.question.fields[at]
    }

    pub(super) fn is_form(&self, at: usize) -> bool {
        self.is_name.get(at) == Some(&true) || self.is_value.get(at) == Some(&true)
    }

    pub(super) fn is_known(&self, field: usize) -> bool {
        let id = &self.field(field).id;
        self.question.asked.is_none_or(|asked| asked.id != *id) && self.question.known.contains_key(id)
    }

    pub(super) fn is_claimed(&self, field: usize) -> bool {
        self.claims.iter().any(|claim| claim.field == field)
    }

    /// Returns whether a value is neither claimed nor denied.
    pub(super) fn is_free(&self, found: &FoundValue) -> bool {
        !self.claims.iter().any(|claim| found.overlaps(&claim.at)) && !self.is_blocked(&found.at)
    }

    /// Returns whether a guard leaves nothing of some words to ask.
    pub(super) fn is_blocked(&self, at: &Range<usize>) -> bool {
        self.marks.iter().any(|mark| mark.blocks() && mark.covers(at))
    }

    /// Gives a value to a field; what is said with the words beside it is weighed when all is settled.
    pub(super) fn claim(
        &mut self,
        rule: Rule,
        field: usize,
        fit: FitResult,
        found: &FoundValue,
        why: Option<&str>,
    ) {
        let doubt = self.untimely(field, found, &fit, rule).or(why).map(str::to_owned);
        let (at, over) = (found.at.clone(), found.at.clone());
        self.claims.push(Claim { field, fit, at, over, rule, doubt });
    }

    /// Lists the fields that are asked, given what is known and what is surely claimed.
    pub(super) fn visible(&self) -> Vec<usize> {
        let mut known = self.question.known.clone();
        for claim in self.claims.iter().filter(|claim| self.doubt(claim).is_none()) {
            let value = claim.fit.iter().flatten().next();
            known.extend(value.map(|value| (self.field(claim.field).id.clone(), value.clone())));
        }
        let visible = form::visible(self.question.fields, &known);
        let is = |at: &usize| visible.iter().any(|field| field.id == self.field(*at).id);
        (0..self.question.fields.len()).filter(is).collect()
    }
}

/// Returns whether a text says that something known is to become something else, and does not deny it.
pub fn corrects(text: &str) -> bool {
    let message = &Message::new(text);
    let denied = message.all().any(|at| denies(message, at) && message.is(at + 1, CHANGES));
    // `make it red`, `5, not 3`, `not minor but major`
    let changes = |at: usize| {
        let apart = message.follows(at, ",") && !message.is(at + 1, VAGUE);
        let swaps = message.is(at, "not") && (apart || (at..at + 6).any(|at| message.is(at, "but")));
        let makes = message.is(at, "make") && message.is(at + 1, "it that the this");
        message.is(at, CHANGES) || message.is(at, CORRECTS) || message.says(at, "should be") || makes || swaps
    };
    !denied && (message.is(0, "no not make") || message.all().any(changes))
}

/// Settles all claims, field by field.
pub(super) fn settle(mut scan: Scan<'_>) -> Reading {
    let mut reading = std::mem::take(&mut scan.reading);
    for field in 0..scan.question.fields.len() {
        let open = |claim: &&Claim| claim.field == field && !scan.is_blocked(&claim.over);
        let (mut good, bad): (Vec<Claim>, Vec<Claim>) =
            scan.claims.iter().filter(open).cloned().partition(|claim| claim.fit.is_ok());
        if let Some(first) = good.first() {
            let rivals = rivals(&scan, first);
            scan.claims.extend(rivals.iter().cloned());
            good.extend(rivals);
            good.sort_by_key(|claim| claim.at.start);
            take(&scan, &good, &mut reading);
        } else if let Some(bad) = bad.first() {
            refuse(&scan, bad, &mut reading);
        }
    }
    owner::list_unclaimed(&scan, &mut reading);
    reading
}

/// Takes the value that some claims agree on, or asks where they differ or anything is uncertain.
fn take(scan: &Scan<'_>, claims: &[Claim], reading: &mut Reading) {
    let (Some(first), Some(last)) = (claims.first(), claims.last()) else { return };
    let known = scan.field(first.field);
    let counted = if corrected(scan, first, last) { std::slice::from_ref(last) } else { claims };
    let mut values: Vec<Value> =
        counted.iter().flat_map(|claim| claim.fit.clone().unwrap_or_default()).collect();
    values.dedup();
    // Options of a field that takes several may be listed anywhere.
    if known.kind == Kind::Choices && values.len() > 1 {
        values = vec![values.iter().filter_map(Value::as_array).flatten().cloned().collect()];
    }
    let doubt = counted.iter().find_map(|claim| scan.doubt(claim));
    // Of a yes or a no the whole clause is the words.
    let at = if known.kind == Kind::Boolean { first.over.clone() } else { first.at.start..last.at.end };
    let (field, words) = (known.id.clone(), scan.message.text_of(&at).to_owned());
    let held = scan.question.known.get(&field).filter(|_| scan.is_known(first.field));
    match &values[..] {
        [value] if held.is_some_and(|held| field::same(known.kind, held, value)) => {}
        [value] if doubt.is_none() => {
            let (value, rule, note) = (value.clone(), last.rule, note(scan, first));
            reading.taken.push(StatedValue { field, value, words, rule, note });
        }
        // A question with a yes and a no in it could not be answered with a yes.
        _ if poles(known).is_some() => {}
        _ => {
            let why = doubt.unwrap_or_else(|| "it could mean several things".to_owned());
            reading.unsure.push(UncertainValue { field, values, words, why });
        }
    }
}

/// Says that a time was converted, where it was.
fn note(scan: &Scan<'_>, claim: &Claim) -> Option<String> {
    let first = scan.message.tokens.get(claim.at.start)?;
    let offset = first.sort == Sort::Iso && first.low.get(10..)?.contains(['z', '+', '-']);
    let zone = scan.question.zone.and_then(|zone| zone.iana_name()).unwrap_or("UTC");
    offset.then(|| format!("converted to {zone}"))
}

/// Says why a field does not take what was plainly said for it.
fn refuse(scan: &Scan<'_>, claim: &Claim, reading: &mut Reading) {
    let (known, words) = (scan.field(claim.field), scan.message.text_of(&claim.at).to_owned());
    if claim.rule != Rule::Only || scan.doubt(claim).is_none() {
        // The other half of a moment may be said next.
        let half = claim.rule == Rule::Answer && known.kind == Kind::Datetime;
        reading.half = half.then(|| words.clone());
        let why = claim.fit.clone().err().unwrap_or_default();
        reading.unfit.push(RejectedValue { field: known.id.clone(), why, words });
    }
}

/// Returns whether a word between two values takes the first back: `45, sorry, 50`; `2 boxes, no, make that 3`.
fn corrected(scan: &Scan<'_>, first: &Claim, last: &Claim) -> bool {
    let message = scan.message;
    (first.at.end..last.at.start).any(|at| {
        let word = message.is(at, CORRECTS) && !message.is(at + 1, "of than");
        let bare = message.is(at, "no make") && !scan.is_form(at - 1) && message.is(at + 1, ", that it make");
        word || bare
    })
}

/// Lists the values that no rule claimed and that a claimed field could take as well: `80 to 95`, `3 boxes. No, 5.`
fn rivals(scan: &Scan<'_>, claim: &Claim) -> Vec<Claim> {
    let rival = |found: &FoundValue| {
        // The other end of a span is no second value.
        let end = found.end.is_some_and(|end| scan.is_other_end(claim.field, end));
        let apart = scan.is_of_other(found) || end || scan.message.is(found.at.end, "of");
        let fit = scan.fit(claim.field, found, Rule::Named).filter(|fit| fit.is_ok() && !apart)?;
        let (at, over) = (found.at.clone(), found.at.clone());
        scan.is_free(found).then(|| Claim { fit, at, over, ..claim.clone() })
    };
    scan.found.iter().filter_map(rival).collect()
}
