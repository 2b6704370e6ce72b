//! Jobs: what a runbook defines, where a job stands, what may happen to it, and how it shows what an agent does.
//!
//! One file per verb. Nothing here starts a process or reads a clock.

pub mod detect;
pub mod interpolate;
pub mod runbook;

pub use runbook::{Action, Agent, Attempts, Definition, Notify, Reaction, Run, Runbook, Step, Trigger};
