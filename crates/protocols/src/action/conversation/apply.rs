//! Applies a message to the values.

use holdpoint_core::text::quote;
use holdpoint_core::{Field, Kind, field};
use serde_json::{Value, json};

use super::super::briefing::ReaderResult;
use super::super::reader::{self, Reading, StatedValue};
use super::super::token::is_long;
use super::{Conversation, Turn, mend, offer, order, phrase, say};

/// Takes an answer, a correction or a wish to skip.
pub(super) fn take(talk: &mut Conversation<'_>, turn: &Turn, understood: &ReaderResult) {
    let asked = talk.state.asked.clone();
    let text = turn.text.as_str();
    let nothing = Reading::default();
    let (reading, corrects, remark) = match understood {
        ReaderResult::Values(reading) => (reading, None, None),
        ReaderResult::Correction { field, reading } => (reading, Some(field), None),
        ReaderResult::Remark(text) => (&nothing, None, text.as_deref()),
        ReaderResult::Tool(_) => (&nothing, None, None),
    };
    let mut given = typed(talk, turn);
    given.extend(read(talk, reading));
    if given.is_empty() && reading.is_empty() && is_long(text) {
        talk.add_message("Please say it in fewer words: that is more than I read at once (4,000 bytes, or 400 words and signs), so nothing was saved.");
        talk.unclear = true;
        return;
    }
    talk.state.half.clone_from(&reading.half);
    let nodded = talk.is_yes_or_no() && given.is_empty();
    let settled = offer::settle(talk, &mut given, reading);
    let stated = !given.is_empty();
    let mut understood = stated || settled;
    store(talk, given, reading);
    let changes = reader::corrects(text);
    if let Some(id) = corrects.filter(|_| !stated) {
        // What was never answered cannot be taken back; then the next field is asked.
        understood |= id.as_ref().is_some_and(|id| mend::reopen(talk, id)) || reading.is_empty();
    } else if changes && mend::ask_named(talk, reading) {
        understood = true;
    } else if !understood && reading.is_empty() && !talk.values.is_empty() {
        if mend::clear(talk, text) {
            understood = true;
        } else if mend::ask_left(talk, reading) {
            return;
        } else if !nodded && mend::withhold(talk, reading) {
            talk.unclear = true;
            return;
        } else if changes {
            understood = mend::change(talk, text);
            talk.unclear |= !understood;
            if !understood {
                return;
            }
        }
    }
    tell_unfit(talk, reading);
    understood |= offer::make(talk, reading);
    mend::tell_left(talk, reading);
    let unknown = reader::is_unknown(text);
    let optional = asked.as_ref().and_then(|id| talk.field(id)).is_some_and(|field| !field.required);
    if !understood && (phrase::skips(text) || unknown && optional) {
        understood = skip(talk, asked.as_deref());
    }
    if !understood && phrase::tries_again(text) && !talk.state.barren.is_empty() {
        talk.state.barren.clear();
        understood = true;
    }
    if !understood && (phrase::asks_back(text) || unknown) && remark.is_none() {
        explain(talk, asked.as_deref());
        talk.unclear = true;
        return;
    }
    if understood {
        talk.state.failures = 0;
        return;
    }
    let silent = text.trim().is_empty();
    talk.unclear |= !silent && !phrase::is_courtesy(text) && !phrase::agrees(text);
    if let Some(remark) = remark {
        talk.add_message(remark);
    }
    // A value for another field does not answer the one that was asked.
    if silent && asked.as_ref().is_none_or(|id| !turn.typed.contains_key(id)) {
        return;
    }
    match asked {
        Some(id) => failed(talk, &id),
        // A greeting needs no reply but the question.
        None if phrase::is_courtesy(text) => {}
        None if remark.is_none() && reading.is_empty() && talk.values.is_empty() => {
            talk.add_message("I could not find anything for the form in that; let us go through it.");
        }
        None if remark.is_none() && reading.is_empty() && !phrase::agrees(text) => {
            talk.add_message("I could not find anything for the form in that, so nothing was changed.");
        }
        None => {}
    }
}

/// Returns what a reader took, and remembers from which words.
pub(super) fn read(talk: &mut Conversation<'_>, reading: &Reading) -> Vec<(String, Value)> {
    talk.sources.extend(reading.taken.iter().map(|taken| (taken.field.clone(), taken.words.clone())));
    reading.taken.iter().map(|taken| (taken.field.clone(), taken.value.clone())).collect()
}

/// Applies the message from before a tool call, now that the tool has results. Answers given meanwhile stay.
pub(super) fn take_late(talk: &mut Conversation<'_>, understood: &ReaderResult) {
    let reading = match understood {
        ReaderResult::Values(reading) | ReaderResult::Correction { reading, .. } => reading,
        ReaderResult::Remark(text) => {
            talk.told.extend(text.clone());
            return;
        }
        ReaderResult::Tool(_) => return,
    };
    let of_model = talk.state.rounds > 0;
    // Values that were uncertain, and of which the person was not asked yet, may be clear now.
    let open = talk.state.offers.iter().filter(|offer| offer.put == 0).map(|offer| &offer.field);
    let found: Vec<String> = talk.options.iter().map(|(id, _)| id).chain(open).cloned().collect();
    let fits = |talk: &Conversation<'_>, id: &String| {
        !talk.values.contains_key(id) && (of_model || found.contains(id))
    };
    let mut late = reading.clone();
    late.taken.retain(|taken| fits(talk, &taken.field));
    late.unsure.retain(|unsure| fits(talk, &unsure.field));
    late.unfit.retain(|unfit| fits(talk, &unfit.field));
    let given = read(talk, &late);
    talk.state.offers.retain(|offer| late.value(&offer.field).is_none());
    store(talk, given, &late);
    tell_unfit(talk, &late);
    offer::make(talk, &late);
}

fn tell_unfit(talk: &mut Conversation<'_>, reading: &Reading) {
    for unfit in &reading.unfit {
        let (words, name, why) = (quote(&unfit.words), talk.called(&unfit.field), &unfit.why);
        talk.add_message(format!("I couldn't take {words} for {name}: {why}."));
        keep_open(talk, &unfit.field);
    }
}

/// Asks again for a field whose value was kept, because the replacement could not be accepted.
fn keep_open(talk: &mut Conversation<'_>, id: &str) {
    if talk.values.contains_key(id) && talk.state.first.is_none() {
        mend::reopen(talk, id);
    }
}

/// Sets what was given, and tells what was understood from which words.
pub(super) fn store(talk: &mut Conversation<'_>, mut given: Vec<(String, Value)>, reading: &Reading) {
    order::keep(talk, &mut given);
    if given.is_empty() {
        return;
    }
    let ids: Vec<String> = given.iter().map(|(id, _)| id.clone()).collect();
    let before = talk.values.clone();
    talk.set(given);
    let mut parts = Vec::new();
    for id in &ids {
        let (Some(field), Some(value)) = (talk.field(id), talk.values.get(id)) else { continue };
        let changed = before.get(id).is_some_and(|old| old != value);
        let taken = reading.taken.iter().find(|taken| taken.field == *id);
        let note =
            taken.and_then(|taken| taken.note.as_ref()).map(|note| format!(", {note}")).unwrap_or_default();
        let words = taken.map(|taken: &StatedValue| taken.words.as_str());
        parts.push(format!("{}{note}", say::understood(field, value, words, changed)));
    }
    // Said, but for a field that is not asked: hiding it in silence would look like having kept it.
    let idle: Vec<String> =
        ids.iter().filter(|id| !talk.values.contains_key(*id)).map(|id| talk.called(id)).collect();
    if !parts.is_empty() {
        talk.told.insert(0, format!("I have {}.", parts.join("; ")));
    }
    if !idle.is_empty() {
        talk.add_message(format!("Not needed here: {}.", idle.join(", ")));
    }
}

/// Checks typed values; what is wrong is told. An option may be named as the person reads it.
pub(super) fn typed(talk: &mut Conversation<'_>, turn: &Turn) -> Vec<(String, Value)> {
    let mut given = Vec::new();
    if turn.astray {
        talk.add_message("A value came while nothing was asked, so I cannot tell what it is for. Say it in words, or with its field.");
        talk.unclear = true;
    }
    for (id, value) in &turn.typed {
        let Some(field) = talk.field(id) else {
            talk.add_message(format!("I couldn't take {}: it is not asked.", say::name(id)));
            talk.unclear = true;
            continue;
        };
        match field::check(field, &kept(field, value)) {
            Ok(value) => given.push((id.clone(), value)),
            Err(why) => {
                let text = format!("That doesn't look right for {}: {why}.", say::called(field));
                talk.add_message(text);
                talk.unclear = true;
            }
        }
    }
    given
}

/// Returns a typed value as core keeps it: an option that is named exactly by its label by its id, `Yes` as true; what names no
/// option is own words, where they are taken.
fn kept(field: &Field, value: &Value) -> Value {
    match value {
        Value::String(text) if field.kind == Kind::Boolean && matches!(text.as_str(), "Yes" | "No") => {
            json!(text == "Yes")
        }
        Value::String(text) if field.kind.picks() && field.option(text).is_none() => {
            match field.all_options().find(|option| option.label == *text) {
                Some(option) => json!(option.id),
                None if field.custom && !text.trim().is_empty() => json!({ "text": text }),
                None => value.clone(),
            }
        }
        Value::Array(items) if field.kind == Kind::Choices => {
            let one = |item: &Value| if item.is_string() { kept(field, item) } else { item.clone() };
            Value::Array(items.iter().map(one).collect())
        }
        _ => value.clone(),
    }
}

/// Leaves the asked field out if it is optional, for later if not.
fn skip(talk: &mut Conversation<'_>, asked: Option<&str>) -> bool {
    let Some(field) = asked.and_then(|id| talk.field(id)) else { return false };
    let (id, required) = (field.id.clone(), field.required);
    if let Some(value) = talk.values.get(&id) {
        let text = format!("{}: it stays {}.", say::capital(&say::called(field)), say::value(field, value));
        talk.add_message(text);
        return true;
    }
    if required {
        let name = say::capital(&say::called(field));
        // Who leaves it a second time must know that it does not go without.
        let text = if talk.state.postponed.contains(&id) {
            format!(
                "{name}: this is required, so the form cannot be sent without it. Say \"cancel\" to end the form."
            )
        } else {
            format!("{name}: this is needed in the end; I'll come back to it.")
        };
        talk.add_message(text);
    }
    talk.state.postponed.retain(|postponed| *postponed != id);
    talk.state.postponed.push(id);
    true
}

/// Says more about the asked field to someone who asks back.
fn explain(talk: &mut Conversation<'_>, asked: Option<&str>) {
    let Some(field) = asked.and_then(|id| talk.field(id)) else {
        let named = mend::named(talk, &talk.turn.text);
        let known = match &named[..] {
            [id] => talk.field(id).zip(talk.values.get(id)),
            _ => None,
        };
        let text = if let Some((field, value)) = known {
            let (name, shown) = (say::capital(&say::called(field)), say::value(field, value));
            format!("{name}: {shown}. Nothing was changed.")
        } else if talk.values.is_empty() {
            say::greeting(&talk.form)
        } else {
            "I can only fill in this form and cannot answer that. Nothing was changed.".to_owned()
        };
        talk.add_message(text);
        return;
    };
    let text = field.description.clone().unwrap_or_else(|| say::hint(field));
    let out = if field.required { "" } else { " Say \"skip\" to leave it out." };
    talk.add_message(format!("{text}{out}"));
}

/// Says that an answer was not understood; the third time, offers the control and a way out.
fn failed(talk: &mut Conversation<'_>, id: &str) {
    talk.state.failures += 1;
    let Some(field) = talk.field(id) else { return };
    let hint = say::hint(field);
    if let Some(value) = talk.values.get(id) {
        // Known values stay, so a person who cannot phrase the answer is not blocked.
        let text =
            format!("I didn't get {} from that. {} {hint}", say::called(field), mend::stays(field, value));
        let again = talk.state.failures < 3;
        talk.add_message(text);
        if again {
            talk.state.first = Some(id.to_owned());
        }
        return;
    }
    let text = match talk.state.failures {
        1 if talk.told.is_empty() => format!("I didn't get {} from that. {hint}", say::called(field)),
        1 => hint,
        2 => format!("Still not clear to me, sorry. {hint}"),
        _ => {
            let out = if field.required {
                "say \"skip\" and I'll come back to it later"
            } else {
                "say \"skip\" to leave it out"
            };
            format!("I can't read that. Please use the control for {}, or {out}.", say::called(field))
        }
    };
    talk.add_message(text);
}
