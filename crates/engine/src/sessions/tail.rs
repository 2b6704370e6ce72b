//! The end of an agent's output.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::files;

/// Returns the last bytes over all log files, at most this many. It may cut within an escape sequence or a character.
pub(super) fn tail(dir: &Path, bytes: u64) -> io::Result<Vec<u8>> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    let mut left = bytes;
    for age in 0.. {
        if left == 0 {
            break;
        }
        let mut file = match File::open(files::log(dir, age)) {
            Ok(file) => file,
            // While the files are rotated, the newest is missing for a moment.
            Err(error) if error.kind() == io::ErrorKind::NotFound && age == 0 => continue,
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(error),
        };
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(left)))?;
        let mut part = Vec::new();
        file.take(left).read_to_end(&mut part)?;
        left -= part.len() as u64;
        parts.push(part);
    }
    parts.reverse();
    Ok(parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_back_over_files_and_no_further() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(tail(dir.path(), 10).unwrap(), b"");
        std::fs::write(dir.path().join("log.2"), "abc").unwrap();
        std::fs::write(dir.path().join("log.1"), "def").unwrap();
        std::fs::write(dir.path().join("log"), "ghi").unwrap();
        let tail = |bytes| String::from_utf8(tail(dir.path(), bytes).unwrap()).unwrap();
        assert_eq!([tail(0), tail(2), tail(4), tail(100)], ["", "hi", "fghi", "abcdefghi"]);
    }
}
