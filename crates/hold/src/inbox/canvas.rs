//! A canvas: rows of styled text on a screen of a given size, and a cursor. Nothing here knows what the text means.

use std::fmt;

use crossterm::style::ContentStyle;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The style of a piece of text.
pub(crate) type TextStyle = ContentStyle;

/// Some rows of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    /// The first row.
    pub(crate) y: u16,
    /// The number of columns.
    pub(crate) width: u16,
    /// The number of rows.
    pub(crate) height: u16,
}

/// A piece of text in one style.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) look: TextStyle,
}

impl Span {
    pub(crate) fn styled(text: impl Into<String>, look: TextStyle) -> Self {
        Self { text: text.into(), look }
    }

    pub(crate) fn raw(text: impl Into<String>) -> Self {
        Self::styled(text, TextStyle::new())
    }
}

/// A line of text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Line(pub(crate) Vec<Span>);

impl Line {
    pub(crate) fn styled(text: impl Into<String>, look: TextStyle) -> Self {
        Self(vec![Span::styled(text, look)])
    }

    pub(crate) fn raw(text: impl Into<String>) -> Self {
        Self::styled(text, TextStyle::new())
    }

    /// Removes control characters, and cuts at a width.
    fn cut(self, width: usize) -> Self {
        let mut left = width;
        let mut spans = Vec::with_capacity(self.0.len());
        for Span { text, look } in self.0 {
            let mut kept = String::with_capacity(text.len());
            let mut is_full = false;
            for c in text.chars().filter(|c| !c.is_control()) {
                let wide = c.width().unwrap_or_default();
                is_full = wide > left;
                if is_full {
                    break;
                }
                left -= wide;
                kept.push(c);
            }
            spans.push(Span { text: kept, look });
            if is_full {
                break;
            }
        }
        Self(spans)
    }
}

impl From<Vec<Span>> for Line {
    fn from(spans: Vec<Span>) -> Self {
        Self(spans)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| f.write_str(&span.text))
    }
}

/// Lines, converted from one or several.
pub(crate) struct Lines(Vec<Line>);

impl From<Vec<Line>> for Lines {
    fn from(lines: Vec<Line>) -> Self {
        Self(lines)
    }
}

impl From<Line> for Lines {
    fn from(line: Line) -> Self {
        Self(vec![line])
    }
}

impl From<&str> for Lines {
    fn from(text: &str) -> Self {
        Self(text.lines().map(Line::raw).collect())
    }
}

impl From<String> for Lines {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

/// A screen to draw on.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: u16,
    rows: Vec<Line>,
    cursor: Option<(u16, u16)>,
}

impl Canvas {
    /// Creates an empty canvas.
    pub(crate) fn new(width: u16, height: u16) -> Self {
        Self { width, rows: vec![Line::default(); usize::from(height)], cursor: None }
    }

    /// Returns the area of the whole canvas.
    pub(crate) fn area(&self) -> Area {
        Area { y: 0, width: self.width, height: u16::try_from(self.rows.len()).unwrap_or(u16::MAX) }
    }

    /// Puts lines at the top of an area; what exceeds it is cut off.
    pub(crate) fn draw(&mut self, area: Area, lines: impl Into<Lines>) {
        let rows = self.rows.iter_mut().skip(area.y.into()).take(area.height.into());
        for (row, line) in rows.zip(lines.into().0) {
            *row = line.cut(area.width.into());
        }
    }

    /// Fills the first row of an area with text in one style.
    pub(crate) fn put_bar(&mut self, area: Area, text: &str, look: TextStyle) {
        let width = usize::from(area.width);
        let text = format!("{text}{}", " ".repeat(width));
        self.draw(Area { height: area.height.min(1), ..area }, Line::styled(text, look));
    }

    /// Puts two canvases side by side on the rows of an area, with a line between them.
    pub(crate) fn put_beside(&mut self, area: Area, left: Self, right: Self, look: TextStyle) {
        let (width, over) = (left.width, left.width.saturating_add(2));
        let moved =
            |(column, row): (u16, u16), by: u16| (column.saturating_add(by), area.y.saturating_add(row));
        self.cursor = left.cursor.map(|at| moved(at, 0)).or(right.cursor.map(|at| moved(at, over)));
        let both = left.rows.into_iter().zip(right.rows).map(|(mut line, beside)| {
            let taken = line.0.iter().map(|span| span.text.width()).sum();
            line.0.push(Span::raw(" ".repeat(usize::from(width).saturating_sub(taken))));
            line.0.push(Span::styled("│ ", look));
            line.0.extend(beside.0);
            line
        });
        let lines: Vec<Line> = both.collect();
        self.draw(area, lines);
    }

    /// Shows the cursor in a column of a row.
    pub(crate) fn set_cursor(&mut self, column: u16, row: u16) {
        self.cursor = Some((column, row));
    }

    /// Returns the rows, and the cursor if it is shown.
    pub(crate) fn into_parts(self) -> (Vec<Line>, Option<(u16, u16)>) {
        (self.rows, self.cursor)
    }
}

#[cfg(test)]
mod tests {
    use crossterm::style::Stylize as _;

    use super::*;

    fn shown(canvas: Canvas) -> Vec<String> {
        canvas.into_parts().0.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_stay_within_their_area() {
        let mut canvas = Canvas::new(6, 4);
        let area = canvas.area();
        assert_eq!(area, Area { y: 0, width: 6, height: 4 });
        canvas.draw(Area { y: 1, height: 2, ..area }, "one\ntwo and more\nthree");
        canvas.draw(Area { y: 9, height: 2, ..area }, "nowhere");
        assert_eq!(shown(canvas), ["", "one", "two an", ""]);
    }

    #[test]
    fn a_wide_character_is_not_cut_in_half_and_none_acts() {
        let mut canvas = Canvas::new(5, 2);
        let area = canvas.area();
        canvas.draw(area, vec![Line::raw("请选择"), Line::raw("a\u{1b}[2Jb\tc\u{7}")]);
        assert_eq!(shown(canvas), ["请选", "a[2Jb"]);
    }

    #[test]
    fn a_cut_span_ends_its_line() {
        let mut canvas = Canvas::new(3, 1);
        let spans = vec![Span::raw("a"), Span::styled("请请", TextStyle::new().bold()), Span::raw("z")];
        canvas.draw(canvas.area(), Line::from(spans));
        assert_eq!(shown(canvas), ["a请"]);
    }

    #[test]
    fn two_screens_stand_side_by_side_with_the_cursor_of_one() {
        let (mut left, mut right) = (Canvas::new(4, 2), Canvas::new(3, 2));
        left.draw(left.area(), "请");
        right.draw(right.area(), "one\ntwo");
        right.set_cursor(1, 1);
        let mut canvas = Canvas::new(9, 3);
        let area = Area { y: 1, height: 2, ..canvas.area() };
        canvas.put_beside(area, left, right, TextStyle::new());
        let (rows, cursor) = canvas.into_parts();
        let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["", "请  │ one", "    │ two"]);
        assert_eq!(cursor, Some((7, 2)));
    }

    #[test]
    fn a_bar_is_as_wide_as_its_area() {
        let mut canvas = Canvas::new(8, 2);
        canvas.put_bar(canvas.area(), "Inbox", TextStyle::new().reverse());
        assert_eq!(shown(canvas), ["Inbox   ", ""]);
    }
}
