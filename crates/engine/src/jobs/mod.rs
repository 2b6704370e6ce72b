//! Jobs that run: a server supervises the jobs whose agents are on its machine.
//!
//! A job's row says what is to be done; a task for each job does it and reports the outcome, so that after a kill
//! half-way the next process goes on from where the row stands. Agents run under hosts of their own (`sessions/`) and
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
mod heard;
mod keys;
mod launch;
mod node;
mod order;
mod saw;
mod service;

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
