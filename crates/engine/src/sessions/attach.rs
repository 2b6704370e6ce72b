//! Joins a terminal: bytes both ways.

use super::error::Error;
use super::session::Ended;
use super::spec::Size;

/// A joined terminal.
#[derive(Debug)]
pub struct Attached {}

/// What comes out of it.
#[derive(Debug)]
pub struct AttachedReader {}

/// What goes into it.
#[derive(Debug)]
pub struct AttachedWriter {}

/// What comes out of a joined terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes for the terminal of whoever joined. After a gap (a slow reader), a fresh picture of the screen.
    Bytes(Vec<u8>),
    /// The agent ended. Nothing follows.
    Exited(Ended),
    /// The host is gone. Nothing follows.
    HostGone,
}

impl Attached {
    /// Takes the two directions apart.
    pub fn split(self) -> (AttachedReader, AttachedWriter) {
        (AttachedReader {}, AttachedWriter {})
    }
}

impl AttachedReader {
    /// Waits for what comes next. Safe to cancel.
    pub async fn next(&mut self) -> Result<Piece, Error> {
        Ok(Piece::HostGone)
    }
}

impl AttachedWriter {
    /// Types bytes as they are. Not journalled: a person sits at the keys.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let _ = bytes;
        Err(Error::HostGone)
    }

    /// Gives the terminal another size.
    pub async fn resize(&mut self, size: Size) -> Result<(), Error> {
        let _ = size;
        Err(Error::HostGone)
    }
}
