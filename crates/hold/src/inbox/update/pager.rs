//! Keys in a pager.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::propose;
use crate::inbox::events::InboxEffect;
use crate::inbox::model::{Model, Screen};
use crate::inbox::pager::PageDirection;

pub(super) fn pressed(model: &mut Model, key: KeyEvent) -> Vec<InboxEffect> {
    if let Some(effects) = propose::pressed(model, key) {
        return effects;
    }
    let page = model.body_height().saturating_sub(1).max(1).cast_signed();
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let Screen::Card(card) = &mut model.screen else { return Vec::new() };
    let Some(pager) = &card.pager else { return Vec::new() };
    match key.code {
        KeyCode::Char('j') | KeyCode::Down => pager.turn(1),
        KeyCode::Char('k') | KeyCode::Up => pager.turn(-1),
        KeyCode::PageDown | KeyCode::Char(' ') => pager.turn(page),
        KeyCode::PageUp | KeyCode::Char('b') => pager.turn(-page),
        KeyCode::Char('d') if control => pager.turn(page / 2),
        KeyCode::Char('u') if control => pager.turn(-(page / 2)),
        KeyCode::Char(']') => pager.turn_file(PageDirection::Next),
        KeyCode::Char('[') => pager.turn_file(PageDirection::Previous),
        KeyCode::Home | KeyCode::Char('g' | '<') => pager.turn(isize::MIN),
        KeyCode::End | KeyCode::Char('G' | '>') => pager.turn(isize::MAX),
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | 'u' | 's' | 'p' | 'd' | 'i') => {
            card.pager = None;
            card.proposed = None;
        }
        _ => {}
    }
    Vec::new()
}
