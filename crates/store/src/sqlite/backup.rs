//! Copies a store while it is in use.

use std::fs;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use super::file::StoreFile;
use super::{connection, fault};
use crate::{Error, Result};

/// Copies the store to a new file, as of one moment; erased content is not in the copy.
pub(super) fn backup(from: &StoreFile, to: &Path) -> Result<()> {
    let to = std::path::absolute(to).map_err(|why| fault::cannot(&why, "find", to))?;
    let Some(name) = to.to_str() else {
        return Err(Error::Unsuitable(format!("{} is not a name in Unicode", to.display())));
    };
    let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&to);
    let file = made.map_err(|why| match why.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Error::Unsuitable(format!("{} is there already; a backup overwrites nothing", to.display()))
        }
        _ => fault::cannot(&why, "write", &to),
    })?;
    let copied =
        copy(from, name).and_then(|()| file.sync_all().map_err(|why| fault::cannot(&why, "write", &to)));
    if copied.is_err() {
        // The empty or incomplete file must not look like a backup.
        let _ = fs::remove_file(&to);
    }
    copied
}

fn copy(from: &StoreFile, to: &str) -> Result<()> {
    let (connection, still) = connection::copier(from)?;
    connection.execute("VACUUM INTO ?1", [to])?;
    match still {
        Some(still) if !still.is_unchanged(from.path()) => {
            Err(Error::Unavailable("the store was written meanwhile; try again".into()))
        }
        _ => Ok(()),
    }
}
