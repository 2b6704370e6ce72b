//! Jobs: what a runbook defines, where a job stands, and what may happen to it. One file per verb.

pub mod interpolate;
pub mod runbook;

pub use runbook::{Action, Agent, Attempts, Definition, Notify, Reaction, Run, Runbook, Step, Trigger};
