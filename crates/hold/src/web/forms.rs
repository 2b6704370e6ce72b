//! The forms that can be filled in, and opening one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::Project;
use holdpoint_core::text::inert_line;
use holdpoint_engine::api::forms::FormListed;
use maud::{Markup, html};

use super::answer_form::chat_address;
use super::error::{PageError, Reply};
use super::form::Posted;
use super::page::{NavItem, Page, see_other};
use super::visitor::Visitor;
use super::words;
use crate::api::chat::{begin, fresh_id, listed, named};
use crate::http::app::App;

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor) -> Reply {
    let forms = listed(&app);
    let main = html! {
        h1 { "Forms" }
        @if forms.is_empty() {
            div .empty {
                p .big { "No forms yet" }
                p .hint { "Forms are read from the folder “forms” in the server's data folder." }
            }
        } @else {
            ul .things.panel {
                @for form in &forms { (row(form, &visitor)) }
            }
        }
    };
    Ok(Page { title: "Forms", nav: NavItem::Forms, visitor: Some(&visitor), seq: None }
        .send(StatusCode::OK, &main))
}

fn row(form: &FormListed, visitor: &Visitor) -> Markup {
    let title = form.title.as_deref().unwrap_or(&form.filename);
    html! {
        li {
            span .thing dir="auto" {
                (words::short(title, 200))
                @if let Some(error) = &form.error { span .hint { "Invalid form: " (inert_line(error)) } }
                @if let Some(count) = form.field_count {
                    span .hint { (count) @if count == 1 { " question" } @else { " questions" } }
                }
            }
            @if form.error.is_none() {
                form method="post" action="/forms" {
                    (visitor.token())
                    input type="hidden" name="form" value=(form.filename);
                    button { "Fill in" span .quiet { " " (words::short(title, 200)) } }
                }
            }
        }
    }
}

/// Opens a form, and redirects to its conversation.
pub(super) async fn open(State(app): State<Arc<App>>, posted: Posted) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let missing = || PageError::new(404, "not_found", "there is no such form");
    let read = named(&app, form.get("form")).ok_or_else(missing)?;
    let read = read.map_err(|flaws| {
        let why = flaws.first().map(ToString::to_string).unwrap_or_default();
        PageError::new(422, "invalid_form", format!("the form cannot be asked: {why}"))
    })?;
    let caller = &visitor.caller;
    let project = caller.projects.first().map_or(Project::DEFAULT, String::as_str);
    if !caller.may_use(project) {
        return Err(PageError::new(403, "forbidden", "you have read-only access"));
    }
    let decision = begin(&app, &read, project, &fresh_id()?, None).await?;
    Ok(see_other(&chat_address(&decision)))
}
