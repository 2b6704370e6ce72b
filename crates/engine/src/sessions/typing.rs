//! Converts keys to bytes for a terminal.

use std::time::Duration;

use super::input::{Key, Keys};

/// The settings of the terminal that matter for typing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TerminalModes {
    /// Whether the agent has turned on bracketed paste.
    pub(super) paste: bool,
    /// Whether cursor keys are in application mode.
    pub(super) application_cursor: bool,
    /// Whether the terminal is in line mode, in which it cuts lines off at 4095 bytes.
    pub(super) lines: bool,
}

/// Bytes, and how long to wait before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyStroke {
    /// How long to wait after the previous ones.
    pub(super) after: Duration,
    /// The bytes.
    pub(super) bytes: Vec<u8>,
}

/// The longest text that is typed.
const LONGEST: usize = holdpoint_core::text::MAX_MESSAGE;
/// The longest line that a terminal accepts, with room for its end.
const LONGEST_LINE: usize = 4000;
/// Full-screen programs take input that arrives at once for a paste, so a separate key is sent a little later.
const PAUSE: Duration = Duration::from_millis(20);

/// Returns the bytes for keys, or why they cannot be typed.
pub(super) fn strokes(keys: &Keys, modes: TerminalModes) -> Result<Vec<KeyStroke>, String> {
    match keys {
        Keys::Line(text) => line(text, modes),
        Keys::Press(keys) => press(keys, modes),
    }
}

fn line(text: &str, modes: TerminalModes) -> Result<Vec<KeyStroke>, String> {
    if text.len() > LONGEST {
        return Err(format!("a text of {} bytes is too long to type; {LONGEST} are allowed", text.len()));
    }
    let lines: Vec<String> =
        text.lines().map(|line| line.chars().filter(|c| !c.is_control()).collect()).collect();
    let text = lines.join(if modes.paste { "\r" } else { " " });
    let text = text.trim_end();
    if modes.lines && text.len() > LONGEST_LINE {
        return Err(format!(
            "the agent reads whole lines; of {} bytes it would see 4095 at most",
            text.len()
        ));
    }
    let enter = KeyStroke { after: PAUSE, bytes: b"\r".to_vec() };
    if text.is_empty() {
        return Ok(vec![KeyStroke { after: Duration::ZERO, ..enter }]);
    }
    let bytes = if modes.paste { format!("\x1b[200~{text}\x1b[201~") } else { text.to_owned() };
    Ok(vec![KeyStroke { after: Duration::ZERO, bytes: bytes.into_bytes() }, enter])
}

fn press(keys: &[Key], modes: TerminalModes) -> Result<Vec<KeyStroke>, String> {
    if keys.is_empty() || keys.len() > 1000 {
        return Err("between 1 and 1000 keys can be pressed".into());
    }
    let mut strokes: Vec<KeyStroke> = Vec::with_capacity(keys.len());
    for key in keys {
        let bytes = match key {
            Key::Char(c) if c.is_control() => {
                return Err("a control character is not a key of that kind".into());
            }
            Key::Char(c) => c.to_string(),
            Key::Enter => "\r".into(),
            Key::Escape => "\x1b".into(),
            Key::Tab => "\t".into(),
            Key::Up if modes.application_cursor => "\x1bOA".into(),
            Key::Down if modes.application_cursor => "\x1bOB".into(),
            Key::Up => "\x1b[A".into(),
            Key::Down => "\x1b[B".into(),
            Key::Interrupt => "\x03".into(),
        };
        let after = if strokes.is_empty() { Duration::ZERO } else { PAUSE };
        strokes.push(KeyStroke { after, bytes: bytes.into_bytes() });
    }
    Ok(strokes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn typed(keys: &Keys, modes: TerminalModes) -> String {
        let strokes = strokes(keys, modes).unwrap();
        let texts: Vec<_> = strokes.into_iter().map(|s| String::from_utf8(s.bytes).unwrap()).collect();
        texts.join("|").replace('\x1b', "ESC").replace('\r', "CR")
    }

    #[test]
    fn text_loses_what_could_act_and_is_one_input() {
        let pastes = TerminalModes { paste: true, ..TerminalModes::default() };
        let line = |text: &str| Keys::Line(text.into());
        assert_eq!(typed(&line("go on"), TerminalModes::default()), "go on|CR");
        assert_eq!(typed(&line("go on\n"), TerminalModes::default()), "go on|CR");
        assert_eq!(typed(&line("one\ntwo"), TerminalModes::default()), "one two|CR");
        assert_eq!(typed(&line("one\r\ntwo"), pastes), "ESC[200~oneCRtwoESC[201~|CR");
        assert_eq!(typed(&line("a\x1b[201~\x03b\u{9b}c"), pastes), "ESC[200~a[201~bcESC[201~|CR");
        assert_eq!(typed(&line(""), pastes), "CR");
        assert_eq!(typed(&line("grüße 你好"), TerminalModes::default()), "grüße 你好|CR");
    }

    #[test]
    fn keys_are_pressed_one_by_one() {
        let keys = |keys: &[Key]| Keys::Press(keys.to_vec());
        assert_eq!(typed(&keys(&[Key::Char('y')]), TerminalModes::default()), "y");
        assert_eq!(
            typed(&keys(&[Key::Escape, Key::Char('2'), Key::Enter]), TerminalModes::default()),
            "ESC|2|CR"
        );
        let other = TerminalModes { application_cursor: true, ..TerminalModes::default() };
        assert_eq!(typed(&keys(&[Key::Up, Key::Down]), other), "ESCOA|ESCOB");
        assert!(strokes(&keys(&[Key::Char('\x1b')]), TerminalModes::default()).is_err());
        assert!(strokes(&keys(&[]), TerminalModes::default()).is_err());
    }

    #[test]
    fn what_the_terminal_would_cut_off_is_refused() {
        let long = Keys::Line("x".repeat(5000));
        assert!(strokes(&long, TerminalModes { lines: true, ..TerminalModes::default() }).is_err());
        assert!(strokes(&long, TerminalModes::default()).is_ok());
        assert!(strokes(&Keys::Line("x".repeat(LONGEST + 1)), TerminalModes::default()).is_err());
    }
}
