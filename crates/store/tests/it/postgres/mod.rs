//! The suite that every driver passes, on a PostgreSQL that the test run starts itself, and what only this driver does.

mod bench;
mod cluster;
mod line;
mod nodes;
mod outages;
mod points;
mod pooler;
mod properties;
mod suite;
mod tls;

pub(crate) use bench::Schema;
pub(crate) use cluster::cluster;
