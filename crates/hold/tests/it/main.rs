//! The real binary, run as users and agents run it: in processes of its own, on a data folder of its own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here is what the test checks")]

mod answer;
mod api_auth;
mod api_csrf;
mod api_decisions;
mod api_events;
mod api_guard;
mod api_limits;
mod api_revoke;
mod ask;
mod audit;
mod bad_input;
mod bad_store;
mod bd;
mod bd_view;
mod browser;
mod check;
mod checker;
mod client_both;
#[path = "../../../store/tests/it/postgres/cluster.rs"]
mod cluster;
mod consume;
mod contrib;
mod crash;
mod credentials;
mod holding;
mod hooks;
mod inbox;
mod inbox_form;
mod inbox_plain;
mod mailing;
mod nodes;
mod notices;
mod oj;
mod oj_events;
mod output;
mod postbox;
mod process;
mod pty;
mod races;
mod receiver;
mod reference;
mod review;
mod sandbox;
mod server;
mod serving;
mod sign_in_attempts;
mod silence;
mod store_copy;
mod terminal;
mod tidy;
mod trust;
mod upkeep;
mod web;
