//! Decisions over HTTP: one file per verb.

mod answer;
mod cancel;
mod consume;
mod create;
mod draft;
mod get;
mod list;
mod receipt;
mod revise;
mod wait;

pub(super) use answer::answer;
pub(super) use cancel::cancel;
pub(super) use consume::consume;
pub(super) use create::create;
pub(super) use draft::draft;
pub(super) use get::get;
pub(super) use list::list;
pub(super) use receipt::receipt;
pub(super) use revise::revise;
pub(super) use wait::wait;
