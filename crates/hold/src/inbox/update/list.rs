//! Keys on the list.

use crossterm::event::{KeyCode, KeyEvent};

use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen};
use crate::inbox::row::Row;
use crate::inbox::update::{attend, batch, outgoing, saved};
use crate::inbox::view::shows_subject;

pub(super) fn pressed(model: &mut Model, key: KeyCode) -> Vec<InboxEffect> {
    let page = model.body_height().saturating_sub(1).max(1);
    match key {
        KeyCode::Char('q') => return outgoing::quit(model),
        KeyCode::Char('j') | KeyCode::Down => go(model, 1),
        KeyCode::Char('k') | KeyCode::Up => go(model, -1),
        KeyCode::PageDown | KeyCode::Char(' ') => go(model, page.cast_signed()),
        KeyCode::PageUp => go(model, -page.cast_signed()),
        KeyCode::Home | KeyCode::Char('<') => model.list.select(0),
        KeyCode::End | KeyCode::Char('>') => model.list.select(usize::MAX),
        KeyCode::Char('/') => {
            // A new search replaces the saved view, rather than narrowing it.
            if model.list.view.is_some() {
                saved::leave(model);
            }
            model.list.searching = true;
        }
        KeyCode::Char('v') => return saved::next(model),
        KeyCode::Char('t') => return attend::take(model),
        KeyCode::Char('z') => return attend::snooze(model),
        KeyCode::Char('x') => batch::mark(model),
        KeyCode::Char('X') => batch::mark_to(model),
        KeyCode::Char('*') => batch::mark_all(model),
        KeyCode::Enter if !model.list.marked.is_empty() => return batch::gather(model),
        KeyCode::Esc | KeyCode::Char('u') if !model.list.marked.is_empty() => model.list.marked.clear(),
        KeyCode::Esc | KeyCode::Char('u') => saved::leave(model),
        KeyCode::Enter => return open(model, None),
        KeyCode::Char(digit @ '1'..='9') => return open(model, digit.to_digit(10).map(|it| it as usize)),
        _ => {}
    }
    Vec::new()
}

/// Handles keys while the search text is typed.
pub(super) fn searching(model: &mut Model, key: KeyEvent) -> Vec<InboxEffect> {
    match key.code {
        KeyCode::Enter => model.list.searching = false,
        KeyCode::Esc => {
            model.list.searching = false;
            saved::leave(model);
        }
        KeyCode::Down => go(model, 1),
        KeyCode::Up => go(model, -1),
        _ => {
            if model.list.search.press(key) {
                return find(model);
            }
        }
    }
    Vec::new()
}

/// Searches for the text: at once in what was read, and beyond it if there is more.
pub(super) fn find(model: &mut Model) -> Vec<InboxEffect> {
    model.list.find(model.now);
    beyond(model)
}

/// Asks for search results beyond what was read.
pub(super) fn beyond(model: &Model) -> Vec<InboxEffect> {
    let text = model.list.search.text();
    if model.list.more && !text.trim().is_empty() {
        vec![InboxEffect::Find(text.to_owned())]
    } else {
        Vec::new()
    }
}

/// Adds search results beyond what was read.
pub(super) fn found(model: &mut Model, rows: Vec<Row>) -> Vec<InboxEffect> {
    // Earlier results may have been settled.
    model.list.rows.truncate(model.list.read);
    for row in rows {
        if !model.list.rows.iter().any(|known| known.id == row.id) {
            model.list.rows.push(row);
        }
    }
    model.list.find(model.now);
    Vec::new()
}

fn go(model: &mut Model, by: isize) {
    let place = model.list.selected_index().map_or(0, |place| place.saturating_add_signed(by));
    model.list.select(place);
}

/// Opens the selected decision; further keys pressed on the list are not meant for the card.
fn open(model: &mut Model, pick: Option<usize>) -> Vec<InboxEffect> {
    let Some(id) = model.list.selected.filter(|_| model.list.selected_index().is_some()) else {
        return Vec::new();
    };
    // Consent to a subject that the row does not show in full requires reading it on the card.
    let pick = pick.filter(|number| {
        let row = model.list.row();
        row.is_some_and(|row| row.refusing.contains(number) || !row.has_subject || shows_subject(model, row))
    });
    model.screen = Screen::Opening(id);
    vec![InboxEffect::Open(id, pick)]
}
