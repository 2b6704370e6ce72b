//! Handles what a person says, picks, saves or sends on the page of a conversation.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_core::text::quote;
use holdpoint_core::{Decision, Status, Timestamp, Values};
use holdpoint_engine::{Client as _, tools};
use holdpoint_protocols::action::{Action, ToolResult};
use maud::html;
use serde_json::json;

use super::super::answer_form::chat_address;
use super::super::error::Reply;
use super::super::form::{Form, Posted};
use super::super::form_values::FormValues;
use super::super::page::see_other;
use super::super::visitor::Visitor;
use super::super::{draft, read_form, typed, words};
use super::draw;
use crate::api::chat::{self, TurnInput};
use crate::http::app::App;

/// How many lookups one turn may make.
const LOOKUPS: usize = 8;

pub(crate) async fn take(State(app): State<Arc<App>>, Path(id): Path<String>, posted: Posted) -> Reply {
    let ours = posted.is_ours();
    let Posted { visitor, form } = posted;
    let decision = visitor.client(&app).get(&id).await?;
    if !ours {
        // Without sign-in, a page from before the last start does not count as ours any more; its input is shown.
        let why = "Nothing was sent: the page was out of date. Check it and send again.";
        let notice = html! { p .banner role="status" { (why) } (typed::shown(&form)) };
        return draw(&app, &visitor, &decision, &notice, StatusCode::FORBIDDEN).await;
    }
    if decision.status != Status::Pending {
        return Ok(see_other(&chat_address(&decision)));
    }
    let now = app.engine.now().await?;
    let wrong = |why: String| html! { p .banner.bad role="alert" { (words::sentence(&why)) } };
    let zone = Some(form.get("zone")).filter(|zone| !zone.is_empty()).and_then(|zone| chat::zone(zone).ok());
    let spoken = match form.get("verb") {
        "save" => return save(&app, &visitor, &decision, &form, now).await,
        "pick" => match picked(&decision, &form, now) {
            Ok(spoken) => spoken,
            Err(why) => {
                return draw(&app, &visitor, &decision, &wrong(why), StatusCode::UNPROCESSABLE_ENTITY).await;
            }
        },
        "skip" => TurnInput { text: "skip".into(), ..TurnInput::default() },
        "send" => TurnInput { submit: true, saw: Some(seen(&form)), ..TurnInput::default() },
        _ => {
            let saw = Some(form.get("digest")).filter(|digest| !digest.is_empty()).map(|_| seen(&form));
            TurnInput { text: form.get("text").replace("\r\n", "\n"), saw, ..TurnInput::default() }
        }
    };
    let taken = turn(&app, &visitor, &decision, TurnInput { zone, ..spoken }).await;
    match taken {
        Ok(()) => Ok(see_other(&format!("{}#now", chat_address(&decision)))),
        Err(failed) if matches!(failed.0.status, 403 | 409 | 422) => {
            let decision = visitor.client(&app).get(&id).await?;
            let status = StatusCode::from_u16(failed.0.status).unwrap_or(StatusCode::CONFLICT);
            draw(&app, &visitor, &decision, &wrong(failed.0.detail.clone()), status).await
        }
        Err(failed) => Err(failed.into()),
    }
}

/// Reads what the page showed when the form was sent.
fn seen(form: &Form) -> (Values, String) {
    let draft: Values = serde_json::from_str(form.get("draft")).unwrap_or_default();
    (draft, form.get("digest").to_owned())
}

/// Takes a turn. Lookups use the tools in the server's settings; for other tools the conversation is told that the
/// page lacks them.
async fn turn(
    app: &App,
    visitor: &Visitor,
    decision: &Decision,
    spoken: TurnInput,
) -> Result<(), crate::http::problem::HandlerError> {
    let mut taken = chat::take(app, &visitor.caller, decision, spoken).await?;
    for _ in 0..LOOKUPS {
        let Action::ToolCall { tool_name, tool_args, .. } = &taken.action else { break };
        let result = match app.chats.tools.get(tool_name) {
            Some(command) => tools::run(command, tool_args).await,
            None => {
                json!({ "error": format!("the list comes from {}, a tool that this page does not have", quote(tool_name)) })
            }
        };
        let tool_results = vec![ToolResult { tool_name: Some(tool_name.clone()), result }];
        let spoken = TurnInput { tool_results, ..TurnInput::default() };
        taken = chat::take(app, &visitor.caller, decision, spoken).await?;
    }
    Ok(())
}

/// Reads the control of the current question.
fn picked(decision: &Decision, form: &Form, now: Timestamp) -> Result<TurnInput, String> {
    let asked = form.get("asked");
    let field = decision.field(asked).ok_or("the question has changed")?;
    let said = read_form::some(decision, &FormValues::of_pairs(&form.0), now);
    if let Some(fault) = said.faults.iter().find(|fault| fault.field == field.id) {
        return Err(fault.message.clone());
    }
    let Some(value) = said.values.get(asked).cloned() else {
        return Err("nothing was chosen yet; choose something, or say it in your own words".into());
    };
    let typed = Values::from_iter([(asked.to_owned(), value)]);
    let shown = words::given(decision, &typed, None).pop().map(|(_, value)| value);
    Ok(TurnInput { typed, shown, ..TurnInput::default() })
}

/// Stores the changes made in the form beside the conversation.
async fn save(app: &App, visitor: &Visitor, decision: &Decision, form: &Form, now: Timestamp) -> Reply {
    draft::join(&visitor.client(app), decision.clone(), form, now).await?;
    Ok(see_other(&format!("{}#now", chat_address(decision))))
}
