//! The texts of the conversation.

use holdpoint_core::text::{inert_line, quote};
use holdpoint_core::{Field, Kind};
use jiff::civil::Date;
use serde_json::Value;

use super::super::form::{Form, step};
use super::Conversation;

pub(super) use super::super::worded::{called, capital, day, name, question, value};

pub(super) fn greeting(form: &Form) -> String {
    let purpose =
        form.purpose.as_ref().map(|purpose| format!(" {}", inert_line(purpose))).unwrap_or_default();
    format!("Let's fill in \"{}\".{purpose} {}", inert_line(&form.title), invitation(form))
}

/// Says what can be told.
pub(super) fn invitation(form: &Form) -> String {
    const MOST: usize = 12;
    let listed = |required: bool| -> Vec<String> {
        let open = form.fields.iter().filter(|field| field.visible_if.is_none());
        open.filter(|field| field.required == required).map(called).collect()
    };
    let joined = |names: &[String]| match names.get(..MOST) {
        Some(first) if names.len() > MOST => format!("{} and more", first.join(", ")),
        _ => names.join(", "),
    };
    match &listed(true)[..] {
        [] => {
            format!("Nothing is required by itself. Tell me what you can about: {}.", joined(&listed(false)))
        }
        asked => format!("Tell me what you can about: {}. I will ask for the rest.", joined(asked)),
    }
}

pub(super) fn help(talk: &Conversation<'_>) -> String {
    let asked = talk.state.asked.as_deref().and_then(|id| talk.field(id));
    let answer = asked.map(|field| format!("{} ", hint(field))).unwrap_or_default();
    let known = talk.visible().into_iter().rev().find(|field| talk.values.contains_key(&field.id));
    let known = known.map_or_else(|| "end date".to_owned(), called);
    format!(
        "{answer}Say it in your own words, as much at once as you like. You can also say: change the {known} to …; undo; skip; \
         start over; cancel; and, once nothing is missing, send it."
    )
}

/// Says what was understood, and from which words where they say it otherwise.
pub(super) fn understood(field: &Field, given: &Value, words: Option<&str>, changed: bool) -> String {
    let shown = value(field, given);
    let now = if changed { "now " } else { "" };
    let plain = |text: &str| text.to_lowercase().replace('"', "");
    let told = |words: &str| match field.kind {
        Kind::Date | Kind::Datetime => says_day(words, given),
        _ => plain(&shown).contains(&plain(words)),
    };
    let from = source(words.filter(|words| field.kind != Kind::Multiline && !told(words)));
    format!("{}: {now}{shown}{from}", called(field))
}

fn source(words: Option<&str>) -> String {
    words.map(|words| format!(" (from {})", quote(words))).unwrap_or_default()
}

/// Returns whether words say a day themselves, by its number and month, so that nothing had to be reckoned.
fn says_day(words: &str, given: &Value) -> bool {
    let Some(date) =
        given.as_str().and_then(|text| text.get(..10)).and_then(|text| text.parse::<Date>().ok())
    else {
        return false;
    };
    let low = words.to_lowercase();
    let number = date.day().to_string();
    let numbered = low.split(|c: char| !c.is_ascii_digit()).any(|part| part == number);
    let month = day(date).split(' ').nth(2).and_then(|name| name.get(..3)).map(str::to_lowercase);
    // In a span the number alone has its month from the other end.
    low == number
        || numbered && month.is_some_and(|month| low.contains(&month))
        || low.contains(&date.to_string())
}

/// Says how a field can be answered.
pub(super) fn hint(field: &Field) -> String {
    match field.kind {
        Kind::Choice | Kind::Confirm | Kind::Choices | Kind::Products if !field.options.is_empty() => {
            let labels: Vec<String> =
                field.all_options().take(8).map(|option| inert_line(&option.label)).collect();
            let more = if field.all_options().count() > 8 { ", …" } else { "" };
            format!("You can choose from: {}{more}.", labels.join(", "))
        }
        Kind::Boolean => "Please say yes or no.".into(),
        Kind::Date => "A date like 11 February 2026 or next Monday will do.".into(),
        Kind::Datetime => "A date and a time like 11 February 2026 at 14:30 will do.".into(),
        Kind::Time => "A time like 14:30 or half past nine will do.".into(),
        Kind::Location => "Coordinates like 24.7136, 46.6753 will do.".into(),
        Kind::Number | Kind::Integer => "A number will do.".into(),
        Kind::Email => "An address like ana@example.org will do.".into(),
        Kind::Tel => "A number like +49 30 123456 will do.".into(),
        Kind::Url => "An address like https://example.org will do.".into(),
        _ => "A few words will do.".into(),
    }
}

/// Lists what a step holds, and asks for a yes.
pub(super) fn summary(talk: &Conversation<'_>, number: u64) -> String {
    let steps = talk.steps();
    let place = steps.iter().position(|known| *known == number).map_or(1, |at| at + 1);
    let mut lines = vec![format!("Step {place} of {} is complete:", steps.len())];
    let fields = talk.visible().into_iter().filter(|field| step(field) == number);
    lines.extend(fields.filter_map(|field| line(talk, field)));
    lines.push("Is that right? Say yes to go on, or say what to change.".to_owned());
    lines.join("\n")
}

/// Shows what a field holds, and from which words it came.
fn line(talk: &Conversation<'_>, field: &Field) -> Option<String> {
    let given = talk.values.get(&field.id)?;
    let shown = value(field, given);
    let plain = |text: &str| text.to_lowercase().replace('"', "");
    let from = match talk.state.sources.get(&field.id) {
        Some(words) if plain(&shown) != plain(words) => source(Some(words)),
        words => words.map_or(" (as entered)", |_| " (your words)").to_owned(),
    };
    Some(format!("- {}: {shown}{from}", capital(&called(field))))
}

/// How the closing words begin.
pub(super) const ALL_KNOWN: &str = "That is all I need.";
/// The text while nothing is filled in.
const NOTHING_YET: &str = "Nothing is filled in yet.";
/// What they ask; a yes to it sends the form.
pub(super) const SHALL_SEND: &str = "Shall I send it?";

/// Says that all is known, and what could still be added.
pub(super) fn complete(talk: &Conversation<'_>) -> String {
    let (known, left) = (&talk.values, &talk.state.postponed);
    let open = talk.visible().into_iter().filter(|field| !field.required && !known.contains_key(&field.id));
    let open: Vec<String> = open.filter(|field| !left.contains(&field.id)).map(called).collect();
    let more =
        if open.is_empty() { String::new() } else { format!(" If you like, add: {}.", open.join(", ")) };
    if talk.values.is_empty() {
        // An empty form cannot be sent.
        return format!("{NOTHING_YET}{more}");
    }
    let lines: Vec<String> = talk.visible().into_iter().filter_map(|field| line(talk, field)).collect();
    format!("{ALL_KNOWN}\n{}\n{SHALL_SEND} Say \"send it\", or say what to change.{more}", lines.join("\n"))
}

/// Says what is missing though nothing is left to ask: what could not be looked up.
pub(super) fn lacking(talk: &Conversation<'_>) -> Option<String> {
    let visible = talk.visible().into_iter();
    let lacking = visible.filter(|field| field.required && !talk.values.contains_key(&field.id));
    let lacking: Vec<String> = lacking.map(called).collect();
    (!lacking.is_empty()).then(|| {
        let names = lacking.join(", ");
        format!(
            "I cannot complete this yet: {names} could not be looked up. Say \"try again\" to look once more."
        )
    })
}
