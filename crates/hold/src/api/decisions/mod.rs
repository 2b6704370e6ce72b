//! Decisions over HTTP: one file per verb.

pub(super) mod answer;
pub(super) mod answer_many;
pub(super) mod attend;
pub(super) mod cancel;
pub(super) mod consume;
pub(super) mod create;
pub(super) mod draft;
pub(super) mod get;
pub(super) mod list;
pub(super) mod receipt;
pub(super) mod revise;
pub(super) mod wait;

pub(super) use answer::answer;
pub(crate) use answer_many::answer_each;
pub(super) use answer_many::answer_many;
pub(super) use cancel::cancel;
pub(super) use consume::consume;
pub(super) use create::create;
pub(super) use draft::draft;
pub(super) use get::get;
pub(super) use list::list;
pub(super) use receipt::receipt;
pub(super) use revise::revise;
pub(super) use wait::wait;
