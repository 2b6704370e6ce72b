//! A signed link from a notice: it opens the card directly, and one answer uses it up.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use holdpoint_core::{Decision, FieldError, Refusal, Status};
use holdpoint_engine::auth::{Caller, LinkError};
use holdpoint_engine::{Embedded, Engine, Error};
use holdpoint_store::SharedDecision;
use maud::{Markup, html};

use super::answer::{self, FormAction};
use super::answer_form::AnswerForm;
use super::card::Card;
use super::error::{PageError, Reply};
use super::form::Form;
use super::form_values::FormValues;
use super::outcome::outcome;
use super::page::{NavItem, Page};
use super::visitor::links;
use super::{meanwhile, rounds, typed, words};
use crate::http::app::App;

pub(super) async fn show(State(app): State<Arc<App>>, Path(text): Path<String>) -> Reply {
    let opened = app.engine.open_link(links(&app)?, &text, "link").await.map_err(dead)?;
    let filled = FormValues::of_decision(&opened.decision);
    let view = View {
        decision: &opened.decision,
        caller: &opened.caller,
        text: &text,
        filled: &filled,
        faults: &[],
        notice: html! {},
    };
    view.send(&app, StatusCode::OK).await
}

pub(super) async fn take(State(app): State<Arc<App>>, Path(text): Path<String>, form: Form) -> Reply {
    let links = links(&app)?;
    let opened = match app.engine.open_link(links, &text, "link").await {
        Ok(opened) => opened,
        Err(error) => return Ok(too_late(error, &form)),
    };
    let decision = &opened.decision;
    let filled = FormValues::of_form(decision, &form.0);
    let (caller, notice) = (&opened.caller, html! {});
    let view = View { decision, caller, text: &text, filled: &filled, faults: &[], notice };
    let now = app.engine.now().await?;
    let input = match answer::verb(decision, &form, &filled, now) {
        FormAction::Continue => return view.send(&app, StatusCode::OK).await,
        FormAction::Wrong(faults) => {
            return View { faults: &faults, ..view }.send(&app, StatusCode::UNPROCESSABLE_ENTITY).await;
        }
        FormAction::Send(input) if answer::is_overtaken(decision, &input, &form, now) => {
            let notice = answer::overtaken(&meanwhile::changed(decision, &form, now));
            let filled = meanwhile::merged_values(decision, &form, now);
            return View { filled: &filled, notice, ..view }.send(&app, StatusCode::CONFLICT).await;
        }
        FormAction::Send(input) => *input,
    };
    match app.engine.answer_by_link(links, &text, input, "link").await {
        Ok(done) => {
            let settled = done.decision.unwrap_or_else(|| SharedDecision::new(decision.clone()));
            if !done.replayed && settled.status != Status::Pending {
                app.metrics.settled(&settled);
            }
            let thanks = html! { p .banner.good role="status" { "Sent. The agent goes on." } };
            settled_page(&app.engine, StatusCode::OK, &thanks, &settled).await
        }
        Err(Error::Refused(Refusal::Invalid(faults))) => {
            View { faults: &faults, ..view }.send(&app, StatusCode::UNPROCESSABLE_ENTITY).await
        }
        Err(Error::Refused(Refusal::Settled(settled))) => {
            let notice = html! { (answer::raced(&settled)) (typed::shown(&form)) };
            settled_page(&app.engine, StatusCode::CONFLICT, &notice, &settled).await
        }
        Err(error) => Ok(too_late(error, &form)),
    }
}

struct View<'a> {
    decision: &'a Decision,
    caller: &'a Caller,
    text: &'a str,
    filled: &'a FormValues,
    faults: &'a [FieldError],
    notice: Markup,
}

impl View<'_> {
    async fn send(&self, app: &App, status: StatusCode) -> Reply {
        let now = app.engine.now().await?;
        let rounds =
            rounds::before(&Embedded::of(app.engine.clone(), self.caller.clone()), self.decision).await?;
        let answer_form = AnswerForm {
            action: format!("/link/{}", self.text),
            // The link itself serves as the token: a page elsewhere does not have it.
            token: html! {},
            back: String::new(),
            drafts: None,
            live: (self.decision.status == Status::Pending).then(|| format!("/link/{}/live", self.text)),
            name: None,
            barred: (self.decision.needs.is_some() || self.decision.needs_person)
                .then(|| "Sign in to answer this: a link is not enough".to_owned()),
            chat: None,
            flows: false,
            undo: 0,
        };
        let (decision, filled, faults) = (self.decision, self.filled, self.faults);
        let card = Card {
            ruled: None,
            decision,
            now,
            filled,
            faults,
            rounds: &rounds,
            answer_form: &answer_form,
            visitor: None,
            owner_name: None,
            same: &[],
            again: None,
            change: None,
        };
        let main = html! {
            @if decision.status == Status::Pending {
                p .hint { "You answer as " bdi { (self.caller.actor.by) } ". The link works once." }
            }
            (self.notice)
            div #changed role="alert" {}
            (card.markup())
        };
        Ok(page(&words::short(decision.summary(), 80), status, &main))
    }
}

async fn settled_page(engine: &Engine, status: StatusCode, notice: &Markup, decision: &Decision) -> Reply {
    let now = engine.now().await?;
    let main = html! {
        (notice)
        article .card {
            h1 dir="auto" { (words::short(decision.summary(), 300)) }
            (outcome(decision, now))
        }
    };
    Ok(page(words::status(decision.status), status, &main))
}

/// Shows why a link is not valid, keeping the input.
fn too_late(error: Error, form: &Form) -> Response {
    let problem = holdpoint_engine::Problem::from(error);
    let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let main = html! {
        div .narrow {
            h1 { "This link is no longer valid" }
            p .banner.bad role="alert" { (words::capital(&problem.detail)) ". Nothing was sent." }
            p { a .button href="/" { "Back to inbox" } }
            (typed::shown(form))
        }
    };
    page("Link", status, &main)
}

fn dead(error: Error) -> PageError {
    match error {
        Error::Link(LinkError::Used) => PageError::new(
            410,
            "link_used",
            "This link was used: the answer has been given. Sign in to see it",
        ),
        other => other.into(),
    }
}

fn page(title: &str, status: StatusCode, main: &Markup) -> Response {
    Page { title, nav: NavItem::Elsewhere, visitor: None, seq: None }.send(status, main)
}
