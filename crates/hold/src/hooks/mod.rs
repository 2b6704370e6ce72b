//! Hooks of coding agents, whichever way they come: what happened in, what the agent is told out. Standard input is
//! read in `cli/hook/`, HTTP in `api/hooks.rs`; what is said is `protocols/src/claude/`'s to word.

mod claude;
mod parked;

pub(crate) use claude::{Options, refuse, run, used};
pub(crate) use parked::{Guard, Parked};
