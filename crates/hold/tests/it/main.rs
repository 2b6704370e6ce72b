//! The real binary, run as users and agents run it: in processes of its own, on a data folder of its own.

#![expect(clippy::unwrap_used, clippy::panic, reason = "what fails here is what the test checks")]

mod answer;
mod api_auth;
mod api_decisions;
mod api_events;
mod api_guard;
mod api_limits;
mod ask;
mod audit;
mod bad_input;
mod bad_store;
mod bd;
mod bd_view;
mod browser;
mod chat;
mod check;
mod checker;
mod client_both;
#[path = "../../../store/tests/it/postgres/cluster.rs"]
mod cluster;
mod consume;
mod crash;
mod credentials;
mod form;
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
mod silence;
mod store_copy;
mod terminal;
mod tidy;
mod upkeep;
mod web;
