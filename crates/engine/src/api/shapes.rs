//! Shapes that endpoints share.

use holdpoint_core::Span;
use serde::{Deserialize, Serialize};

/// No query parameters: any that are sent are ignored.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
pub struct NoParams {}

/// A body without anything in it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Nothing))]
#[serde(deny_unknown_fields)]
pub struct Empty {}

/// Raw bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bytes;

/// A list of items.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Items<T> {
    /// The items.
    pub items: Vec<T>,
}

impl<T> From<Vec<T>> for Items<T> {
    fn from(items: Vec<T>) -> Self {
        Self { items }
    }
}

/// A page of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// Selects a project.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct ProjectParams {
    /// The project. By default, lists cover all projects that the caller may use, and everything else uses `default`.
    pub project: Option<String>,
}

impl ProjectParams {
    /// Returns the parameters for a project, or for none.
    pub fn of(project: Option<&str>) -> Self {
        Self { project: project.map(str::to_owned) }
    }
}

/// How long a request holds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
#[serde(deny_unknown_fields)]
pub struct HoldParams {
    /// How long to hold, at most 5m; 30s if not given.
    #[cfg_attr(feature = "openapi", param(inline))]
    pub timeout: Option<Span>,
}
