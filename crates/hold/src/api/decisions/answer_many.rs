//! `POST /v1/answers`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Status;
use holdpoint_engine::{AnswerItem, AnswerItems, AnsweredItem, AnsweredItems, Client as _, Embedded, Error};

use crate::http::app::App;
use crate::http::body::Body;
use crate::http::caller::Caller;
use crate::http::problem::HandlerResult;
use crate::http::reply::Reply;

pub(in crate::api) async fn answer_many(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(answers): Body<AnswerItems>,
) -> HandlerResult<Reply<AnsweredItems>> {
    let client = caller.client(&app);
    Ok(Reply(AnsweredItems { items: answer_each(&app, &client, answers).await? }))
}

/// Answers each decision separately; used by programs and by pages.
pub(crate) async fn answer_each(
    app: &App,
    client: &Embedded,
    answers: AnswerItems,
) -> Result<Vec<AnsweredItem>, Error> {
    answers.check()?;
    let mut items = Vec::with_capacity(answers.items.len());
    for AnswerItem { id, answer } in answers.items {
        let answered = client.answer(id, answer).await;
        if let Ok(answered) = &answered
            && !answered.replayed
            && answered.decision.status != Status::Pending
        {
            app.metrics.settled(&answered.decision);
        }
        items.push(AnsweredItem::of(id, answered));
    }
    Ok(items)
}
