//! Reads single keys on a terminal, and discards keys that were pressed too early.

use std::ops::ControlFlow;

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal;

use super::failure::Failure;
use super::ui::Ui;
use crate::view_model::read_before_consent::{AGAIN, EARLY, QUIET};

/// Discards keys until none has been pressed for a while: they cannot have been meant for a question that had just
/// appeared. Call it on a terminal, before a question that a key consents to. Breaks if the person wants to leave.
pub(crate) fn forget(ui: &mut Ui) -> Result<ControlFlow<()>, Failure> {
    terminal::enable_raw_mode()?;
    let forgot = read();
    terminal::disable_raw_mode()?;
    Ok(match forgot? {
        DiscardedKeys::Nothing => ControlFlow::Continue(()),
        DiscardedKeys::Keys => {
            ui.note(EARLY);
            ControlFlow::Continue(())
        }
        DiscardedKeys::Quit => ControlFlow::Break(()),
    })
}

/// What became of the keys.
enum DiscardedKeys {
    Nothing,
    Keys,
    Quit,
}

fn read() -> Result<DiscardedKeys, Failure> {
    let mut forgot = DiscardedKeys::Nothing;
    while event::poll(if matches!(forgot, DiscardedKeys::Nothing) { QUIET } else { AGAIN })? {
        let Event::Key(pressed) = event::read()? else { continue };
        let control = pressed.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(pressed.code, KeyCode::Char('c' | 'd')) {
            return Ok(DiscardedKeys::Quit);
        }
        forgot = DiscardedKeys::Keys;
    }
    Ok(forgot)
}

/// Reads one key on a terminal.
pub(crate) fn one_key(prompt: &str, ui: &mut Ui) -> Result<Option<String>, Failure> {
    terminal::enable_raw_mode()?;
    ui.prompt(prompt);
    let read = read_key();
    terminal::disable_raw_mode()?;
    let typed = read?;
    ui.note(typed.as_deref().unwrap_or_default());
    Ok(typed)
}

fn read_key() -> Result<Option<String>, Failure> {
    loop {
        let Event::Key(pressed) = event::read()? else { continue };
        if pressed.kind == KeyEventKind::Release {
            continue;
        }
        let control = pressed.modifiers.contains(KeyModifiers::CONTROL);
        match pressed.code {
            KeyCode::Char('c' | 'd') if control => return Ok(None),
            KeyCode::Char(c) => return Ok(Some(c.to_string())),
            KeyCode::Enter => return Ok(Some(String::new())),
            KeyCode::Esc => return Ok(None),
            _ => {}
        }
    }
}
