//! Answering: one form per card, with several buttons.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;
use holdpoint_core::decision::{AnswerInput, consents_to_subject};
use holdpoint_core::{Decision, FieldError, Refusal, Status, Timestamp};
use holdpoint_engine::{Client as _, Error};
use maud::{Markup, html};

use super::card::PATCHSET_SHOWN;
use super::decision::{View, redisplay};
use super::error::Reply;
use super::filter::Filter;
use super::form::{FLOW, Form, Posted};
use super::form_values::FormValues;
use super::page::{fragment, see_other};
use super::visitor::remember;
use super::{inbox, meanwhile, typed, words};
use crate::http::app::App;
use crate::view_model::read_before_consent;
use crate::view_model::submitted_answer::{self, AnswerExtras, PressedButton};

/// What a submitted form asks for.
#[derive(Debug)]
pub(super) enum FormAction {
    /// To redraw the card: fields may have appeared or disappeared.
    Continue,
    /// To send this answer.
    Send(Box<AnswerInput>),
    /// To send an answer that is not valid yet.
    Wrong(Vec<FieldError>),
}

/// Reads what a submitted form asks for.
pub(super) fn verb(decision: &Decision, form: &Form, filled: &FormValues, now: Timestamp) -> FormAction {
    let text = |name: &str| Some(form.get(name).replace("\r\n", "\n")).filter(|text| !text.is_empty());
    let pressed = match (form.get("verb"), form.get("out")) {
        ("continue", _) => return FormAction::Continue,
        ("guide", _) => PressedButton::Guide,
        (_, "") => PressedButton::Answer,
        (_, out) => PressedButton::Out(out),
    };
    let beside = AnswerExtras {
        message: text("message"),
        guidance: text("guidance"),
        digest: text("digest"),
        by: text("by"),
        // "Consent unread" takes precedence, whatever the page has shown since.
        seen: match (form.get("unread"), form.get("seen")) {
            ("true", _) => Some(false),
            (_, "true") => Some(true),
            _ => None,
        },
    };
    match submitted_answer::answer(decision, filled, pressed, beside, now) {
        Ok(input) if is_unread(decision, &input) => {
            FormAction::Wrong(vec![FieldError::new("subject", read_before_consent::UNREAD)])
        }
        Ok(input) => {
            match read_before_consent::another_is_shown(decision, &input.values, form.get(PATCHSET_SHOWN)) {
                Some(why) if input.seen != Some(false) => {
                    FormAction::Wrong(vec![FieldError::new("patchset", why)])
                }
                _ => FormAction::Send(Box::new(input)),
            }
        }
        Err(faults) => FormAction::Wrong(faults),
    }
}

/// Returns whether an answer consents to a subject without saying whether it was read.
fn is_unread(decision: &Decision, input: &AnswerInput) -> bool {
    input.seen.is_none() && consents_to_subject(decision, &input.values, input.out.as_deref())
}

pub(super) async fn take(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    if !posted.is_ours() {
        return redisplay(&app, &posted.visitor, &id, &posted.form).await;
    }
    let Posted { visitor, form } = posted;
    let client = visitor.client(&app);
    let decision = client.get(&id).await?;
    let filled = FormValues::of_form(&decision, &form.0);
    let back = Filter::read(form.get("back")).query();
    let flows = form.get(FLOW) == "true";
    let view = View { back: &back, flows, ..View::new(&decision, &filled) };
    let by = Some(form.get("by")).filter(|by| !by.is_empty() && !visitor.signed_in);
    let now = app.engine.now().await?;
    let answered = match verb(&decision, &form, &filled, now) {
        FormAction::Continue => return view.send(&app, &visitor, StatusCode::OK).await,
        // That an answer comes too late matters more than its errors.
        FormAction::Wrong(_) if decision.status != Status::Pending => {
            Err(Error::Refused(Refusal::Settled(Box::new(decision.clone()))))
        }
        FormAction::Wrong(_) if form.get("digest") != decision.digest => {
            Err(Error::Refused(Refusal::Stale { id: decision.id, digest: decision.digest.clone() }))
        }
        FormAction::Wrong(faults) => Err(Error::Refused(Refusal::Invalid(faults))),
        FormAction::Send(input) if is_overtaken(&decision, &input, &form, now) => {
            let told = meanwhile::changed(&decision, &form, now);
            let filled = meanwhile::merged_values(&decision, &form, now);
            let view = View { filled: &filled, notice: overtaken(&told), ..view };
            return view.send(&app, &visitor, StatusCode::CONFLICT).await;
        }
        // The page holds the answer back for a while, and moves on if it has no errors.
        FormAction::Send(_)
            if form.get("check") == "true"
                && decision.status == Status::Pending
                && form.get("digest") == decision.digest =>
        {
            return Ok(StatusCode::NO_CONTENT.into_response());
        }
        FormAction::Send(mut input) => {
            // A form without a digest is not ours; no current decision has an empty one.
            input.digest.get_or_insert_default();
            if input.guidance.is_none() && form.get("alone") != "true" {
                input.same = form.get("same").split(' ').filter_map(|id| id.parse().ok()).collect();
            }
            client.answer(decision.id, *input).await
        }
    };
    match answered {
        Ok(answered) => {
            if !answered.replayed && answered.decision.status != Status::Pending {
                app.metrics.settled(&answered.decision);
            }
            let amp = if back.is_empty() { "" } else { "&" };
            let left = answered.same.iter().filter(|other| other.refused.is_some()).count();
            let also = match answered.same.len() - left {
                0 if left == 0 => String::new(),
                also => format!("&also={also}&left={left}"),
            };
            let done = format!("done={}{also}", decision.id);
            let mut response = if form.get("script") == "true" {
                // The page has moved on already, and only shows the outcome.
                let told = inbox::previous_outcome(&app, &visitor, &Form::parse(&done)).await;
                fragment(&html! { div #told { (told) } })
            } else {
                see_other(&format!("{}?{back}{amp}{done}", if flows { "/next" } else { "/" }))
            };
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
            let notice = html! { p .banner.bad role="alert" { (words::STALE) } };
            View { decision: &now_asked, notice, ..view }.send(&app, &visitor, StatusCode::CONFLICT).await
        }
        Err(Error::Refused(Refusal::Settled(settled))) => {
            let notice = html! { (raced(&settled)) (typed::shown(&form)) };
            View { decision: &settled, notice, ..view }.send(&app, &visitor, StatusCode::CONFLICT).await
        }
        Err(Error::Refused(refusal @ (Refusal::Forbidden(_) | Refusal::LastRound { .. }))) => {
            let status = if matches!(refusal, Refusal::Forbidden(_)) {
                StatusCode::FORBIDDEN
            } else {
                StatusCode::CONFLICT
            };
            let why = words::capital(&refusal.to_string());
            let notice = html! { p .banner.bad role="alert" { (why) "." } };
            View { notice, ..view }.send(&app, &visitor, status).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns whether an answer would send values that others have changed since the page was rendered. Answers that
/// send no values, such as requesting changes, do not.
pub(super) fn is_overtaken(decision: &Decision, input: &AnswerInput, form: &Form, now: Timestamp) -> bool {
    decision.status == Status::Pending
        && form.get("digest") == decision.digest
        && !input.values.is_empty()
        && !meanwhile::changed(decision, form, now).is_empty()
}

/// Shows what others have changed meanwhile.
pub(super) fn overtaken(told: &[(String, String)]) -> Markup {
    html! {
        div .banner.bad role="alert" {
            p { "Nothing was sent: the form has changed. Check it and send again." }
            ul { @for (label, value) in told { li dir="auto" { (label) ": now " (value) } } }
        }
    }
}

/// Shows who was faster, and with which answer.
pub(super) fn raced(settled: &Decision) -> Markup {
    html! {
        p .banner.bad role="alert" dir="auto" { (words::raced(settled)) " (below)." }
    }
}
