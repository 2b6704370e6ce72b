//! Jobs: what a runbook defines, the state of a job, its transitions, and the detection of what an agent does.
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
pub(crate) use escalate::{cancel_screen_duplicates, waiting};
pub use runbook::{Action, Agent, Attempts, Definition, Notify, Reaction, Run, Runbook, Step, Trigger};
pub use state::{Job, JobKind, JobStatus, Order, Retry, RetryOf, UNDER_SERVER, UndeliveredInput, Visit};

/// What an agent is told if no message was given.
pub const GO_ON: &str = "Please continue with the task.";

/// The key under which a decision about a plan stores the numbers by which the agent's menu accepts it.
pub const ACCEPTS: &str = "accepts";

/// The key under which it stores the labels of that menu.
pub const MENU: &str = "menu";
