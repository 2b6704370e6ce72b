//! A text in full, to scroll in. It is broken into lines once, however long it is; only what is seen is drawn.

use std::cell::{Cell, RefCell};

use crate::shown::wrap::wrap;

/// A text that is shown in full.
#[derive(Debug)]
pub(crate) struct Pager {
    pub(crate) title: String,
    /// Inert already.
    text: String,
    pub(crate) top: Cell<usize>,
    /// The lines, and for which width.
    lines: RefCell<(usize, Vec<String>)>,
}

impl Pager {
    pub(crate) fn new(title: impl Into<String>, text: String) -> Self {
        Self { title: title.into(), text, top: Cell::new(0), lines: RefCell::new((0, Vec::new())) }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the lines on the screen, the number of the first, and how many there are.
    pub(crate) fn page(&self, width: usize, height: usize) -> (Vec<String>, usize, usize) {
        let mut lines = self.lines.borrow_mut();
        if lines.0 != width {
            *lines = (width, wrap(&self.text, width, usize::MAX).lines);
        }
        let count = lines.1.len();
        let top = self.top.get().min(count.saturating_sub(height));
        self.top.set(top);
        (lines.1.iter().skip(top).take(height).cloned().collect(), top, count)
    }

    /// Goes up or down; the next drawing keeps it within the text.
    pub(crate) fn turn(&self, by: isize) {
        self.top.set(self.top.get().saturating_add_signed(by));
    }
}
