//! The agent's output, in files of limited size.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::sessions::files;
use crate::sessions::spec::LogLimits;

/// The log of a running session. A full disk loses the output written meanwhile, and nothing else.
pub(super) struct Log {
    dir: PathBuf,
    limits: LogLimits,
    file: Option<File>,
    length: u64,
    lost: u64,
}

impl Log {
    /// Opens the log in a folder.
    pub(super) fn open(dir: &Path, limits: LogLimits) -> Self {
        let limits = LogLimits { bytes: limits.bytes.max(1024), files: limits.files.clamp(1, 1000) };
        let file = files::append(&files::log(dir, 0)).ok();
        let length = file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len());
        Self { dir: dir.to_owned(), limits, file, length, lost: 0 }
    }

    /// Writes at its end.
    pub(super) fn write(&mut self, bytes: &[u8]) {
        if self.length >= self.limits.bytes {
            self.rotate();
        }
        if self.file.is_none() {
            self.file = files::append(&files::log(&self.dir, 0)).ok();
        }
        let mut left = bytes;
        while let (Some(file), false) = (&mut self.file, left.is_empty()) {
            match file.write(left) {
                Ok(count @ 1..) => {
                    self.length += count as u64;
                    left = &left[count..];
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => break,
            }
        }
        self.lost += left.len() as u64;
    }

    /// Returns how many bytes could not be written.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// Rotates the files, and deletes the oldest.
    fn rotate(&mut self) {
        self.file = None;
        let oldest = self.limits.files - 1;
        if oldest == 0 {
            let _ = std::fs::remove_file(files::log(&self.dir, 0));
        }
        for age in (0..oldest).rev() {
            let _ = std::fs::rename(files::log(&self.dir, age), files::log(&self.dir, age + 1));
        }
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_are_dropped_and_the_newest_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = Log::open(dir.path(), LogLimits { bytes: 1024, files: 3 });
        for n in 0..10u8 {
            log.write(&[b'0' + n; 1024]);
        }
        let read = |name: &str| std::fs::read(dir.path().join(name)).map(|text| (text.len(), text[0]));
        assert_eq!(read("log").unwrap(), (1024, b'9'));
        assert_eq!(read("log.1").unwrap(), (1024, b'8'));
        assert_eq!(read("log.2").unwrap(), (1024, b'7'));
        assert!(read("log.3").is_err());
        assert_eq!(log.lost(), 0);
    }

    #[test]
    fn what_cannot_be_written_is_counted() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("log")).unwrap();
        let mut log = Log::open(dir.path(), LogLimits::default());
        log.write(b"lost");
        std::fs::remove_dir(dir.path().join("log")).unwrap();
        log.write(b"kept");
        assert_eq!(log.lost(), 4);
        assert_eq!(std::fs::read(dir.path().join("log")).unwrap(), b"kept");
    }
}
