//! Jobs and the agents that work on them.

pub mod detect;
