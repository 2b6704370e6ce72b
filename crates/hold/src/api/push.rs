//! Web Push over HTTP: a person's browsers, and answers given on a notification.

use holdpoint_core::Status;
use holdpoint_engine::api::NoParams;
use holdpoint_engine::api::push::{
    ANSWER_NOTICE, GET_PUSH, NoticeOutcome, SUBSCRIBE, TEST_PUSH, UNSUBSCRIBE,
};
use holdpoint_engine::notify::webpush::NoticeAnswer;
use holdpoint_protocols::channel::outcome;

use super::routes::{Call, Routes};
use crate::http::problem::HandlerResult;

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&GET_PUSH, |call| async move { call.app.engine.push_state(&call.caller.0).await })
        .on(&SUBSCRIBE, |call| async move { call.app.engine.subscribe(&call.caller.0, call.body).await })
        .on(&UNSUBSCRIBE, |call| async move { call.app.engine.unsubscribe(&call.caller.0, &call.name).await })
        .on(&TEST_PUSH, |call| async move { call.app.engine.test_push(&call.caller.0, &call.name).await })
        .on(&ANSWER_NOTICE, answer)
}

async fn answer(call: Call<NoParams, NoticeAnswer>) -> HandlerResult<NoticeOutcome> {
    let taken = call.app.engine.answer_notice(&call.caller.0, &call.body).await?;
    if !taken.replayed && taken.decision.status != Status::Pending {
        call.app.metrics.settled(&taken.decision);
    }
    Ok(NoticeOutcome { outcome: outcome(&taken.decision) })
}
