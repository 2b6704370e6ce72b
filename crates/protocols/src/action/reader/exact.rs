//! Rule 1: what a control would send for the field that was asked. It comes before any rule of language, so that an
//! option called `Undo` can be chosen, and it is taken as it is or refused.

use holdpoint_core::{Field, Kind, Opt, field};
use serde_json::{Value, json};

use super::super::form::poles;
use super::found::Found;
use super::token::{Message, Sort};
use super::{Reading, Rule, Taken};

/// Reads an exact answer; none, if it must be read as words.
pub(super) fn read(asked: &Field, text: &str) -> Option<Reading> {
    let text = text.trim();
    let value = match asked.kind {
        _ if text.is_empty() => return None,
        Kind::Choice | Kind::Confirm | Kind::Choices | Kind::Products => picked(asked, text)?,
        Kind::Boolean => match text.to_lowercase().as_str() {
            "yes" | "true" => json!(true),
            "no" | "false" => json!(false),
            _ => return None,
        },
        Kind::Location => {
            let pair =
                || text.split_once(',').map(|(lat, lng)| format!("{{\"lat\": {lat}, \"lng\": {lng}}}"));
            let place =
                serde_json::from_str(text).or_else(|_| serde_json::from_str(&pair().unwrap_or_default()));
            field::check(asked, &place.ok()?).ok()?
        }
        Kind::Email | Kind::Tel | Kind::Url => field::check(asked, &Value::from(text)).ok()?,
        _ => return None,
    };
    let taken =
        Taken { field: asked.id.clone(), value, words: text.to_owned(), rule: Rule::Exact, note: None };
    Some(Reading { taken: vec![taken], ..Reading::default() })
}

/// Returns whether a message is one written value and nothing else: what a date, time or number control sends.
pub(super) fn is_written(message: &Message<'_>, found: &Found) -> bool {
    let written = |sort: &Sort| matches!(sort, Sort::Iso | Sort::Clock | Sort::Number(_));
    found.at == (0..message.tokens.len()) && message.tokens.iter().all(|token| written(&token.sort))
}

/// Picks by id, label, number, joined labels, or the unambiguous start of a label.
pub(super) fn picked(asked: &Field, text: &str) -> Option<Value> {
    const SHORTEST: usize = 3;
    if let Some(option) = named(asked, text) {
        return Some(field::picking(asked, &option.id));
    }
    let several = joined(asked, text);
    if matches!(asked.kind, Kind::Choices | Kind::Products) && several.len() > 1 {
        let picks = several.iter().filter_map(|option| field::picking(asked, &option.id).as_array().cloned());
        return Some(picks.flatten().collect());
    }
    let numbered = text.strip_prefix('#').unwrap_or(text).trim_end_matches([')', '.']).parse::<usize>().ok();
    if let Some(option) = numbered.and_then(|at| asked.all_options().nth(at.checked_sub(1)?)) {
        return Some(field::picking(asked, &option.id));
    }
    let low = text.to_lowercase();
    let mut begun = asked.all_options().filter(|option| option.label.to_lowercase().starts_with(&low));
    let long = text.chars().count() >= SHORTEST && poles(asked).is_none();
    match (begun.next(), begun.next()) {
        (Some(option), None) if long => Some(field::picking(asked, &option.id)),
        _ => None,
    }
}

/// Returns the option whose id or label a text is; as it is written before other cases of its letters.
pub(super) fn named<'a>(asked: &'a Field, text: &str) -> Option<&'a Opt> {
    let is = |name: &str| name.trim().to_lowercase() == text.to_lowercase();
    let exact = asked.all_options().find(|option| option.id == text || option.label.trim() == text);
    exact.or_else(|| asked.all_options().find(|option| is(&option.label) || is(&option.id)))
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
