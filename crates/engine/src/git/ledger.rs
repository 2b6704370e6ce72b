//! What our gits are about to lock, written down in the repository beside what it is about.
//!
//! A git that is killed leaves its lock files, and a lock file does not say whose it is. So a process that moves refs
//! keeps a file of its own in the repository's folder `.holdpoint`: what is being moved, and where to. The git that
//! does it has the file as its stderr, and so keeps the lock on it for as long as it lives, even if our process is
//! gone. A file that names an order and that nobody holds was left by a dead process, and so were the locks of that
//! order. One that is held while the process that wrote it is gone has a git that outlived it (`orphan.rs`).

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use super::orphan::Owner;
use super::{Folder, GitError, Kind};

/// The folder of ours in a repository. Its name can be part of no ref, so that git never looks for one there.
pub(super) const PLACE: &str = ".holdpoint";
/// The file that is held while something is written down, and held alone while locks are cleared.
const GATE: &str = "lock";
/// How much room an order has; what git says comes after it.
const ROOM: usize = 2048;
/// How much of what git says is read.
const MOST: u64 = 64 << 10;
/// How long to wait for somebody who clears locks, and how often to look.
const RETRY: (Duration, u32) = (Duration::from_millis(5), 400);
/// How often it is said that something that takes long is still done.
const BEAT: Duration = Duration::from_millis(500);

/// What is done to one ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// It is made, and must not be there.
    Create { name: String, to: String },
    /// It is moved, from where it stands if that is said.
    Update { name: String, to: String, from: Option<String> },
    /// It goes.
    Delete { name: String },
    /// Hooks are asked, and a commit is made in a work tree of ours. At its end git looks through what refs it keeps.
    Commit,
}

/// A file of our own in a repository, with what is being done.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    file: File,
    gate: File,
    owner: Owner,
    /// Where the stderr of the present order begins.
    from: u64,
    /// Whether an order is under way: then the file must outlive us.
    busy: bool,
}

/// A ledger that somebody left, or that somebody has.
pub(super) struct Entry {
    pub(super) path: PathBuf,
    pub(super) order: Option<Order>,
    /// Who wrote it; earlier versions did not say.
    pub(super) owner: Option<Owner>,
    /// Whether somebody still holds it.
    pub(super) held: bool,
    pub(super) file: File,
}

impl Order {
    /// Words it as git reads it.
    pub(super) fn words(&self) -> String {
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
    /// Opens one of our own.
    pub(super) async fn open(folder: &Folder) -> Result<Self, GitError> {
        let common = folder.common()?;
        let cannot = |why: std::io::Error| unwritable(&common, &why);
        let place = common.join(PLACE);
        make_place(&common, &place).map_err(cannot)?;
        let gate = open_gate(&place).map_err(cannot)?;
        let chance = getrandom::u64().map_err(|why| GitError::new(Kind::Broken, why.to_string()))?;
        let path = place.join(format!("{chance:016x}"));
        // Nobody who clears up may see it before it is held.
        pass(&gate).await?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o644).open(&path).map_err(cannot)?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|why| cannot(why.into()))?;
        let _ = flock(&gate, FlockOperation::Unlock);
        let ledger = Self { path, file, gate, owner: Owner::this(), from: ROOM as u64, busy: false };
        ledger.write("").map_err(cannot)?;
        Ok(ledger)
    }

    /// Returns it as the place for what a git complains about, which keeps it held.
    pub(super) fn complaints(&self) -> Result<Stdio, GitError> {
        use std::io::{Seek as _, SeekFrom};
        let shared = self.file.try_clone().and_then(|mut file| {
            // They stand after the order.
            file.seek(SeekFrom::Start(ROOM as u64))?;
            Ok(file)
        });
        shared.map(Stdio::from).map_err(|why| unwritable(&self.path, &why))
    }

    /// Writes down what is about to be done; nobody clears the locks of that until [`Self::end`].
    pub(super) async fn begin(&mut self, order: &Order) -> Result<(), GitError> {
        pass(&self.gate).await?;
        self.busy = true;
        self.from = self.file.metadata().map_or(ROOM as u64, |found| found.len());
        let written = self.write(&self.record(order));
        let _ = flock(&self.gate, FlockOperation::Unlock);
        written.map_err(|why| unwritable(&self.path, &why))
    }

    /// Does something that may take long, and keeps noting that it is still under way: the process that comes after a
    /// kill sees when that was.
    pub(super) async fn during<T>(&self, order: &Order, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(BEAT) => drop(self.write(&self.record(order))),
            }
        }
    }

    /// Says that it is over, one way or the other, and that git has let go of its locks.
    pub(super) fn end(&mut self) {
        if self.write("").is_ok() {
            self.busy = false;
        }
    }

    /// Returns what git said about the present order.
    pub(super) fn complaint(&self) -> String {
        let mut said = vec![0; usize::try_from(MOST).unwrap_or_default()];
        let count = self.file.read_at(&mut said, self.from).unwrap_or(0);
        String::from_utf8_lossy(&said[..count]).trim().to_owned()
    }

    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What has no room is not written: its locks will not be known as ours, which harms less than half a name.
    fn record(&self, order: &Order) -> String {
        let words = format!("{}\n{}", order.words(), self.owner.words());
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

/// Keeps everybody else from beginning anything as long as it is held; nothing if somebody does so now. With it come all ledgers
/// of the repository.
pub(super) fn alone(common: &Path) -> Option<(File, Vec<Entry>)> {
    let place = common.join(PLACE);
    let gate = OpenOptions::new().read(true).open(place.join(GATE)).ok()?;
    flock(&gate, FlockOperation::NonBlockingLockExclusive).ok()?;
    let found = std::fs::read_dir(&place).ok()?;
    let entries = found.flatten().map(|entry| entry.path()).filter(|path| is_ledger(path)).filter_map(entry);
    Some((gate, entries.collect()))
}

/// Whether there is a ledger at all.
pub(super) fn any(common: &Path) -> bool {
    let found = std::fs::read_dir(common.join(PLACE));
    found.into_iter().flatten().flatten().any(|entry| is_ledger(&entry.path()))
}

fn entry(path: PathBuf) -> Option<Entry> {
    let file = File::open(&path).ok()?;
    let held = flock(&file, FlockOperation::NonBlockingLockExclusive).is_err();
    let mut record = vec![0; ROOM];
    let count = file.read_at(&mut record, 0).ok()?;
    let words = String::from_utf8_lossy(&record[..count]).into_owned();
    let mut lines = words.lines().map(str::trim);
    let order = lines.next().and_then(Order::read);
    Some(Entry { path, order, owner: lines.next().and_then(Owner::read), held, file })
}

fn is_ledger(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Makes the folder as its owner made the repository: others of the same group may work on it too.
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

/// Waits until nobody clears locks, and keeps it so.
async fn pass(gate: &File) -> Result<(), GitError> {
    let (pause, times) = RETRY;
    for _ in 0..times {
        if flock(gate, FlockOperation::NonBlockingLockShared).is_ok() {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
    }
    Err(GitError::new(Kind::Busy, "somebody else is clearing up in the repository".into()))
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
            Order::Create { name: name.clone(), to: to.clone() },
            Order::Update { name: name.clone(), to: to.clone(), from: None },
            Order::Update { name: name.clone(), to, from: Some("def".into()) },
            Order::Delete { name },
            Order::Commit,
        ];
        for order in orders {
            assert_eq!(Order::read(&order.words()), Some(order));
        }
        for bad in ["", "update", "create x", "delete x y", "start x y"] {
            assert_eq!(Order::read(bad), None, "{bad}");
        }
    }
}
