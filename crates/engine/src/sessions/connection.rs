//! A client's end of a host's socket.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use super::error::Error;
use super::wire::{self, Frame, Reply};

/// How long a host may take for an immediate answer.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// A connection to a host.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) reader: Reader,
    pub(super) writer: Writer,
}

/// The receiving half.
#[derive(Debug)]
pub(super) struct Reader {
    stream: OwnedReadHalf,
    buffer: Vec<u8>,
}

/// The sending half.
#[derive(Debug)]
pub(super) struct Writer {
    stream: OwnedWriteHalf,
}

impl Connection {
    /// Connects to the host of the session in a folder.
    pub(super) async fn open(dir: &Path) -> Result<Self, Error> {
        let (path, _held) =
            wire::address(dir).map_err(|source| Error::Io { what: dir.display().to_string(), source })?;
        let stream = tokio::time::timeout(TIMEOUT, UnixStream::connect(path)).await;
        let stream =
            stream.map_err(|_| Error::Host("takes no calls".into()))?.map_err(|_| Error::HostGone)?;
        let (reader, writer) = stream.into_split();
        Ok(Self { reader: Reader { stream: reader, buffer: Vec::new() }, writer: Writer { stream: writer } })
    }

    /// Sends a request and waits for the answer.
    pub(super) async fn ask(&mut self, request: &impl Serialize) -> Result<Reply, Error> {
        self.writer.send(&wire::json(request)).await?;
        self.reader.reply_within(TIMEOUT).await
    }
}

impl Reader {
    /// Waits for a reply, for at most this long.
    pub(super) async fn reply_within(&mut self, timeout: Duration) -> Result<Reply, Error> {
        let late = || Error::Host(format!("has not answered for {} s", timeout.as_secs()));
        match tokio::time::timeout(timeout, self.next()).await.map_err(|_| late())?? {
            Frame::Json(text) => read(&text),
            Frame::Bytes(_) => Err(Error::Host("sent bytes instead of an answer".into())),
        }
    }

    /// Waits for a frame. Safe to cancel: received bytes are kept.
    pub(super) async fn next(&mut self) -> Result<Frame, Error> {
        loop {
            if let Some(frame) = wire::take(&mut self.buffer).map_err(|why| Error::Host(why.to_string()))? {
                return Ok(frame);
            }
            self.buffer.reserve(4096);
            match self.stream.read_buf(&mut self.buffer).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => return Err(Error::HostGone),
            }
        }
    }
}

impl Writer {
    /// Sends a frame.
    pub(super) async fn send(&mut self, frame: &[u8]) -> Result<(), Error> {
        let sent = tokio::time::timeout(TIMEOUT, self.stream.write_all(frame)).await;
        sent.map_err(|_| Error::Host("does not read".into()))?.map_err(|_| Error::HostGone)
    }
}

/// Reads a reply.
pub(super) fn read(text: &[u8]) -> Result<Reply, Error> {
    serde_json::from_slice(text).map_err(|why| Error::Host(format!("sent an unreadable answer: {why}")))
}

/// Returns the error for an answer that does not match the request.
pub(super) fn unfit(reply: &Reply) -> Error {
    match reply {
        Reply::Refused { why } => Error::Refused(why.clone()),
        Reply::Later { why } => Error::Host(why.clone()),
        Reply::Exited { .. } => Error::Ended,
        other => Error::Host(format!("answered something else: {other:?}")),
    }
}
