//! Standing rules over HTTP; for people.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use holdpoint_core::rule::Then;
use holdpoint_core::{NewRule, Span};
use holdpoint_engine::Rules as _;
use holdpoint_engine::rules::{
    BackTest, CreatedRule, Explanation, RuleChange, RuleRecord, ShownRule, TriedProposal,
};
use serde::{Deserialize, Serialize};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// Which rules are wanted.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListParams {
    /// In which project; all if not given.
    project: Option<String>,
}

/// On what a rule is tried.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct TestParams {
    /// How far back; 30 days if not given.
    #[param(value_type = Option<String>)]
    since: Option<Span>,
}

/// What the rules should do.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ProposalParams {
    /// What the rules should do; allow if not given.
    #[param(inline)]
    then: Option<Then>,
}

/// Rules.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = Rules)]
pub(super) struct Items {
    /// The rules, the newest first.
    items: Vec<ShownRule>,
}

/// Rules that could be made.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Proposals {
    /// The narrowest first.
    items: Vec<TriedProposal>,
}

/// Makes a standing rule.
#[utoipa::path(
    post,
    path = "/v1/rules",
    operation_id = "createRule",
    tag = "rules",
    request_body = NewRule,
    responses((status = 201, description = "The rule", body = CreatedRule))
)]
pub(super) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(new): Body<NewRule>,
) -> Answer<(StatusCode, Json<CreatedRule>)> {
    Ok((StatusCode::CREATED, Json(caller.client(&app).create_rule(new).await?)))
}

/// Lists standing rules, ended ones too.
#[utoipa::path(
    get,
    path = "/v1/rules",
    operation_id = "listRules",
    tag = "rules",
    params(ListParams),
    responses((status = 200, description = "The rules", body = Items))
)]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Answer<Json<Items>> {
    Ok(Json(Items { items: caller.client(&app).rules(params.project.as_deref()).await? }))
}

/// Returns a standing rule, and what it has answered.
#[utoipa::path(
    get,
    path = "/v1/rules/{id}",
    operation_id = "getRule",
    tag = "rules",
    params(("id" = String, Path, description = "The rule, or a unique start of its id")),
    responses((status = 200, description = "The rule", body = RuleRecord))
)]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<RuleRecord>> {
    Ok(Json(caller.client(&app).rule(&id).await?))
}

/// Ends a standing rule. What it answered stays answered.
#[utoipa::path(
    post,
    path = "/v1/rules/{id}/revoke",
    operation_id = "revokeRule",
    tag = "rules",
    params(("id" = String, Path, description = "The rule, or a unique start of its id")),
    responses((status = 200, description = "The rule", body = ShownRule))
)]
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<ShownRule>> {
    Ok(Json(caller.client(&app).change_rule(&id, RuleChange::Revoke).await?))
}

/// Lets a standing rule go on that has tripped.
#[utoipa::path(
    post,
    path = "/v1/rules/{id}/resume",
    operation_id = "resumeRule",
    tag = "rules",
    params(("id" = String, Path, description = "The rule, or a unique start of its id")),
    responses((status = 200, description = "The rule", body = ShownRule))
)]
pub(super) async fn resume(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<ShownRule>> {
    Ok(Json(caller.client(&app).change_rule(&id, RuleChange::Resume).await?))
}

/// Tries a rule on what was asked before; writes nothing.
#[utoipa::path(
    post,
    path = "/v1/rules/test",
    operation_id = "testRule",
    tag = "rules",
    params(TestParams),
    request_body = NewRule,
    responses((status = 200, description = "What it would have done", body = BackTest))
)]
pub(super) async fn test(
    State(app): State<Arc<App>>,
    caller: Caller,
    Query(params): Query<TestParams>,
    Body(new): Body<NewRule>,
) -> Answer<Json<BackTest>> {
    Ok(Json(caller.client(&app).test_rule(new, params.since).await?))
}

/// Lists the rules that a decision suggests, each with what it would have done.
#[utoipa::path(
    get,
    path = "/v1/decisions/{id}/rules",
    operation_id = "proposeRules",
    tag = "rules",
    params(("id" = String, Path, description = "The decision, or a unique start of its id"), ProposalParams),
    responses((status = 200, description = "Rules that could be made", body = Proposals))
)]
pub(super) async fn propose(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
    Query(params): Query<ProposalParams>,
) -> Answer<Json<Proposals>> {
    let then = params.then.unwrap_or(Then::Allow);
    Ok(Json(Proposals { items: caller.client(&app).propose_rules(&id, then).await? }))
}

/// Says what the rules make of a decision, and why none answers it.
#[utoipa::path(
    get,
    path = "/v1/decisions/{id}/explanation",
    operation_id = "explainRules",
    tag = "rules",
    params(("id" = String, Path, description = "The decision, or a unique start of its id")),
    responses((status = 200, description = "What the rules say", body = Explanation))
)]
pub(super) async fn explain(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<Explanation>> {
    Ok(Json(caller.client(&app).explain_rules(&id).await?))
}
