//! What the translators give, checked through core wherever it has the last word.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what is unwrapped here is what the test checks"
)]

mod action_any;
mod action_chat;
mod action_flaws;
mod action_flow;
mod action_form;
mod action_rows_better;
mod action_rows_form;
mod action_rows_talk;
mod action_state;
mod action_talk;
mod aitp_amounts;
mod aitp_answers;
mod aitp_fidelity;
mod aitp_findings;
mod aitp_hostile;
mod aitp_parts;
mod aitp_pay;
mod aitp_round_trips;
mod aitp_rows;
mod aitp_schemas;
mod aitp_signatures;
mod aitp_threads;
mod beads_create;
mod beads_inject;
mod beads_respond;
mod beads_view;
mod claude_calls;
mod claude_settings;
mod gitai;
mod gitai_state;
mod humanlayer;
mod loss;
mod mcp_calls;
mod mcp_form;
mod mcp_messages;
mod oddjobs_context;
mod oddjobs_create;
mod oddjobs_event;
mod oddjobs_resolve;
mod oddjobs_view;
mod parsers;
mod reader_classes;
mod reader_measure;
mod reader_model;
mod reader_tables;
mod runbook;
mod slack;
mod through_core;
