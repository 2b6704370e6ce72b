//! Keys in a text box. What is typed is stored at once: leaving the box loses nothing.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use holdpoint_core::Timestamp;

use super::{pick, send};
use crate::inbox::card::{BoxHeight, Card, EditTarget, FocusItem};
use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen};
use crate::view_model::form_values::{CUSTOM, text_name, value_name};
use crate::view_model::submitted_answer::PressedButton;

pub(super) fn pressed(model: &mut Model, key: KeyEvent) -> Vec<InboxEffect> {
    let page = model.body_height().saturating_sub(2).max(1).cast_signed();
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    let Some((target, mut editor)) = card.edit.take() else { return Vec::new() };
    let several = is_long(&target);
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    match key.code {
        KeyCode::Esc => return done(card, &target, model.now),
        KeyCode::Char('s') if control => return sent(model, &target),
        KeyCode::Enter if control || alt => return sent(model, &target),
        KeyCode::Enter if several => editor.insert("\n"),
        KeyCode::Up if several => editor.up(),
        KeyCode::Down if several => editor.down(),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
            let effects = done(card, &target, model.now);
            if matches!(target, EditTarget::Control(..) | EditTarget::Search(_)) {
                pick::go(card, model.now, 1);
                // After the last question, skip the optional message, so that the next Enter sends.
                if key.code == KeyCode::Enter && card.focus == Some(FocusItem::Message) {
                    pick::go(card, model.now, 1);
                }
            }
            return effects;
        }
        KeyCode::BackTab | KeyCode::Up => {
            let effects = done(card, &target, model.now);
            pick::go(card, model.now, -1);
            return effects;
        }
        KeyCode::PageDown | KeyCode::PageUp => {
            pick::turn(card, if key.code == KeyCode::PageDown { page } else { -page });
            card.edit = Some((target, editor));
            return Vec::new();
        }
        _ => {
            editor.press(key);
        }
    }
    card.follows = true;
    keep(card, &target, editor.text());
    card.edit = Some((target, editor));
    Vec::new()
}

/// Inserts pasted text into the box.
pub(super) fn pasted(card: &mut Card, text: &str) {
    let Some((target, mut editor)) = card.edit.take() else { return };
    let one_line = if is_long(&target) { text.to_owned() } else { text.replace('\n', " ") };
    editor.insert(&one_line);
    keep(card, &target, editor.text());
    card.edit = Some((target, editor));
}

/// Leaves the box.
pub(super) fn leave(model: &mut Model) -> Vec<InboxEffect> {
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    let Some((target, _)) = card.edit.take() else { return Vec::new() };
    done(card, &target, model.now)
}

/// Returns whether a box has several lines.
fn is_long(target: &EditTarget) -> bool {
    matches!(target, EditTarget::Control(_, BoxHeight::Several) | EditTarget::Message | EditTarget::Guidance)
}

/// Stores the content of a box.
fn keep(card: &mut Card, target: &EditTarget, text: &str) {
    match target {
        EditTarget::Control(name, _) => {
            card.filled.set(name.clone(), text);
            own_words(card, name, text);
        }
        EditTarget::Search(at) => {
            card.sought.insert(*at, text.to_owned());
            pick::find(card, *at);
        }
        EditTarget::Message => text.clone_into(&mut card.message),
        EditTarget::Guidance => text.clone_into(&mut card.guidance),
    }
}

/// Typing a written answer chooses it; clearing it unchooses it.
fn own_words(card: &mut Card, name: &str, text: &str) {
    let Some(field) = card.decision.fields.iter().find(|field| text_name(field) == name) else { return };
    if field.kind != holdpoint_core::Kind::Choices {
        let main = value_name(field);
        if !text.is_empty() {
            card.filled.set(main, CUSTOM);
        } else if card.filled.has(&main, CUSTOM) {
            card.filled.set(main, "");
        }
    }
}

/// Leaves a box and moves the focus: from a message back to the choice, from guidance on to its button.
fn done(card: &mut Card, target: &EditTarget, now: Timestamp) -> Vec<InboxEffect> {
    card.edit = None;
    match target {
        EditTarget::Message => {
            if let Some(back) = card.back.take() {
                card.focus = Some(back);
            }
        }
        EditTarget::Guidance if !card.guidance.trim().is_empty() => card.focus = Some(FocusItem::Guide),
        _ => {}
    }
    send::drafted(card, now)
}

/// Sends the answer from within a box.
fn sent(model: &mut Model, target: &EditTarget) -> Vec<InboxEffect> {
    if *target == EditTarget::Guidance {
        send::send(model, PressedButton::Guide)
    } else {
        send::send(model, PressedButton::Answer)
    }
}
