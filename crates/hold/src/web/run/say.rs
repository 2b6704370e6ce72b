//! Comments on a run's lines, and asking for a retry. Also the full output of a tool.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse as _;
use holdpoint_core::decision::AnswerInput;
use holdpoint_core::text::{inert, inert_line};
use holdpoint_core::{Decision, Refusal, Run};
use holdpoint_engine::run::{NewComment, RunPart};
use holdpoint_engine::{Client as _, Runs as _};
use maud::{Markup, html};

use crate::http::app::App;
use crate::web::error::Reply;
use crate::web::form::{Form, Posted};
use crate::web::page::see_other;
use crate::web::visitor::Visitor;

/// The guidance if only lines were commented on.
const SEE: &str = "See the comments on the lines.";

/// Renders all comments, and the form for a retry.
pub(super) fn all(run: &Run, pending: Option<&Decision>, visitor: &Visitor) -> Markup {
    html! {
        @if !run.comments.is_empty() || pending.is_some() {
            section aria-labelledby="said" {
                h2 #said { "Comments" }
                @if run.comments.is_empty() { p .hint { "No comments yet. Click a line number to add one." } }
                ul { @for comment in &run.comments {
                    li { bdi { (inert_line(&comment.path)) } ":" (comment.line) " "
                        strong { bdi { (inert_line(&comment.created_by)) } } ": " span .pre dir="auto" { (inert(&comment.text)) } }
                } }
                @if let Some(decision) = pending {
                    form #retry method="post" action={ "/runs/" (run.id) "/retry" } {
                        (visitor.token())
                        input type="hidden" name="digest" value=(decision.digest);
                        label for="words" { "What should be different" }
                        textarea #words name="words" rows="2" {}
                        p { button type="submit" data-send-here { "Retry with these comments" } }
                    }
                }
            }
        }
    }
}

pub(in crate::web) async fn comment(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    posted: Posted,
) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let run = visitor.client(&app).comment_run(&id, remark(&form)?).await?;
    let own = format!("/runs/{}?", run.id);
    let back = Some(form.get("back")).filter(|back| back.starts_with(&own)).map(str::to_owned);
    Ok(see_other(&back.unwrap_or_else(|| format!("/runs/{}", run.id))))
}

/// Reads a comment on a line from a form.
fn remark(form: &Form) -> Result<NewComment, Refusal> {
    let number = |name: &str| form.get(name).parse::<u32>();
    let line = number("line").map_err(|_| Refusal::invalid("line", "must be a number"))?;
    let patchset = number("patchset").ok().and_then(|number| usize::try_from(number).ok());
    Ok(NewComment {
        patchset,
        path: form.get("path").to_owned(),
        line,
        before: form.get("before") == "1",
        text: form.get("text").replace("\r\n", "\n"),
    })
}

pub(in crate::web) async fn retry(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    posted: Posted,
) -> Reply {
    let Posted { visitor, form } = posted.ours()?;
    let client = visitor.client(&app);
    let run = client.run(&id).await?;
    let missing = || Refusal::NotFound { what: "question about run", id: id.clone() };
    let decision = run.decision.ok_or_else(missing)?;
    let words = Some(form.get("words").trim()).filter(|words| !words.is_empty());
    // A comment that was typed but not saved is saved first.
    let speaks_of_line = !form.get("text").trim().is_empty();
    if speaks_of_line {
        client.comment_run(&id, remark(&form)?).await?;
    } else if words.is_none() && run.comments.is_empty() {
        let why = "say what should be different, or something about a line: the next attempt has nothing else to go by";
        return Err(Refusal::invalid("words", why).into());
    }
    let words = words.unwrap_or(SEE);
    let input = AnswerInput {
        guidance: Some(words.to_owned()),
        digest: Some(form.get("digest").to_owned()),
        ..AnswerInput::default()
    };
    client.answer(decision, input).await?;
    Ok(see_other(&format!("/runs/{}", run.id)))
}

pub(in crate::web) async fn output(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path((id, number)): Path<(String, usize)>,
) -> Reply {
    let said = visitor.client(&app).run_part(&id, RunPart::Evidence(number)).await?;
    // Always plain text, whatever it contains.
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
    ];
    Ok((headers, said).into_response())
}
