//! A line to the database that is cut once, at the worst moment.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

/// When the line is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// After the database has committed, before its answer arrives.
    Answer,
    /// Before the commit arrives at the database.
    Commit,
}

/// A socket of its own that leads to the database.
pub(crate) struct Line {
    folder: tempfile::TempDir,
    cut: Arc<AtomicBool>,
}

impl Line {
    pub(crate) fn new(socket: &Path, cut: Cut) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join(socket.file_name().unwrap())).unwrap();
        let (socket, done) = (socket.to_owned(), Arc::new(AtomicBool::new(false)));
        let line = Self { folder, cut: Arc::clone(&done) };
        tokio::spawn(async move {
            while let Ok((here, _)) = listener.accept().await {
                let there = UnixStream::connect(&socket).await.unwrap();
                tokio::spawn(carry(here, there, cut, Arc::clone(&done)));
            }
        });
        line
    }

    pub(crate) fn folder(&self) -> String {
        self.folder.path().display().to_string()
    }

    pub(crate) fn was_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }
}

async fn carry(mut here: UnixStream, mut there: UnixStream, cut: Cut, done: Arc<AtomicBool>) {
    let (mut asked, mut answered) = (vec![0; 1 << 20], vec![0; 1 << 20]);
    let mut committing = false;
    loop {
        tokio::select! {
            read = here.read(&mut asked) => {
                let Ok(length @ 1..) = read else { return };
                let asked = &asked[..length];
                if says_commit(asked) && !done.swap(true, Ordering::Relaxed) {
                    if cut == Cut::Commit {
                        return;
                    }
                    committing = true;
                }
                there.write_all(asked).await.unwrap();
            }
            read = there.read(&mut answered) => {
                let Ok(length @ 1..) = read else { return };
                let answered = &answered[..length];
                if committing {
                    // Until the database says that it is done; nothing of it is passed on.
                    if says_commit(answered) {
                        return;
                    }
                    continue;
                }
                here.write_all(answered).await.unwrap();
            }
        }
    }
}

/// Whether a message is the command, or the word that it was carried out; not `READ COMMITTED`.
fn says_commit(message: &[u8]) -> bool {
    message.windows(7).any(|word| word == b"COMMIT\0")
}
