//! A real pseudo-terminal, with a person's fingers at it.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::process::TIMEOUT;
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
    /// What a person sees.
    screen: vt100::Parser,
    master: Box<dyn MasterPty + Send>,
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
        Self::sized(sandbox, program, arguments, colour, (40, 80))
    }

    /// Starts any program on a terminal with this many lines and columns.
    pub(crate) fn sized(
        sandbox: &Sandbox,
        program: &str,
        arguments: &[&str],
        colour: Colour,
        (rows, cols): (u16, u16),
    ) -> Self {
        if arguments.contains(&"inbox") {
            sandbox.sends_at_once();
        }
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
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
        let screen = vt100::Parser::new(some(rows), some(cols), 0);
        Self { child, keys, bytes, seen: String::new(), read: 0, screen, master: pair.master }
    }

    /// Presses keys, once the inbox takes them: what has only just appeared is answered by none.
    pub(crate) fn press(&mut self, keys: &str) {
        if self.screen.screen().alternate_screen() {
            self.hides("just appeared …");
        }
        self.press_at_once(keys);
    }

    /// Presses keys until they do what they should, as a person does who is told that something else had just appeared.
    #[track_caller]
    pub(crate) fn insist(&mut self, keys: &str, words: &str) -> &mut Self {
        const DROPPED: &str = "typed before this appeared were ignored";
        let deadline = Instant::now() + TIMEOUT;
        loop {
            self.press(keys);
            let again = Instant::now() + std::time::Duration::from_secs(3);
            while !self.screen().contains(words) {
                match self.bytes.recv_timeout(again.saturating_duration_since(Instant::now())) {
                    Ok(bytes) => self.take(&bytes),
                    Err(_) => break,
                }
            }
            if self.screen().contains(words) {
                return self;
            }
            let told = self.screen().contains(DROPPED);
            assert!(
                told && Instant::now() < deadline,
                "{words:?}: not so; on the screen:\n{}",
                self.screen()
            );
        }
    }

    /// Presses keys, whatever is on the screen.
    pub(crate) fn press_at_once(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits until something is shown, after what was waited for before.
    #[track_caller]
    pub(crate) fn until(&mut self, words: &str) {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if let Some(at) = self.seen[self.read..].find(words) {
                self.read += at + words.len();
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(why) => panic!("{words:?} is never shown ({why}); seen:\n{}", self.seen),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.seen.push_str(&String::from_utf8_lossy(bytes));
        self.screen.process(bytes);
    }

    /// Returns what is on the screen.
    pub(crate) fn screen(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the screen is as it should be.
    #[track_caller]
    pub(crate) fn shows(&mut self, words: &str) -> &mut Self {
        self.becomes(words, |screen| screen.contains(words))
    }

    /// Waits until something is gone from the screen.
    #[track_caller]
    pub(crate) fn hides(&mut self, words: &str) -> &mut Self {
        self.becomes(words, |screen| !screen.contains(words))
    }

    #[track_caller]
    fn becomes(&mut self, words: &str, fits: impl Fn(&str) -> bool) -> &mut Self {
        let deadline = Instant::now() + TIMEOUT;
        while !fits(&self.screen()) {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(why) => panic!("{words:?}: not so ({why}); on the screen:\n{}", self.screen()),
            }
        }
        self
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&mut self, rows: u16, cols: u16) {
        self.screen.screen_mut().set_size(some(rows), some(cols));
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = i32::try_from(self.child.process_id().unwrap()).unwrap();
        rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), signal).unwrap();
    }

    /// Waits until the program stands still.
    pub(crate) fn stops(&self) {
        let id = self.child.process_id().unwrap().to_string();
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let shown = std::process::Command::new("ps").args(["-o", "state=", "-p", &id]).output().unwrap();
            if shown.stdout.trim_ascii().starts_with(b"T") {
                return;
            }
            assert!(Instant::now() < deadline, "does not stop");
        }
    }

    /// Waits for its end and returns the exit code.
    #[track_caller]
    pub(crate) fn end(&mut self) -> u32 {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
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

fn some(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}
