//! What was mentioned and may be meant, and what could mean several things: each is put in a question of its own, one after
//! another, and none is forgotten for another.

use holdpoint_core::Field;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::form::step;
use super::super::reader::{self, Manner, Reading};
use super::{Talk, mend, next, say};

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

/// What became of an offer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Settled {
    /// It was taken.
    Taken,
    /// The person said no to it.
    Denied,
    /// The person said something else.
    PassedBy,
}

/// How much of what was passed by, and of what is still to be put, is remembered.
pub(super) const MOST: usize = 50;
/// How often a question between several values is put.
const TIMES: u32 = 2;

/// Takes what was offered if the person agrees or picks from it.
pub(super) fn settle(talk: &mut Talk<'_>, how: Manner, given: &mut Vec<(String, Value)>) -> Option<Settled> {
    let offer = talk.state.offered.take()?;
    let picked = talk.field(&offer.field).and_then(|field| picked(field, &offer.values, talk.said()));
    if let Some(value) = picked {
        given.retain(|(field, _)| *field != offer.field);
        given.push((offer.field, value));
        return Some(Settled::Taken);
    }
    if given.iter().any(|(field, _)| *field == offer.field) {
        return Some(Settled::Taken);
    }
    // Whoever skips what is known already leaves it as it is.
    let leaves = how == Manner::Skip && talk.values.contains_key(&offer.field);
    if leaves && let (Some(field), Some(value)) = (talk.field(&offer.field), talk.values.get(&offer.field)) {
        let text = say::stays(field, value);
        talk.tell(text);
    }
    let no = leaves || reader::declines(talk.said());
    if offer.values.len() > 1 {
        // It stays open until it is settled; who says no to both is asked for it as for any other.
        if !no && offer.put < TIMES {
            talk.state.offers.insert(0, offer);
        }
        return Some(if no { Settled::Denied } else { Settled::PassedBy });
    }
    let value = offer.values.into_iter().next()?;
    if how == Manner::Confirm && given.is_empty() {
        given.push((offer.field, value));
        return Some(Settled::Taken);
    }
    if talk.state.passed_by.len() < MOST {
        talk.state.passed_by.push((offer.field, value));
    }
    Some(if no { Settled::Denied } else { Settled::PassedBy })
}

/// Remembers what was mentioned for fields that are still open, and what could mean several things. Returns whether there
/// was any.
pub(super) fn make(talk: &mut Talk<'_>, reading: &Reading) -> bool {
    let asked = talk.state.asked.clone();
    let mut fresh: Vec<Offer> = Vec::new();
    for unsure in &reading.unsure {
        let Some(field) = talk.field(&unsure.field) else { continue };
        if let Some(value) = talk.values.get(&unsure.field) {
            let text = mend::stays(field, value);
            talk.tell(text);
        }
        talk.state.offers.retain(|offer| offer.field != unsure.field);
        let (field, values, words) = (unsure.field.clone(), unsure.values.clone(), unsure.words.clone());
        fresh.push(Offer { field, values, words, put: 0 });
    }
    // Once nothing is missing, what is only mentioned is not worth a question.
    let missing = next::missing(talk).is_some();
    for mentioned in reading.mentioned.iter().filter(|_| missing) {
        let id = &mentioned.field;
        let open = !talk.values.contains_key(id)
            && talk.visible().into_iter().any(|field| field.id == *id)
            && fresh.iter().chain(&talk.state.offers).all(|offer| offer.field != *id);
        let passed =
            talk.state.passed_by.iter().any(|(field, passed)| field == id && *passed == mentioned.value);
        if open && !passed {
            let (values, words) = (vec![mentioned.value.clone()], mentioned.words.clone());
            fresh.push(Offer { field: id.clone(), values, words, put: 0 });
        }
    }
    let made = !fresh.is_empty();
    let place = |id: &str| talk.form.fields.iter().position(|field| field.id == id);
    fresh.sort_by_key(|offer| {
        (Some(&offer.field) != asked.as_ref(), offer.values.len() == 1, place(&offer.field))
    });
    fresh.append(&mut talk.state.offers);
    fresh.truncate(MOST);
    talk.state.offers = fresh;
    made
}

/// Returns the field that the next offer of a step is about.
pub(super) fn next_of_step<'a>(talk: &'a Talk<'_>, number: u64) -> Option<&'a Field> {
    talk.state.offers.iter().find_map(|offer| {
        let stands = offer.values.len() > 1 || !talk.values.contains_key(&offer.field);
        talk.visible().into_iter().find(|field| field.id == offer.field && stands && step(field) == number)
    })
}

/// Puts the offer about a field, if there is one, and returns its question.
pub(super) fn put(talk: &mut Talk<'_>, field: &Field) -> Option<String> {
    let at = talk.state.offers.iter().position(|offer| offer.field == field.id)?;
    let mut offer = talk.state.offers.remove(at);
    if offer.values.len() == 1 && talk.values.contains_key(&field.id) {
        return None;
    }
    let shown: Vec<String> = offer.values.iter().map(|value| say::value(field, value)).collect();
    let words = holdpoint_core::text::quote(&offer.words);
    let name = say::capital(&say::called(field));
    let text = match &shown[..] {
        // A model may guess without saying from which words.
        [one] if offer.words.is_empty() => format!("{name}: {one}?"),
        [one] => format!("You mention {words}. {name}: {one}?"),
        several if offer.words.is_empty() || talk.turn.text.contains(&offer.words) => {
            format!("Did you mean {}?", several.join(" or "))
        }
        several => {
            format!("{name}: you said {words}. Did you mean {}?", several.join(" or "))
        }
    };
    offer.put += 1;
    talk.state.offered = Some(offer);
    Some(text)
}

/// Returns which of several values a text points to: `the first`, `the later one`, `November`.
fn picked(field: &Field, values: &[Value], text: &str) -> Option<Value> {
    const SMALL: [&str; 21] = [
        "the", "one", "in", "of", "please", "it's", "i", "mean", "meant", "is", "it", "that", "was", "sorry",
        "a", "on", "yes", "no", "date", "day", "option",
    ];
    if values.len() < 2 {
        return None;
    }
    let low = text.to_lowercase();
    let parts = |text: &str| -> Vec<String> {
        let whole = text.to_lowercase();
        let parts = whole.split(|c: char| !c.is_alphanumeric() && c != '\'');
        parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let said: Vec<String> = parts(&low).into_iter().filter(|word| !SMALL.contains(&word.as_str())).collect();
    match said.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["first" | "former" | "earlier" | "1st"] => return values.first().cloned(),
        ["second" | "latter" | "later" | "last" | "2nd"] => return values.last().cloned(),
        [] => return None,
        _ => {}
    }
    let shown: Vec<Vec<String>> = values.iter().map(|value| parts(&say::value(field, value))).collect();
    let plain = |word: &str| {
        let number = word.trim_end_matches(|c: char| c.is_alphabetic());
        if number.is_empty() { word.to_owned() } else { number.to_owned() }
    };
    let fits = |word: &str, shown: &[String]| {
        let word = plain(word);
        shown.iter().any(|known| *known == word || word.len() >= 3 && known.starts_with(&word))
    };
    let mut fitting = shown.iter().enumerate().filter(|(_, shown)| said.iter().all(|word| fits(word, shown)));
    match (fitting.next(), fitting.next()) {
        (Some((at, _)), None) => values.get(at).cloned(),
        _ => None,
    }
}
