//! What becomes of the inbox when something comes in: a pure function, so that it can be told in tables.

mod card;
mod edit;
mod list;
mod live;
mod pager;
mod pick;
mod send;
#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

pub(crate) use card::{prompt, subject};

use super::model::{Model, Screen};
use super::news::{Effect, News};

/// Takes in what came, and says what is to be done.
pub(crate) fn update(model: &mut Model, news: News) -> Vec<Effect> {
    match news {
        News::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
        News::Key(key) => pressed(model, key),
        News::Pasted(text) => edit::pasted(model, &text),
        News::Resized(columns, lines) => {
            model.size = (columns, lines);
            Vec::new()
        }
        News::Time(now) => live::time(model, now),
        News::Happened(happenings) => live::happened(model, &happenings),
        News::Listed(listing) => live::listed(model, listing),
        News::Lost(why) => {
            model.lost = Some(why);
            Vec::new()
        }
        News::Opened(opened) => card::opened(model, *opened),
        News::NotOpened(why) => {
            model.screen = Screen::List;
            model.say(super::model::Tone::Bad, why);
            vec![Effect::List]
        }
        News::Current(id, decision) => live::current(model, id, decision.map(|decision| *decision)),
        News::Taken(taken) => send::taken(model, &taken),
        News::Refused(id, refused) => send::refused(model, id, refused),
        News::Warned(why) => {
            model.say(super::model::Tone::Bad, why);
            Vec::new()
        }
    }
}

fn pressed(model: &mut Model, key: KeyEvent) -> Vec<Effect> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => return vec![Effect::Quit],
        KeyCode::Char('z') if control => return vec![Effect::Suspend],
        KeyCode::Char('l') if control => return vec![Effect::Redraw, Effect::List],
        _ => {}
    }
    if model.help {
        model.help = false;
        return Vec::new();
    }
    if matches!(&model.screen, Screen::Card(card) if card.edit.is_some()) {
        return edit::pressed(model, key);
    }
    if model.list.searching && matches!(model.screen, Screen::List) {
        return list::searching(model, key);
    }
    if matches!(&model.screen, Screen::Card(card) if card.pager.is_some()) {
        return pager::pressed(model, key);
    }
    if key.code == KeyCode::Char('?') {
        model.help = true;
        return Vec::new();
    }
    if control {
        return Vec::new();
    }
    model.notice = None;
    match model.screen {
        Screen::List => list::pressed(model, key.code),
        Screen::Opening(_) => {
            if matches!(key.code, KeyCode::Esc | KeyCode::Char('u' | 'q')) {
                model.screen = Screen::List;
            }
            Vec::new()
        }
        Screen::Card(_) => card::pressed(model, key),
    }
}
