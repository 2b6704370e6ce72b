//! One client of the host's socket.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::sessions::spec::Size;
use crate::sessions::wire::{self, Frame};

/// How often a follower is notified, at most.
const EVERY: Duration = Duration::from_millis(100);
/// How long to collect changes before a follower is notified: most screens are drawn in several steps.
const GROW: Duration = Duration::from_millis(20);
/// The most that is queued for a client that does not read; beyond that, an attached terminal gets a picture instead.
const MOST_UNREAD: usize = 256 << 10;

/// One client.
pub(super) struct Peer {
    stream: UnixStream,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    /// Whether it follows, and the last notification.
    pub(super) follows: Option<LastNotification>,
    /// Whether it is attached to the terminal, and with which size.
    pub(super) joined: Option<Size>,
    /// Whether it missed output and needs a picture.
    pub(super) gap: bool,
    /// The effect that it waits for.
    pub(super) waits_for: Option<String>,
    /// Whether it waits for the end.
    pub(super) waits_for_end: bool,
    gone: bool,
}

/// The last notification of a follower.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LastNotification {
    seq: Option<u64>,
    at: Option<Instant>,
}

impl Peer {
    /// Accepts a new client.
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            follows: None,
            joined: None,
            gap: false,
            waits_for: None,
            waits_for_end: false,
            gone: false,
        })
    }

    /// Returns whether it has disconnected and there is nothing left to read.
    pub(super) fn is_gone(&self) -> bool {
        self.gone
    }

    /// Returns whether something is still to be sent.
    pub(super) fn has_unread(&self) -> bool {
        !self.outgoing.is_empty()
    }

    /// Queues a message.
    pub(super) fn tell(&mut self, message: &impl Serialize) {
        self.outgoing.extend(wire::json(message));
        self.flush();
    }

    /// Queues bytes of the terminal; too many at once leave a gap.
    pub(super) fn show(&mut self, bytes: &[u8]) {
        if self.gap || self.outgoing.len() + bytes.len() > MOST_UNREAD {
            self.gap = true;
        } else {
            self.outgoing.extend(wire::bytes(bytes));
            self.flush();
        }
    }

    /// Queues a picture of the whole screen.
    pub(super) fn show_picture(&mut self, picture: &[u8]) {
        self.gap = false;
        self.outgoing.extend(wire::bytes(picture));
        self.flush();
    }

    /// Sends as much as the client accepts.
    pub(super) fn flush(&mut self) {
        while !self.outgoing.is_empty() {
            match self.stream.write(&self.outgoing) {
                Ok(count) => drop(self.outgoing.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => {
                    self.gone = true;
                    return self.outgoing.clear();
                }
            }
        }
        self.outgoing.shrink_to(MOST_UNREAD / 16);
    }

    /// Reads what has arrived and returns complete frames.
    pub(super) fn read(&mut self) -> Vec<Frame> {
        let mut buffer = [0; 16 << 10];
        match self.stream.read(&mut buffer) {
            Ok(0) => self.gone = true,
            Ok(count) => self.incoming.extend_from_slice(&buffer[..count]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => self.gone = true,
        }
        let mut frames = Vec::new();
        loop {
            match wire::take(&mut self.incoming) {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => return frames,
                Err(_) => {
                    self.gone = true;
                    return frames;
                }
            }
        }
    }

    /// Returns in how long a follower must be notified of a change; none if there is no change for it.
    pub(super) fn due(&self, now: Instant, seq: u64, fresh_since: Option<Instant>) -> Option<Duration> {
        let told = self.follows?;
        // A follower that has not read the last one still has it; the next will be newer.
        if !self.outgoing.is_empty() {
            return None;
        }
        let Some(at) = told.at else { return Some(Duration::ZERO) };
        let grown = if told.seq == Some(seq) { fresh_since? + GROW } else { at };
        let due = grown.max(at + EVERY);
        Some(due.saturating_duration_since(now))
    }

    /// Notes that a follower was notified, and returns whether the screen has changed for it.
    pub(super) fn is_news(&mut self, seq: u64, now: Instant) -> bool {
        let Some(told) = &mut self.follows else { return false };
        let news = told.seq != Some(seq);
        *told = LastNotification { seq: Some(seq), at: Some(now) };
        news
    }
}

impl AsFd for Peer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
