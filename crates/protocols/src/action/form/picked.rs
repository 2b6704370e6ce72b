//! Values that a control sends for a field, and the options that people and models name: by id, label, number or prefix.

use holdpoint_core::{Field, Kind, Opt, field};
use serde_json::Value;

use super::super::token::is_among;
use super::poles;

/// Returns the value that a text is for a field exactly as a control would send it, if it is one.
pub fn sent(asked: &Field, text: &str) -> Option<Value> {
    match asked.kind {
        _ if text.is_empty() => None,
        kind if kind.picks() => picked(asked, text),
        Kind::Location => {
            let pair = text.split_once(',').filter(|_| !text.starts_with('{'));
            let place = pair.map(|(lat, lng)| format!("{{\"lat\": {lat}, \"lng\": {lng}}}"));
            field::check(asked, &serde_json::from_str(place.as_deref().unwrap_or(text)).ok()?).ok()
        }
        // As the options of a yes-or-no field are listed.
        Kind::Boolean => match text {
            "1" => Some(Value::Bool(true)),
            "2" => Some(Value::Bool(false)),
            _ => None,
        },
        Kind::Email | Kind::Tel | Kind::Url => field::check(asked, &Value::from(text)).ok(),
        _ => None,
    }
}

/// How people say that they choose nothing, or everything.
const NONE: [&str; 5] = ["none", "none of them", "none of these", "nothing", "no, none"];
const ALL: [&str; 5] = ["all", "all of them", "all of these", "everything", "every one"];

/// Picks by id, label, number, joined labels, or the unambiguous start of a label.
pub fn picked(asked: &Field, text: &str) -> Option<Value> {
    const SHORTEST: usize = 3;
    if let Some(option) = option(asked, text) {
        return Some(field::picking(asked, &option.id));
    }
    let low = text.to_lowercase();
    if asked.kind == Kind::Choices && !asked.required && NONE.contains(&low.as_str()) {
        return Some(Value::Array(Vec::new()));
    }
    let several = match numbered(asked, &low) {
        _ if asked.kind == Kind::Choices && ALL.contains(&low.as_str()) => asked.all_options().collect(),
        Some(several) => several,
        None => joined(asked, text),
    };
    if matches!(asked.kind, Kind::Choices | Kind::Products) && several.len() > 1 {
        let picks = several.iter().filter_map(|option| field::picking(asked, &option.id).as_array().cloned());
        return Some(picks.flatten().collect());
    }
    let number = text.strip_prefix('#').unwrap_or(text).trim_end_matches([')', '.']).parse::<usize>().ok();
    let mut begun = asked.all_options().filter(|option| option.label.to_lowercase().starts_with(&low));
    let one = begun.next().filter(|_| begun.next().is_none() && poles(asked).is_none());
    let one = one.filter(|_| text.chars().count() >= SHORTEST);
    let numbered = number.and_then(|at| asked.all_options().nth(at.checked_sub(1)?));
    numbered.or(one).map(|option| field::picking(asked, &option.id))
}

/// Returns the option with a text as its id or label; an exact match is preferred to one in another case.
pub fn option<'a>(asked: &'a Field, text: &str) -> Option<&'a Opt> {
    let is = |name: &str| name.trim().to_lowercase() == text.to_lowercase();
    let exact = asked.all_options().find(|option| option.id == text || option.label.trim() == text);
    exact.or_else(|| asked.all_options().find(|option| is(&option.label) || is(&option.id)))
}

/// Returns whether a text is the name of an option of these fields.
pub fn names_option(fields: &[Field], text: &str) -> bool {
    fields.iter().any(|field| field.kind.picks() && option(field, text.trim()).is_some())
}

/// Reads the numbers of several options: `1, 3`, `1 and 3`.
fn numbered<'a>(asked: &'a Field, text: &str) -> Option<Vec<&'a Opt>> {
    let words = text.split([',', ' ', '&', '+']).filter(|word| !word.is_empty() && *word != "and");
    let at = |word: &str| {
        asked.all_options().nth(word.trim_matches(['#', '.', ')']).parse::<usize>().ok()?.checked_sub(1)?)
    };
    words.map(at).collect()
}

/// Reads labels joined by commas, as a checkbox sends them; a label may hold a comma itself.
fn joined<'a>(asked: &'a Field, text: &str) -> Vec<&'a Opt> {
    let mut picked: Vec<&Opt> = Vec::new();
    let mut rest = text.trim().to_lowercase();
    while !rest.is_empty() {
        let leads = |name: &str| {
            let after = rest.strip_prefix(name.to_lowercase().as_str())?.trim_start();
            let next = after.strip_prefix(',').or_else(|| after.is_empty().then_some(after))?;
            Some(next.trim_start().to_owned())
        };
        let each = asked
            .all_options()
            .filter_map(|option| Some((leads(&option.label).or_else(|| leads(&option.id))?, option)));
        // The longest label leaves the shortest rest.
        let Some((after, option)) = each.min_by_key(|(after, _)| after.len()) else { return Vec::new() };
        if !picked.iter().any(|known| known.id == option.id) {
            picked.push(option);
        }
        rest = after;
    }
    picked
}

/// Returns which of several things that were shown a text points to: `the first`, `the later one`, `November`, `not 2026`.
pub fn pointed(shown: &[String], text: &str) -> Option<usize> {
    const SMALL: &str = "the one ones in of please i i'd i'll mean meant said it's is it on at date day time year week yes of course sure definitely would be for that this";
    const FIRST: &str = "first former earlier earliest sooner past am morning";
    const LAST: &str = "second latter later latest last next coming future following pm afternoon evening";
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
        parts.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (mut said, last) = (words(text), shown.len().checked_sub(1)?);
    said.retain(|word| !is_among(word, SMALL));
    let denied = said.iter().any(|word| word == "not");
    said.retain(|word| word != "not");
    let begins = |known: &str, word: &str| known == word || word.len() >= 3 && known.starts_with(word);
    let fits = |at: &usize| {
        let known = words(&shown[*at]);
        said.iter().all(|word| known.iter().any(|known| begins(known, word)))
    };
    let found: Vec<usize> = (0..=last).filter(fits).collect();
    let at = match &found[..] {
        _ if said.is_empty() => return None,
        [one] => *one,
        _ if said.iter().all(|word| is_among(word, FIRST)) => 0,
        _ if said.iter().all(|word| is_among(word, LAST)) => last,
        _ => return None,
    };
    if denied { (last == 1).then(|| 1 - at) } else { Some(at) }
}
