//! `POST /api/chat`

use holdpoint_core::text::check_name;
use holdpoint_core::{Decision, DecisionId, FieldError, Owner, OwnerKind, Project, Role, Status};
use holdpoint_engine::api::NoParams;
use holdpoint_engine::api::forms::{Turn, TurnReply};
use holdpoint_engine::{Client as _, Error, ListQuery};
use holdpoint_protocols::action::form::{self, Flaw, Form};
use holdpoint_protocols::action::{Action, conversation};
use serde_json::Value;

use super::talk::{self, TurnInput};
use super::{clock, sessions};
use crate::api::routes::Call;
use crate::http::app::App;
use crate::http::caller::Caller;
use crate::http::problem::{HandlerError, HandlerResult};
use crate::view_model::private::is_private;

pub(super) async fn chat(call: Call<NoParams, Turn>) -> HandlerResult<TurnReply> {
    let Call { app, caller, body: said, .. } = call;
    if caller.0.actor.role == Some(Role::Agent) {
        return Err(HandlerError::new(
            403,
            "forbidden",
            "a form is filled in by a person, not with an agent's token",
        ));
    }
    let project = said.project.clone().unwrap_or_else(|| Project::DEFAULT.to_owned());
    caller.may_use_project(&project)?;
    if said.form_context_md.as_ref().is_some_and(|text| text.trim().is_empty()) {
        return Err(HandlerError::new(400, "invalid_form", "the form is empty"));
    }
    if let Value::String(text) = &said.user_message {
        talk::check_length(text)?;
    }
    let zone = said.timezone.as_deref().map(clock::zone).transpose();
    let zone = zone.map_err(|why| HandlerError::new(422, "invalid", why))?;
    let id = match &said.conversation_id {
        Some(id) => {
            check_name(id)
                .map_err(|why| HandlerError::new(422, "invalid", format!("conversation_id {why}")))?;
            id.clone()
        }
        None => fresh_id()?,
    };
    let decision = match find(&app, &caller, &id).await? {
        FoundConversation::Open(decision) => *decision,
        FoundConversation::Sent(decision) => return Ok(sent(id, &decision)),
        FoundConversation::Over(last) => {
            let form = form_of(&said)?;
            super::begin(&app, &form, &project, &id, last.as_deref()).await?
        }
    };
    let decision_id = decision.id.to_string();
    let taken = talk::take(&app, &caller.0, &decision, spoken(said, zone)).await?;
    Ok(TurnReply {
        action: taken.action,
        conversation_id: id,
        answers: conversation::plain(&taken.values),
        decision_id,
        submitted: taken.submitted,
    })
}

fn spoken(said: Turn, zone: Option<jiff::tz::TimeZone>) -> TurnInput {
    let (text, value) = match said.user_message {
        Value::String(text) => (text, None),
        Value::Null => (String::new(), None),
        value => (String::new(), Some(value)),
    };
    let tool_results = said.tool_results.unwrap_or_default();
    TurnInput {
        text,
        value,
        typed: said.answers,
        tool_results,
        submit: said.submit,
        zone,
        ..TurnInput::default()
    }
}

/// The decision found for a conversation.
enum FoundConversation {
    Open(Box<Decision>),
    Sent(Box<Decision>),
    /// Nothing, or a decision that is over.
    Over(Option<Box<Decision>>),
}

async fn find(app: &App, caller: &Caller, id: &str) -> HandlerResult<FoundConversation> {
    if let Some(decision) = of_decision(app, caller, id).await?.map(Box::new) {
        return match decision.status {
            Status::Pending => Ok(FoundConversation::Open(decision)),
            Status::Answered => Ok(FoundConversation::Sent(decision)),
            _ => Err(HandlerError::new(
                409,
                "settled",
                "that decision is settled; there is nothing left to fill in",
            )),
        };
    }
    let owner = Owner::new(OwnerKind::Chat, id);
    let query = ListQuery { owner: Some(owner), newest_first: true, limit: 1, ..ListQuery::default() };
    let Some(decision) = caller.client(app).list(&query).await?.items.pop().map(Box::new) else {
        return Ok(FoundConversation::Over(None));
    };
    match decision.status {
        Status::Pending => {}
        Status::Answered => return Ok(FoundConversation::Sent(decision)),
        _ => return Ok(FoundConversation::Over(Some(decision))),
    }
    if is_private(&decision) && sessions::is_idle(app, &decision).await? {
        sessions::end(app, &decision, "the conversation was idle for too long").await?;
        return Ok(FoundConversation::Over(Some(decision)));
    }
    Ok(FoundConversation::Open(decision))
}

/// Returns the decision whose id a conversation uses, if it is one. Other ids may look like a decision's without its
/// prefix.
async fn of_decision(app: &App, caller: &Caller, id: &str) -> HandlerResult<Option<Decision>> {
    let Ok(named) = id.parse::<DecisionId>() else { return Ok(None) };
    match caller.client(app).get(&named.to_string()).await {
        Err(Error::NotFound(_)) if !id.starts_with(DecisionId::PREFIX) => Ok(None),
        found => Ok(Some(found?)),
    }
}

fn form_of(said: &Turn) -> HandlerResult<Form> {
    let missing = |why: &str| HandlerError::new(422, "invalid", why);
    let form = match (&said.form_schema, &said.form_context_md) {
        (Some(schema), None) => form::read_value(schema),
        (None, Some(text)) => form::read(text),
        (Some(_), Some(_)) => return Err(missing("give form_schema or form_context_md, not both")),
        (None, None) => return Err(missing("a new conversation needs form_schema or form_context_md")),
    };
    form.map_err(|flaws| invalid(&flaws))
}

fn invalid(flaws: &[Flaw]) -> HandlerError {
    let words: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    let mut failed =
        HandlerError::new(400, "invalid_form", format!("Invalid form schema: {}", words.join("; ")));
    failed.0.errors = flaws.iter().map(|flaw| FieldError::new(&flaw.place, &flaw.message)).collect();
    failed
}

/// Replies that there is nothing more to do here.
fn sent(id: String, decision: &Decision) -> TurnReply {
    let answers = decision.answer.as_ref().map(|answer| conversation::plain(&answer.values));
    let answers = answers.unwrap_or_default();
    let text = "This form has been sent. Reset the conversation to fill in another.".to_owned();
    let decision_id = decision.id.to_string();
    TurnReply { action: Action::Message { text }, conversation_id: id, answers, decision_id, submitted: true }
}

/// Makes an id for a conversation that has none.
pub(crate) fn fresh_id() -> HandlerResult<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|why| HandlerError::new(503, "unavailable", format!("no randomness: {why}")))?;
    Ok(holdpoint_core::json::hex(&bytes))
}
