//! Joins a terminal: bytes both ways.

use super::connection::{Connection, Reader, Writer, read, unfit};
use super::error::Error;
use super::session::{Ended, Session};
use super::spec::Size;
use super::wire::{self, Frame, Reply, Request};

/// A joined terminal.
#[derive(Debug)]
pub struct Attached {
    connection: Connection,
}

/// What comes out of it.
#[derive(Debug)]
pub struct AttachedReader {
    reader: Reader,
}

/// What goes into it.
#[derive(Debug)]
pub struct AttachedWriter {
    writer: Writer,
}

/// What comes out of a joined terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes for the terminal of the client that joined. After a gap (a slow reader), a fresh picture of the screen.
    Bytes(Vec<u8>),
    /// The agent ended. Nothing follows.
    Exited(Ended),
    /// The host is gone. Nothing follows.
    HostGone,
}

impl Attached {
    pub(super) async fn open(session: &Session, size: Size) -> Result<Self, Error> {
        let mut connection = match Connection::open(session.dir()).await {
            Err(Error::HostGone) if session.ended()?.is_some() => return Err(Error::Ended),
            connection => connection?,
        };
        match connection.ask(&Request::Attach { size }).await? {
            Reply::Done => Ok(Self { connection }),
            other => Err(unfit(&other)),
        }
    }

    /// Takes the two directions apart. It is left when both are dropped.
    pub fn split(self) -> (AttachedReader, AttachedWriter) {
        let Connection { reader, writer } = self.connection;
        (AttachedReader { reader }, AttachedWriter { writer })
    }
}

impl AttachedReader {
    /// Waits for what comes next. Safe to cancel.
    pub async fn next(&mut self) -> Result<Piece, Error> {
        loop {
            match self.reader.next().await {
                Ok(Frame::Bytes(bytes)) => return Ok(Piece::Bytes(bytes)),
                Ok(Frame::Json(text)) => {
                    if let Reply::Exited { ended } = read(&text)? {
                        return Ok(Piece::Exited(ended));
                    }
                }
                Err(Error::HostGone) => return Ok(Piece::HostGone),
                Err(other) => return Err(other),
            }
        }
    }
}

impl AttachedWriter {
    /// Types bytes as they are. Not journalled: a person sits at the keys.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for part in bytes.chunks(wire::LARGEST / 2) {
            self.writer.send(&wire::bytes(part)).await?;
        }
        Ok(())
    }

    /// Gives the terminal another size.
    pub async fn resize(&mut self, size: Size) -> Result<(), Error> {
        self.writer.send(&wire::json(&Request::Resize { size })).await
    }
}
