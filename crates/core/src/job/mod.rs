//! Jobs: what a runbook defines, where a job stands, what may happen to it, and how it shows what an agent does.
//!
//! One file per verb. Nothing here starts a process or reads a clock.

mod apply;
mod command;
mod decide;
pub mod detect;
mod escalate;
pub mod interpolate;
mod reparsed;
mod report;
pub mod runbook;
mod state;
mod values;

pub use apply::apply;
pub use command::{JobCommand, NewJob, Report};
pub(crate) use decide::{admit, decide};
pub(crate) use escalate::{seen_too, waiting};
pub use runbook::{Action, Agent, Attempts, Definition, Notify, Reaction, Run, Runbook, Step, Trigger};
pub use state::{Again, Job, JobKind, JobStatus, Order, Retry, UNDER_SERVER, Visit};

/// What an agent is told where nobody gave words.
pub const GO_ON: &str = "Please continue with the task.";

/// Under which key a decision about a prompt keeps what that is known by again.
pub const SHOWN: &str = "shown";
