//! The screen of the terminal: the agent's output, interpreted.

use std::num::NonZeroU16;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use holdpoint_core::job::detect::ScreenText;
use vt100::{Callbacks, Parser};

use crate::sessions::spec::Size;

/// A terminal without a window.
pub(super) struct Terminal {
    parser: Parser<Questions>,
    size: Size,
    shown: Vec<String>,
    fresh: bool,
    seq: u64,
    touched: Instant,
    changed: Instant,
    written: u64,
}

/// Collects the agent's queries to the terminal; without answers, some programs wait forever.
#[derive(Default)]
struct Questions {
    answers: Vec<u8>,
}

/// The most answers that are collected: an agent that asks without reading would fill the memory.
const MOST_ANSWERS: usize = 4096;

impl Terminal {
    /// Makes an empty one.
    pub(super) fn new(size: Size) -> Self {
        let size = size.within_limits();
        Self {
            parser: parser(size),
            size,
            shown: Vec::new(),
            fresh: true,
            seq: 0,
            touched: Instant::now(),
            changed: Instant::now(),
            written: 0,
        }
    }

    /// Interprets the agent's output and returns the terminal's answers.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.written += bytes.len() as u64;
        self.fresh = true;
        self.touched = Instant::now();
        // The agent's output must not be able to crash the host, even if the interpreter panics.
        if catch_unwind(AssertUnwindSafe(|| self.parser.process(bytes))).is_err() {
            self.parser = parser(self.size);
        }
        std::mem::take(&mut self.parser.callbacks_mut().answers)
    }

    /// Checks whether the screen has changed, and returns the number of the last change.
    pub(super) fn refresh(&mut self) -> u64 {
        if self.fresh {
            self.fresh = false;
            let rows = rows(&self.parser);
            if rows != self.shown {
                self.shown = rows;
                self.seq += 1;
                self.changed = self.touched;
            }
        }
        self.seq
    }

    /// Returns the text of the screen.
    pub(super) fn text(&mut self) -> ScreenText {
        self.refresh();
        let screen = self.parser.screen();
        ScreenText {
            rows: self.shown.clone(),
            cursor: screen.cursor_position(),
            alternate: screen.alternate_screen(),
        }
    }

    /// Returns when the screen last changed, as of the last check.
    pub(super) fn changed(&self) -> Instant {
        self.changed
    }

    /// Returns the number of the last change, as of the last check.
    pub(super) fn seq(&self) -> u64 {
        self.seq
    }

    /// Returns how many bytes were written altogether.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Returns whether the agent has turned on bracketed paste.
    pub(super) fn takes_pastes(&self) -> bool {
        self.parser.screen().bracketed_paste()
    }

    /// Returns whether cursor keys are in application mode.
    pub(super) fn application_cursor(&self) -> bool {
        self.parser.screen().application_cursor()
    }

    /// Resizes it.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size.within_limits();
        let (rows, cols) = dimensions(self.size);
        self.parser.set_size(rows, cols);
        self.fresh = true;
    }

    /// Returns the bytes that draw the screen on another terminal.
    pub(super) fn picture(&self) -> Vec<u8> {
        let screen = self.parser.screen();
        let alternate = if screen.alternate_screen() { "\x1b[?1049h" } else { "\x1b[?1049l" };
        format!("{alternate}{}", screen.state_formatted()).into_bytes()
    }
}

fn rows(parser: &Parser<Questions>) -> Vec<String> {
    let (_, cols) = parser.screen().size();
    let mut rows: Vec<String> =
        parser.screen().rows(0, cols.get()).map(|row| row.trim_end().to_owned()).collect();
    let last = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |at| at + 1);
    rows.truncate(last);
    rows
}

fn parser(size: Size) -> Parser<Questions> {
    let (rows, cols) = dimensions(size);
    Parser::new_with_callbacks(rows, cols, 0, Questions::default())
}

fn dimensions(size: Size) -> (NonZeroU16, NonZeroU16) {
    let some = |count: u16| NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN);
    (some(size.rows), some(size.cols))
}

impl Callbacks for Questions {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _second: Option<u8>,
        params: &[&[u16]],
        c: char,
    ) {
        let param = params.first().and_then(|param| param.first()).copied().unwrap_or(0);
        let answer = match (first, c, param) {
            // The cursor position is requested.
            (None, 'n', 6) => {
                let (row, col) = screen.cursor_position();
                format!("\x1b[{};{}R", u32::from(row) + 1, u32::from(col) + 1)
            }
            // The status is requested.
            (None, 'n', 5) => "\x1b[0n".into(),
            // The device attributes are requested.
            (None, 'c', 0) => "\x1b[?62;22c".into(),
            (Some(b'>'), 'c', 0) => "\x1b[>1;10;0c".into(),
            _ => return,
        };
        if self.answers.len() + answer.len() <= MOST_ANSWERS {
            self.answers.extend_from_slice(answer.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal() -> Terminal {
        Terminal::new(Size { rows: 5, cols: 20 })
    }

    #[test]
    fn shows_what_was_written_and_counts_changes() {
        let mut terminal = terminal();
        terminal.take(b"one\r\n\x1b[31mtwo\x1b[0m  ");
        let text = terminal.text();
        assert_eq!((text.rows, text.cursor), (vec!["one".into(), "two".into()], (1, 5)));
        let before = terminal.refresh();
        // Colours and a moved cursor do not count as a change; a letter does.
        terminal.take(b"\x1b[1m\x1b[2;1H");
        assert_eq!(terminal.refresh(), before);
        terminal.take(b"T");
        assert_eq!(terminal.refresh(), before + 1);
    }

    #[test]
    fn programs_that_ask_are_answered_within_bounds() {
        let mut terminal = terminal();
        assert_eq!(terminal.take(b"ab\x1b[6n"), b"\x1b[1;3R");
        assert_eq!(terminal.take(b"\x1b[c\x1b[5n"), b"\x1b[?62;22c\x1b[0n");
        assert!(terminal.take(&b"\x1b[c".repeat(10_000)).len() <= MOST_ANSWERS);
    }

    #[test]
    fn a_picture_draws_the_same_screen() {
        let mut first = terminal();
        first.take(b"\x1b[?1049h\x1b[?2004h\x1b[2;3Hhere\x1b[4;1Hthere");
        let mut second = terminal();
        second.take(&first.picture());
        assert_eq!(first.text(), second.text());
        assert!(second.text().alternate && second.takes_pastes());
    }

    #[test]
    fn hostile_bytes_do_no_harm() {
        let mut terminal = terminal();
        terminal.take(b"\x1b]0;");
        for _ in 0..1000 {
            terminal.take(&[b'x'; 10_000]);
        }
        terminal.take(b"\x07\x1b[999999999999;99999999Hx\x1b[0;0r\x1b[65535L\x1b[65535@\x1b[8;0;0t");
        let mut byte = 7u32;
        for _ in 0..200_000 {
            byte = byte.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            terminal.take(&[(byte >> 24) as u8]);
        }
        terminal.resize(Size { rows: 0, cols: 0 });
        terminal.take("你好\r\n\u{1F600}".as_bytes());
        terminal.resize(Size { rows: 9, cols: 9 });
        terminal.take(b"\x1bc\x1b[2J\x1b[Hafter");
        assert_eq!(terminal.text().rows, ["after"]);
    }
}
