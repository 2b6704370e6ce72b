//! Styles. Colour complements words and marks, and never replaces them.

use crossterm::style::{Attribute, Color};

use crate::inbox::canvas::TextStyle;
use crate::inbox::model::Colour;
use crate::view_model::change::FILE;

/// The styles, with or without colour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style(pub(super) Colour);

impl Style {
    fn with(self, colour: impl Into<Option<Color>>, attributes: &[Attribute]) -> TextStyle {
        TextStyle {
            foreground_color: colour.into().filter(|_| self.0 == Colour::Yes),
            attributes: attributes.into(),
            ..TextStyle::new()
        }
    }

    /// The style of the title line.
    pub(super) fn title(self) -> TextStyle {
        self.with(None, &[Attribute::Bold, Attribute::Reverse])
    }

    /// The style of the focused item.
    pub(super) fn focus(self) -> TextStyle {
        self.with(None, &[Attribute::Bold, Attribute::Reverse])
    }

    pub(super) fn strong(self) -> TextStyle {
        self.with(None, &[Attribute::Bold])
    }

    pub(super) fn faint(self) -> TextStyle {
        self.with(None, &[Attribute::Dim])
    }

    pub(super) fn accent(self) -> TextStyle {
        self.with(Color::DarkCyan, &[])
    }

    pub(super) fn good(self) -> TextStyle {
        self.with(Color::DarkGreen, &[])
    }

    pub(super) fn bad(self) -> TextStyle {
        self.with(Color::DarkRed, &[Attribute::Bold])
    }

    pub(super) fn warn(self) -> TextStyle {
        self.with(Color::DarkYellow, &[])
    }

    /// The style of a line in a diff.
    pub(super) fn of_change(self, line: &str) -> TextStyle {
        match line.chars().next() {
            Some('+') => self.good(),
            Some('-') => self.bad(),
            _ if line.starts_with(FILE) => self.strong(),
            _ => TextStyle::new(),
        }
    }
}
