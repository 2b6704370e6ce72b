//! Processes: those that have ended and what they left, and those that are under way.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Far longer than anything takes; only a hang gets there.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// What a process left behind.
#[derive(Clone, Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {}\n--- out\n{}\n--- err\n{}", self.code, self.out, self.err)
    }
}

impl Ran {
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|why| panic!("not JSON: {why}\n{self}"))
    }

    /// Expects words on standard error.
    #[track_caller]
    pub(crate) fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "says nothing of {words:?}:\n{self}");
        self
    }

    /// Expects exactly this on standard output, a line break aside.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert_eq!(self.out.trim_end_matches('\n'), text, "{self}");
        self
    }
}

/// A process that is under way.
pub(crate) struct Running {
    child: Child,
    lines: Receiver<(Stream, String)>,
    out: String,
    err: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Err,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let out = child.stdout.take().unwrap();
        let err = child.stderr.take().unwrap();
        let forward = |stream: Stream, from: Box<dyn std::io::Read + Send>| {
            let sender = sender.clone();
            std::thread::spawn(move || {
                let mut from = BufReader::new(from);
                let mut line = Vec::new();
                while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                    let text = String::from_utf8_lossy(&line).into_owned();
                    line.clear();
                    if sender.send((stream, text)).is_err() {
                        return;
                    }
                }
            });
        };
        forward(Stream::Out, Box::new(out));
        forward(Stream::Err, Box::new(err));
        Self { child, lines, out: String::new(), err: String::new() }
    }

    /// Waits until a line with these words comes, and returns it.
    #[track_caller]
    pub(crate) fn until(&mut self, stream: Stream, words: &str) -> String {
        self.comes(stream, words)
            .unwrap_or_else(|| panic!("{words:?} never came\n--- out\n{}\n--- err\n{}", self.out, self.err))
    }

    /// Waits until a line with these words comes, and returns it; nothing if the process ends without it.
    pub(crate) fn comes(&mut self, stream: Stream, words: &str) -> Option<String> {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (from, line) = self.lines.recv_timeout(left).ok()?;
            self.keep(from, &line);
            if from == stream && line.contains(words) {
                return Some(line.trim_end().to_owned());
            }
        }
    }

    /// Waits until it says that it holds, and returns the id that it holds on.
    #[track_caller]
    pub(crate) fn holding(&mut self) -> String {
        let line = self.until(Stream::Err, "Holding on ");
        let rest = line.split("Holding on ").nth(1).unwrap();
        rest.split([',', '.']).next().unwrap().trim().to_owned()
    }

    /// Waits until it would hear Ctrl-C: without a terminal, `wait` says nothing that could be waited for.
    #[track_caller]
    pub(crate) fn listening(&mut self) {
        let deadline = Instant::now() + TIMEOUT;
        let status = format!("/proc/{}/status", self.child.id());
        while Instant::now() < deadline {
            let text = std::fs::read_to_string(&status).unwrap();
            let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
            // Between catching it and waiting for it the main thread runs: a signal then may be told to nobody.
            let sleeps = text.lines().any(|line| line.starts_with("State:\tS"));
            if sleeps && caught & (1 << (Signal::INT.as_raw() - 1)) != 0 {
                return;
            }
            std::thread::yield_now();
        }
        panic!("never listens for Ctrl-C");
    }

    /// Returns the most memory that it has used so far, in MiB.
    pub(crate) fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn end(mut self) -> Ran {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            // Both streams are at their end when the process is.
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok((from, line)) => self.keep(from, &line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("does not end\n--- out\n{}\n--- err\n{}", self.out, self.err)
                }
            }
        }
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        Ran { code, out: std::mem::take(&mut self.out), err: std::mem::take(&mut self.err) }
    }

    fn keep(&mut self, from: Stream, line: &str) {
        match from {
            Stream::Out => self.out.push_str(line),
            Stream::Err => self.err.push_str(line),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command, input: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A process that does not read what it is given closes the pipe; that is its right.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let mut err = child.stderr.take().unwrap();
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = err.read_to_end(&mut text);
        text
    });
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    let code = child.wait().unwrap().code().unwrap_or(-1);
    feeder.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code, out: text(out), err: text(errors.join().unwrap()) }
}
