//! `POST /mcp`: the Model Context Protocol over HTTP, both eras at one address. Nothing is kept between requests:
//! what a client must remember is in the decision, or in the state that it sends back.

mod headers;
mod reply;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use holdpoint_core::Permission;
use holdpoint_core::text::check_name;
use holdpoint_engine::auth::door;
use holdpoint_protocols::mcp::peer::{self, Peer};
use holdpoint_protocols::mcp::rpc::{self, Incoming, RpcError};
use holdpoint_protocols::mcp::tools::Listing;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::hooks::HeldQuestions;
use crate::http::app::App;
use crate::http::body::text;
use crate::http::caller::{Caller, ENDED, unknown};
use crate::http::problem::{HandlerError, HandlerResult};
use crate::mcp::{HoldingCount, McpServer, may_hold, serves_suite};

/// A request that takes longer than this is answered with a stream, so that the client hears from us while it waits.
const AT_ONCE: Duration = Duration::from_millis(20);

pub(super) async fn answer(
    State(app): State<Arc<App>>,
    Caller(caller, credential): Caller,
    request: Request,
) -> HandlerResult<Response> {
    let caller = Caller(door::enter(caller, Some(door::MCP)), credential);
    let headers = request.headers().clone();
    if !headers::takes_json(&headers) {
        return Err(HandlerError::new(
            406,
            "not_acceptable",
            "accept application/json and text/event-stream",
        ));
    }
    let text = text(request, &app.limits).await?;
    let request = match rpc::read(&text) {
        Ok(Incoming::Request(request)) => request,
        // No notification changes anything here; a client that has gone is noticed by its closed connection.
        Ok(Incoming::Notification(_)) => return Ok(StatusCode::ACCEPTED.into_response()),
        Ok(Incoming::Response(response)) => {
            app.replies.deliver(&named(&caller), response);
            return Ok(StatusCode::ACCEPTED.into_response());
        }
        Err((id, fault)) => return Ok(reply::fault(StatusCode::BAD_REQUEST, &id, fault)),
    };
    let peer = match peer(&request, &headers) {
        Ok(peer) => peer,
        Err(fault) => return Ok(reply::fault(StatusCode::BAD_REQUEST, &request.id, fault)),
    };
    let server = McpServer {
        caller: named(&caller),
        client: Arc::new(caller.client(&app)),
        project: None,
        seal: app.seal.clone(),
        hold: None,
        point_timeout: app.engine.settings().bd.timeout,
        // The conformance suite answers elicitations itself.
        in_client: serves_suite(),
        // Each credential is checked separately.
        may_answer: true,
        listing: Listing { answering: caller.0.actor.has(Permission::Answer), points: false },
        parked: HeldQuestions::default(),
        holding: HoldingCount::default(),
        replies: app.replies.clone(),
    };
    app.held.check_room(caller.1)?;
    let streams = may_hold(&request) && headers::takes_stream(&headers);
    let (sender, mut receiver) = mpsc::channel::<Value>(64);
    let era = peer.era;
    let out = sender.clone();
    let mut work = Box::pin(async move { server.answer(&request, &peer, &out).await });
    if !streams {
        drop(receiver);
        let held = app.held.register(&caller.0, caller.1);
        return tokio::select! {
            response = work => Ok(reply::whole(era, response)),
            () = held.over() => Err(unknown(ENDED)),
        };
    }
    tokio::select! {
        biased;
        response = &mut work => {
            // A message was sent before the response: it comes first.
            return Ok(match receiver.try_recv() {
                Ok(first) => reply::last(first, receiver, response),
                Err(_) => reply::whole(era, response),
            });
        }
        () = tokio::time::sleep(AT_ONCE) => {}
    }
    tokio::spawn(async move {
        let held = app.held.register(&caller.0, caller.1);
        tokio::select! {
            () = held.over() => {}
            response = work => { let _ = sender.send(response).await; }
            // A client that closes the stream has cancelled the request.
            () = sender.closed() => {}
            () = app.stops() => {}
        }
    });
    Ok(reply::stream(receiver))
}

/// Identifies the sender of a request; the headers must agree with the body.
fn peer(request: &rpc::Request, sent: &HeaderMap) -> Result<Peer, RpcError> {
    if let Some(version) = peer::version_of(request) {
        headers::check_version(version, sent)?;
    }
    match Peer::of_request(request)? {
        Some(peer) => {
            headers::check_modern(request, sent)?;
            Ok(peer)
        }
        None if request.method == "initialize" => Ok(Peer::of_initialize(request)?.0),
        None => {
            let version = headers::check_legacy(sent)?;
            let agent = sent.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
            let name = agent.and_then(|agent| agent.split(['/', ' ']).next());
            let name = name.filter(|name| name.len() < 100 && check_name(name).is_ok()).map(str::to_owned);
            Ok(Peer::after_handshake(version, name))
        }
    }
}

/// Returns the caller's name, to which the state that it sends back is bound.
fn named(caller: &Caller) -> String {
    caller.0.actor.credential.clone().unwrap_or_else(|| caller.0.actor.by.clone())
}
