//! How things look. Colour adds to words and marks, and never stands for them.

use ratatui::style::{Color, Modifier, Style as Look};

use crate::inbox::model::Colour;

/// How things look with or without colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style(pub(super) Colour);

impl Style {
    fn with(self, colour: Color, modifier: Modifier) -> Look {
        let look = Look::new().add_modifier(modifier);
        if self.0 == Colour::Yes { look.fg(colour) } else { look }
    }

    /// The line above all.
    pub(super) fn title(self) -> Look {
        Look::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    /// Where the person is.
    pub(super) fn focus(self) -> Look {
        Look::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }

    pub(super) fn strong(self) -> Look {
        Look::new().add_modifier(Modifier::BOLD)
    }

    pub(super) fn faint(self) -> Look {
        Look::new().add_modifier(Modifier::DIM)
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
}
