//! Intents, runs and verdicts as `git-internal` 0.10 writes them: one JSON object each, kept as git blobs.
//!
//! Snapshots (intent, plan, task, run, patch set, context snapshot, provenance) never change; events record what
//! happens to them. Links go from child to parent. Key order, digits of times, what is left out when empty, and which
//! enums are open match the implementations of others; unknown keys are refused. For what others accept and we only
//! warn about, see [`Object::oddities`]. Not supported: object types of git itself (`commit`, `tree`, …) in the header,
//! and further keys of an environment, which others write but cannot read.

pub mod context;
pub mod gather;
mod hash;
mod header;
pub mod intent;
pub mod layout;
pub mod links;
mod object;
pub mod record;
pub mod run;
pub mod state;
pub mod translate;

pub use hash::{IntegrityHash, ObjectHash};
pub use header::{ActorKind, ActorRef, ArtifactRef, Header, Moment, ObjectType};
pub use object::Object;
