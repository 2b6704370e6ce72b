//! The id of this node, and the lock that makes it the only one of its folder that supervises jobs.

use std::fs::File;
use std::os::unix::fs::OpenOptionsExt as _;

use crate::error::{Error, Result};
use crate::home::Home;

/// The id of the node of a data folder; it stays the same over restarts, so that its agents are found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeId(String);

impl NodeId {
    /// Reads the id, or makes one.
    pub fn load_or_make(home: &Home) -> Result<Self> {
        let path = home.path().join("node");
        // The machine's name in the id tells people where to look.
        let fresh = super::control::random_name(&format!("node-{}", machine()))?;
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

/// Returns the machine's name and a dash, as far as it is valid in a name; empty if it has none.
fn machine() -> String {
    const LONGEST: usize = 40;
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name: String =
        name.trim().chars().filter(|c| c.is_ascii_alphanumeric() || "-.".contains(*c)).collect();
    let name: String = name.chars().take(LONGEST).collect();
    if name.is_empty() { name } else { format!("{name}-") }
}

/// Tries to become the only process of this folder that supervises jobs, as long as the file is open.
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
