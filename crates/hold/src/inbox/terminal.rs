//! The terminal: taken over, and restored however the inbox ends.

use std::io::{Write, stdout};
use std::sync::Once;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::{PrintStyledContent, StyledContent};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute, queue};

use super::canvas::{Canvas, Line};
use super::model::Model;
use super::view;

/// The terminal while we use it.
#[derive(Default)]
pub(crate) struct Screen {
    size: (u16, u16),
    /// The current content of each row.
    rows: Vec<Line>,
}

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn take() -> std::io::Result<Self> {
        on_panic();
        enter().inspect_err(|_| leave())?;
        Ok(Self::default())
    }

    /// Draws the model.
    pub(crate) fn draw(&mut self, model: &Model) -> std::io::Result<()> {
        let size = crossterm::terminal::size()?;
        let mut canvas = Canvas::new(size.0, size.1);
        view::draw(&mut canvas, model);
        // All changes are written at once, so that no half-drawn screen is seen.
        let mut bytes = Vec::new();
        if size != self.size {
            self.rows.clear();
            self.size = size;
            queue!(bytes, Clear(ClearType::All))?;
        }
        let (rows, cursor) = canvas.into_parts();
        write(&mut bytes, &self.rows, &rows, cursor)?;
        self.rows = rows;
        let mut out = stdout().lock();
        out.write_all(&bytes)?;
        out.flush()
    }

    /// Redraws everything: another program may have written to the screen.
    pub(crate) fn clear(&mut self) -> std::io::Result<()> {
        // Replacing the value would drop the old one, which gives the terminal back.
        self.rows.clear();
        self.size = (0, 0);
        execute!(stdout(), Clear(ClearType::All))
    }

    /// Gives the terminal back, stops until the process is continued, and takes it again.
    pub(crate) fn suspend(&mut self) -> std::io::Result<()> {
        leave();
        // The shell waits for the stop; the process continues here.
        rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP)?;
        enter()?;
        self.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        leave();
    }
}

/// Writes the rows that have changed, and shows or hides the cursor.
fn write(
    out: &mut impl Write,
    before: &[Line],
    rows: &[Line],
    cursor: Option<(u16, u16)>,
) -> std::io::Result<()> {
    queue!(out, cursor::Hide)?;
    for (at, row) in (0..).zip(rows) {
        if before.get(usize::from(at)) == Some(row) {
            continue;
        }
        // Cleared first: a terminal that has just filled a row may clear its last column after it.
        queue!(out, cursor::MoveTo(0, at), Clear(ClearType::CurrentLine))?;
        for span in row.0.iter().filter(|span| !span.text.is_empty()) {
            queue!(out, PrintStyledContent(StyledContent::new(span.look, span.text.as_str())))?;
        }
    }
    match cursor {
        Some((column, row)) => queue!(out, cursor::MoveTo(column, row), cursor::Show),
        None => Ok(()),
    }
}

fn enter() -> std::io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back. If that fails, nothing can be done.
fn leave() {
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// Makes a panic restore the terminal first, so that its message can be read.
fn on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |why| {
            leave();
            before(why);
        }));
    });
}

#[cfg(test)]
mod tests {
    use crossterm::style::Stylize as _;

    use super::super::canvas::TextStyle;
    use super::*;

    /// Returns what a terminal shows after a write, and how many bytes that took.
    fn seen(parser: &mut vt100::Parser, before: &[Line], rows: &[Line]) -> (String, usize) {
        let mut bytes = Vec::new();
        write(&mut bytes, before, rows, None).unwrap();
        parser.process(&bytes);
        (parser.screen().contents(), bytes.len())
    }

    #[test]
    fn only_what_changed_is_written() {
        let some = |number| std::num::NonZeroU16::new(number).unwrap();
        let mut parser = vt100::Parser::new(some(3), some(10), 0);
        let line = |text: &str| Line::raw(text);
        let first =
            [line("0123456789"), Line::styled("red", TextStyle::new().dark_red().bold()), line("last")];
        assert_eq!(seen(&mut parser, &[], &first).0, "0123456789\nred\nlast");
        let cell = parser.screen().cell(1, 0).unwrap().clone();
        assert!(cell.bold() && cell.fgcolor() == vt100::Color::Idx(1), "{cell:?}");
        assert!(!parser.screen().cell(2, 0).unwrap().bold());
        let next = [line("0123456789"), line("r"), line("last")];
        let (shown, bytes) = seen(&mut parser, &first, &next);
        assert_eq!(shown, "0123456789\nr\nlast");
        assert!(bytes < 40, "{bytes}");
        let (shown, again) = seen(&mut parser, &next, &next);
        assert_eq!((shown.as_str(), again), ("0123456789\nr\nlast", "\u{1b}[?25l".len()));
    }
}
