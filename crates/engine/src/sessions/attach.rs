//! An attached terminal: bytes both ways.

use super::connection::{Connection, Reader, Writer, read, unfit};
use super::ended::Ended;
use super::error::Error;
use super::session::Session;
use super::spec::Size;
use super::wire::{self, Frame, Reply, Request};

/// An attached terminal.
#[derive(Debug)]
pub struct Attached {
    connection: Connection,
}

/// The output of the terminal.
#[derive(Debug)]
pub struct AttachedReader {
    reader: Reader,
}

/// The input of the terminal.
#[derive(Debug)]
pub struct AttachedWriter {
    writer: Writer,
}

/// A piece of the output of an attached terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes for the terminal of the attached client. After a gap (a slow reader), a fresh picture of the screen.
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

    /// Splits the two directions. The client detaches when both are dropped.
    pub fn split(self) -> (AttachedReader, AttachedWriter) {
        let Connection { reader, writer } = self.connection;
        (AttachedReader { reader }, AttachedWriter { writer })
    }
}

impl AttachedReader {
    /// Waits for the next piece. Safe to cancel.
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
    /// Types bytes as they are. They are not journalled: a person is at the keyboard.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        for part in bytes.chunks(wire::LARGEST / 2) {
            self.writer.send(&wire::bytes(part)).await?;
        }
        Ok(())
    }

    /// Resizes the terminal.
    pub async fn resize(&mut self, size: Size) -> Result<(), Error> {
        self.writer.send(&wire::json(&Request::Resize { size })).await
    }
}
