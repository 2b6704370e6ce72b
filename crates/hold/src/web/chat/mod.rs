//! The page on which a form is filled in by conversation: the lines in one column, the form beside it.

mod column;
mod say;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use holdpoint_core::{Decision, Status};
use holdpoint_engine::Client as _;
use maud::{Markup, html};

use super::answer_form::{AnswerForm, barred};
use super::assets::CHAT_PATH;
use super::card::Card;
use super::error::{PageError, Reply};
use super::form_values::FormValues;
use super::outcome::outcome;
use super::page::{NavItem, Page};
use super::visitor::Visitor;
use super::words;
use crate::api::chat::current_state;
use crate::http::app::App;

pub(super) use say::take;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor, Path(id): Path<String>) -> Reply {
    let decision = visitor.client(&app).get(&id).await?;
    draw(&app, &visitor, &decision, &html! {}, StatusCode::OK).await
}

async fn draw(
    app: &App,
    visitor: &Visitor,
    decision: &Decision,
    notice: &Markup,
    status: StatusCode,
) -> Result<Response, PageError> {
    let now = app.engine.now().await?;
    let filled = FormValues::of_decision(decision);
    let barred = barred(app, visitor, decision).await?;
    let answer_form = AnswerForm::of_visitor(visitor, decision, "", visitor.name(), barred);
    let open = decision.status == Status::Pending;
    let (lines, action) = current_state(app, decision).await?;
    let column = column::Column {
        decision,
        lines: &lines,
        action: &action,
        visitor,
        now,
        barred: answer_form.barred.is_some(),
    };
    let card = Card {
        ruled: None,
        decision,
        now,
        filled: &filled,
        faults: &[],
        rounds: &[],
        answer_form: &answer_form,
        visitor: None,
        owner_name: None,
        same: &[],
        again: None,
        change: None,
    };
    let main = html! {
        p .back { a href="/" data-back { "← Inbox" } " · " a href={ "/d/" (decision.id) } { "Form only" } }
        (notice)
        div #changed role="alert" {}
        h1 dir="auto" { (words::title(decision, 300)) }
        @if let Some(prompt) = words::prompt(decision) {
            section .agent aria-label="What it is for" { (super::markdown::shown(prompt)) }
        }
        div .chat {
            section #talk .panel aria-labelledby="talk-title" {
                h2 #talk-title { "Conversation" }
                (column.markup())
            }
            section .panel aria-labelledby="form-title" {
                h2 #form-title { "The form" }
                @if open {
                    p .hint { "Filled in as you chat; edit it here too." }
                    div #card data-decision=(decision.id) data-status=(decision.status.name()) data-digest=(decision.digest)
                        data-live=[answer_form.live.as_deref()] {
                        (card.form())
                    }
                } @else { (outcome(decision, now)) }
            }
        }
        script type="module" src=(*CHAT_PATH) {}
    };
    let title = words::headline(decision, 80);
    Ok(Page { title: &title, nav: NavItem::Forms, visitor: Some(visitor), seq: None }.send(status, &main))
}
