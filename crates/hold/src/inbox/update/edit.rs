//! Keys in a box. What is typed is kept at once: leaving the box loses nothing.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use holdpoint_core::Timestamp;

use super::{list, pick, send};
use crate::inbox::card::{Card, Item, Lines, Target};
use crate::inbox::editor::Editor;
use crate::inbox::model::{Model, Screen};
use crate::inbox::news::Effect;
use crate::shown::filled::{CUSTOM, text_name, value_name};
use crate::shown::verb::Pressed;

/// Begins to type in a box.
pub(super) fn begin(card: &mut Card, item: &Item) {
    let Some(target) = pick::target(card, item) else { return };
    let text = match &target {
        Target::Control(name, _) => card.filled.one(name).to_owned(),
        Target::Search(at) => card.sought.get(at).cloned().unwrap_or_default(),
        Target::Message => card.message.clone(),
        Target::Guidance => card.guidance.clone(),
    };
    if *item == Item::Message && card.focus.as_ref() != Some(item) {
        card.back = card.focus.take();
    }
    card.focus = Some(item.clone());
    card.follows = true;
    card.edit = Some((target, Editor::new(&text)));
}

/// Begins to type where the person is, if that is the box of a question: there no letter is a command until Esc.
pub(super) fn land(card: &mut Card) {
    if let Some(item @ (Item::Text(_) | Item::Place(..))) = card.focus.clone()
        && card.blocked.is_none()
    {
        begin(card, &item);
    }
}

/// Begins to type in a card that appears with a box as its first question. The card is shown from its top all the same.
pub(super) fn start(card: &mut Card, now: Timestamp) {
    if card.focus.is_none() {
        card.focus = card.items(now).into_iter().next().filter(|item| matches!(item, Item::Text(_)));
    }
    land(card);
    card.follows = false;
}

pub(super) fn pressed(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
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
        KeyCode::Char(_) if alt => {
            // What a terminal sends for Alt and a letter is what it sends for Esc and then that letter.
            let mut effects = done(card, &target, model.now);
            effects.extend(super::card::pressed(model, KeyEvent::new(key.code, KeyModifiers::NONE)));
            return effects;
        }
        KeyCode::Enter if several => editor.insert("\n"),
        KeyCode::Up if several => editor.up(),
        KeyCode::Down if several => editor.down(),
        KeyCode::Enter | KeyCode::Tab | KeyCode::Down => {
            let effects = done(card, &target, model.now);
            if matches!(target, Target::Control(..) | Target::Search(_)) {
                pick::go(card, model.now, 1);
                // Once the last question is answered, the next Enter sends; a message is there for those who want one.
                if key.code == KeyCode::Enter && card.focus == Some(Item::Message) {
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
            super::card::turn(card, if key.code == KeyCode::PageDown { page } else { -page });
            card.edit = Some((target, editor));
            return Vec::new();
        }
        _ => {
            typed(&mut editor, key);
        }
    }
    card.follows = true;
    keep(card, &target, editor.text());
    card.edit = Some((target, editor));
    Vec::new()
}

/// Puts a pasted text into the box that has the focus; elsewhere it does nothing, above all not as keys.
pub(super) fn pasted(model: &mut Model, text: &str) -> Vec<Effect> {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    match &mut model.screen {
        Screen::Card(card) => {
            if let Some((target, mut editor)) = card.edit.take() {
                let one_line = if is_long(&target) { text } else { text.replace('\n', " ") };
                editor.insert(&one_line);
                keep(card, &target, editor.text());
                card.edit = Some((target, editor));
            }
        }
        Screen::List if model.list.searching => {
            model.list.search.insert(&text.replace('\n', " "));
            return list::find(model);
        }
        _ => {}
    }
    Vec::new()
}

/// Takes a key that any box knows; returns whether the text changed.
pub(super) fn typed(editor: &mut Editor, key: KeyEvent) -> bool {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let before = editor.text().len();
    match key.code {
        KeyCode::Left => editor.left(),
        KeyCode::Right => editor.right(),
        KeyCode::Home => editor.home(),
        KeyCode::End => editor.end(),
        KeyCode::Char('a') if control => editor.home(),
        KeyCode::Char('e') if control => editor.end(),
        KeyCode::Char('w') if control => editor.delete_word(),
        KeyCode::Char('u') if control => editor.delete_line(),
        KeyCode::Char('h') if control => editor.backspace(),
        KeyCode::Backspace => editor.backspace(),
        KeyCode::Delete => editor.delete(),
        KeyCode::Char(c) if !control && !c.is_control() => editor.insert(c.encode_utf8(&mut [0; 4])),
        _ => {}
    }
    editor.text().len() != before
}

/// Returns whether a box has several lines.
fn is_long(target: &Target) -> bool {
    matches!(target, Target::Control(_, Lines::Several) | Target::Message | Target::Guidance)
}

/// Keeps what is in a box.
fn keep(card: &mut Card, target: &Target, text: &str) {
    match target {
        Target::Control(name, _) => {
            card.filled.set(name.clone(), text);
            own_words(card, name, text);
        }
        Target::Search(at) => {
            card.sought.insert(*at, text.to_owned());
            pick::find(card, *at);
        }
        Target::Message => text.clone_into(&mut card.message),
        Target::Guidance => text.clone_into(&mut card.guidance),
    }
}

/// A person who writes their own words has chosen them; one who clears them has not.
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

/// Leaves a box, for where the focus goes from there: a message back to the choice, guidance on to its button.
fn done(card: &mut Card, target: &Target, now: Timestamp) -> Vec<Effect> {
    card.edit = None;
    match target {
        Target::Message => {
            if let Some(back) = card.back.take() {
                card.focus = Some(back);
            }
        }
        Target::Guidance if !card.guidance.trim().is_empty() => card.focus = Some(Item::Guide),
        _ => {}
    }
    send::drafted(card, now)
}

/// Sends from within a box.
fn sent(model: &mut Model, target: &Target) -> Vec<Effect> {
    if *target == Target::Guidance {
        send::send(model, Pressed::Guide)
    } else {
        send::send(model, Pressed::Answer)
    }
}
