//! Tests of the rules of life: scripts through one door, tables of values, and random histories.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod access;
mod actions;
mod again;
mod answering;
mod attention;
mod brief;
mod consuming;
mod credentials;
mod definitions;
mod detect;
mod detect_errors;
mod detect_menu;
mod detect_plan;
mod digests;
mod events;
mod guidance;
mod histories;
mod holding;
mod job_world;
mod jobs;
mod limits;
mod notify;
mod owners;
mod people;
mod people_absence;
mod people_escalation;
mod people_groups;
mod properties;
mod refusing;
mod remarks;
mod revising;
mod roles;
mod rules;
mod rules_agents;
mod rules_classes;
mod rules_composite;
mod rules_days;
mod rules_guarded;
mod rules_life;
mod rules_proposed;
mod rules_tools;
mod rules_used;
mod runs;
mod script;
mod search;
mod silence;
mod standing;
mod superseding;
mod threads;
mod values;
mod visibility;
mod world;

pub(crate) use script::check;
