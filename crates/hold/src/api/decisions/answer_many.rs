//! `POST /v1/answers`

use std::sync::Arc;

use axum::extract::State;
use holdpoint_core::Status;
use holdpoint_engine::{AnswerItem, AnswerItems, AnsweredItem, AnsweredItems, Client as _, Embedded, Error};

use crate::api::App;
use crate::api::Reply;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::Answer;

pub(in crate::api) async fn answer_many(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(answers): Body<AnswerItems>,
) -> Answer<Reply<AnsweredItems>> {
    let client = caller.client(&app);
    Ok(Reply(AnsweredItems { items: answer_each(&app, &client, answers).await? }))
}

/// Answers each by itself, for programs and for pages.
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
