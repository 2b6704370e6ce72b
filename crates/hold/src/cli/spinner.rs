//! The line that moves while a person waits at the terminal, with the decision and the time held so far.

use std::io::Write as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use holdpoint_core::DecisionId;

use super::ui;
use crate::view_model::span::brief;

/// How often it is redrawn.
const BEAT: Duration = Duration::from_millis(250);
const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// Moves to the start of the line and clears it.
const CLEAR: &str = "\r\u{1b}[2K";

/// A spinner with the time held so far, if standard error is a terminal. It is removed on drop.
pub(super) struct Spinner(Option<(Sender<()>, JoinHandle<()>)>);

impl Spinner {
    pub(super) fn start(id: DecisionId) -> Self {
        if !ui::is_interactive() {
            return Self(None);
        }
        let (stop, stopped) = channel();
        let draw = move || {
            let begun = Instant::now();
            for frame in FRAMES.into_iter().cycle() {
                let held = brief(i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX));
                write(&line(frame, id, &held, ui::width()));
                if stopped.recv_timeout(BEAT) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            write(CLEAR);
        };
        let thread = std::thread::Builder::new().name("hold-spinner".into()).spawn(draw);
        Self(thread.ok().map(|thread| (stop, thread)))
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.0.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

/// Returns the line, cut to the terminal's width: a wider one would leave its start behind with each redraw.
fn line(frame: char, id: DecisionId, held: &str, width: Option<usize>) -> String {
    let text = format!("{frame} holding on {id} for {held}, Ctrl-C to stop");
    let text: String = text.chars().take(width.unwrap_or(usize::MAX).saturating_sub(1)).collect();
    format!("{CLEAR}{text}")
}

fn write(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_never_wraps() {
        let id: DecisionId = "dcn-000000000000".parse().unwrap();
        let shown = |width| line('⠋', id, "5s", width).strip_prefix(CLEAR).unwrap().to_owned();
        assert_eq!(shown(None), "⠋ holding on dcn-000000000000 for 5s, Ctrl-C to stop");
        assert_eq!(shown(Some(10)), "⠋ holding");
        assert_eq!(shown(Some(0)), "");
    }
}
