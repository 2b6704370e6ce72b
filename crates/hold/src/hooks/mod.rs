//! Hooks of coding agents, however they arrive: an event comes in, a reply to the agent goes out. Standard input is
//! read in `cli/hook/`, HTTP in `api/hooks.rs`; the wording is in `protocols/src/claude/`.

mod claude;
mod held_questions;

pub(crate) use claude::{ENDED, Options, refuse, run, used};
pub(crate) use held_questions::{HeldQuestions, WithdrawGuard};
