//! `POST /api/chat`

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::decision::{AnswerInput, New, Origin, Revision};
use holdpoint_core::text::check_name;
use holdpoint_core::{Decision, Fault, Owner, OwnerKind, Project, Role, Source, Status, Timestamp, Values};
use holdpoint_engine::{Client as _, ListQuery};
use holdpoint_protocols::action::conversation::{self, Turn};
use holdpoint_protocols::action::form::{self, Flaw, Form, Tool};
use holdpoint_protocols::action::{Action, ToolResult, reader};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::{Talk, asker};
use crate::api::App;
use crate::api::body::Body;
use crate::api::caller::Caller;
use crate::api::problem::{Answer, Failed};

/// What is sent with each turn. Keys that are unknown are ignored, as the protocol's other servers do.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    form_schema: Option<Value>,
    form_context_md: Option<String>,
    /// A text is read; anything else is the typed value of the field that was asked.
    user_message: Value,
    conversation_id: Option<String>,
    #[serde(default)]
    tool_results: Option<Vec<ToolResult>>,
    /// Typed values, by field.
    #[serde(default)]
    answers: Values,
    /// Sends the form once it is complete.
    #[serde(default)]
    submit: bool,
    project: Option<String>,
    /// How far the person's clock is from UTC, like `+03:00`.
    timezone: Option<String>,
}

/// What a turn is answered with.
#[derive(Debug, Serialize)]
pub(super) struct Reply {
    action: Action,
    conversation_id: String,
    answers: Values,
    /// The decision that the conversation drafts.
    decision_id: String,
    submitted: bool,
}

/// Takes a turn.
pub(super) async fn chat(
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
    let id = match &said.conversation_id {
        Some(id) => {
            check_name(id).map_err(|why| Failed::new(422, "invalid", format!("conversation_id {why}")))?;
            id.clone()
        }
        None => fresh_id()?,
    };
    let now = app.engine.now().await?;
    let found = find(&app, &caller, &id, now).await?;
    let talk = match found {
        Found::Talk(talk) => talk,
        Found::Sent(decision) => return Ok(Json(sent(id, &decision))),
        Found::None => begin(&app, &said, &project, &id, now).await?,
    };
    let mut talk = talk.lock().await;
    take(&app, &caller, &said, &id, &mut talk, now).await.map(Json)
}

async fn take(
    app: &App,
    caller: &Caller,
    said: &Said,
    id: &str,
    talk: &mut Talk,
    now: Timestamp,
) -> Answer<Reply> {
    let client = caller.client(app);
    // Others may have gone on with it elsewhere: the draft counts.
    let decision = client.get(&talk.decision.to_string()).await?;
    talk.form.fields.clone_from(&decision.fields);
    talk.touched = now;
    let turn = turn_of(said, &talk.state);
    let clock = clock(now, said.timezone.as_deref())?;
    let question = conversation::question(&talk.form, &talk.state, &decision.draft, &turn, clock);
    let reading = question.map(reader::read).unwrap_or_default();
    let outcome = conversation::turn(&talk.form, &talk.state, &decision.draft, &turn, &reading);
    if !outcome.options.is_empty() {
        for (id, options) in outcome.options {
            if let Some(field) = talk.form.fields.iter_mut().find(|field| field.id == id) {
                field.options = options;
            }
        }
        let revision = Revision { fields: Some(talk.form.fields.clone()), ..Revision::default() };
        asker(app).revise(talk.decision, revision).await?;
    }
    if outcome.values != decision.draft {
        client.draft(talk.decision, outcome.values.clone()).await?;
    }
    talk.state = outcome.state;
    let complete = matches!(outcome.action, Action::FormComplete { .. });
    if said.submit && complete {
        let input = AnswerInput { values: outcome.values.clone(), ..AnswerInput::default() };
        client.answer(talk.decision, input).await?;
    }
    Ok(Reply {
        action: outcome.action,
        conversation_id: id.to_owned(),
        answers: outcome.values,
        decision_id: talk.decision.to_string(),
        submitted: said.submit && complete,
    })
}

fn turn_of(said: &Said, state: &conversation::State) -> Turn {
    let mut typed = said.answers.clone();
    let text = match (&said.user_message, &state.asked) {
        (Value::String(text), _) => text.clone(),
        (Value::Null, _) | (_, None) => String::new(),
        (value, Some(asked)) => {
            typed.insert(asked.clone(), value.clone());
            String::new()
        }
    };
    Turn { text, typed, tool_results: said.tool_results.clone().unwrap_or_default() }
}

/// What is known of a conversation.
enum Found {
    Talk(Arc<Mutex<Talk>>),
    Sent(Box<Decision>),
    None,
}

async fn find(app: &App, caller: &Caller, id: &str, now: Timestamp) -> Answer<Found> {
    let owner = Owner::new(OwnerKind::Chat, id);
    let query = ListQuery { owner: Some(owner), newest_first: true, limit: 1, ..ListQuery::default() };
    let latest = caller.client(app).list(&query).await?.items.pop();
    let Some(decision) = latest else { return Ok(Found::None) };
    match decision.status {
        Status::Pending => {}
        Status::Answered => return Ok(Found::Sent(Box::new(decision))),
        _ => return Ok(Found::None),
    }
    let mut talks = app.chats.talks.lock().await;
    let talk = talks.entry(id.to_owned()).or_insert_with(|| Arc::new(Mutex::new(resumed(&decision, now))));
    let talk = Arc::clone(talk);
    drop(talks);
    {
        let mut kept = talk.lock().await;
        if kept.decision != decision.id {
            *kept = resumed(&decision, now);
        }
        if now.since(kept.touched) <= app.chats.idle {
            drop(kept);
            return Ok(Found::Talk(talk));
        }
    }
    super::sessions::end(app, id, decision.id, "the conversation lay idle").await?;
    Ok(Found::None)
}

/// Goes on from a draft, where nothing else is known any more.
fn resumed(decision: &Decision, now: Timestamp) -> Talk {
    let extra = decision.origin.as_ref().map(|origin| &origin.extra);
    let name = extra.and_then(|extra| extra.get("form")).and_then(Value::as_str).unwrap_or_default();
    let tools =
        extra.and_then(|extra| extra.get("tools")).and_then(Value::as_array).cloned().unwrap_or_default();
    let tools =
        tools.iter().filter_map(Value::as_str).map(|name| Tool { name: name.to_owned(), ..Tool::default() });
    let form = Form {
        id: name.to_owned(),
        title: decision.title.clone().unwrap_or_default(),
        purpose: decision.prompt.clone(),
        fields: decision.fields.clone(),
        tools: tools.collect(),
        warnings: Vec::new(),
    };
    let state = conversation::State { begun: true, ..conversation::State::default() };
    Talk { decision: decision.id, form, state, touched: now }
}

async fn begin(app: &App, said: &Said, project: &str, id: &str, now: Timestamp) -> Answer<Arc<Mutex<Talk>>> {
    let form = match (&said.form_schema, &said.form_context_md) {
        (Some(schema), None) => form::read_value(schema),
        (None, Some(text)) => form::read(text),
        (Some(_), Some(_)) => return Err(missing("give form_schema or form_context_md, not both")),
        (None, None) => return Err(missing("a new conversation needs form_schema or form_context_md")),
    };
    let form = form.map_err(|flaws| invalid(&flaws))?;
    let tools: Vec<&str> = form.tools.iter().map(|tool| tool.name.as_str()).collect();
    let extra = json!({ "form": form.id, "tools": tools }).as_object().cloned().unwrap_or_default();
    let new = New {
        project: Some(project.to_owned()),
        source: Some(Source::Form),
        title: Some(form.title.clone()),
        prompt: form.purpose.clone(),
        fields: form.fields.clone(),
        owner: Some(Owner::new(OwnerKind::Chat, id)),
        origin: Some(Origin {
            protocol: "action".into(),
            id: Some(id.to_owned()),
            schema: None,
            thread: None,
            extra,
        }),
        ..New::default()
    };
    let decision = asker(app).create(new, None).await?.decision;
    let state = conversation::State::default();
    let talk =
        Talk { decision: decision.id, form: Form { fields: decision.fields, ..form }, state, touched: now };
    let talk = Arc::new(Mutex::new(talk));
    app.chats.talks.lock().await.insert(id.to_owned(), Arc::clone(&talk));
    Ok(talk)
}

fn missing(why: &str) -> Failed {
    Failed::new(422, "invalid", why)
}

fn invalid(flaws: &[Flaw]) -> Failed {
    let words: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    let mut failed = Failed::new(400, "invalid_form", format!("Invalid form schema: {}", words.join("; ")));
    failed.0.errors = flaws.iter().map(|flaw| Fault::new(&flaw.place, &flaw.message)).collect();
    failed
}

/// Says that there is nothing more to do here.
fn sent(id: String, decision: &Decision) -> Reply {
    let answers = decision.answer.as_ref().map(|answer| answer.values.clone()).unwrap_or_default();
    let text = "This form has been sent. Reset the conversation to fill in another.".to_owned();
    let decision_id = decision.id.to_string();
    Reply { action: Action::Message { text }, conversation_id: id, answers, decision_id, submitted: true }
}

/// Returns what the person's clock shows.
fn clock(now: Timestamp, zone: Option<&str>) -> Answer<jiff::civil::DateTime> {
    let wrong = || Failed::new(422, "invalid", "timezone is how far the clock is from UTC, like +03:00");
    let minutes = match zone.map(str::trim) {
        None | Some("" | "Z" | "UTC") => 0,
        Some(text) => {
            let (sign, rest) = match text.split_at_checked(1) {
                Some(("+", rest)) => (1, rest),
                Some(("-" | "−", rest)) => (-1, rest),
                _ => return Err(wrong()),
            };
            let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "0"));
            let number =
                |text: &str, most: i32| text.parse::<i32>().ok().filter(|number| (0..=most).contains(number));
            sign * (60 * number(hours, 14).ok_or_else(wrong)? + number(minutes, 59).ok_or_else(wrong)?)
        }
    };
    let offset = jiff::tz::Offset::from_seconds(60 * minutes).map_err(|_| wrong())?;
    let at = jiff::Timestamp::from_millisecond(now.as_millis()).map_err(|_| wrong())?;
    Ok(offset.to_datetime(at))
}

fn fresh_id() -> Answer<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|why| Failed::new(503, "unavailable", format!("no randomness: {why}")))?;
    Ok(holdpoint_core::json::hex(&bytes))
}
