//! The ports of the embedded store other than `Store`: each reads its own tables.

mod credentials;
mod jobs;
mod runs;
