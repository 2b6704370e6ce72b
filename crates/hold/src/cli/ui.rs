//! Output: data to standard output, messages to standard error.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};

use anstyle::{AnsiColor, Style};
use holdpoint_core::text::{is_active, shell_word};
use serde::Serialize;

use super::failure::Failure;

/// Emphasis; never the only signal.
pub(crate) const STRONG: Style = Style::new().bold();
/// Less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The most important text.
pub(crate) const ACCENT: Style = AnsiColor::Cyan.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The two streams. Colour is omitted if it is not wanted (`NO_COLOR`, a pipe).
#[derive(Debug)]
pub(crate) struct Ui {
    out: anstream::AutoStream<std::io::Stdout>,
    err: anstream::AutoStream<std::io::Stderr>,
    unread: bool,
    /// The names of our commands, if the user called us by another tool's name.
    names: Option<CommandNames>,
    /// The project that the user named, which suggested commands must name as well.
    project: Option<String>,
}

/// What `bd` or `oj` calls our commands in hints and notes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandNames {
    /// The tool's name.
    pub(crate) name: &'static str,
    /// Its option for printing JSON.
    pub(crate) json: &'static str,
    /// Our commands and the tool's names for them, longest first.
    pub(crate) commands: &'static [(&'static str, &'static str)],
}

impl Ui {
    pub(crate) fn new() -> Self {
        Self {
            out: anstream::AutoStream::auto(std::io::stdout()),
            err: anstream::AutoStream::auto(std::io::stderr()),
            unread: false,
            names: None,
            project: None,
        }
    }

    /// Switches to another tool's command names, with the project it was called for, so that suggested commands work
    /// as printed.
    pub(crate) fn speak_as(&mut self, names: CommandNames, project: Option<&str>) {
        self.names = Some(names);
        self.project = project.map(str::to_owned);
    }

    /// Returns how the person called the other tool, if we were called as one.
    pub(crate) fn tool(&self) -> Option<String> {
        let names = self.names?;
        let called = std::env::args_os().next();
        let alone =
            called.is_some_and(|path| std::path::Path::new(&path).file_name() == Some(names.name.as_ref()));
        let prefix = if alone { String::new() } else { "hold ".to_owned() };
        let flag = self.project.as_deref().map(|project| format!(" --project {}", shell_word(project)));
        Some(format!("{prefix}{}{}", names.name, flag.unwrap_or_default()))
    }

    /// Translates the commands in a hint or note into those of the tool that was called.
    pub(crate) fn spoken<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let (Some(names), Some(tool)) = (self.names, self.tool()) else { return text.into() };
        let known: Vec<_> = names.commands.iter().filter(|(ours, _)| text.contains(ours)).collect();
        if known.is_empty() {
            return text.into();
        }
        let spoken = known
            .iter()
            .fold(text.to_owned(), |text, (ours, theirs)| text.replace(ours, &format!("{tool} {theirs}")));
        spoken.replace("--json", names.json).into()
    }

    /// Prints a line of data.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.write(|out| writeln!(out, "{}", text.as_ref()))
    }

    /// Prints data unchanged.
    pub(crate) fn data(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write(|out| out.write_all(bytes))
    }

    /// Writes to standard output. A reader may have seen enough and closed it. That is neither a failure nor a
    /// success: the command goes on, and its exit code reports the outcome.
    fn write(
        &mut self,
        write: impl FnOnce(&mut anstream::AutoStream<std::io::Stdout>) -> std::io::Result<()>,
    ) -> Result<(), Failure> {
        if self.unread {
            return Ok(());
        }
        match write(&mut self.out).and_then(|()| self.out.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                self.unread = true;
                Ok(())
            }
            written => written.map_err(Failure::from),
        }
    }

    /// Returns whether standard output was closed, so that there is no point in printing more.
    pub(crate) fn is_unread(&self) -> bool {
        self.unread
    }

    /// Prints a value as JSON, indented for people and on one line for programs.
    pub(crate) fn json<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        let text = if std::io::stdout().is_terminal() {
            serde_json::to_string_pretty(value)?
        } else {
            serde_json::to_string(value)?
        };
        self.line(escaped(&text))
    }

    /// Prints a value as JSON on one line.
    pub(crate) fn json_line<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        self.line(escaped(&serde_json::to_string(value)?))
    }

    /// Prints a note.
    pub(crate) fn note(&mut self, text: impl AsRef<str>) {
        let text = self.spoken(text.as_ref());
        let _ = writeln!(self.err, "{text}");
    }

    /// Prints a prompt, without a line break.
    pub(crate) fn prompt(&mut self, text: impl AsRef<str>) {
        let _ = write!(self.err, "{}", text.as_ref());
        let _ = self.err.flush();
    }

    /// Prints a warning.
    pub(crate) fn warn(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.err, "{WARNING}warning:{WARNING:#} {}", text.as_ref());
    }

    /// Prints why a command failed, and its hints.
    pub(crate) fn failure(&mut self, failure: &Failure) {
        let _ = writeln!(self.err, "{ERROR}error:{ERROR:#} {}", failure.message);
        if !failure.hints.is_empty() {
            let _ = writeln!(self.err);
        }
        for hint in &failure.hints {
            let hint = self.spoken(hint);
            let _ = writeln!(self.err, "{HINT}hint:{HINT:#} {hint}");
        }
    }
}

/// Escapes characters that would act on a terminal in JSON notation, which does not change the value.
fn escaped(json: &str) -> Cow<'_, str> {
    let acts = |c: char| c != '\n' && is_active(c);
    if !json.contains(acts) {
        return json.into();
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if acts(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text.into()
}

/// Returns the width of standard output; none if it is not a terminal.
pub(crate) fn width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns
        .or_else(|| crossterm::terminal::size().ok().map(|(width, _)| usize::from(width)))
        .filter(|width| *width > 0)
}

/// Returns whether a person is at both ends.
pub(crate) fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}
