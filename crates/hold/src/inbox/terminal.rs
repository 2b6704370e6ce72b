//! The terminal: taken over, and given back as it was, however this ends.

use std::io::{Stdout, Write as _, stdout};
use std::sync::Once;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;

use super::model::Model;
use super::view;

/// The terminal while it is ours.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn take() -> std::io::Result<Self> {
        on_panic();
        enter().inspect_err(|_| leave())?;
        let terminal = Terminal::new(CrosstermBackend::new(stdout())).inspect_err(|_| leave())?;
        Ok(Self { terminal })
    }

    /// Draws.
    pub(crate) fn draw(&mut self, model: &Model) -> std::io::Result<()> {
        self.terminal.draw(|frame| view::draw(frame, model)).map(drop)
    }

    /// Redraws everything: something else may have written on it.
    pub(crate) fn clear(&mut self) -> std::io::Result<()> {
        execute!(stdout(), Clear(ClearType::All))?;
        // A new one knows of nothing on the screen. Its own way to forget asks the terminal where the cursor is, and
        // the reader of the keys would get the answer.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }

    /// Gives the terminal back, stops until someone continues us, and takes it again.
    pub(crate) fn suspend(&mut self) -> std::io::Result<()> {
        leave();
        // The shell waits for this; the process continues here.
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

fn enter() -> std::io::Result<()> {
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back. There is nothing to be done if that fails.
fn leave() {
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// What a panic says should be read on a terminal that can be read.
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
