//! Runs over HTTP. A repository is one of the server's machine; commands are run by the caller, never here.

pub(super) mod make;
pub(super) mod show;

pub(super) use make::{
    carry, comment, evidence, export, finish, import, patch, record, resume, rollback, start, usage,
};
pub(crate) use show::patch_named;
pub(super) use show::{diff, get, list, log, objects, output, wait};
