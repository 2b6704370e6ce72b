//! The result of waiting for changes.

/// What happened to the watched files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileChange {
    /// A commit may have become visible.
    Changed,
    /// Nothing happened within the given time.
    Nothing,
    /// The store is being closed.
    Closed,
}
