//! A real pseudo-terminal, with a person's fingers at it.

use std::io::{Read as _, Write as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::process::PATIENCE;
use crate::sandbox::{HOLD, Sandbox};

/// A program on a terminal of 80 columns.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn std::io::Write + Send>,
    bytes: Receiver<Vec<u8>>,
    /// Everything that was written to it so far.
    pub(crate) seen: String,
    /// How much of that was waited for already.
    read: usize,
    _master: Box<dyn MasterPty + Send>,
}

/// Whether colour may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Yes,
    No,
}

impl Terminal {
    /// Starts `hold` on a terminal without colour.
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        Self::program(sandbox, HOLD, arguments, Colour::No)
    }

    /// Starts any program on a terminal.
    pub(crate) fn program(sandbox: &Sandbox, program: &str, arguments: &[&str], colour: Colour) -> Self {
        let size = PtySize { rows: 40, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        for (name, value) in sandbox.program(HOLD).get_envs() {
            command.env(name, value.unwrap());
        }
        command.env("TERM", "xterm-256color");
        if colour == Colour::Yes {
            command.env_remove("NO_COLOR");
        }
        command.cwd(sandbox.path(""));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let keys = pair.master.take_writer().unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // The other end being closed is an error here, and the end all the same.
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, bytes, seen: String::new(), read: 0, _master: pair.master }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until something is shown, after what was waited for before.
    #[track_caller]
    pub(crate) fn until(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen[self.read..].find(words) {
                self.read += at + words.len();
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(why) => panic!("{words:?} is never shown ({why}); seen:\n{}", self.seen),
            }
        }
    }

    /// Waits for its end and returns the exit code.
    #[track_caller]
    pub(crate) fn end(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => return self.child.wait().unwrap().exit_code(),
                Err(RecvTimeoutError::Timeout) => panic!("does not end; seen:\n{}", self.seen),
            }
        }
    }

    /// Returns what was shown, without what moves the cursor or colours.
    pub(crate) fn text(&self) -> String {
        anstream::adapter::strip_str(&self.seen).to_string().replace('\r', "")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
