//! Parses an answer typed by a person: a choice by id, number or label, and values by field.

use holdpoint_core::decision::number::{self, NumberMeaning};
use holdpoint_core::text::inert_line;
use holdpoint_core::{Decision, Field, Kind, Opt, Values};
use serde_json::{Value, json};

use super::failure::Failure;

/// Values typed on the command line, and the out if one was chosen.
#[derive(Debug, Default)]
pub(crate) struct TypedAnswer {
    pub(crate) values: Values,
    pub(crate) out: Option<String>,
}

/// Parses choices, `--text` and `--set` for a decision.
pub(crate) fn read(
    decision: &Decision,
    choices: &[String],
    text: Option<&str>,
    sets: &[String],
) -> Result<TypedAnswer, Failure> {
    let mut typed = TypedAnswer::default();
    for set in sets {
        let (id, value) =
            set.split_once('=').ok_or_else(|| Failure::usage(format!("--set {set:?} is not FIELD=VALUE")))?;
        let field = decision.field(id).ok_or_else(|| {
            let known: Vec<&str> = decision.fields.iter().map(|field| field.id.as_str()).collect();
            Failure::error(format!("{id}: is not asked; the fields are: {}", inert_line(&known.join(", "))))
        })?;
        let value = value_of(field, value).map_err(|why| Failure::error(format!("{id}: {why}")))?;
        let before = typed.values.insert(field.id.clone(), value);
        // Two different values: it is unclear which one is meant.
        if before.is_some_and(|before| typed.values.get(&field.id) != Some(&before)) {
            return Err(Failure::usage(format!("{id} is given twice, with different values")));
        }
    }
    if let Some(text) = text {
        let field = only(decision, "--text", |field| field.custom || field.kind.is_text())?;
        let value = if field.kind.picks() { own_words(field, text) } else { json!(text) };
        typed.values.insert(field.id.clone(), value);
    }
    // The number of the option for a written answer adds nothing to the text itself.
    let is_words = |choice: &&String| text.is_some() && choice.parse().ok() == number::of_words(decision);
    let choices: Vec<&String> = choices.iter().filter(|choice| !is_words(choice)).collect();
    match decision.fields.as_slice() {
        [field] if !field.kind.picks() && !choices.is_empty() => {
            if let Some(out) = sole_out(decision, &choices) {
                typed.out = Some(out);
            } else {
                let value = value_of(field, &joined(&choices)).map_err(Failure::error)?;
                typed.values.insert(field.id.clone(), value);
            }
        }
        _ => {
            for choice in choices {
                pick(decision, choice, &mut typed)?;
            }
        }
    }
    Ok(typed)
}

/// Returns a value for text that was written instead of picking an option.
fn own_words(field: &Field, text: &str) -> Value {
    let own = json!({ "text": text });
    if field.kind == Kind::Choices { json!([own]) } else { own }
}

/// Parses the value of a field: as text, as JSON for structured kinds, or as a written answer after a colon.
pub(crate) fn value_of(field: &Field, text: &str) -> Result<Value, String> {
    let text = text.trim();
    if let Some(words) = text.strip_prefix(':').filter(|_| field.custom && field.kind.picks()) {
        return Ok(own_words(field, words.trim()));
    }
    let parsed =
        || holdpoint_core::json::parse_strict(text).map_err(|why| format!("{text:?} is not JSON: {why}"));
    match field.kind {
        Kind::Choice | Kind::Confirm if text.starts_with('{') => parsed(),
        Kind::Choice | Kind::Confirm => Ok(json!(option_in(field, text)?.id)),
        Kind::Choices | Kind::Products if text.starts_with(['[', '{']) => parsed(),
        Kind::Choices => {
            let ids = text.split(',').map(|word| Ok(json!(option_in(field, word.trim())?.id)));
            ids.collect::<Result<Vec<_>, String>>().map(Value::Array)
        }
        Kind::Products => {
            let products = text.split(',').map(|word| product(field, word.trim()));
            products.collect::<Result<Vec<_>, String>>().map(Value::Array)
        }
        Kind::Boolean => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "y" => Ok(json!(true)),
            "false" | "no" | "n" => Ok(json!(false)),
            _ => Err(format!("{text:?} is neither yes nor no")),
        },
        Kind::Time if text.len() == 5 => Ok(json!(format!("{text}:00"))),
        Kind::Datetime if text.len() == 16 => Ok(json!(format!("{}:00", text.replacen(' ', "T", 1)))),
        Kind::Datetime => Ok(json!(text.replacen(' ', "T", 1))),
        Kind::Location if !text.starts_with('{') => {
            let numbers = text.split_once(',').and_then(|(lat, lng)| {
                Some((lat.trim().parse::<f64>().ok()?, lng.trim().parse::<f64>().ok()?))
            });
            let (lat, lng) = numbers.ok_or_else(|| format!("{text:?} is not a place; use LAT,LNG"))?;
            Ok(json!({ "lat": lat, "lng": lng }))
        }
        Kind::Location => parsed(),
        _ => Ok(json!(text)),
    }
}

/// Finds an option of a field: by id, by number from 1, or by the start of its label.
pub(crate) fn option_in<'a>(field: &'a Field, word: &str) -> Result<&'a Opt, String> {
    if let Some(option) = field.option(word) {
        return Ok(option);
    }
    let all: Vec<FieldOption<'a>> = field.options.iter().map(|option| (Some(field), option)).collect();
    let own = if field.custom { "; or your own words, after a colon" } else { "" };
    let found = match word.parse::<usize>() {
        Ok(number) => {
            let found = number.checked_sub(1).and_then(|at| all.get(at)).copied();
            found.ok_or_else(|| out_of_range(number, all.len()))
        }
        Err(_) => by_label(&all, word),
    };
    found.map(|(_, option)| option).map_err(|why| format!("{why}{own}"))
}

/// Returns the option that a card number stands for, if its field has no value yet.
fn unanswered<'a>(decision: &'a Decision, word: &str, typed: &TypedAnswer) -> Option<FieldOption<'a>> {
    let (field, option) = by_number(decision, word.parse().ok()?).ok()?;
    field.filter(|field| !typed.values.contains_key(&field.id)).map(|field| (Some(field), option))
}

fn pick(decision: &Decision, word: &str, typed: &mut TypedAnswer) -> Result<(), Failure> {
    let fields = || decision.fields.iter().filter(|field| field.kind.picks());
    let (bare, quantity) = match word.rsplit_once('=') {
        Some((id, count)) if fields().any(|field| field.kind == Kind::Products) => (id, count.parse().ok()),
        _ => (word, None),
    };
    let by_id: Vec<(Option<&Field>, &Opt)> = fields()
        .filter_map(|field| field.option(bare).map(|option| (Some(field), option)))
        .chain(decision.outs.iter().filter(|out| out.id == bare).map(|out| (None, out)))
        .collect();
    let (field, option) = match by_id.as_slice() {
        // Until its question is answered, a card number takes precedence over an id that looks like it.
        [(Some(field), _)]
            if number::goes_by_ids(field)
                && let Some(first) = unanswered(decision, bare, typed) =>
        {
            first
        }
        [one] => *one,
        [_, _, ..] => {
            return Err(Failure::error(format!("{word:?} is an option of several fields"))
                .hint("name the field: --set FIELD=VALUE"));
        }
        [] => {
            let found = match bare.parse::<usize>() {
                Ok(number) => by_number(decision, number),
                Err(_) => by_label(&offered(decision), bare),
            };
            found.map_err(Failure::error)?
        }
    };
    let Some(field) = field else {
        typed.out = Some(option.id.clone());
        return Ok(());
    };
    let value = match field.kind {
        Kind::Products => json!({ "id": option.id, "quantity": quantity.unwrap_or(1_u64) }),
        _ => json!(option.id),
    };
    match (field.kind, typed.values.get_mut(&field.id)) {
        (Kind::Choices | Kind::Products, Some(Value::Array(list))) => list.push(value),
        (Kind::Choices | Kind::Products, _) => {
            typed.values.insert(field.id.clone(), json!([value]));
        }
        (_, Some(_)) => {
            return Err(Failure::error(format!("{}: takes one option, not several", inert_line(&field.id))));
        }
        (_, None) => {
            typed.values.insert(field.id.clone(), value);
        }
    }
    Ok(())
}

/// An option and its field; an out has none.
type FieldOption<'a> = (Option<&'a Field>, &'a Opt);

/// Returns the option that a card number stands for.
pub(crate) fn by_number(decision: &Decision, number: usize) -> Result<FieldOption<'_>, String> {
    let entries = number::entries(decision);
    match number.checked_sub(1).and_then(|at| entries.get(at)).map(|entry| entry.means) {
        Some(NumberMeaning::Option(field, option) | NumberMeaning::Accept(field, option)) => {
            Ok((Some(field), option))
        }
        Some(NumberMeaning::Out(out)) => Ok((None, out)),
        Some(NumberMeaning::Other) => Err(format!("choice {number} is your own words: --text TEXT")),
        None => Err(out_of_range(number, entries.len())),
    }
}

fn out_of_range(number: usize, count: usize) -> String {
    format!("choice {number} is out of range (1..{count})")
}

/// Lists all options, then the outs.
fn offered(decision: &Decision) -> Vec<FieldOption<'_>> {
    let mut all = Vec::new();
    for field in &decision.fields {
        all.extend(field.options.iter().map(|option| (Some(field), option)));
    }
    all.extend(decision.outs.iter().map(|out| (None, out)));
    all
}

fn by_label<'a>(all: &[FieldOption<'a>], word: &str) -> Result<FieldOption<'a>, String> {
    let lower = word.to_lowercase();
    let label = |option: &Opt| option.label.to_lowercase();
    let exact: Vec<_> = all.iter().filter(|(_, option)| label(option) == lower).collect();
    let starting: Vec<_> =
        all.iter().filter(|(_, option)| !lower.is_empty() && label(option).starts_with(&lower)).collect();
    match (exact.as_slice(), starting.as_slice()) {
        ([one], _) | ([], [one]) => Ok(**one),
        ([], []) => {
            let ids: Vec<String> = all.iter().take(12).map(|(_, option)| inert_line(&option.id)).collect();
            let more = if all.len() > ids.len() { " …" } else { "" };
            Err(format!("{:?} is not one of: {}{more}", inert_line(word), ids.join(", ")))
        }
        (several, _) if several.len() > 1 => Err(ambiguous(word, several)),
        (_, several) => Err(ambiguous(word, several)),
    }
}

fn ambiguous(word: &str, several: &[&FieldOption<'_>]) -> String {
    let ids: Vec<String> = several.iter().take(8).map(|(_, option)| inert_line(&option.id)).collect();
    format!("{:?} could be any of: {}", inert_line(word), ids.join(", "))
}

fn product(field: &Field, word: &str) -> Result<Value, String> {
    let (id, quantity) = match word.rsplit_once('=') {
        Some((id, count)) => (id, count.parse::<u64>().map_err(|_| format!("{count:?} is not a quantity"))?),
        None => (word, 1),
    };
    Ok(json!({ "id": option_in(field, id)?.id, "quantity": quantity }))
}

fn joined(words: &[&String]) -> String {
    words.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ")
}

fn sole_out(decision: &Decision, choices: &[&String]) -> Option<String> {
    let [word] = choices else { return None };
    decision.outs.iter().find(|out| out.id == **word).map(|out| out.id.clone())
}

fn only<'a>(decision: &'a Decision, flag: &str, fits: impl Fn(&Field) -> bool) -> Result<&'a Field, Failure> {
    let mut fields = decision.fields.iter().filter(|field| fits(field));
    match (fields.next(), fields.next()) {
        (Some(field), None) => Ok(field),
        (None, _) => Err(Failure::error(format!("{flag}: no field here takes free text"))
            .hint(format!("choose one of the options: hold show {}", decision.id))),
        (Some(_), Some(_)) => Err(Failure::error(format!("{flag}: several fields take text"))
            .hint("name the field: --set FIELD=VALUE")),
    }
}
