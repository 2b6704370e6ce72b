//! `POST /api/chat`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::text::check_name;
use holdpoint_core::{Decision, DecisionId, FieldError, Owner, OwnerKind, Project, Role, Status, Values};
use holdpoint_engine::{Client as _, ListQuery};
use holdpoint_protocols::action::conversation;
use holdpoint_protocols::action::form::{self, Flaw, Form};
use holdpoint_protocols::action::{Action, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::talk::{self, Spoken};
use super::{clock, sessions};
use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::{Answer, Failed};
use crate::shown::private::is_private;

/// What is sent with each turn. Keys that are unknown are ignored, as the protocol's other servers do.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Turn)]
pub(crate) struct Said {
    /// The form as JSON. It counts when a conversation begins.
    #[schema(value_type = Option<Object>)]
    form_schema: Option<Value>,
    /// The form as Markdown with YAML front matter.
    form_context_md: Option<String>,
    /// A text is read; anything else is the typed value of the field that was asked. Empty or left out, it opens the
    /// conversation, or only goes with the rest.
    #[serde(default)]
    user_message: Value,
    /// Which conversation; one that is not known begins under this id. A decision's id talks about that decision.
    conversation_id: Option<String>,
    /// What tools found.
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    tool_results: Option<Vec<ToolResult>>,
    /// Typed values, by field.
    #[serde(default)]
    #[schema(value_type = Object)]
    answers: Values,
    /// Sends the form once it is complete.
    #[serde(default)]
    submit: bool,
    /// Where a new conversation belongs.
    project: Option<String>,
    /// Where the person's clock hangs: `Europe/Berlin`, or how far it is from UTC, like `+03:00`. It is remembered.
    timezone: Option<String>,
}

/// What a turn is answered with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TurnReply)]
pub(crate) struct Reply {
    /// What the front end shows or does: `MESSAGE`, `ASK_DROPDOWN`, `ASK_CHECKBOX`, `ASK_TEXT`, `ASK_DATE`,
    /// `ASK_DATETIME`, `ASK_LOCATION`, `TOOL_CALL` or `FORM_COMPLETE`.
    #[schema(value_type = Object)]
    action: Action,
    conversation_id: String,
    /// The values of the visible fields so far.
    #[schema(value_type = Object)]
    answers: Values,
    /// The decision that the conversation drafts.
    decision_id: String,
    /// Whether the form has been sent.
    submitted: bool,
}

/// Takes a turn of a conversation that fills in a form.
#[utoipa::path(
    post,
    path = "/api/chat",
    operation_id = "chat",
    tag = "forms",
    request_body = Said,
    responses((status = 200, description = "What to show or do next", body = Reply))
)]
pub(crate) async fn chat(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(said): Body<Said>,
) -> Answer<Json<Reply>> {
    if caller.0.actor.role == Some(Role::Agent) {
        return Err(Failed::new(
            403,
            "forbidden",
            "a form is filled in by a person, not with an agent's token",
        ));
    }
    let project = said.project.clone().unwrap_or_else(|| Project::DEFAULT.to_owned());
    caller.may_use_project(&project)?;
    if said.form_context_md.as_ref().is_some_and(|text| text.trim().is_empty()) {
        return Err(Failed::new(400, "invalid_form", "the form is empty"));
    }
    if let Value::String(text) = &said.user_message {
        talk::check_length(text)?;
    }
    let zone = said.timezone.as_deref().map(clock::zone).transpose();
    let zone = zone.map_err(|why| Failed::new(422, "invalid", why))?;
    let id = match &said.conversation_id {
        Some(id) => {
            check_name(id).map_err(|why| Failed::new(422, "invalid", format!("conversation_id {why}")))?;
            id.clone()
        }
        None => fresh_id()?,
    };
    let decision = match find(&app, &caller, &id).await? {
        Found::Open(decision) => *decision,
        Found::Sent(decision) => return Ok(Json(sent(id, &decision))),
        Found::Over(last) => {
            let form = form_of(&said)?;
            super::begin(&app, &form, &project, &id, last.as_deref()).await?
        }
    };
    let decision_id = decision.id.to_string();
    let taken = talk::take(&app, &caller.0, &decision, spoken(said, zone)).await?;
    Ok(Json(Reply {
        action: taken.action,
        conversation_id: id,
        answers: conversation::plain(&taken.values),
        decision_id,
        submitted: taken.submitted,
    }))
}

fn spoken(said: Said, zone: Option<jiff::tz::TimeZone>) -> Spoken {
    let (text, value) = match said.user_message {
        Value::String(text) => (text, None),
        Value::Null => (String::new(), None),
        value => (String::new(), Some(value)),
    };
    let tool_results = said.tool_results.unwrap_or_default();
    Spoken { text, value, typed: said.answers, tool_results, submit: said.submit, zone, ..Spoken::default() }
}

/// What is known of a conversation.
enum Found {
    Open(Box<Decision>),
    Sent(Box<Decision>),
    /// Nothing, or something that is over.
    Over(Option<Box<Decision>>),
}

async fn find(app: &App, caller: &Caller, id: &str) -> Answer<Found> {
    if let Ok(whole) = id.parse::<DecisionId>() {
        let decision = Box::new(caller.client(app).get(&whole.to_string()).await?);
        return match decision.status {
            Status::Pending => Ok(Found::Open(decision)),
            Status::Answered => Ok(Found::Sent(decision)),
            _ => {
                Err(Failed::new(409, "settled", "that decision is settled; there is nothing left to fill in"))
            }
        };
    }
    let owner = Owner::new(OwnerKind::Chat, id);
    let query = ListQuery { owner: Some(owner), newest_first: true, limit: 1, ..ListQuery::default() };
    let Some(decision) = caller.client(app).list(&query).await?.items.pop().map(Box::new) else {
        return Ok(Found::Over(None));
    };
    match decision.status {
        Status::Pending => {}
        Status::Answered => return Ok(Found::Sent(decision)),
        _ => return Ok(Found::Over(Some(decision))),
    }
    if is_private(&decision) && sessions::lies_idle(app, &decision).await? {
        sessions::end(app, &decision, "the conversation lay idle").await?;
        return Ok(Found::Over(Some(decision)));
    }
    Ok(Found::Open(decision))
}

fn form_of(said: &Said) -> Answer<Form> {
    let missing = |why: &str| Failed::new(422, "invalid", why);
    let form = match (&said.form_schema, &said.form_context_md) {
        (Some(schema), None) => form::read_value(schema),
        (None, Some(text)) => form::read(text),
        (Some(_), Some(_)) => return Err(missing("give form_schema or form_context_md, not both")),
        (None, None) => return Err(missing("a new conversation needs form_schema or form_context_md")),
    };
    form.map_err(|flaws| invalid(&flaws))
}

fn invalid(flaws: &[Flaw]) -> Failed {
    let words: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    let mut failed = Failed::new(400, "invalid_form", format!("Invalid form schema: {}", words.join("; ")));
    failed.0.errors = flaws.iter().map(|flaw| FieldError::new(&flaw.place, &flaw.message)).collect();
    failed
}

/// Says that there is nothing more to do here.
fn sent(id: String, decision: &Decision) -> Reply {
    let answers = decision.answer.as_ref().map(|answer| conversation::plain(&answer.values));
    let answers = answers.unwrap_or_default();
    let text = "This form has been sent. Reset the conversation to fill in another.".to_owned();
    let decision_id = decision.id.to_string();
    Reply { action: Action::Message { text }, conversation_id: id, answers, decision_id, submitted: true }
}

/// Makes an id for a conversation that has none.
pub(crate) fn fresh_id() -> Answer<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|why| Failed::new(503, "unavailable", format!("no randomness: {why}")))?;
    Ok(holdpoint_core::json::hex(&bytes))
}
