//! Lock files left by gits of ours that were killed: found, recognised as ours, and removed.
//!
//! The owner of a lock follows from the ledgers: one that names an order and is not locked was left by a dead process.
//! Its lock file holds the commit that was ordered, or nothing yet; then the time must match too. Locks that may belong
//! to others are kept.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::GitFolder;
use super::ledger::{self, LedgerEntry, RefOperation};
use super::refs;

/// The refs that only we write.
const OURS: &str = "refs/holdpoint/";
/// How soon after its order a git makes its locks.
const SOON: Duration = Duration::from_secs(1);
/// The age of an empty lock file that no process is about to fill.
const OLD: Duration = Duration::from_secs(5);

/// The owner of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LockOwner {
    Ours,
    Others,
    /// Unknown until the lock is older.
    Unsure,
}

impl GitFolder {
    /// Removes the locks left by gits of ours that were killed. Does nothing if another process is working, or if
    /// nothing was left.
    pub(crate) fn clear_stale_locks(&self) {
        let Ok(common) = self.common() else { return };
        if !ledger::any(&common) {
            return;
        }
        let Some((_alone, entries)) = ledger::alone(&common) else { return };
        // A git that outlived its parent still holds the locks that it was told to take.
        let held: Vec<PathBuf> =
            entries.iter().filter(|entry| entry.held).flat_map(|entry| locks(&common, entry)).collect();
        for entry in entries.iter().filter(|entry| !entry.held) {
            if clear(&common, entry, &held) {
                let _ = std::fs::remove_file(&entry.path);
            }
        }
    }

    /// Removes a lock among our refs that no ledger names and that has been unused for a while. Returns whether it is
    /// gone.
    pub(super) fn clear_own_lock(&self, lock: &Path) -> bool {
        let Ok(common) = self.common() else { return false };
        let Ok(lock) = std::fs::canonicalize(lock) else { return true };
        let own = lock.strip_prefix(&common).is_ok_and(|name| name.starts_with(OURS));
        if !own || age(&lock).is_none_or(|age| age <= OLD) {
            return false;
        }
        let Some((_alone, entries)) = ledger::alone(&common) else { return false };
        let held =
            entries.iter().filter(|entry| entry.held).any(|entry| locks(&common, entry).contains(&lock));
        !held && std::fs::remove_file(&lock).is_ok()
    }
}

/// Clears the locks that one ledger names; returns whether all of them are settled.
fn clear(common: &Path, entry: &LedgerEntry, held: &[PathBuf]) -> bool {
    let ordered = entry.file.metadata().and_then(|found| found.modified()).ok();
    let mut told = true;
    for lock in locks(common, entry) {
        if held.contains(&lock) {
            continue;
        }
        match lock_owner(common, entry, &lock, ordered) {
            LockOwner::Ours => {
                if lock.ends_with("packed-refs.lock") {
                    let _ = std::fs::remove_file(common.join("packed-refs.new"));
                }
                tracing::info!("Removed {}, which was left by a git of ours that was killed", lock.display());
                let _ = std::fs::remove_file(&lock);
            }
            LockOwner::Others => {}
            LockOwner::Unsure => told = false,
        }
    }
    told
}

/// Returns the files that git locks for an order.
fn locks(common: &Path, entry: &LedgerEntry) -> Vec<PathBuf> {
    let Some(order) = &entry.order else { return Vec::new() };
    if let Some(tables) = refs::tables(common) {
        // All refs are in one stack of tables, which is locked as a whole; a table is also locked while several are
        // merged.
        let found = std::fs::read_dir(&tables).into_iter().flatten().flatten().map(|found| found.path());
        return found.filter(|path| path.extension().is_some_and(|end| end == "lock")).collect();
    }
    let lock = |name: &str| common.join(format!("{name}.lock"));
    match order {
        // If HEAD names the branch, git locks it too.
        RefOperation::Create { name, .. } | RefOperation::Update { name, .. } => {
            vec![lock(name), lock("HEAD")]
        }
        RefOperation::Delete { name } => vec![lock(name), lock("packed-refs")],
        RefOperation::Commit => vec![lock("packed-refs")],
    }
}

fn lock_owner(common: &Path, entry: &LedgerEntry, lock: &Path, ordered: Option<SystemTime>) -> LockOwner {
    let Ok(content) = std::fs::read_to_string(lock) else { return LockOwner::Others };
    if lock.strip_prefix(common).is_ok_and(|name| name.starts_with(OURS)) {
        return LockOwner::Ours;
    }
    // The lock of a stack lists its tables, whoever holds it, so only its age distinguishes it.
    let of_tables = refs::tables(common).is_some_and(|tables| lock.starts_with(tables));
    match &entry.order {
        _ if of_tables => {}
        Some(RefOperation::Create { to, .. } | RefOperation::Update { to, .. })
            if content.trim_end() == to =>
        {
            return LockOwner::Ours;
        }
        _ if !content.is_empty() => return LockOwner::Others,
        _ => {}
    }
    let made = std::fs::symlink_metadata(lock).and_then(|found| found.modified()).ok();
    // A long operation keeps updating the ledger.
    let began = match &entry.order {
        Some(RefOperation::Commit) => entry.file.metadata().and_then(|found| found.created()).ok(),
        _ => ordered.and_then(|ordered| ordered.checked_sub(SOON)),
    };
    let ended = ordered.and_then(|ordered| ordered.checked_add(SOON));
    let fits = began <= made && made <= ended && made.is_some();
    match age(lock) {
        _ if !fits => LockOwner::Others,
        Some(age) if age > OLD => LockOwner::Ours,
        _ => LockOwner::Unsure,
    }
}

fn age(path: &Path) -> Option<Duration> {
    std::fs::symlink_metadata(path).and_then(|found| found.modified()).ok()?.elapsed().ok()
}
