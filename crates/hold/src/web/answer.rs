//! Answering: the one form of a card, whatever the button.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use holdpoint_core::decision::AnswerInput;
use holdpoint_core::{Decision, Fault, Refusal, Status, Timestamp};
use holdpoint_engine::{Client as _, Error};
use maud::{Markup, html};

use super::decision::{View, again};
use super::filled::Filled;
use super::filter::Filter;
use super::form::{Form, Posted};
use super::page::see_other;
use super::stopped::Reply;
use super::visitor::remember;
use super::{read, sign_in, words};
use crate::api::App;

/// What a form asks for.
#[derive(Debug)]
pub(super) enum Verb {
    /// Only to show the card anew: some fields may have come or gone.
    Continue,
    /// To send this.
    Send(Box<AnswerInput>),
    /// To send something that is not right yet.
    Wrong(Vec<Fault>),
}

/// Reads what a form asks for.
pub(super) fn verb(decision: &Decision, form: &Form, filled: &Filled, now: Timestamp) -> Verb {
    let text = |name: &str| Some(form.get(name).replace("\r\n", "\n")).filter(|text| !text.is_empty());
    let base = AnswerInput { digest: text("digest"), by: text("by"), ..AnswerInput::default() };
    let (message, guidance) = (text("message"), text("guidance"));
    let wrong = |field: &str, why: &str| Verb::Wrong(vec![Fault::new(field, why)]);
    match form.get("verb") {
        "continue" => Verb::Continue,
        "guide" => match guidance {
            None => wrong("guidance", "say what should be different"),
            Some(_) if message.is_some() => wrong(
                "guidance",
                "changes are asked for instead of an answer: put your message here too, and clear it above",
            ),
            guidance => Verb::Send(Box::new(AnswerInput { guidance, ..base })),
        },
        _ if guidance.is_some() => wrong(
            "guidance",
            "you wrote what should change, but pressed another button: request changes, or clear this",
        ),
        _ if !form.get("out").is_empty() => {
            Verb::Send(Box::new(AnswerInput { out: text("out"), message, ..base }))
        }
        _ => {
            let said = read::whole(decision, filled, now);
            if said.faults.is_empty() {
                Verb::Send(Box::new(AnswerInput { values: said.values, message, ..base }))
            } else {
                Verb::Wrong(said.faults)
            }
        }
    }
}

pub(super) async fn take(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    if !posted.is_ours() {
        return again(&app, &posted.visitor, &id, &posted.form).await;
    }
    let Posted { visitor, form } = posted;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    let filled = Filled::of_form(&form);
    let back = Filter::read(form.get("back")).query();
    let view = View { back: &back, ..View::new(&decision, &filled) };
    let by = Some(form.get("by")).filter(|by| !by.is_empty() && !visitor.signed_in);
    let answered = match verb(&decision, &form, &filled, app.engine.now().await?) {
        Verb::Continue => return view.send(&app, &visitor, StatusCode::OK).await,
        // What is wrong with an answer matters less than that it comes too late.
        Verb::Wrong(_) if decision.status != Status::Pending => {
            Err(Error::Refused(Refusal::Settled(Box::new(decision.clone()))))
        }
        Verb::Wrong(_) if form.get("digest") != decision.digest => {
            Err(Error::Refused(Refusal::Stale { id: decision.id, digest: decision.digest.clone() }))
        }
        Verb::Wrong(faults) => Err(Error::Refused(Refusal::Invalid(faults))),
        Verb::Send(mut input) => {
            // A form without one was not made by us; nothing current has an empty digest.
            input.digest.get_or_insert_default();
            client.answer(decision.id, *input).await
        }
    };
    match answered {
        Ok(answered) => {
            if !answered.replayed && answered.decision.status != Status::Pending {
                app.metrics.settled(&answered.decision);
            }
            let amp = if back.is_empty() { "" } else { "&" };
            let mut response = see_other(&format!("/?{back}{amp}done={}", decision.id));
            if let Some(cookie) = by.and_then(remember) {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            Ok(response)
        }
        Err(Error::Refused(Refusal::Invalid(faults))) => {
            View { faults: &faults, ..view }.send(&app, &visitor, StatusCode::UNPROCESSABLE_ENTITY).await
        }
        Err(Error::Refused(Refusal::Stale { .. })) => {
            let now_asked = client.get(&id).await?;
            let notice = html! { p .banner.bad role="alert" { (STALE) } };
            View { decision: &now_asked, notice, ..view }.send(&app, &visitor, StatusCode::CONFLICT).await
        }
        Err(Error::Refused(Refusal::Settled(settled))) => {
            let notice = html! { (raced(&settled)) (sign_in::typed(&form)) };
            View { decision: &settled, notice, ..view }.send(&app, &visitor, StatusCode::CONFLICT).await
        }
        Err(Error::Refused(refusal @ (Refusal::Forbidden(_) | Refusal::LastRound { .. }))) => {
            let status = if matches!(refusal, Refusal::Forbidden(_)) {
                StatusCode::FORBIDDEN
            } else {
                StatusCode::CONFLICT
            };
            let why = super::controls::capital(&refusal.to_string());
            let notice = html! { p .banner.bad role="alert" { (why) "." } };
            View { notice, ..view }.send(&app, &visitor, status).await
        }
        Err(error) => Err(error.into()),
    }
}

/// What is said when the question is another one now.
pub(super) const STALE: &str = "The asker changed the question while you were looking. Nothing was sent; what you typed is still here. Look again, and send.";

/// Says who was faster, and with what.
pub(super) fn raced(settled: &Decision) -> Markup {
    let by = settled.answer.as_ref().map(|answer| holdpoint_core::text::inert_line(&answer.by));
    html! {
        p .banner.bad role="alert" {
            "Your answer was not taken: this was settled before. "
            (words::status(settled.status)) @if let Some(by) = by { " by " bdi { (by) } } "; what was decided stands below."
        }
    }
}
