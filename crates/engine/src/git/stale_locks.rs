//! Lock files that gits of ours left when they were killed: found, known as ours, and taken away.
//!
//! Whose a lock is follows from the ledgers: one that names an order and that nobody holds was left by a dead process.
//! Its lock holds the commit that was ordered, or nothing yet; then the time must fit too. What may be somebody else's
//! stays.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::Folder;
use super::ledger::{self, Entry, Order};
use super::refs;

/// Where nobody but us writes.
const OURS: &str = "refs/holdpoint/";
/// How soon after its order a git makes its locks.
const SOON: Duration = Duration::from_secs(1);
/// How old a lock is that holds nothing and that nobody is about to fill.
const OLD: Duration = Duration::from_secs(5);

/// Whose a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Ours,
    Others,
    /// That cannot be told before it is older.
    Unsure,
}

impl Folder {
    /// Takes away the locks that gits of ours left when they were killed. Does nothing where somebody is working, or
    /// where nothing was left.
    pub(crate) fn clear_stale_locks(&self) {
        let Ok(common) = self.common() else { return };
        if !ledger::any(&common) {
            return;
        }
        let Some((_alone, entries)) = ledger::alone(&common) else { return };
        // A git that outlived its parent holds what it was told to lock.
        let held: Vec<PathBuf> =
            entries.iter().filter(|entry| entry.held).flat_map(|entry| locks(&common, entry)).collect();
        for entry in entries.iter().filter(|entry| !entry.held) {
            if clear(&common, entry, &held) {
                let _ = std::fs::remove_file(&entry.path);
            }
        }
    }

    /// Takes a lock away that no ledger speaks of, where nobody but us writes, and nobody has for a while. Returns whether
    /// it is gone.
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

/// Clears what one ledger speaks of; returns whether nothing of it is left to tell.
fn clear(common: &Path, entry: &Entry, held: &[PathBuf]) -> bool {
    let ordered = entry.file.metadata().and_then(|found| found.modified()).ok();
    let mut told = true;
    for lock in locks(common, entry) {
        if held.contains(&lock) {
            continue;
        }
        match whose(common, entry, &lock, ordered) {
            Whose::Ours => {
                if lock.ends_with("packed-refs.lock") {
                    let _ = std::fs::remove_file(common.join("packed-refs.new"));
                }
                tracing::info!("Took away {}, which a git of ours left when it was killed", lock.display());
                let _ = std::fs::remove_file(&lock);
            }
            Whose::Others => {}
            Whose::Unsure => told = false,
        }
    }
    told
}

/// The files that git locks for an order.
fn locks(common: &Path, entry: &Entry) -> Vec<PathBuf> {
    let Some(order) = &entry.order else { return Vec::new() };
    if let Some(tables) = refs::tables(common) {
        // All refs are in one stack of tables, which is locked as a whole; a table also while several are made one.
        let found = std::fs::read_dir(&tables).into_iter().flatten().flatten().map(|found| found.path());
        return found.filter(|path| path.extension().is_some_and(|end| end == "lock")).collect();
    }
    let lock = |name: &str| common.join(format!("{name}.lock"));
    match order {
        // Where HEAD names the branch, it is locked with it.
        Order::Create { name, .. } | Order::Update { name, .. } => vec![lock(name), lock("HEAD")],
        Order::Delete { name } => vec![lock(name), lock("packed-refs")],
        Order::Commit => vec![lock("packed-refs")],
    }
}

fn whose(common: &Path, entry: &Entry, lock: &Path, ordered: Option<SystemTime>) -> Whose {
    let Ok(content) = std::fs::read_to_string(lock) else { return Whose::Others };
    if lock.strip_prefix(common).is_ok_and(|name| name.starts_with(OURS)) {
        return Whose::Ours;
    }
    // The lock of a stack lists its tables, no matter who holds it: only its age tells.
    let of_tables = refs::tables(common).is_some_and(|tables| lock.starts_with(tables));
    match &entry.order {
        _ if of_tables => {}
        Some(Order::Create { to, .. } | Order::Update { to, .. }) if content.trim_end() == to => {
            return Whose::Ours;
        }
        _ if !content.is_empty() => return Whose::Others,
        _ => {}
    }
    let made = std::fs::symlink_metadata(lock).and_then(|found| found.modified()).ok();
    // What takes long says all the time that it is still done.
    let began = match &entry.order {
        Some(Order::Commit) => entry.file.metadata().and_then(|found| found.created()).ok(),
        _ => ordered.and_then(|ordered| ordered.checked_sub(SOON)),
    };
    let ended = ordered.and_then(|ordered| ordered.checked_add(SOON));
    let fits = began <= made && made <= ended && made.is_some();
    match age(lock) {
        _ if !fits => Whose::Others,
        Some(age) if age > OLD => Whose::Ours,
        _ => Whose::Unsure,
    }
}

fn age(path: &Path) -> Option<Duration> {
    std::fs::symlink_metadata(path).and_then(|found| found.modified()).ok()?.elapsed().ok()
}
