//! Who this node is, and that it alone of its folder looks after jobs.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;

use crate::error::{Error, Result};
use crate::home::Home;

/// The id of the node that a data folder is; it stays the same over restarts, so that its agents are found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeId(String);

impl NodeId {
    /// Reads the id, or makes one.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        let path = home.path().join("node");
        let fresh = super::control::random_name("node-")?;
        Home::write_private_once(&path, fresh.as_bytes())?;
        let text =
            std::fs::read_to_string(&path).map_err(Error::io(format!("cannot read {}", path.display())))?;
        let id = text.trim();
        holdpoint_core::text::check_name(id)
            .map_err(|why| Error::Settings(format!("the node's name in {} {why}", path.display())))?;
        Ok(Self(id.to_owned()))
    }

    /// Returns it as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Tries to be the one process of this folder that looks after jobs; so as long as the file is open.
pub(super) fn lock(home: &Home) -> Result<Option<File>> {
    let path = home.path().join("node.lock");
    let failed = || Error::io(format!("cannot open {}", path.display()));
    Home::make_private(home.path())?;
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create(true).truncate(false).mode(0o600).open(&path).map_err(failed())?;
    match rustix::fs::flock(&file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(why) => Err(failed()(why.into())),
    }
}
