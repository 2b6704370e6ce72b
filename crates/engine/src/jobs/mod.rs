//! Runs jobs: a server supervises the jobs whose agents are on its machine.
//!
//! A job's row has the order to carry out; a task for each job does that and reports the outcome, so that after a kill
//! the next process continues from the state of the row. Agents run under separate host processes (`sessions/`) and
//! outlive the server. Keys are typed from the outbox, once.

mod account;
mod act;
mod attempt;
mod begin;
mod child;
mod control;
mod credential;
mod delete;
mod drive;
mod escalation;
mod gate;
mod gate_lock;
mod keys;
mod launch;
mod node;
mod order;
mod reaction;
mod service;
mod signals;
mod watched;

pub use control::{StartJob, Steer, owner_of};
pub use delete::DeletedJob;
pub use node::NodeId;
pub use service::{Options, Supervisor};

use std::path::PathBuf;

use crate::home::Home;

/// Returns the folder of a session.
pub fn session_dir(home: &Home, agent_id: &str) -> PathBuf {
    home.path().join("sessions").join(agent_id)
}
