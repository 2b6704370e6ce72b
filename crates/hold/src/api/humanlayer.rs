//! `HumanLayer`'s routes, under `/humanlayer/v1`: its SDKs ask here and poll for the answer.

use std::time::Duration;

use holdpoint_core::decision::consents_to_subject;
use holdpoint_core::{Decision, Refusal, Span, Status};
use holdpoint_engine::api::NoParams;
use holdpoint_engine::api::humanlayer::{
    CREATE_FUNCTION_CALL, CREATE_HUMAN_CONTACT, ESCALATE_FUNCTION_CALL, ESCALATE_HUMAN_CONTACT,
    GET_FUNCTION_CALL, GET_HUMAN_CONTACT, RESPOND_TO_FUNCTION_CALL, RESPOND_TO_HUMAN_CONTACT,
};
use holdpoint_engine::{Client as _, Embedded, ListQuery};
use holdpoint_protocols::humanlayer::{self, CallKind};
use serde_json::Value;

use super::decisions::hold;
use super::routes::{Call, Routes};
use crate::http::problem::{HandlerError, HandlerResult};
use CallKind::{FunctionCall, HumanContact};

/// How long a request for a call holds: the SDKs give up after 30 s.
const HOLD: Span = Span::from_secs(20);

pub(super) fn routes(routes: Routes) -> Routes {
    routes
        .on(&CREATE_FUNCTION_CALL, |call| create(call, FunctionCall))
        .on(&GET_FUNCTION_CALL, |call| get(call, FunctionCall))
        .on(&RESPOND_TO_FUNCTION_CALL, |call| respond(call, FunctionCall))
        .on(&ESCALATE_FUNCTION_CALL, |call| escalate(call, FunctionCall))
        .on(&CREATE_HUMAN_CONTACT, |call| create(call, HumanContact))
        .on(&GET_HUMAN_CONTACT, |call| get(call, HumanContact))
        .on(&RESPOND_TO_HUMAN_CONTACT, |call| respond(call, HumanContact))
        .on(&ESCALATE_HUMAN_CONTACT, |call| escalate(call, HumanContact))
}

async fn create(mut call: Call<NoParams, Value>, kind: CallKind) -> HandlerResult<Value> {
    // The SDKs cannot name a project: a credential for exactly one project asks there.
    let project = match call.caller.0.projects.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    let asked = humanlayer::ask(kind, std::mem::take(&mut call.body), project.as_deref())?;
    let created = client(&mut call).create(asked.new, Some(asked.key)).await?;
    Ok(humanlayer::show(kind, &created.decision))
}

async fn get(mut call: Call<NoParams, ()>, kind: CallKind) -> HandlerResult<Value> {
    let found = Box::pin(find(&mut call, kind)).await?;
    let (id, is_pending) = (found.id, found.status == Status::Pending);
    let mut shown = humanlayer::show(kind, &found);
    let mut unanswered = humanlayer::unanswered(kind, &found);
    drop(found);
    if is_pending {
        let decision = hold(&call.app, &call.caller, id, HOLD).await?.into_decision();
        shown = humanlayer::show(kind, &decision);
        unanswered = humanlayer::unanswered(kind, &decision);
    }
    match unanswered {
        Some(why) => Err(HandlerError::new(410, "gone", why)),
        None => Ok(shown),
    }
}

async fn respond(mut call: Call<NoParams, Value>, kind: CallKind) -> HandlerResult<Value> {
    let body = std::mem::take(&mut call.body);
    let decision = find(&mut call, kind).await?;
    let client = client(&mut call);
    let input = humanlayer::respond(kind, &decision, body)?;
    if decision.status == Status::Pending
        && consents_to_subject(&decision, &input.values, None)
        && !humanlayer::is_as_asked(&decision, &history(&client, &decision).await?)
    {
        let why = "what is asked was changed since, and a response does not say what was seen";
        return Err(HandlerError::new(409, "stale", why).hint("answer it in the inbox"));
    }
    let answered = client.answer(decision.id, input).await?;
    if !answered.replayed && answered.decision.status != Status::Pending {
        call.app.metrics.settled(&answered.decision);
    }
    Ok(humanlayer::show(kind, &answered.decision))
}

async fn escalate(mut call: Call<NoParams, Value>, kind: CallKind) -> HandlerResult<Value> {
    let body = std::mem::take(&mut call.body);
    let mut decision = find(&mut call, kind).await?;
    if let Some(revision) = humanlayer::escalate(&decision, body)? {
        decision = client(&mut call).revise(decision.id, revision).await?;
    }
    Ok(humanlayer::show(kind, &decision))
}

/// Finds the decision of a call: the one that the caller itself asked under this id, or else the only one that it may
/// see. Several callers may use the same id, and none may pass for another.
async fn find<I>(call: &mut Call<NoParams, I>, kind: CallKind) -> HandlerResult<Decision> {
    const MOST: usize = 100;
    let client = client(call);
    let owner = Some(humanlayer::owner(&call.name));
    let query = ListQuery { owner, newest_first: true, limit: MOST, ..ListQuery::default() };
    let mut found = client.list(&query).await?.items;
    found.retain(|decision| CallKind::of(decision) == Some(kind));
    let me = call.caller.0.actor.checked_name();
    if let Some(own) = found.iter().position(|decision| decision.asked_by == me) {
        return Ok(client.get(&found[own].id.to_string()).await?);
    }
    let Some(first) = found.first() else {
        return Err(Refusal::NotFound { what: "call", id: call.name.clone() }.into());
    };
    if found.iter().any(|decision| decision.asked_by != first.asked_by) {
        let why = "several agents have asked under this call_id";
        return Err(HandlerError::new(404, "ambiguous", why).hint("answer in the inbox, where they differ"));
    }
    Ok(client.get(&first.id.to_string()).await?)
}

/// Returns all events of a decision, in order.
async fn history(
    client: &Embedded,
    decision: &Decision,
) -> HandlerResult<Vec<serde_json::Map<String, Value>>> {
    let (mut events, mut after) = (Vec::new(), 0);
    loop {
        let page = client.events(after, Some(decision.id), None, Duration::ZERO).await?;
        if page.last <= after {
            return Ok(events);
        }
        after = page.last;
        events.extend(page.events);
    }
}

/// Returns a client whose answers are recorded as given through this protocol.
fn client<I>(call: &mut Call<NoParams, I>) -> Embedded {
    humanlayer::PROTOCOL.clone_into(&mut call.caller.0.actor.via);
    call.client()
}
