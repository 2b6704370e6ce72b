//! What was found but is not certain: all of it is put in one question, so that nobody needs more turns than without it.

use holdpoint_core::Field;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::form::{poles, step};
use super::super::reader::Reading;
use super::super::token::is_among;
use super::{Talk, phrase, say};

/// Something that may be meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The field.
    pub field: String,
    /// What it could be: one value, which a yes takes, or several.
    pub values: Vec<Value>,
    /// The words that it was read from.
    pub words: String,
    /// How often it was put.
    pub put: u32,
}

/// How much is remembered.
pub(super) const MOST: usize = 50;
/// How often the same is put.
const TIMES: u32 = 2;

/// Takes what was put to the person if they agree or pick from it. Returns whether their message is settled by that.
pub(super) fn settle(talk: &mut Talk<'_>, given: &mut Vec<(String, Value)>) -> bool {
    let text = talk.turn.text.clone();
    let (put, kept): (Vec<Offer>, Vec<Offer>) =
        std::mem::take(&mut talk.state.offers).into_iter().partition(|offer| offer.put > 0);
    talk.state.offers = kept;
    if put.is_empty() || text.trim().is_empty() && given.is_empty() {
        talk.state.offers.splice(0..0, put);
        return false;
    }
    let (yes, no) = (phrase::agrees(&text), phrase::declines(&text));
    let begins = text.trim_start().get(..3).is_some_and(|head| head.eq_ignore_ascii_case("yes"));
    let (mut settled, silent) = (no, given.is_empty() && !no);
    for offer in put {
        if given.iter().any(|(field, _)| *field == offer.field) {
            continue;
        }
        let picked = match &offer.values[..] {
            [value] => (yes || begins).then(|| value.clone()),
            several => talk.field(&offer.field).and_then(|field| picked(field, several, &text)),
        };
        match (&offer.values[..], picked) {
            (_, Some(value)) => {
                talk.sources.push((offer.field.clone(), offer.words));
                given.push((offer.field, value));
                settled = true;
            }
            // What is open between several stays so until it is settled, and what was not answered at all is put once more.
            (values, None) if (silent || !no && values.len() > 1) && offer.put < TIMES => {
                talk.state.offers.push(offer);
            }
            ([value], None) if talk.state.passed_by.len() < MOST => {
                talk.state.passed_by.push((offer.field, value.clone()));
            }
            _ => {}
        }
    }
    settled
}

/// Remembers what is uncertain, to ask about it. Returns whether there was any.
pub(super) fn make(talk: &mut Talk<'_>, reading: &Reading) -> bool {
    let mut fresh: Vec<Offer> = Vec::new();
    for unsure in &reading.unsure {
        let id = &unsure.field;
        let Some(field) = talk.visible().into_iter().find(|field| field.id == *id) else { continue };
        let passed =
            |value: &Value| talk.state.passed_by.iter().any(|(field, passed)| field == id && passed == value);
        // A yes to a question with yes and no in it would say nothing.
        let unclear = unsure.values.len() == 1 && poles(field).is_some();
        if unclear || unsure.values.iter().all(passed) {
            continue;
        }
        let (field, values, words) = (id.clone(), unsure.values.clone(), unsure.words.clone());
        fresh.push(Offer { field, values, words, put: 0 });
    }
    if fresh.is_empty() {
        return false;
    }
    talk.state.offers.retain(|old| fresh.iter().all(|new| new.field != old.field));
    let place = |id: &str| talk.form.fields.iter().position(|field| field.id == id);
    fresh.append(&mut talk.state.offers);
    fresh.sort_by_key(|offer| (offer.values.len() == 1, place(&offer.field)));
    fresh.truncate(MOST);
    talk.state.offers = fresh;
    true
}

/// Returns the field that the next offers of a step are about.
pub(super) fn next_of_step<'a>(talk: &'a Talk<'_>, number: u64) -> Option<&'a Field> {
    let of_step = |offer: &Offer| {
        talk.visible().into_iter().find(|field| field.id == offer.field && step(field) == number)
    };
    talk.state.offers.iter().find_map(of_step)
}

/// Puts all offers of a field's step in one question, if the field has one.
pub(super) fn put(talk: &mut Talk<'_>, field: &Field) -> Option<String> {
    if !talk.state.offers.iter().any(|offer| offer.field == field.id) {
        return None;
    }
    let number = step(field);
    let here = talk.visible().into_iter().filter(|field| step(field) == number);
    let here: Vec<String> = here.map(|field| field.id.clone()).collect();
    let (mut read, mut open) = (Vec::new(), Vec::new());
    for offer in talk.state.offers.iter().filter(|offer| here.contains(&offer.field)) {
        let Some(known) = talk.field(&offer.field) else { continue };
        let shown: Vec<String> = offer.values.iter().map(|value| say::value(known, value)).collect();
        match &shown[..] {
            [one] => read.push(format!("{} {one}", say::called(known))),
            several => open.push(format!(
                "{}: did you mean {}?",
                say::capital(&say::called(known)),
                several.join(" or ")
            )),
        }
    }
    let mut parts = Vec::new();
    if !read.is_empty() {
        parts.push(format!("I read: {}. Right?", read.join(", ")));
    }
    parts.extend(open);
    if !read.is_empty() {
        parts.push(format!("If not: {}", field.label));
    }
    talk.state.offers.iter_mut().filter(|offer| here.contains(&offer.field)).for_each(|offer| offer.put += 1);
    Some(parts.join(" "))
}

/// Returns which of several values a text points to: `the first`, `the later one`, `November`.
fn picked(field: &Field, values: &[Value], text: &str) -> Option<Value> {
    const SMALL: &str = "the one in of please i mean meant it's is it on at date";
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric() && c != '\'').map(str::to_owned).collect()
    };
    let mut said = words(text);
    said.retain(|word| !word.is_empty() && !is_among(word, SMALL));
    let begins = |known: &str, word: &str| known == word || word.len() >= 3 && known.starts_with(word);
    let shows = |value: &&Value| {
        let shown = words(&say::value(field, value));
        said.iter().all(|word| shown.iter().any(|known| begins(known, word)))
    };
    match said.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => None,
        ["first" | "former" | "earlier" | "am" | "morning"] => values.first().cloned(),
        ["second" | "latter" | "later" | "last" | "pm" | "afternoon" | "evening"] => values.last().cloned(),
        _ => match values.iter().filter(shows).collect::<Vec<_>>()[..] {
            [one] => Some(one.clone()),
            _ => None,
        },
    }
}
