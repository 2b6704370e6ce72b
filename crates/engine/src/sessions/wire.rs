//! The protocol between a session's host and its clients: frames of a length, a kind, and JSON or bytes.
//!
//! A host may be older than its client, since it outlives an upgrade: fields are added, never changed.

use std::path::{Path, PathBuf};

use holdpoint_core::job::detect::Notice;
use serde::{Deserialize, Serialize};

use super::ended::Ended;
use super::input::{Keys, ScreenCondition, TypingStatus};
use super::screen::Screen;
use super::spec::Size;

/// The largest frame that either side accepts.
pub(super) const LARGEST: usize = 1 << 20;

/// A request of a client.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Request {
    /// The screen of the terminal, and whether a process waits for input.
    Screen,
    /// The screen whenever it changes, without that.
    Follow,
    /// Types keys, once per effect.
    Input {
        effect: String,
        keys: Keys,
        #[serde(default)]
        on: ScreenCondition,
    },
    /// All further output, after a picture of the screen; bytes that are received are typed.
    Attach { size: Size },
    /// Resizes the terminal.
    Resize { size: Size },
    /// Ends the agent and everything that it started.
    Stop { grace_ms: u64 },
    /// Sends a notice of the agent's hook to followers.
    Notice { notice: Notice },
}

/// An answer of a host.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Reply {
    /// The requested screen.
    Screen { screen: Box<Screen> },
    /// The new screen, for a follower.
    Changed { screen: Box<Screen> },
    /// A notice of the agent's hook, for a follower.
    Noticed { notice: Notice },
    /// A person attached to the terminal pressed Enter, for a follower.
    Entered,
    /// The result of typing keys.
    Typed { typed: TypingStatus },
    /// The request was carried out.
    Done,
    /// The request was refused, and nothing has changed.
    Refused { why: String },
    /// The request was refused for now, and nothing has changed; it may succeed later.
    Later { why: String },
    /// The agent ended.
    Exited { ended: Ended },
    /// Everything has ended except these processes.
    Stopped { left: Vec<u32> },
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A request or a reply.
    Json(Vec<u8>),
    /// Bytes of a terminal.
    Bytes(Vec<u8>),
}

/// The error that bytes are not a frame.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("what came is not a frame")]
pub(super) struct InvalidFrame;

const HEAD: usize = 5;

/// Writes a frame with JSON.
pub(super) fn json(message: &impl Serialize) -> Vec<u8> {
    // Only values of this module are written: text, numbers and lists, for which this cannot fail.
    framed(b'j', &serde_json::to_vec(message).unwrap_or_default())
}

/// Writes a frame with bytes.
pub(super) fn bytes(bytes: &[u8]) -> Vec<u8> {
    framed(b'b', bytes)
}

fn framed(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let mut out = Vec::with_capacity(HEAD + body.len());
    out.extend_from_slice(&length.to_be_bytes());
    out.push(kind);
    out.extend_from_slice(body);
    out
}

/// Takes the first complete frame out of the received bytes; none if more are needed.
pub(super) fn take(buffer: &mut Vec<u8>) -> Result<Option<Frame>, InvalidFrame> {
    let Some((head, rest)) = buffer.split_first_chunk::<HEAD>() else { return Ok(None) };
    let [a, b, c, d, kind] = *head;
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    if length > LARGEST || !matches!(kind, b'j' | b'b') {
        return Err(InvalidFrame);
    }
    if rest.len() < length {
        return Ok(None);
    }
    let body = rest[..length].to_vec();
    buffer.drain(..HEAD + length);
    Ok(Some(if kind == b'j' { Frame::Json(body) } else { Frame::Bytes(body) }))
}

/// Returns a path for connecting to the socket in a folder, and a file to keep open meanwhile.
///
/// The address of a socket is limited to about a hundred bytes; with `/proc`, an open folder has a short name.
pub(super) fn address(dir: &Path) -> std::io::Result<(PathBuf, Option<std::fs::File>)> {
    use std::os::fd::AsRawFd as _;
    const ROOM: usize = 100;
    let path = dir.join("host.sock");
    if path.as_os_str().len() <= ROOM {
        return Ok((path, None));
    }
    if !cfg!(target_os = "linux") {
        let why = format!("the path {} is too long for a socket; choose a shorter folder", path.display());
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, why));
    }
    let folder = std::fs::File::open(dir)?;
    let short = PathBuf::from(format!("/proc/self/fd/{}/host.sock", folder.as_raw_fd()));
    Ok((short, Some(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_out_as_they_went_in_however_they_are_cut() {
        let mut stream = json(&Request::Screen);
        stream.extend(bytes(b"\x1b[1m"));
        let mut buffer = Vec::new();
        let mut frames = Vec::new();
        for byte in stream {
            buffer.push(byte);
            frames.extend(take(&mut buffer).unwrap());
        }
        assert_eq!(frames, [Frame::Json(br#"{"do":"screen"}"#.to_vec()), Frame::Bytes(b"\x1b[1m".to_vec())]);
        assert!(buffer.is_empty());
    }

    #[test]
    fn nonsense_is_no_frame() {
        assert_eq!(take(&mut b"GET / HTTP/1.1".to_vec()), Err(InvalidFrame));
        assert_eq!(take(&mut vec![0xff, 0xff, 0xff, 0xff, b'j']), Err(InvalidFrame));
    }
}
