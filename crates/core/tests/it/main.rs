//! Tests of the rules of life: scripts through one door, tables of values, and random histories.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod actions;
mod answering;
mod consuming;
mod definitions;
mod digests;
mod events;
mod guidance;
mod limits;
mod owners;
mod properties;
mod revising;
mod roles;
mod script;
mod silence;
mod superseding;
mod values;
mod visibility;
mod world;

pub(crate) use script::check;
