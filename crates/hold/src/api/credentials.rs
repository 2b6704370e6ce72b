//! Tokens, people and authentication over HTTP; for admins.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use holdpoint_core::{Person, Token};
use holdpoint_engine::Client as _;
use holdpoint_engine::auth::{CreatedToken, NewPerson, NewToken};
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::{Caller, Mode};
use super::problem::{Answer, Failed};

/// A list of something.
#[derive(Debug, Serialize)]
pub(super) struct Items<T> {
    items: Vec<T>,
}

/// Whether callers are asked who they are.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Auth {
    required: bool,
}

/// A one-time link.
#[derive(Debug, Serialize)]
pub(super) struct SignInLink {
    url: String,
}

pub(super) async fn tokens(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Items<Token>>> {
    Ok(Json(Items { items: caller.client(&app).tokens().await? }))
}

pub(super) async fn create_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(new): Body<NewToken>,
) -> Answer<(StatusCode, Json<CreatedToken>)> {
    Ok((StatusCode::CREATED, Json(caller.client(&app).create_token(new).await?)))
}

pub(super) async fn revoke_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Answer<Json<Token>> {
    Ok(Json(caller.client(&app).revoke_token(&id).await?))
}

pub(super) async fn people(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Items<Person>>> {
    Ok(Json(Items { items: caller.client(&app).people().await? }))
}

pub(super) async fn put_person(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path<String>,
    Body(new): Body<NewPerson>,
) -> Answer<Json<Person>> {
    if name != new.name {
        return Err(Failed::new(422, "invalid", "name: is not the one that the address names"));
    }
    Ok(Json(caller.client(&app).put_person(new).await?))
}

pub(super) async fn remove_person(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path<String>,
) -> Answer<StatusCode> {
    caller.client(&app).remove_person(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn sign_in_link(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path<String>,
) -> Answer<Json<SignInLink>> {
    caller.0.administers()?;
    let Mode::Auth(doors) = &app.mode else {
        return Err(Failed::new(409, "no_auth", "this server asks nobody who they are"));
    };
    let known = app.engine.people(&caller.0).await?.into_iter().any(|person| person.name == name);
    if !known {
        return Err(holdpoint_core::Refusal::NotFound { what: "person", id: name }.into());
    }
    let text = doors.links.issue_sign_in(&name, app.engine.clock())?;
    Ok(Json(SignInLink { url: format!("{}/sign-in/{text}", app.address) }))
}

pub(super) async fn auth(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Auth>> {
    Ok(Json(Auth { required: caller.client(&app).auth_required().await? }))
}

pub(super) async fn set_auth(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(auth): Body<Auth>,
) -> Answer<Json<Auth>> {
    caller.client(&app).set_auth(auth.required).await?;
    Ok(Json(auth))
}
