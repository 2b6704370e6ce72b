//! Rules 1 and 2: an answer to the field that was asked: what a control would send, then everyday words.

use std::ops::Range;

use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::super::form::{picked, poles};
use super::found::{Found, What};
use super::guard::Mark;
use super::name::Mention;
use super::scan::{CHANGES, Scan};
use super::token::{Message, Sort, is_among};
use super::{Reading, Rule, Taken, Unfit, named, only};

pub(in crate::action) const YES: &str = "yes true yep yeah yup sure ok okay y ye yea k absolutely certainly correct confirm confirmed right exactly \
                              indeed definitely نعم 👍 👌 ✅ ✔ ☑ 🆗";
pub(in crate::action) const NO: &str = "no false nope nah n neither none 👎 ❌ ✖ 🚫";

/// Reads an exact answer; none, if it must be read as words.
pub(super) fn exact(asked: &Field, text: &str) -> Option<Reading> {
    let text = text.trim();
    let value = match asked.kind {
        _ if text.is_empty() => return None,
        kind if kind.picks() => picked(asked, text)?,
        Kind::Location => {
            let pair = text.split_once(',').filter(|_| !text.starts_with('{'));
            let place = pair.map(|(lat, lng)| format!("{{\"lat\": {lat}, \"lng\": {lng}}}"));
            field::check(asked, &serde_json::from_str(place.as_deref().unwrap_or(text)).ok()?).ok()?
        }
        Kind::Email | Kind::Tel | Kind::Url => field::check(asked, &Value::from(text)).ok()?,
        _ => return None,
    };
    Some(taken(asked, value, text, Rule::Exact))
}

fn taken(asked: &Field, value: Value, words: &str, rule: Rule) -> Reading {
    let taken = Taken { field: asked.id.clone(), value, words: words.to_owned(), rule, note: None };
    Reading { taken: vec![taken], ..Reading::default() }
}

/// Takes the words of a message for a field of words, unless they plainly change another field or name their own.
pub(super) fn words(mut scan: Scan<'_>, asked: &Field) -> Reading {
    const LEADS: &str = "please oh can could you i we want to would like , well";
    const OPENERS: &str = "actually make no sorry correction wait instead not oops add remove";
    let (message, text, known) = (scan.message, scan.question.text, scan.question.known);
    let opener = message.past(0, LEADS);
    let changes = message.is(opener, CHANGES) || message.is(opener, OPENERS);
    let led = |mention: &Mention| mention.at.start <= 1 && message.is(mention.at.end, ": = is");
    if !changes && !scan.names.mentions.iter().any(led) {
        return whole(asked, text);
    }
    scan.question.asked = None;
    named::read(&mut scan);
    only::read(&mut scan);
    let mut other = scan.reading;
    other.taken.retain(|taken| taken.rule == Rule::Named || known.contains_key(&taken.field));
    other.unsure.retain(|unsure| unsure.field != asked.id && known.contains_key(&unsure.field));
    let named = changes && other.named.iter().any(|id| *id != asked.id);
    if other.is_empty() && !named { whole(asked, text) } else { other }
}

/// Takes a text as it is.
pub(super) fn whole(asked: &Field, text: &str) -> Reading {
    let check = |text: &str| field::check(asked, &Value::from(text));
    let (field, words) = (asked.id.clone(), text.trim().to_owned());
    match check(text).or_else(|_| check(&words)) {
        Ok(value) => taken(asked, value, &words, Rule::Answer),
        Err(why) => Reading { unfit: vec![Unfit { field, why, words }], ..Reading::default() },
    }
}

/// Takes the one value in a message that the asked field can take.
pub(super) fn read(scan: &mut Scan<'_>, asked: &Field) {
    let Some(at) = scan.question.fields.iter().position(|field| field.id == asked.id) else { return };
    if scan.is_read(at) {
        return;
    }
    let (message, words) = (scan.message, scan.message.text.trim());
    if let Some(((yes, no), said)) = poles(asked).zip(says(message, 0..message.tokens.len())) {
        scan.place(at, vec![if said { yes } else { no }], words, Rule::Answer, None);
        scan.found.retain(|found| !matches!(found.what, What::Options(field, _) if field == at));
        return;
    }
    // `actually Tuesday` may speak of what was said before; then nobody knows which is meant.
    let known = |other: &usize| *other != at && !scan.is_empty(*other);
    let mut others = (0..scan.question.fields.len()).filter(known);
    let elsewhere =
        others.any(|other| scan.found.iter().any(|found| scan.fit(other, found, Rule::Answer).is_some()));
    if scan.corrects && elsewhere {
        scan.found.clear();
        return;
    }
    // What is refused or limited anywhere in the answer may be the value: `the 3rd won't work`.
    if scan.marks.iter().any(Mark::blocks) || message.tokens.iter().any(|token| token.is("but")) {
        scan.found.clear();
        return;
    }
    let fits = |found: &Found| scan.fit(at, found, Rule::Answer).is_some();
    let (fitting, rest): (Vec<Found>, Vec<Found>) = scan.found.iter().cloned().partition(fits);
    scan.found = rest;
    match &fitting[..] {
        [] if asked.kind.picks() => own_words(scan, asked, at, words),
        [] => {}
        [found] => {
            // One written value and nothing else is what a date, time or number control sends.
            let written = |sort: &Sort| matches!(sort, Sort::Iso | Sort::Clock | Sort::Number);
            let all = found.at == (0..message.tokens.len());
            let exact = all && message.tokens.iter().all(|token| written(&token.sort));
            if let Some(fit) = scan.fit(at, found, Rule::Answer) {
                scan.settle(at, fit, found, if exact { Rule::Exact } else { Rule::Answer });
            }
        }
        [first, .., last] => {
            let fits = fitting.iter().filter_map(|found| scan.fit(at, found, Rule::Answer)?.ok());
            let words = message.words(&(first.at.start..last.at.end));
            let doubt = fitting.iter().find_map(|found| found.doubt.clone());
            scan.place(at, fits.flatten().collect(), words, Rule::Answer, doubt);
        }
    }
}

/// Returns whether some words are a yes or a no, and nothing else but politeness.
pub(super) fn says(message: &Message<'_>, at: Range<usize>) -> Option<bool> {
    const POLITE: &str = "please thanks thank you very much , . ! ; \n";
    let said = message.tokens.get(at).unwrap_or_default().iter().filter(|token| !token.is(POLITE));
    let said: Vec<&str> = said.map(|token| token.low.as_str()).collect();
    let all = |list: &str| said.iter().all(|word| is_among(word, list));
    match said[..] {
        [] => None,
        ["absolutely" | "certainly" | "definitely", "not"] | ["of", "course", "not"] => Some(false),
        _ if all(YES) => Some(true),
        _ => all(NO).then_some(false),
    }
}

/// Takes own words where the field takes them.
fn own_words(scan: &mut Scan<'_>, asked: &Field, at: usize, words: &str) {
    let nothing = scan.marks.is_empty() && scan.reading.named.is_empty() && scan.found.is_empty();
    let own = json!({ "text": words });
    let own = if asked.kind == Kind::Choices { json!([own]) } else { own };
    if let Some(value) = field::check(asked, &own).ok().filter(|_| asked.custom && nothing && !scan.corrects)
    {
        scan.place(at, vec![value], words, Rule::Answer, None);
    }
}
