//! Tokens, people and authentication over HTTP; for admins.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::{Person, Refusal, Token};
use holdpoint_engine::Client as _;
use holdpoint_engine::auth::{CreatedToken, NewPerson, NewToken};
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::{Caller, Mode};
use super::path::Path;
use super::problem::{Answer, Failed};

/// A list of something.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = List)]
pub(super) struct Items<T> {
    /// What there is.
    items: Vec<T>,
}

/// Whether callers are asked who they are.
#[derive(Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Authentication)]
pub(super) struct Auth {
    /// Whether they are.
    required: bool,
}

/// A one-time link.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct SignInLink {
    /// The whole address.
    url: String,
}

/// Lists tokens.
#[utoipa::path(
    get,
    path = "/v1/tokens",
    operation_id = "listTokens",
    tag = "tokens",
    responses((status = 200, description = "Tokens, revoked ones too", body = Items<Token>))
)]
pub(super) async fn tokens(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Items<Token>>> {
    Ok(Json(Items { items: caller.client(&app).tokens().await? }))
}

/// Makes a token.
#[utoipa::path(
    post,
    path = "/v1/tokens",
    operation_id = "createToken",
    tag = "tokens",
    request_body = NewToken,
    responses((status = 201, description = "The token with its secret, which cannot be had again", body = CreatedToken))
)]
pub(super) async fn create_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(new): Body<NewToken>,
) -> Answer<(StatusCode, Json<CreatedToken>)> {
    Ok((StatusCode::CREATED, Json(caller.client(&app).create_token(new).await?)))
}

/// Ends a token.
#[utoipa::path(
    delete,
    path = "/v1/tokens/{id}",
    operation_id = "revokeToken",
    tag = "tokens",
    params(("id" = String, Path, description = "The id, or a unique start of it")),
    responses((status = 200, description = "The token, which counts no more", body = Token))
)]
pub(super) async fn revoke_token(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Token>> {
    Ok(Json(caller.client(&app).revoke_token(&id).await?))
}

/// Lists people.
#[utoipa::path(
    get,
    path = "/v1/people",
    operation_id = "listPeople",
    tag = "people",
    responses((status = 200, description = "People", body = Items<Person>))
)]
pub(super) async fn people(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Items<Person>>> {
    Ok(Json(Items { items: caller.client(&app).people().await? }))
}

/// Makes a person known, or changes what is known of them.
#[utoipa::path(
    put,
    path = "/v1/people/{name}",
    operation_id = "putPerson",
    tag = "people",
    params(("name" = String, Path, description = "The name")),
    request_body = NewPerson,
    responses((status = 200, description = "The person", body = Person))
)]
pub(super) async fn put_person(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
    Body(new): Body<NewPerson>,
) -> Answer<Json<Person>> {
    if name != new.name {
        return Err(Refusal::invalid("name", "is not the one that the address names").into());
    }
    Ok(Json(caller.client(&app).put_person(new).await?))
}

/// Forgets a person and ends their sessions.
#[utoipa::path(
    delete,
    path = "/v1/people/{name}",
    operation_id = "removePerson",
    tag = "people",
    params(("name" = String, Path, description = "The name")),
    responses((status = 204, description = "Forgotten"))
)]
pub(super) async fn remove_person(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
) -> Answer<StatusCode> {
    caller.client(&app).remove_person(&name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes a link by which a person signs in once.
#[utoipa::path(
    post,
    path = "/v1/people/{name}/link",
    operation_id = "createSignInLink",
    tag = "people",
    params(("name" = String, Path, description = "The name")),
    responses((status = 200, description = "A link by which they sign in once", body = SignInLink))
)]
pub(super) async fn sign_in_link(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
) -> Answer<Json<SignInLink>> {
    caller.0.administers()?;
    let Mode::Auth(doors) = &app.mode else {
        return Err(Failed::new(409, "no_auth", "this server does not require anyone to sign in"));
    };
    let known = app.engine.people(&caller.0).await?.into_iter().any(|person| person.name == name);
    if !known {
        return Err(Refusal::NotFound { what: "person", id: name }.into());
    }
    let text = doors.links.issue_sign_in(&name, app.engine.now().await?)?;
    Ok(Json(SignInLink { url: format!("{}/sign-in/{text}", app.address) }))
}

/// Says whether callers must be known.
#[utoipa::path(
    get,
    path = "/v1/auth",
    operation_id = "getAuth",
    tag = "auth",
    responses((status = 200, description = "Whether only a server that checks identities may write to the store", body = Auth))
)]
pub(super) async fn auth(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Auth>> {
    Ok(Json(Auth { required: caller.client(&app).auth_required().await? }))
}

/// Says whether callers must be known, from now on.
#[utoipa::path(
    put,
    path = "/v1/auth",
    operation_id = "setAuth",
    tag = "auth",
    request_body = Auth,
    responses((status = 200, description = "As it is now", body = Auth))
)]
pub(super) async fn set_auth(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(auth): Body<Auth>,
) -> Answer<Json<Auth>> {
    caller.client(&app).set_auth(auth.required).await?;
    Ok(Json(auth))
}
