//! A record in the repository of what our gits are about to lock.
//!
//! A git that is killed leaves its lock files, and a lock file does not tell whose it is. So a process that moves refs
//! keeps a file in the repository's folder `.holdpoint`: which ref is being moved, and where to. The git that does it
//! has the file as its stderr, and so keeps the lock on it as long as it lives, even if our process is gone. A file
//! that names an order and is not locked was left by a dead process, and so were the locks of that order. If it is
//! locked while the process that wrote it is gone, a git has outlived it (`orphan.rs`).

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use super::orphan::LedgerOwner;
use super::{GitError, GitFolder, Kind};

/// Our folder in a repository. Its name cannot be part of a ref, so git never looks for one there.
pub(super) const PLACE: &str = ".holdpoint";
/// The file that is locked shared while an order is recorded, and exclusively while locks are cleared.
const GATE: &str = "lock";
/// The space for an order; git's output follows it.
const ROOM: usize = 2048;
/// How much of git's output is read.
const MOST: u64 = 64 << 10;
/// How long to wait while another process clears locks, and how often to check.
const RETRY: (Duration, u32) = (Duration::from_millis(5), 400);
/// How often a long operation is noted as still running.
const BEAT: Duration = Duration::from_millis(500);

/// An operation on one ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RefOperation {
    /// Creates it; it must not exist.
    Create { name: String, to: String },
    /// Moves it, from the given value if there is one.
    Update { name: String, to: String, from: Option<String> },
    /// Deletes it.
    Delete { name: String },
    /// Runs hooks and makes a commit in a temporary work tree. At its end git checks the refs that it keeps.
    Commit,
}

/// Our file in a repository, with the current operation.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    file: File,
    gate: File,
    owner: LedgerOwner,
    /// Where the stderr of the current order begins.
    from: u64,
    /// Whether an order is in progress: then the file must outlive us.
    busy: bool,
}

/// A ledger that a process left behind or still holds.
pub(super) struct LedgerEntry {
    pub(super) path: PathBuf,
    pub(super) order: Option<RefOperation>,
    /// The process that wrote it; earlier versions did not record it.
    pub(super) owner: Option<LedgerOwner>,
    /// Whether a process still holds it.
    pub(super) held: bool,
    pub(super) file: File,
}

impl RefOperation {
    /// Formats the order as git reads it.
    pub(super) fn to_line(&self) -> String {
        match self {
            Self::Create { name, to } => format!("create {name} {to}"),
            Self::Update { name, to, from: Some(from) } => format!("update {name} {to} {from}"),
            Self::Update { name, to, from: None } => format!("update {name} {to}"),
            Self::Delete { name } => format!("delete {name}"),
            Self::Commit => "commit".to_owned(),
        }
    }

    pub(super) fn read(words: &str) -> Option<Self> {
        if words == "commit" {
            return Some(Self::Commit);
        }
        let mut words = words.split(' ');
        let (verb, name) = (words.next()?, words.next()?.to_owned());
        let (to, from) = (words.next().map(str::to_owned), words.next().map(str::to_owned));
        match (verb, to) {
            ("create", Some(to)) => Some(Self::Create { name, to }),
            ("update", Some(to)) => Some(Self::Update { name, to, from }),
            ("delete", None) => Some(Self::Delete { name }),
            _ => None,
        }
    }
}

impl Ledger {
    /// Opens a new ledger.
    pub(super) async fn open(folder: &GitFolder) -> Result<Self, GitError> {
        let common = folder.common()?;
        let cannot = |why: std::io::Error| unwritable(&common, &why);
        let place = common.join(PLACE);
        make_place(&common, &place).map_err(cannot)?;
        let gate = open_gate(&place).map_err(cannot)?;
        let chance = getrandom::u64().map_err(|why| GitError::new(Kind::Broken, why.to_string()))?;
        let path = place.join(format!("{chance:016x}"));
        // A process that clears locks must not see it before it is locked.
        pass(&gate).await?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o644).open(&path).map_err(cannot)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|why| cannot(why.into()))?;
        let _ = flock(&gate, FlockOperation::Unlock);
        let ledger = Self { path, file, gate, owner: LedgerOwner::this(), from: ROOM as u64, busy: false };
        ledger.write("").map_err(cannot)?;
        Ok(ledger)
    }

    /// Returns it as the stderr of a git, which keeps it locked.
    pub(super) fn complaints(&self) -> Result<Stdio, GitError> {
        use std::io::{Seek as _, SeekFrom};
        let shared = self.file.try_clone().and_then(|mut file| {
            // The output follows the order.
            file.seek(SeekFrom::Start(ROOM as u64))?;
            Ok(file)
        });
        shared.map(Stdio::from).map_err(|why| unwritable(&self.path, &why))
    }

    /// Records what is about to be done; no process clears its locks until [`Self::end`].
    pub(super) async fn begin(&mut self, order: &RefOperation) -> Result<(), GitError> {
        pass(&self.gate).await?;
        self.busy = true;
        self.from = self.file.metadata().map_or(ROOM as u64, |found| found.len());
        let written = self.write(&self.record(order));
        let _ = flock(&self.gate, FlockOperation::Unlock);
        written.map_err(|why| unwritable(&self.path, &why))
    }

    /// Runs something that may take long, and keeps noting that it is still in progress, so that the next process after
    /// a kill sees how recent it is.
    pub(super) async fn during<T>(&self, order: &RefOperation, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(BEAT) => drop(self.write(&self.record(order))),
            }
        }
    }

    /// Records that the order is over, whatever the result, and that git has released its locks.
    pub(super) fn end(&mut self) {
        if self.write("").is_ok() {
            self.busy = false;
        }
    }

    /// Returns git's output for the current order.
    pub(super) fn complaint(&self) -> String {
        let mut said = vec![0; usize::try_from(MOST).unwrap_or_default()];
        let count = self.file.read_at(&mut said, self.from).unwrap_or(0);
        String::from_utf8_lossy(&said[..count]).trim().to_owned()
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// An order that does not fit is not recorded: its locks will not be recognised as ours, which does less harm than
    /// half a name.
    fn record(&self, order: &RefOperation) -> String {
        let words = format!("{}\n{}", order.to_line(), self.owner.to_line());
        if words.len() < ROOM { words } else { String::new() }
    }

    fn write(&self, words: &str) -> std::io::Result<()> {
        let mut record = words.as_bytes().to_vec();
        record.resize(ROOM - 1, b' ');
        record.push(b'\n');
        self.file.write_all_at(&record, 0)
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        if !self.busy {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Keeps all other processes from beginning an order as long as it is held; none if one is in progress. Returns all
/// ledgers of the repository with it.
pub(super) fn alone(common: &Path) -> Option<(File, Vec<LedgerEntry>)> {
    let place = common.join(PLACE);
    let gate = OpenOptions::new().read(true).open(place.join(GATE)).ok()?;
    flock(&gate, FlockOperation::NonBlockingLockExclusive).ok()?;
    let found = std::fs::read_dir(&place).ok()?;
    let entries = found.flatten().map(|entry| entry.path()).filter(|path| is_ledger(path)).filter_map(entry);
    Some((gate, entries.collect()))
}

/// Returns whether there is any ledger.
pub(super) fn any(common: &Path) -> bool {
    let found = std::fs::read_dir(common.join(PLACE));
    found.into_iter().flatten().flatten().any(|entry| is_ledger(&entry.path()))
}

fn entry(path: PathBuf) -> Option<LedgerEntry> {
    let file = File::open(&path).ok()?;
    let held = flock(&file, FlockOperation::NonBlockingLockExclusive).is_err();
    let mut record = vec![0; ROOM];
    let count = file.read_at(&mut record, 0).ok()?;
    let words = String::from_utf8_lossy(&record[..count]).into_owned();
    let mut lines = words.lines().map(str::trim);
    let order = lines.next().and_then(RefOperation::read);
    Some(LedgerEntry { path, order, owner: lines.next().and_then(LedgerOwner::read), held, file })
}

fn is_ledger(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Makes the folder with the permissions of the repository: others of the same group may work on it too.
pub(super) fn make_place(common: &Path, place: &Path) -> std::io::Result<()> {
    match std::fs::create_dir(place) {
        Ok(()) => std::fs::set_permissions(place, std::fs::metadata(common)?.permissions()),
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(why) => Err(why),
    }
}

fn open_gate(place: &Path) -> std::io::Result<File> {
    let path = place.join(GATE);
    match File::open(&path) {
        Err(why) if why.kind() == ErrorKind::NotFound => {
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o644).open(&path)?;
            File::open(&path)
        }
        other => other,
    }
}

/// Waits until no process clears locks, and keeps others from doing so.
async fn pass(gate: &File) -> Result<(), GitError> {
    let (pause, times) = RETRY;
    for _ in 0..times {
        if flock(gate, FlockOperation::NonBlockingLockShared).is_ok() {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
    }
    Err(GitError::new(Kind::Busy, "another process is cleaning up in the repository".into()))
}

fn unwritable(place: &Path, why: &std::io::Error) -> GitError {
    let place = place.display();
    match why.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            let why =
                format!("the repository is read-only for this account: {place} cannot be written to ({why})");
            GitError::new(Kind::Broken, why)
        }
        _ => GitError::new(Kind::Broken, format!("{place} cannot be written to: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_as_they_are_written() {
        let (name, to) = ("refs/heads/x".to_owned(), "abc".to_owned());
        let orders = [
            RefOperation::Create { name: name.clone(), to: to.clone() },
            RefOperation::Update { name: name.clone(), to: to.clone(), from: None },
            RefOperation::Update { name: name.clone(), to, from: Some("def".into()) },
            RefOperation::Delete { name },
            RefOperation::Commit,
        ];
        for order in orders {
            assert_eq!(RefOperation::read(&order.to_line()), Some(order));
        }
        for bad in ["", "update", "create x", "delete x y", "start x y"] {
            assert_eq!(RefOperation::read(bad), None, "{bad}");
        }
    }
}
