//! How things look. Colour adds to words and marks, and never stands for them.

use ratatui::style::{Color, Modifier, Style as Look};

use crate::inbox::model::Colour;

use crate::shown::change::FILE;

/// How things look with or without colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style(pub(super) Colour);

impl Style {
    fn with(self, colour: impl Into<Option<Color>>, modifier: Modifier) -> Look {
        let look = Look::new().add_modifier(modifier);
        match colour.into().filter(|_| self.0 == Colour::Yes) {
            Some(colour) => look.fg(colour),
            None => look,
        }
    }

    /// The line above all.
    pub(super) fn title(self) -> Look {
        self.with(None, Modifier::BOLD | Modifier::REVERSED)
    }

    /// Where the person is.
    pub(super) fn focus(self) -> Look {
        self.with(None, Modifier::BOLD | Modifier::REVERSED)
    }

    pub(super) fn strong(self) -> Look {
        self.with(None, Modifier::BOLD)
    }

    pub(super) fn faint(self) -> Look {
        self.with(None, Modifier::DIM)
    }

    pub(super) fn accent(self) -> Look {
        self.with(Color::Cyan, Modifier::empty())
    }

    pub(super) fn good(self) -> Look {
        self.with(Color::Green, Modifier::empty())
    }

    pub(super) fn bad(self) -> Look {
        self.with(Color::Red, Modifier::BOLD)
    }

    pub(super) fn warn(self) -> Look {
        self.with(Color::Yellow, Modifier::empty())
    }

    /// How a line of a change looks.
    pub(super) fn of_change(self, line: &str) -> Look {
        match line.chars().next() {
            Some('+') => self.good(),
            Some('-') => self.bad(),
            _ if line.starts_with(FILE) => self.strong(),
            _ => Look::new(),
        }
    }
}
