//! The suite that every driver passes, on SQLite.

use crate::bench::Folder;

holdpoint_store::conformance_tests!(Folder::new());
