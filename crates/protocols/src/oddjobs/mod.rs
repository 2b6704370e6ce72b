//! Escalations of jobs and crews, as `oj decision` knows them: a source, a context, numbered options.
//!
//! In: [`create`] (with [`options`], [`question`] and [`context`]) and [`resolve`]. Out: the one flat
//! [`number`]ing, [`view`] for JSON and tables, [`show`] as text, and the keys that [`event`]s carry besides.

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
pub use resolve::{Unfit, resolve};
pub use show::{age, show};
