//! A scrollable text. It is broken into lines once per width, however long it is; only visible lines are drawn.

use std::cell::{Cell, RefCell};

use crate::view_model::change::FILE;
use crate::view_model::wrap::{hanging, wrap};

/// A text that is shown in full.
#[derive(Debug)]
pub(crate) struct Pager {
    pub(crate) title: String,
    /// Already inert.
    text: String,
    breaks: LineIndent,
    pub(crate) top: Cell<usize>,
    /// The width, and the lines for it.
    lines: RefCell<(usize, Vec<String>)>,
}

/// How continuation lines are indented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineIndent {
    /// Not at all.
    Plain,
    /// Below the start of the text, so that lists keep their shape.
    Hanging,
}

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageDirection {
    Next,
    Previous,
}

impl PageDirection {
    /// Returns the next of some ascending positions, in this direction.
    pub(crate) fn from(self, here: usize, places: &[usize]) -> Option<usize> {
        match self {
            Self::Next => places.iter().copied().find(|at| *at > here),
            Self::Previous => places.iter().copied().rfind(|at| *at < here),
        }
    }
}

impl Pager {
    pub(crate) fn new(title: impl Into<String>, text: String) -> Self {
        let (top, lines) = (Cell::new(0), RefCell::new((0, Vec::new())));
        Self { title: title.into(), text, breaks: LineIndent::Plain, top, lines }
    }

    /// Creates a pager for prose, whose lists keep their shape.
    pub(crate) fn of_prose(title: impl Into<String>, text: String) -> Self {
        Self { breaks: LineIndent::Hanging, ..Self::new(title, text) }
    }

    /// Creates a pager of the same text with a line below it.
    pub(crate) fn with_end(&self, end: &str) -> Self {
        Self { breaks: self.breaks, ..Self::new(self.title.clone(), format!("{}\n\n{end}", self.text)) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the lines on the screen, the number of the first, and how many there are.
    pub(crate) fn page(&self, width: usize, height: usize) -> (Vec<String>, usize, usize) {
        let mut lines = self.lines.borrow_mut();
        if lines.0 != width {
            let broken = match self.breaks {
                LineIndent::Plain => wrap(&self.text, width, usize::MAX),
                LineIndent::Hanging => hanging(&self.text, width),
            };
            *lines = (width, broken.lines);
        }
        let count = lines.1.len();
        let top = self.top.get().min(count.saturating_sub(height));
        self.top.set(top);
        (lines.1.iter().skip(top).take(height).cloned().collect(), top, count)
    }

    /// Returns the number of lines.
    pub(crate) fn count(&self, width: usize) -> usize {
        self.page(width, 0).2
    }

    /// Returns some of the lines.
    pub(crate) fn some(&self, width: usize, range: std::ops::Range<usize>) -> Vec<String> {
        self.count(width);
        let lines = self.lines.borrow();
        lines.1.iter().skip(range.start).take(range.len()).cloned().collect()
    }

    /// Returns the lines on which a file of a diff begins, for the last width.
    pub(crate) fn files(&self) -> Vec<usize> {
        let lines = self.lines.borrow();
        let begins = |(at, line): (usize, &String)| line.starts_with(FILE).then_some(at);
        lines.1.iter().enumerate().filter_map(begins).collect()
    }

    /// Scrolls to the next or previous file of a diff.
    pub(crate) fn turn_file(&self, turn: PageDirection) {
        if let Some(at) = turn.from(self.top.get(), &self.files()) {
            self.top.set(at);
        }
    }

    /// Scrolls up or down; the next drawing keeps the position within the text.
    pub(crate) fn turn(&self, by: isize) {
        self.top.set(self.top.get().saturating_add_signed(by));
    }
}
