//! Jobs through the real binary: a real server, real processes in real terminals, answered from the command line and
//! over HTTP.

mod account;
mod again;
mod aim;
mod allowed;
mod asked;
mod attempts;
mod control;
mod disk;
mod dismissed;
mod ends;
mod failures;
mod gates;
mod hooked;
mod job_server;
mod lines;
mod looking;
mod menus;
mod moved;
mod named;
mod plans;
mod rows;
mod runbooks;
mod sources;
mod storm;
mod tables;
mod takeover;
mod words;

pub(crate) use attempts::{start as start_in_repo, until as until_run};
pub(crate) use job_server::JobServer;
use job_server::agent;
