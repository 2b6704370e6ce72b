//! Uncertain values: all of them are offered in one question, so that no extra turns are needed.

use holdpoint_core::Field;
use holdpoint_core::text::quote;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::form::{pointed, poles, step};
use super::super::reader::{self, Reading};
use super::{Conversation, phrase, say};

/// A possible meaning.
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

impl Offer {
    /// Returns whether two are the same words, which only one of the fields means.
    fn is_rival(&self, other: &Self) -> bool {
        self.words == other.words && self.values == other.values && self.values.len() == 1
    }
}

/// How much is remembered.
pub(super) const MOST: usize = 50;
/// How often the same is put.
const TIMES: u32 = 2;

/// Accepts the offered values if the person agrees or picks from them. Returns whether that settles their message.
pub(super) fn settle(
    talk: &mut Conversation<'_>,
    given: &mut Vec<(String, Value)>,
    reading: &Reading,
) -> bool {
    let text = talk.turn.text.clone();
    let (put, kept): (Vec<Offer>, Vec<Offer>) =
        std::mem::take(&mut talk.state.offers).into_iter().partition(|offer| offer.put > 0);
    talk.state.offers = kept;
    if put.is_empty() || text.trim().is_empty() && given.is_empty() {
        talk.state.offers.splice(0..0, put);
        return false;
    }
    let (yes, no) = (phrase::agrees(&text), phrase::declines(&text));
    // `yes, but not on Sunday` is no yes to what was put.
    let yes = yes || reader::agrees(&text) && reading.guards.is_empty();
    let answered: Vec<String> = given.iter().map(|(field, _)| field.clone()).collect();
    let (mut settled, silent) = (no, given.is_empty() && !no);
    for offer in &put {
        let rivals: Vec<&Offer> = put.iter().filter(|other| offer.is_rival(other)).collect();
        if answered.contains(&offer.field) || rivals.iter().any(|rival| answered.contains(&rival.field)) {
            continue;
        }
        let picked = match &offer.values[..] {
            [value] if rivals.len() > 1 => match owner(talk, &rivals, &text) {
                Some(other) if !other.contains(&&offer.field) => continue,
                own => own.map(|_| value.clone()),
            },
            [value] => yes.then(|| value.clone()),
            several => talk.field(&offer.field).and_then(|field| {
                let shown: Vec<String> = several.iter().map(|value| say::value(field, value)).collect();
                several.get(pointed(&shown, &text)?).cloned()
            }),
        };
        match (&offer.values[..], picked) {
            (_, Some(value)) => {
                talk.sources.push((offer.field.clone(), offer.words.clone()));
                given.push((offer.field.clone(), value));
                settled = true;
            }
            // What is open between several stays so until it is settled, and what was not answered at all is put once more.
            (values, None) if (silent || !no && values.len() > 1) && offer.put < TIMES => {
                talk.state.offers.push(offer.clone());
            }
            ([value], None) if rivals.len() == 1 && talk.state.passed_by.len() < MOST => {
                talk.state.passed_by.push((offer.field.clone(), value.clone()));
            }
            _ => {}
        }
    }
    settled
}

/// Returns the field that a text assigns a value to, if several could take it: by its name, or `both`.
fn owner<'o>(talk: &Conversation<'_>, rivals: &[&'o Offer], text: &str) -> Option<Vec<&'o String>> {
    let names: Vec<String> = rivals.iter().map(|rival| talk.called(&rival.field)).collect();
    if text.trim().eq_ignore_ascii_case("both") {
        return Some(rivals.iter().map(|rival| &rival.field).collect());
    }
    pointed(&names, text).map(|at| vec![&rivals[at].field])
}

/// Remembers what is uncertain, to ask about it. Returns whether there was any.
pub(super) fn make(talk: &mut Conversation<'_>, reading: &Reading) -> bool {
    let mut fresh: Vec<Offer> = Vec::new();
    for unsure in &reading.unsure {
        let id = &unsure.field;
        let open = |field: &&Field| field.id == *id && talk.before.get(id) == talk.values.get(id);
        let Some(field) = talk.visible().into_iter().find(open) else { continue };
        let passed =
            |value: &Value| talk.state.passed_by.iter().any(|(field, passed)| field == id && passed == value);
        let mut values: Vec<Value> = unsure.values.iter().filter(|value| !passed(value)).cloned().collect();
        // A yes to a question with yes and no in it would say nothing.
        if values.is_empty() || unsure.values.len() == 1 && poles(field).is_some() {
            continue;
        }
        if field.kind.is_temporal() {
            values.sort_by_key(Value::to_string);
        }
        let again = |old: &&Offer| old.field == *id && old.put > 0 && old.values == values;
        // Who says the same again is not asked the same again.
        if values.len() > 1 && talk.state.offers.iter().any(|old| again(&old)) {
            values.drain(..values.len() - 1);
        }
        fresh.push(Offer { field: id.clone(), values, words: unsure.words.clone(), put: 0 });
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
pub(super) fn next_of_step<'a>(talk: &'a Conversation<'_>, number: u64) -> Option<&'a Field> {
    let of_step = |offer: &Offer| {
        talk.visible().into_iter().find(|field| field.id == offer.field && step(field) == number)
    };
    talk.state.offers.iter().find_map(of_step)
}

/// Puts all offers of a field's step in one question, if the field has one.
pub(super) fn offer_question(talk: &mut Conversation<'_>, field: &Field) -> Option<String> {
    if !talk.state.offers.iter().any(|offer| offer.field == field.id) {
        return None;
    }
    let number = step(field);
    let here = talk.visible().into_iter().filter(|field| step(field) == number);
    let here: Vec<String> = here.map(|field| field.id.clone()).collect();
    let (mut read, mut open) = (Vec::new(), Vec::new());
    for offer in talk.state.offers.iter().filter(|offer| here.contains(&offer.field)) {
        let Some(known) = talk.field(&offer.field) else { continue };
        let rivals = || talk.state.offers.iter().filter(|other| offer.is_rival(other));
        if rivals().count() > 1 {
            let names: Vec<String> = rivals().map(|rival| talk.called(&rival.field)).collect();
            let text = format!("{}: is that {}?", quote(&offer.words), names.join(" or "));
            if !open.contains(&text) {
                open.push(text);
            }
            continue;
        }
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
        parts.push(format!("If not: {}", say::question(field)));
    }
    talk.state.offers.iter_mut().filter(|offer| here.contains(&offer.field)).for_each(|offer| offer.put += 1);
    Some(parts.join(" "))
}
