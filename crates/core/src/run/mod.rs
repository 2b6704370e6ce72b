//! Runs: attempts at a task, and the verdict that ends each.

mod id;

pub use id::ObjectId;
