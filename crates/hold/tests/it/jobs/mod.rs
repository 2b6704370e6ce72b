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
mod gates;
mod hooked;
mod house;
mod lines;
mod looking;
mod luck;
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
pub(crate) use house::JobServer;
use house::agent;
