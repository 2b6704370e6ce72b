//! Checks that the person stated a value that a model returns: the quoted words must occur in the message.
//!
//! Addresses, telephone numbers and places must stand there figure by figure, for a model knows many that nobody gave it; a
//! person's words stay a person's words. A number and a date must be in those words as the built-in reader reads them, words
//! that name an option give no other one, and words that deny give no yes.

use holdpoint_core::{Field, Kind, Values, field};
use serde_json::Value;

use super::super::form::poles;
use super::super::reader::{self, Guard, Question, Reading, Rule, StatedValue};

/// Returns the value as the person stated it; none, if nothing that they said carries it.
pub(super) fn stated(question: &Question<'_>, known: &Field, value: Value, words: &str) -> Option<Value> {
    let text = question.text;
    if words.is_empty() || !contains(text, words) {
        return None;
    }
    let said = value.as_str().unwrap_or_default();
    match known.kind {
        Kind::Text | Kind::Multiline if contains(words, said) => Some(value),
        Kind::Text | Kind::Multiline => field::check(known, &Value::from(words)).ok(),
        Kind::Email | Kind::Url => contains(text, said).then_some(value),
        Kind::Tel => figures(text).contains(&figures(said)).then_some(value),
        Kind::Location => is_written(&value, words).then_some(value),
        _ if poles(known).is_some_and(|(yes, _)| yes == value) => {
            let denies = |(guard, _): &(Guard, String)| *guard == Guard::Negation;
            let refuses = |part: &&str| read(known, part, question).guards.iter().any(denies);
            // In `no boxes, but we need straps` only the clause that names the field speaks of it.
            let names_it = |part: &&str| !reader::named(std::slice::from_ref(known), part).is_empty();
            let parts: Vec<&str> = clauses(words).filter(names_it).collect();
            let about = if parts.is_empty() { vec![words] } else { parts };
            (!about.iter().any(refuses)).then_some(value)
        }
        _ if poles(known).is_some() => Some(value),
        _ => {
            if let Some(own) = field::has_custom_text(&value) {
                return contains(words, own).then_some(value);
            }
            // In `from 2 to 4 March` the month of the 2nd stands elsewhere.
            let day = value.as_str().and_then(|text| text.get(8..10)?.parse::<u8>().ok());
            let mut runs = words.split(|c: char| !c.is_ascii_digit()).map(|run| run.parse().ok());
            let dated = known.kind.is_temporal() && day.is_some() && runs.any(|run| run == day);
            let said = says(known, &value, words, question) || dated && says(known, &value, text, question);
            (said || known.kind.is_temporal() && is_day_of_month(&value, words, text)).then_some(value)
        }
    }
}

/// Returns the field that the words of a value belong to, if that is another one: it is named beside them, or is of another kind.
pub(super) fn owner<'a>(question: &Question<'a>, known: &Field, words: &str) -> Option<&'a Field> {
    let reading = reader::read(Question { asked: None, ..*question });
    let said = |taken: &&StatedValue| contains(&taken.words, words);
    if reading.taken.iter().filter(said).any(|taken| taken.field == known.id) {
        return None;
    }
    reading.taken.iter().filter(said).find_map(|taken| {
        let field = question.fields.iter().find(|field| field.id == taken.field)?;
        (taken.rule == Rule::Named || field.kind != known.kind).then_some(field)
    })
}

/// Returns a reason against a value in the clause of its words: a no, a doubt, somebody else, a second value.
pub(super) fn doubt(question: &Question<'_>, known: &Field, value: &Value, words: &str) -> Option<String> {
    let clause = clauses(question.text).find(|clause| contains(clause, words))?;
    let reading = read(known, clause, question);
    let is_no = poles(known).is_some_and(|(_, no)| no == *value);
    let speaks = |(guard, _): &&(Guard, String)| match guard {
        Guard::Negation => !is_no,
        Guard::Question | Guard::Quotation => false,
        Guard::Hedge | Guard::Condition | Guard::OtherPerson => !known.kind.is_text(),
    };
    let guard = reading.guards.iter().find(speaks).filter(|_| !known.kind.is_text());
    // In `60, sorry, 70` the model decides which one is meant.
    let several =
        reading.unsure.iter().any(|unsure| unsure.values.len() > 1 && unsure.values.contains(value));
    let several = several && !reader::corrects(clause);
    guard
        .map(|(guard, word)| format!("\"{word}\" makes it uncertain ({})", guard.name()))
        .or_else(|| (several && !known.kind.picks()).then(|| "more than one is said".to_owned()))
}

fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '.', '!', '\n']).flat_map(|part| part.split(" but "))
}

/// Returns whether words say the day of a date like `the 7th`, and the text names its month: that may be said of another day.
fn is_day_of_month(value: &Value, words: &str, text: &str) -> bool {
    const MONTHS: &str = "janfebmaraprmayjunjulaugsepoctnovdec";
    let part = |range: std::ops::Range<usize>| {
        value.as_str().and_then(|text| text.get(range)?.parse::<usize>().ok())
    };
    let (Some(month), Some(day)) = (part(5..7), part(8..10)) else { return false };
    let is_day = |word: &str| ["st", "nd", "rd", "th"].iter().any(|ending| word == format!("{day}{ending}"));
    let is_month =
        |word: &str| MONTHS.get(month * 3 - 3..month * 3).is_some_and(|name| word.starts_with(name));
    let any = |text: &str, is: &dyn Fn(&str) -> bool| {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(is)
    };
    any(words, &is_day) && any(text, &is_month)
}

/// Returns whether the built-in reader finds a value in some words, or in a part of them.
fn says(known: &Field, value: &Value, words: &str, question: &Question<'_>) -> bool {
    let items = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let parts = words.split([',', ';', '.', '\n']).chain(words.split(" and ")).chain(words.split(" but "));
    let mut found: Vec<Value> = Vec::new();
    for part in std::iter::once(words).chain(parts) {
        let reading = read(known, part, question);
        found.extend(reading.taken.iter().flat_map(|taken| items(&taken.value)));
        found.extend(reading.unsure.iter().flat_map(|unsure| &unsure.values).flat_map(items));
    }
    // What other words mean is the model's to say, but not where they name another option.
    if known.kind.picks() && found.is_empty() {
        return true;
    }
    items(value).iter().all(|item| found.iter().any(|found| field::same(known.kind, found, item)))
}

/// Reads some words as an answer to one field.
fn read(known: &Field, words: &str, question: &Question<'_>) -> Reading {
    let (fields, values) = (std::slice::from_ref(known), Values::default());
    reader::read(Question { fields, asked: Some(known), text: words, known: &values, ..*question })
}

/// Returns whether a text holds some words, spaces, case and the shape of quotation marks aside.
pub(super) fn contains(text: &str, words: &str) -> bool {
    let straight = |text: &str| text.to_lowercase().replace(['’', '‘'], "'").replace(['“', '”'], "\"");
    let plain = |text: &str| straight(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let (text, words) = (plain(text), plain(words));
    // A part of a number or of a word is other words.
    let cut = |one: Option<char>, other: Option<char>| {
        one.zip(other).is_some_and(|(one, other)| one.is_alphanumeric() && other.is_alphanumeric())
    };
    let figure =
        |text: &str| text.starts_with(['.', ',']) && text[1..].starts_with(|c: char| c.is_ascii_digit());
    text.match_indices(&words).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        let whole = !words.ends_with(|c: char| c.is_ascii_digit()) || !figure(after);
        !cut(before.chars().next_back(), words.chars().next())
            && !cut(words.chars().next_back(), after.chars().next())
            && whole
    })
}

fn figures(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Returns whether both coordinates begin as figures in the words do.
fn is_written(place: &Value, words: &str) -> bool {
    let numbers: Vec<&str> =
        words.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()).collect();
    let whole = |value: &Value| figures(value.to_string().split('.').next().unwrap_or_default());
    ["lat", "lng"].iter().all(|part| numbers.contains(&whole(&place[*part]).as_str()))
}
