//! Intents, runs and verdicts as `git-internal` 0.10 writes them: one JSON object each, kept as git blobs.
//!
//! Snapshots (intent, plan, task, run, patch set, context snapshot, provenance) never change; events say what became of
//! them. Links go from child to parent. Key order, digits of times, what is left out when empty, and which enums are open
//! are as others read and write them; unknown keys are refused. What others let pass and we only find odd, see
//! [`Object::oddities`]. Not taken over: object types of git itself (`commit`, `tree`, …) in the header, and further keys
//! of an environment, which others write but cannot read.

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
