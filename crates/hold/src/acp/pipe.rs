//! Lines between processes, byte for byte. They are read and written on separate threads, so that neither side waits
//! for the other.

use std::io::{BufRead as _, BufReader, Read, Write};

use tokio::sync::mpsc;

/// The longest line that is parsed; longer ones are passed on in pieces.
const LONGEST: u64 = 16 << 20;

/// A line, or a piece of a long one.
#[derive(Debug)]
pub(crate) struct LinePiece {
    bytes: Vec<u8>,
    starts: bool,
    ends: bool,
}

impl LinePiece {
    /// Returns the line, if this piece is all of it.
    pub(super) fn line(&self) -> Option<&[u8]> {
        (self.starts && self.ends).then_some(&self.bytes)
    }
}

/// Reads until the other side has gone.
pub(crate) fn read(from: impl Read + Send + 'static) -> mpsc::Receiver<LinePiece> {
    let (sender, pieces) = mpsc::channel(64);
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut starts = true;
        loop {
            let mut bytes = Vec::new();
            match (&mut from).take(LONGEST).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let ends = bytes.ends_with(b"\n");
            if sender.blocking_send(LinePiece { bytes, starts, ends }).is_err() {
                return;
            }
            starts = ends;
        }
    });
    pieces
}

/// The writing end of a stream of lines. Our own messages never land in the middle of a line that is passed on.
#[derive(Debug)]
pub(crate) struct Writer {
    // Unbounded: two sides that each wait for the other to read would deadlock.
    to: mpsc::UnboundedSender<Vec<u8>>,
    within_line: bool,
    queued: Vec<String>,
}

impl Writer {
    /// Starts a writer on a separate thread, which ends once this value is dropped and everything is written.
    pub(crate) fn to(mut to: impl Write + Send + 'static) -> (Self, std::thread::JoinHandle<()>) {
        let (sender, mut sent) = mpsc::unbounded_channel::<Vec<u8>>();
        let thread = std::thread::spawn(move || {
            while let Some(bytes) = sent.blocking_recv() {
                if to.write_all(&bytes).and_then(|()| to.flush()).is_err() {
                    return;
                }
            }
        });
        (Self { to: sender, within_line: false, queued: Vec::new() }, thread)
    }

    /// Forwards input from the other side.
    pub(super) fn pass(&mut self, piece: LinePiece) {
        self.within_line = !piece.ends;
        let _ = self.to.send(piece.bytes);
        if !self.within_line {
            for line in std::mem::take(&mut self.queued) {
                let _ = self.to.send(line.into_bytes());
            }
        }
    }

    /// Queues a message of our own; it is written once no line is partly written.
    pub(super) fn say(&mut self, line: String) {
        if self.within_line {
            self.queued.push(line);
        } else {
            let _ = self.to.send(line.into_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_pass_whole_and_nothing_is_said_within_them() {
        let long = vec![b'x'; usize::try_from(LONGEST).unwrap() + 10];
        let text = [long.as_slice(), b"\nshort\nno end"].concat();
        let mut pieces = read(std::io::Cursor::new(text.clone()));
        let (mut writer, thread) = Writer::to(std::io::sink());
        let (sender, mut sent) = mpsc::unbounded_channel();
        writer.to = sender;
        thread.join().unwrap();
        let mut whole = Vec::new();
        while let Some(piece) = pieces.blocking_recv() {
            whole.extend(piece.line().map(<[u8]>::len));
            let first = piece.starts && !piece.ends;
            writer.pass(piece);
            if first {
                writer.say("ours\n".into());
            }
        }
        assert_eq!(whole, [6]);
        drop(writer);
        let mut written = Vec::new();
        while let Some(bytes) = sent.blocking_recv() {
            written.extend(bytes);
        }
        let expected = [long.as_slice(), b"\nours\nshort\nno end"].concat();
        assert!(written == expected, "{} and {} bytes", written.len(), expected.len());
    }
}
