//! Translators between the formats of other systems and Holdpoint's core.
//!
//! Values in, values out: nothing here does I/O, reads a clock, keeps state or decides. A translator turns the input of
//! a door into core's [`New`](holdpoint_core::decision::New) or [`AnswerInput`](holdpoint_core::decision::AnswerInput),
//! and a core [`Decision`](holdpoint_core::Decision) into the output of that door. What core checks is not checked here
//! again; errors that only the foreign format can have are refused here, with a message.
//!
//! | folder | whose shape | in | out |
//! |---|---|---|---|
//! | [`aitp`] | messages between agents of different parties | `validate`, `Message`, `translate::ask`, `translate::answer` | `translate::reply`, `translate::to_request` |
//! | [`action`] | forms filled in conversation (the action protocol) | `form` | |
//! | [`beads`] | decision points on work items (`bd decision`) | `create`, `respond` | `view`, `inject` |
//! | [`oddjobs`] | escalations of jobs and crews (`oj decision`) | `create` (`options`, `question`, `context`), `resolve` | `number`, `view`, `show`, `event` |
//! | [`claude`] | Claude Code: hooks, the permission prompt tool, settings | `ask`, `idle`, `settings` | `reply`, `output` |
//! | [`gitai`] | runs and verdicts as git-internal and Libra keep them | `Object::read`, `layout` | `Object::text` |
//! | [`humanlayer`] | approvals and messages of `HumanLayer`'s SDKs | `ask`, `respond`, `escalate` | `show`, `webhook` |
//! | [`mcp`] | the Model Context Protocol, 2026-07-28 and the revisions of 2024 and 2025 | `rpc`, `call` | `result`, `task`, `resource`, `form` |
//! | [`ntfy`] | push messages to a topic of ntfy | | `message`, `controls` |
//! | [`telegram`] | messages and buttons of a Telegram bot | `read_update` | `text`, `keyboard` |
//! | [`slack`] | messages, buttons and forms of a Slack app | `read_frame`, `filled` | `blocks`, `form` |
//! | [`webpush`] | notifications of a browser | | `ask`, `settled`, `controls` |
//! | [`runbook`] | runbooks of jobs and agents, in HCL, TOML or JSON | `read` | |
//!
//! [`channel`] defines what any channel can carry of a decision, and [`present`] what people are shown of a subject,
//! whatever format it came in. [`loss`] is a table of what a foreign format cannot carry.

pub mod acp;
pub mod action;
pub mod aitp;
pub mod beads;
pub mod channel;
pub mod claude;
pub mod desktop;
pub mod gitai;
pub mod humanlayer;
pub mod loss;
pub mod mcp;
pub mod ntfy;
pub mod oddjobs;
pub mod present;
pub mod runbook;
pub mod slack;
pub mod telegram;
pub mod webpush;
