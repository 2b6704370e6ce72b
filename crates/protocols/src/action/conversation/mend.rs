//! Corrections. A value is replaced only by another valid one: what is not understood changes nothing.

use holdpoint_core::Field;

use super::super::form::poles;
use super::super::reader::{self, Reading};
use super::{Conversation, next, phrase, say};

/// Says that nothing was changed, and which word kept it from being taken.
pub(super) fn withhold(talk: &mut Conversation<'_>, reading: &Reading) -> bool {
    let nods = talk.state.asked.as_ref().and_then(|id| talk.field(id)).and_then(poles).is_some();
    let Some((guard, word)) = reading.guards.first().filter(|_| !nods) else { return false };
    let what = format!("I took that as {} (\"{word}\")", guard.name());
    talk.add_message(format!("{what}, so nothing was changed. If it changes something, say: change … to …"));
    true
}

/// Asks for a field that was named but not understood; its value is kept. Returns whether there was such a field.
pub(super) fn ask_named(talk: &mut Conversation<'_>, reading: &Reading) -> bool {
    let stated = !reading.is_empty();
    let kept = |id: &&String| {
        talk.values.contains_key(*id)
            && !reading.has(id)
            && !(stated && reading.unfit.iter().all(|unfit| unfit.field != **id) && reading.named.len() == 1)
    };
    let open: Vec<String> = reading.named.iter().filter(kept).cloned().collect();
    if reading.unfit.is_empty() && !reading.taken.is_empty() {
        return false;
    }
    for id in &open {
        if !reading.unfit.iter().any(|unfit| unfit.field == *id) {
            talk.add_message(format!("I didn't get what {} should be.", talk.called(id)));
        }
        if !reopen(talk, id) {
            next::ask_first(talk, id);
        }
    }
    !open.is_empty()
}

/// Asks for known fields that a message mentions without a value, because a limit or a denial may change them.
pub(super) fn ask_left(talk: &mut Conversation<'_>, reading: &Reading) -> bool {
    let opened = |id: &&String| reopen(talk, id);
    !reading.guards.is_empty() && reading.left.iter().filter(opened).count() > 0
}

/// Says of what else could be read nothing, if it is not asked anyway.
pub(super) fn tell_left(talk: &mut Conversation<'_>, reading: &Reading) {
    let open = |field: &&Field| !field.required && !talk.values.contains_key(&field.id);
    let said = talk.form.fields.iter().filter(open).filter(|field| reading.left.contains(&field.id));
    let left: Vec<String> = said.map(say::called).collect();
    if !left.is_empty() {
        talk.add_message(format!("I could not read what you say about {}.", left.join(", ")));
    }
}

/// Reopens the one field that a correction names. Returns whether it did; if not, nothing changes, and the person is told.
pub(super) fn change(talk: &mut Conversation<'_>, text: &str) -> bool {
    let named = named(talk, text);
    if let [id] = &named[..]
        && reopen(talk, id)
    {
        return true;
    }
    let list = |ids: &[String]| ids.iter().map(|id| talk.called(id)).collect::<Vec<_>>().join(" or ");
    let text = match &named[..] {
        [id] => format!("There is no answer for {} yet, so nothing was changed.", talk.called(id)),
        [] => {
            let known = talk.visible().into_iter().rev().find(|field| talk.values.contains_key(&field.id));
            let example = known.map_or_else(String::new, |field| {
                format!(" Say for example: change the {} to …", say::called(field))
            });
            format!("I didn't get what to change, so nothing was changed.{example}")
        }
        several => format!("That could be {}, so nothing was changed. Which one is it?", list(several)),
    };
    talk.add_message(text);
    false
}

/// Asks again for a field that has a value, which stays until there is a new one. Returns whether it has one.
pub(super) fn reopen(talk: &mut Conversation<'_>, id: &str) -> bool {
    let (Some(field), Some(value)) = (talk.field(id), talk.values.get(id)) else { return false };
    let text = stays(field, value);
    talk.add_message(text);
    talk.state.asked = Some(id.to_owned());
    talk.state.postponed.retain(|postponed| postponed != id);
    next::ask_first(talk, id);
    true
}

pub(super) fn stays(field: &Field, value: &serde_json::Value) -> String {
    let name = say::capital(&say::called(field));
    format!("{name}: it stays {} until there is a new one.", say::value(field, value))
}

/// Lists the visible fields that a text names.
pub(super) fn named(talk: &Conversation<'_>, text: &str) -> Vec<String> {
    let visible = talk.visible();
    let named = reader::named(&talk.form.fields, text).into_iter().map(|field| field.id.clone());
    named.filter(|id| visible.iter().any(|field| field.id == *id)).collect()
}

/// Clears an optional field if a text says so (`remove the handover notes`), and reports the result.
pub(super) fn clear(talk: &mut Conversation<'_>, text: &str) -> bool {
    if !phrase::removes(text) {
        return false;
    }
    let [id] = &named(talk, text)[..] else { return false };
    let Some(field) = talk.field(id) else { return false };
    let (required, name) = (field.required, say::called(field));
    match talk.values.contains_key(id) {
        false => talk.add_message(format!("There is no answer for {name}, so nothing was changed.")),
        true if required => {
            talk.add_message(format!("{}: this is needed, so it cannot be left out.", say::capital(&name)));
            reopen(talk, id);
        }
        true => {
            talk.values.remove(id);
            talk.set(Vec::new());
            talk.state.postponed.push(id.clone());
            talk.add_message(format!("I have removed {name}."));
        }
    }
    true
}
