//! Jobs through the real binary: a real server, real processes in real terminals, answered from the command line and
//! over HTTP.

mod attempts;
mod control;
mod house;
mod luck;
mod runbooks;
mod sources;
mod tables;
mod takeover;

use house::{House, agent};
