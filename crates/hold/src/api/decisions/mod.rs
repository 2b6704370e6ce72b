//! Decisions over HTTP: one file per verb.

mod answer;
mod answer_many;
mod attend;
mod cancel;
mod consume;
mod create;
mod draft;
mod get;
mod list;
mod receipt;
mod revise;
mod wait;

use holdpoint_engine::api::decisions::{
    ANSWER_DECISION, ANSWER_DECISIONS, CANCEL_DECISION, CONSUME_DECISION, CREATE_DECISION, DRAFT_DECISION,
    GET_DECISION, GET_PREFIX_LENGTHS, GET_RECEIPT, LIST_DECISIONS, LIST_EVENTS, RELEASE_DECISION,
    REVISE_DECISION, SNOOZE_DECISION, TAKE_DECISION, WAIT_FOR_DECISION, WAKE_DECISION,
};

pub(crate) use answer_many::answer_each;
pub(super) use create::read_key;
pub(super) use wait::hold;

use super::routes::Routes;
use super::{events, prefixes};

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .raw(&CREATE_DECISION, create::create)
        .raw(&LIST_DECISIONS, list::list)
        .raw(&GET_DECISION, get::get)
        .raw(&REVISE_DECISION, revise::revise)
        .raw(&ANSWER_DECISION, answer::answer)
        .raw(&DRAFT_DECISION, draft::draft)
        .raw(&WAIT_FOR_DECISION, wait::wait)
        .raw(&CANCEL_DECISION, cancel::cancel)
        .raw(&TAKE_DECISION, attend::take)
        .raw(&RELEASE_DECISION, attend::release)
        .raw(&SNOOZE_DECISION, attend::snooze)
        .raw(&WAKE_DECISION, attend::wake)
        .raw(&CONSUME_DECISION, consume::consume)
        .raw(&GET_RECEIPT, receipt::receipt)
        .raw(&ANSWER_DECISIONS, answer_many::answer_many)
        .raw(&GET_PREFIX_LENGTHS, prefixes::lengths)
        .raw(&LIST_EVENTS, events::list)
}
