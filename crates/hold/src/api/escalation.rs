//! Escalations, absences and simulation over HTTP: who is told when nobody answers, who stands in, and what would have been.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use holdpoint_core::people::{Absence, NewAbsence};
use holdpoint_engine::{EscalationView, People as _, Simulation, SimulationInput};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::App;
use super::body::Body;
use super::caller::Caller;
use super::path::Path;
use super::problem::Answer;
use super::query::Query;

/// Which absence is meant.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EndParams {
    /// The project that it is for alone; the one for all projects if not given.
    project: Option<String>,
}

/// Absences.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(super) struct Absences {
    /// By name.
    items: Vec<Absence>,
}

/// Returns what has happened, and what will, while nobody answers a decision.
#[utoipa::path(
    get,
    path = "/v1/decisions/{id}/escalation",
    operation_id = "getEscalation",
    tag = "people",
    params(("id" = String, Path, description = "The decision, or a unique start of its id")),
    responses((status = 200, description = "What happens, in the order of time", body = EscalationView))
)]
pub(super) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path,
) -> Answer<Json<EscalationView>> {
    Ok(Json(caller.client(&app).escalation(&id).await?))
}

/// Lists who is away, or will be, and who stands in.
#[utoipa::path(
    get,
    path = "/v1/absences",
    operation_id = "listAbsences",
    tag = "people",
    responses((status = 200, description = "The absences", body = Absences))
)]
pub(super) async fn absences(State(app): State<Arc<App>>, caller: Caller) -> Answer<Json<Absences>> {
    Ok(Json(Absences { items: caller.client(&app).absences().await? }))
}

/// Says that somebody is away, and who stands in. For that person, and for admins of all projects.
#[utoipa::path(
    put,
    path = "/v1/absences/{name}",
    operation_id = "putAbsence",
    tag = "people",
    params(("name" = String, Path, description = "The person who is away")),
    request_body = NewAbsence,
    responses((status = 200, description = "The absence", body = Absence))
)]
pub(super) async fn add_absence(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
    Body(new): Body<NewAbsence>,
) -> Answer<Json<Absence>> {
    Ok(Json(caller.client(&app).add_absence(&name, new).await?))
}

/// Says that somebody is back. For that person, and for admins of all projects.
#[utoipa::path(
    delete,
    path = "/v1/absences/{name}",
    operation_id = "endAbsence",
    tag = "people",
    params(("name" = String, Path, description = "The person who is back"), EndParams),
    responses((status = 200, description = "They are back"))
)]
pub(super) async fn end_absence(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(name): Path,
    Query(params): Query<EndParams>,
) -> Answer<Json<Value>> {
    caller.client(&app).end_absence(&name, params.project.as_deref()).await?;
    Ok(Json(json!({})))
}

/// Replays what was asked lately with further rules and policies; writes nothing. For admins.
#[utoipa::path(
    post,
    path = "/v1/policies/simulate",
    operation_id = "simulatePolicies",
    tag = "people",
    request_body = SimulationInput,
    responses((status = 200, description = "What would have been", body = Simulation))
)]
pub(super) async fn simulate(
    State(app): State<Arc<App>>,
    caller: Caller,
    Body(input): Body<SimulationInput>,
) -> Answer<Json<Simulation>> {
    Ok(Json(caller.client(&app).simulate(input).await?))
}
