//! Attacks on a running server by those who have some right to talk to it. What is quick runs with the other tests;
//! `just attack` runs all of it for longer, with every test that `trust.rs` names.

mod agent;
mod fuzz;
