//! The ports of the shared store other than `Store`: each reads its own tables.

mod credentials;
mod jobs;
mod runs;
