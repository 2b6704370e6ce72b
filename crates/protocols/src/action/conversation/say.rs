//! The words of the conversation.

use holdpoint_core::text::inert_line;
use holdpoint_core::{Field, Kind, Values, field};
use jiff::civil::{Date, DateTime};
use serde_json::Value;

use super::super::form::{Form, step, words_of};
use super::Talk;

/// Greets, and says what will be asked.
pub(super) fn greeting(form: &Form) -> String {
    let purpose =
        form.purpose.as_ref().map(|purpose| format!(" {}", inert_line(purpose))).unwrap_or_default();
    format!("Hello! Let us fill in \"{}\" together.{purpose} {}", inert_line(&form.title), invitation(form))
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
        [] => format!(
            "Nothing in it is required by itself. Tell me in your own words as much as you like about: {}.",
            joined(&listed(false))
        ),
        asked => format!(
            "Tell me in your own words as much as you like about: {}. I will ask for what is missing.",
            joined(asked)
        ),
    }
}

/// Says what can be said.
pub(super) fn help(talk: &Talk<'_>) -> String {
    let asked = talk.state.asked.as_deref().and_then(|id| talk.field(id));
    let answer = asked.map(|field| format!("{} ", hint(field))).unwrap_or_default();
    let known = talk.visible().into_iter().rev().find(|field| talk.values.contains_key(&field.id));
    let known = known.map_or_else(|| "end date".to_owned(), called);
    format!(
        "{answer}Say it in your own words, as much at once as you like. You can also say: change the {known} to …; undo; skip; \
         start over; cancel; and, once nothing is missing, send it."
    )
}

/// Lists values as a person reads them, in the order of the form.
pub fn shown(form: &Form, values: &Values) -> Vec<(String, String)> {
    let of_field = |field: &Field| Some((called(field), value(field, values.get(&field.id)?)));
    form.fields.iter().filter_map(of_field).collect()
}

/// Returns what a field is called in a sentence: its label where that is a name, else the words of its id.
pub(super) fn called(field: &Field) -> String {
    let label = inert_line(&field.label);
    if field.label == field.id || !is_name(&label) { name(&field.id) } else { label }
}

/// Returns whether a label names something, and does not ask or order.
fn is_name(label: &str) -> bool {
    const ORDERS: [&str; 17] = [
        "please", "choose", "enter", "select", "pick", "give", "describe", "tell", "type", "state",
        "provide", "say", "which", "what", "when", "where", "who",
    ];
    let words: Vec<&str> = label.split_whitespace().collect();
    let orders = words.first().is_none_or(|first| ORDERS.contains(&first.to_lowercase().as_str()));
    !orders && words.len() <= 4 && label.chars().count() <= 40 && !label.ends_with(['?', '.', '!', ':', '…'])
}

/// Says that a value stays what it is.
pub(super) fn stays(field: &Field, known: &Value) -> String {
    format!("{}: it stays {}.", capital(&called(field)), value(field, known))
}

/// Returns a field's id as words.
pub(super) fn name(id: &str) -> String {
    inert_line(&words_of(id))
}

/// Returns a value as a person reads it; dates so that they cannot be taken for others.
pub(super) fn value(known: &Field, value: &Value) -> String {
    let picked = field::picked(known, value);
    if !picked.is_empty() {
        let labels: Vec<String> = picked.iter().map(|picked| inert_line(&picked.option.label)).collect();
        return labels.join(", ");
    }
    match (known.kind, value) {
        (Kind::Date, Value::String(text)) => text.parse().map_or_else(|_| inert_line(text), day),
        (Kind::Datetime, Value::String(text)) => text.parse::<DateTime>().map_or_else(
            |_| inert_line(text),
            |at| format!("{} at {:02}:{:02}", day(at.date()), at.hour(), at.minute()),
        ),
        (Kind::Time, Value::String(text)) => inert_line(text.strip_suffix(":00").unwrap_or(text)),
        (Kind::Boolean, Value::Bool(said)) => if *said { "yes" } else { "no" }.to_owned(),
        (Kind::Location, place) => format!("{}, {}", place["lat"], place["lng"]),
        (_, Value::String(text)) => holdpoint_core::text::quote(text),
        (_, other) => {
            field::has_custom_text(other).map_or_else(|| inert_line(&other.to_string()), inert_line)
        }
    }
}

/// Returns a day with its weekday, month and year in words.
pub(super) fn day(date: Date) -> String {
    const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let at = |list: &[&'static str], number: i8| {
        usize::try_from(number - 1).ok().and_then(|at| list.get(at).copied()).unwrap_or("")
    };
    let weekday = at(&DAYS, date.weekday().to_monday_one_offset());
    format!("{weekday} {} {} {}", date.day(), at(&MONTHS, date.month()), date.year())
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
    let from = words.filter(|words| field.kind != Kind::Multiline && !told(words));
    let from =
        from.map(|words| format!(" (from {})", holdpoint_core::text::quote(words))).unwrap_or_default();
    format!("{}: {now}{shown}{from}", called(field))
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
pub(super) fn summary(talk: &Talk<'_>, number: u64) -> String {
    format!("{}\nIs that right? Say yes to go on, or say what to change.", listed(talk, number))
}

/// Lists what a step holds.
fn listed(talk: &Talk<'_>, number: u64) -> String {
    let steps = talk.steps();
    let place = steps.iter().position(|known| *known == number).map_or(1, |at| at + 1);
    let mut lines = vec![format!("Step {place} of {} is complete:", steps.len())];
    for field in talk.visible().into_iter().filter(|field| step(field) == number) {
        if let Some(given) = talk.values.get(&field.id) {
            lines.push(format!("- {}: {}", inert_line(&field.label), value(field, given)));
        }
    }
    lines.join("\n")
}

/// How the closing words begin.
pub(super) const ALL_KNOWN: &str = "That is all I need.";
/// What is said instead while nothing is filled in.
const NOTHING_YET: &str = "Nothing is filled in yet.";
/// What they ask; a yes to it sends the form.
pub(super) const SHALL_SEND: &str = "Shall I send it?";

/// Says that all is known, and what could still be added.
pub(super) fn complete(talk: &Talk<'_>) -> String {
    let open: Vec<String> = talk
        .visible()
        .into_iter()
        .filter(|field| {
            !field.required
                && !talk.values.contains_key(&field.id)
                && !talk.state.postponed.contains(&field.id)
        })
        .map(called)
        .collect();
    let more =
        if open.is_empty() { String::new() } else { format!(" If you like, add: {}.", open.join(", ")) };
    if talk.values.is_empty() {
        // An empty form cannot be sent.
        return format!("{NOTHING_YET}{more}");
    }
    let steps = talk.steps();
    let last = steps.last().filter(|_| steps.len() > 1);
    let summed = last.map(|step| format!("{}\n", listed(talk, *step))).unwrap_or_default();
    format!("{summed}{ALL_KNOWN} {SHALL_SEND} Say \"send it\", or say what to change.{more}")
}

/// Asks which end a day is for, if that is open.
pub(super) fn which(talk: &Talk<'_>) -> Option<String> {
    let either = talk.state.either.as_ref()?;
    let (start, end) = (talk.called(&either.start), talk.called(&either.end));
    Some(format!("That could be the {start} or the {end}, so nothing was changed. Which one is it?"))
}

/// Says what is missing though nothing is left to ask: what could not be looked up.
pub(super) fn lacking(talk: &Talk<'_>) -> Option<String> {
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

/// Returns a text with its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
