//! A sheet of lines, longer than the screen: its content, the focus, and the text cursor.

use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;

use super::style::Style;
use crate::inbox::canvas::{Line, Span, TextStyle};
use crate::inbox::card::{Card, LongText};
use crate::inbox::editor::Editor;
use crate::inbox::pager::Pager;
use crate::view_model::wrap::{head, wrap};

/// Lines to draw.
pub(super) struct Sheet {
    pub(super) width: usize,
    pub(super) style: Style,
    pub(super) lines: Vec<Line>,
    /// The first and the last line of the focused item.
    pub(super) focus: Option<(usize, usize)>,
    /// The line and the column of the cursor.
    pub(super) cursor: Option<(usize, usize)>,
    /// The long texts on it; only their visible lines are created.
    pub(super) long: Vec<PlacedText>,
}

/// A long text on a sheet.
pub(super) struct PlacedText {
    pub(super) which: LongText,
    pub(super) indent: usize,
    /// Its lines.
    pub(super) range: Range<usize>,
}

impl Sheet {
    pub(super) fn new(width: usize, style: Style) -> Self {
        Self { width: width.max(8), style, lines: Vec::new(), focus: None, cursor: None, long: Vec::new() }
    }

    pub(super) fn gap(&mut self) {
        self.lines.push(Line::default());
    }

    /// Puts our own text, or text that is already inert.
    pub(super) fn push_text(&mut self, indent: usize, text: &str, look: TextStyle) {
        let width = self.width.saturating_sub(indent);
        for line in wrap(text, width, usize::MAX).lines {
            self.lines.push(Line::styled(format!("{}{line}", " ".repeat(indent)), look));
        }
    }

    /// Puts the beginning of an agent's text; `rest` says how to see the remainder.
    pub(super) fn agent(&mut self, indent: usize, text: &str, most: usize, rest: &str) {
        let shown = head(text, self.width.saturating_sub(indent), most);
        for line in shown.lines {
            self.lines.push(Line::raw(format!("{}{line}", " ".repeat(indent))));
        }
        if shown.more {
            let look = self.style.faint();
            self.push_text(indent, &format!("… {rest}"), look);
        }
    }

    /// Reserves room for a long text.
    pub(super) fn long(&mut self, indent: usize, which: LongText, text: &Pager) {
        let start = self.lines.len();
        let end = start + text.count(self.width.saturating_sub(indent));
        self.lines.resize_with(end, Line::default);
        self.long.push(PlacedText { which, indent, range: start..end });
    }

    /// Fills in the lines of long texts within a range.
    pub(super) fn fill(&mut self, card: &Card, seen: &Range<usize>) {
        for placed in &self.long {
            let Some(text) = card.long(placed.which) else { continue };
            let start = seen.start.max(placed.range.start);
            let within =
                start - placed.range.start..seen.end.min(placed.range.end).saturating_sub(placed.range.start);
            let lines = text.some(self.width.saturating_sub(placed.indent), within);
            let is_diff = placed.which == LongText::Subject && card.diff.is_some();
            for (at, line) in lines.into_iter().enumerate() {
                let look = if is_diff { self.style.of_change(&line) } else { TextStyle::new() };
                self.lines[start + at] = Line::styled(format!("{}{line}", " ".repeat(placed.indent)), look);
            }
        }
    }

    /// Puts a focusable item: with a mark in front, and highlighted if focused.
    pub(super) fn item(&mut self, is_here: bool, text: &str, marks: &str) {
        let start = self.lines.len();
        let width = self.width.saturating_sub(2);
        let look = if is_here { self.style.focus() } else { TextStyle::new() };
        let wrapped = wrap(text, width, usize::MAX);
        let last = wrapped.lines.len().saturating_sub(1);
        for (at, line) in wrapped.lines.into_iter().enumerate() {
            let mark = if is_here && at == 0 { "> " } else { "  " };
            let fits = at == last && line.width() + marks.width() < width;
            let mut spans = vec![Span::styled(mark, self.style.strong()), Span::styled(line, look)];
            if fits && !marks.is_empty() {
                spans.push(Span::styled(format!(" {marks}"), self.style.good()));
            }
            self.lines.push(Line::from(spans));
            if at == last && !fits && !marks.is_empty() {
                let look = self.style.good();
                self.push_text(6, marks, look);
            }
        }
        if is_here {
            self.focus = Some((start, self.lines.len().saturating_sub(1)));
        }
    }

    /// Puts a text box with its content, and the cursor if it is being edited.
    pub(super) fn input(
        &mut self,
        is_here: bool,
        label: &str,
        text: &str,
        editor: Option<&Editor>,
        most: usize,
    ) {
        let start = self.lines.len();
        let mark = if is_here { "> " } else { "  " };
        let shown = editor.map_or(text, Editor::text);
        let lead = if label.is_empty() { String::new() } else { format!("{label} ") };
        let width = self.width.saturating_sub(4 + lead.width()).max(4);
        // A pasted tab or bidi mark is also shown as what it is.
        let inert = |text: &str| holdpoint_core::text::inert(text);
        let all = wrap(&inert(shown), width, 2_000).lines;
        let before =
            wrap(&format!("{}\u{2038}", inert(editor.map_or("", Editor::before))), width, 2_000).lines;
        let row = before.len().saturating_sub(1);
        let top = if editor.is_some() { (row + 1).saturating_sub(most) } else { 0 };
        let look = if is_here { self.style.strong() } else { TextStyle::new() };
        for at in top..(top + most).min(all.len().max(row + 1)).max(top + 1) {
            let line = all.get(at).map_or("", String::as_str);
            let lead = if at == top { lead.clone() } else { " ".repeat(lead.width()) };
            let mark = if at == top { mark } else { "  " };
            let fill = if editor.is_some() || line.is_empty() {
                "_".repeat(width.min(30).saturating_sub(line.width()))
            } else {
                String::new()
            };
            self.lines.push(Line::from(vec![
                Span::styled(mark, self.style.strong()),
                Span::styled(lead, look),
                Span::styled(line.to_owned(), self.style.accent()),
                Span::styled(fill, self.style.faint()),
            ]));
        }
        if editor.is_some() {
            let column = before.last().map_or(0, |line| line.width().saturating_sub(1));
            self.cursor = Some((start + row - top, 2 + lead.width() + column));
        } else if all.len() > most {
            let look = self.style.faint();
            self.push_text(4, &format!("… {} lines in all", all.len()), look);
        }
        if is_here {
            self.focus = Some((start, self.lines.len().saturating_sub(1)));
        }
    }

    /// Puts the error of a field.
    pub(super) fn fault(&mut self, fault: Option<&str>) {
        if let Some(fault) = fault {
            let look = self.style.bad();
            self.push_text(2, &format!("! {}", crate::view_model::wording::sentence(fault)), look);
        }
    }
}
