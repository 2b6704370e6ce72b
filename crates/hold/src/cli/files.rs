//! Browsing the files of a change in a terminal.

use super::failure::Failure;
use super::input;
use super::run::diff::column;
use super::ui::Ui;
use crate::view_model::change;

/// The files of a change, and which one was last shown on its own.
#[derive(Debug, Default)]
pub(crate) struct Files<'a> {
    files: Vec<&'a str>,
    shown: Option<usize>,
}

impl<'a> Files<'a> {
    /// Splits a diff into files; without a diff there are none.
    pub(crate) fn of(diff: Option<&'a str>) -> Self {
        Self { files: diff.map(change::files).unwrap_or_default(), shown: None }
    }

    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Shows the file that a key selects; returns whether it was such a key.
    pub(crate) fn turn(&mut self, typed: &str, ui: &mut Ui) -> bool {
        let by = match typed.trim() {
            "]" => 1,
            "[" => -1,
            _ => return false,
        };
        let Some(last) = self.files.len().checked_sub(1) else { return false };
        let at = self.shown.map_or(0, |at| at.saturating_add_signed(by).min(last));
        self.shown = Some(at);
        ui.note(format!("{}\n  file {} of {}", column(self.files[at]), at + 1, last + 1));
        true
    }

    /// Asks for a line, and asks again after each key that shows another file.
    pub(crate) fn line(&mut self, question: &str, ui: &mut Ui) -> Result<Option<String>, Failure> {
        let keys = if self.is_empty() { "" } else { "(] and [ show file by file) " };
        loop {
            ui.prompt(format!("{keys}{question}"));
            let typed = input::line()?;
            if !typed.as_deref().is_some_and(|typed| self.turn(typed, ui)) {
                return Ok(typed);
            }
        }
    }
}
