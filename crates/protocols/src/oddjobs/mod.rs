//! Escalations of jobs and crews, in the form of `oj decision`: a source, a context, numbered options.
//!
//! In: [`create`] (with [`options`], [`question`] and [`context`]) and [`resolve`]. Out: the single flat [`number`]ing,
//! [`view`] for JSON and tables, [`show`] as text, and the additional keys of [`event`]s.

pub mod context;
mod create;
pub mod event;
pub mod options;
pub mod question;
mod resolve;
mod show;
pub mod view;

pub use create::{Create, create, headline};
pub use holdpoint_core::decision::number;
pub use resolve::{ResolveError, resolve};
pub use show::{age, show, show_with};
